// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/QuantizeFunction.h"

#include "te/Dialect/TE/IR/ScaleShape.h"
#include "te/Support/DeadOps.h"
#include "te/Support/MatrixView.h"
#include "te/Support/Signature.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// FP8 copies of a tensor in a function, with the reciprocals of their scales.
struct Copies {
  QuantizedValue rowwise, columnwise;
  Value amax;
};

/// Names the layer of the FP8 products that are built.
struct LayerNamer : OpBuilder::Listener {
  explicit LayerNamer(StringAttr layer) : layer(layer) {}

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto product = dyn_cast<ScaledProductOpInterface>(op))
      product.setLayerAttr(layer);
  }

  StringAttr layer;
};

class FunctionRewriter {
public:
  FunctionRewriter(const FunctionPlan &function, const QuantizePlan &plan,
                   const StateSet &states, RecipeAttrInterface recipe,
                   ScalingUse use)
      : function(function), func(function.func), plan(plan), states(states),
        recipe(recipe), updates(use == ScalingUse::Updates),
        records(use == ScalingUse::Records), builder(func.getContext()) {}

  void run();

  unsigned quantized = 0;

private:
  void addArguments();
  Copies quantizeTensor(const QuantizedTensor &tensor);
  bool hasBlocks(const QuantizedTensor &tensor) const;
  void quantize(const QuantizedTensor &tensor, bool rowwise, bool columnwise,
                Copies &copies);
  void replaceOps();
  void startScaling();
  void recordAmaxes();
  void updateStates();
  void guardUpdates();
  void eraseUnreadParams();

  const FunctionPlan &function;
  func::FuncOp func;
  const QuantizePlan &plan;
  const StateSet &states;
  RecipeAttrInterface recipe;
  bool updates, records;
  OpBuilder builder;

  /// Arguments of the scaling states; null if this function has none.
  SmallVector<Value> stateArguments;
  llvm::MapVector<StringRef, Copies> weightArguments;
  /// The amax of each slot that ran.
  SmallVector<Value> amaxes;
  /// The ops that skip an update, and the amaxes that they must check.
  SmallVector<UpdateGuardOpInterface> guards;
  SmallVector<Value> watched;
  /// The last op that reads the scaling state of this step.
  Operation *lastReader = nullptr;
};
} // namespace

void FunctionRewriter::addArguments() {
  SignatureExtension extension(func);
  auto addArgument = [&](const StateSet::State &state) {
    return extension.addArgument(func.getLoc(), state.type, state.attrs);
  };
  for (auto [i, state] : llvm::enumerate(states.scaling)) {
    bool read = i == states.scales || i == states.scaleInvs ||
                (records && recipe.getRecordState() == i);
    stateArguments.push_back(read || updates ? addArgument(state) : Value());
  }
  for (auto &[param, weight] : states.weights) {
    const QuantizedTensor *tensor = llvm::find_if(
        function.tensors, [&, name = param](const QuantizedTensor &candidate) {
          return candidate.param == name;
        });
    bool reads = tensor != function.tensors.end();
    // Frozen parameters keep their copies.
    bool writes = updates && !plan.weights.find(param)->second.isFrozen;
    if (!reads && !writes)
      continue;
    Copies &copies = weightArguments[param];
    if (weight.rowwise && (writes || tensor->rowwise))
      copies.rowwise.data = addArgument(*weight.rowwise);
    if (weight.columnwise && (writes || tensor->columnwise))
      copies.columnwise.data = addArgument(*weight.columnwise);
    if (updates)
      copies.amax = addArgument(weight.amax);
  }
}

/// True if the recipe has scales of blocks for a tensor, which a copy and its
/// transpose do not share.
bool FunctionRewriter::hasBlocks(const QuantizedTensor &tensor) const {
  auto type = cast<RankedTensorType>(tensor.source.getType());
  return !recipe.getScaleShape(tensor.role, type.getShape()).empty();
}

/// Makes copies with one scale, of blocks if the recipe has those.
void FunctionRewriter::quantize(const QuantizedTensor &tensor, bool rowwise,
                                bool columnwise, Copies &copies) {
  Location loc = tensor.firstUser->getLoc();
  FloatType format = plan.slots[tensor.slot].format;
  Type source = tensor.source.getType();
  auto getType = [&](bool wanted, bool transposed) {
    return wanted ? getCopyType(source, format, transposed)
                  : RankedTensorType();
  };
  RankedTensorType types[] = {getType(rowwise, false),
                              getType(columnwise, true)};
  ArrayRef<int64_t> copy = (rowwise ? types[0] : types[1]).getShape();
  Value scale =
      recipe.buildScale(builder, loc, tensor.source, format,
                        recipe.getScaleShape(tensor.role, copy),
                        /*transposed=*/!rowwise, stateArguments, tensor.slot);
  // A scale made in the step is computed from an amax already.
  auto compute = scale.getDefiningOp<ComputeScaleOp>();
  if (!copies.amax && compute && isOneScale(compute.getAmax()))
    copies.amax = compute.getAmax();
  bool wantsAmax = updates || records || (!copies.amax && !guards.empty());
  auto op = QuantizeOp::create(builder, loc, types[0], types[1],
                               wantsAmax ? getScalarType(builder.getContext())
                                         : Type(),
                               /*dbias=*/Type(), tensor.source, scale);
  Value scaleInv =
      recipe.buildScaleInv(builder, loc, scale, stateArguments, tensor.slot);
  if (rowwise)
    copies.rowwise = {op.getRowwise(), scaleInv};
  if (columnwise)
    copies.columnwise = {op.getColumnwise(), scaleInv};
  if (wantsAmax)
    copies.amax = op.getAmax();
  ++quantized;
}

Copies FunctionRewriter::quantizeTensor(const QuantizedTensor &tensor) {
  auto it = weightArguments.find(tensor.param);
  bool isState = it != weightArguments.end();
  // At the value's definition, so that its producer can fuse the quantization;
  // for arguments at the first reader.
  if (Operation *producer = isState ? nullptr : tensor.source.getDefiningOp())
    builder.setInsertionPointAfter(producer);
  else
    builder.setInsertionPoint(tensor.firstUser);

  Copies copies;
  if (isState) {
    copies = it->second;
    copies.rowwise.scaleInv = copies.columnwise.scaleInv =
        recipe.buildScaleInv(builder, tensor.firstUser->getLoc(),
                             /*scale=*/Value(), stateArguments, tensor.slot);
  } else if (tensor.rowwise && tensor.columnwise && hasBlocks(tensor)) {
    quantize(tensor, /*rowwise=*/true, /*columnwise=*/false, copies);
    quantize(tensor, /*rowwise=*/false, /*columnwise=*/true, copies);
  } else {
    quantize(tensor, tensor.rowwise, tensor.columnwise, copies);
  }
  if (copies.amax)
    watched.push_back(copies.amax);
  amaxes[tensor.slot] = copies.amax;
  return copies;
}

void FunctionRewriter::replaceOps() {
  SmallVector<Copies> copies;
  for (const QuantizedTensor &tensor : function.tensors)
    copies.push_back(quantizeTensor(tensor));
  for (const QuantizedOp &quantizedOp : function.ops) {
    Fp8OpInterface op = quantizedOp.op;
    SmallVector<QuantizedValue> operands;
    for (auto [operand, index] :
         llvm::zip_equal(op.getFp8Operands(), quantizedOp.tensors))
      operands.push_back(operand.columnwise ? copies[index].columnwise
                                            : copies[index].rowwise);
    builder.setInsertionPoint(op);
    LayerNamer namer(op.getLayerAttr());
    builder.setListener(&namer);
    Value result = op.buildFp8Form(builder, operands);
    builder.setListener(nullptr);
    op->getResult(0).replaceAllUsesWith(result);
    lastReader = result.getDefiningOp();
    op->erase();
  }
}

/// Sets the insertion point after the last reader of the old states, where they
/// can be changed in place, and gives slots that did not run an amax of zero.
void FunctionRewriter::startScaling() {
  if (lastReader)
    builder.setInsertionPointAfter(lastReader);
  else
    builder.setInsertionPointToStart(&func.getBody().front());
  Value zero;
  for (Value &amax : amaxes) {
    if (amax)
      continue;
    if (!zero)
      zero = arith::ConstantOp::create(
          builder, func.getLoc(),
          DenseElementsAttr::get(getScalarType(builder.getContext()), 0.0f));
    amax = zero;
  }
}

/// A microbatch only records: the weights' amaxes are counted once, by the
/// update.
void FunctionRewriter::recordAmaxes() {
  startScaling();
  SmallVector<Value> newStates =
      recipe.buildRecord(builder, func.getLoc(), stateArguments, amaxes);
  SignatureExtension extension(func);
  for (auto [state, before, after] :
       llvm::zip_equal(states.scaling, stateArguments, newStates))
    if (after != before)
      extension.addResult(after, state.attrs);
}

void FunctionRewriter::updateStates() {
  startScaling();
  Block &body = func.getBody().front();
  SmallVector<Attribute> formats;
  for (const Slot &slot : plan.slots)
    formats.push_back(TypeAttr::get(slot.format));
  SmallVector<Value> newStates =
      recipe.buildUpdate(builder, func.getLoc(), stateArguments, amaxes,
                         builder.getArrayAttr(formats));
  SignatureExtension extension(func);
  auto addResult = [&](const StateSet::State &state, Value value) {
    extension.addResult(value, state.attrs);
  };
  for (auto [state, value] : llvm::zip_equal(states.scaling, newStates))
    addResult(state, value);

  Operation *update = newStates[states.scales].getDefiningOp();
  for (auto &[param, weight] : plan.weights) {
    if (weight.isFrozen)
      continue;
    const StateSet::WeightStates &weightStates =
        states.weights.find(param)->second;
    Value newParam =
        body.getTerminator()->getOperand(*findParamResult(func, param));
    Operation *producer = newParam.getDefiningOp();
    Operation *after =
        producer && update->isBeforeInBlock(producer) ? producer : update;
    builder.setInsertionPointAfter(after);
    Location loc = newParam.getLoc();
    Value scale =
        extractElement(builder, loc, newStates[states.scales], weight.slot);
    auto op = QuantizeOp::create(builder, loc, getType(weightStates.rowwise),
                                 getType(weightStates.columnwise),
                                 weightStates.amax.type, /*dbias=*/Type(),
                                 viewAsMatrix(builder, loc, newParam), scale);
    ++quantized;
    if (weightStates.rowwise)
      addResult(*weightStates.rowwise, op.getRowwise());
    if (weightStates.columnwise)
      addResult(*weightStates.columnwise, op.getColumnwise());
    addResult(weightStates.amax, op.getAmax());
  }
}

/// An update is skipped if a tensor that its gradients depend on was not
/// finite. Tensors quantized after a guard are not among them.
void FunctionRewriter::guardUpdates() {
  for (UpdateGuardOpInterface guard : guards) {
    SmallVector<Value> before;
    for (Value amax : watched) {
      Operation *producer = amax.getDefiningOp();
      if (!producer || producer->isBeforeInBlock(guard))
        before.push_back(amax);
    }
    guard.watchAmaxes(before);
  }
}

void FunctionRewriter::eraseUnreadParams() {
  llvm::BitVector unread(func.getNumArguments());
  for (const QuantizedTensor &tensor : function.tensors)
    if (plan.weights.contains(tensor.param) && tensor.argument.use_empty())
      unread.set(tensor.argument.getArgNumber());
  (void)func.eraseArguments(unread);
}

void FunctionRewriter::run() {
  amaxes.resize(plan.slots.size());
  llvm::append_range(guards,
                     func.getBody().front().getOps<UpdateGuardOpInterface>());
  addArguments();
  replaceOps();
  guardUpdates();
  if (updates)
    updateStates();
  else if (records)
    recordAmaxes();
  eraseDeadOps(func.getBody().front());
  eraseUnreadParams();
}

unsigned mlir::te::quantizeFunction(const FunctionPlan &function,
                                    const QuantizePlan &plan,
                                    const StateSet &states,
                                    RecipeAttrInterface recipe,
                                    ScalingUse use) {
  FunctionRewriter rewriter(function, plan, states, recipe, use);
  rewriter.run();
  return rewriter.quantized;
}
