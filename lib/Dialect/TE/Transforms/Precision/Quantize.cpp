// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-quantize: fp8 regions become quantized tensors, scaled matmuls and one
// update of the scaling state.

#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"

#include "Precision/Layers.h"
#include "Precision/QuantizePlan.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEQUANTIZE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// The type of a copy of a matrix, sizes rounded up to what FP8 GEMMs take.
static RankedTensorType getCopyType(Type source, FloatType format,
                                    bool columnwise) {
  auto type = cast<RankedTensorType>(source);
  int64_t rows = llvm::alignTo(type.getDimSize(0), kFp8Alignment);
  int64_t columns = llvm::alignTo(type.getDimSize(1), kFp8Alignment);
  if (columnwise)
    std::swap(rows, columns);
  return RankedTensorType::get({rows, columns}, format);
}

static RankedTensorType getScalarType(MLIRContext *context) {
  return RankedTensorType::get({}, Float32Type::get(context));
}

static Value insertSlot(OpBuilder &builder, Location loc, Value scalar,
                        Value state, unsigned slot) {
  return tensor::InsertSliceOp::create(
      builder, loc, scalar, state,
      ArrayRef<OpFoldResult>{builder.getIndexAttr(slot)},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

/// Erases what nothing reads any more, last op first.
static void eraseDeadOps(func::FuncOp func) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(func.getBody().front())))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {
/// The states that the pass adds to the functions of a module.
struct StateSet {
  struct State {
    std::string name;
    RankedTensorType type;
    DictionaryAttr attrs;
  };
  /// The recipe's states in its order, if it has any; the indices of the scales
  /// and of their reciprocals among them.
  SmallVector<State> scaling;
  unsigned scales = 0;
  unsigned scaleInvs = 0;

  struct WeightStates {
    std::optional<State> rowwise, columnwise;
    State amax;
  };
  llvm::MapVector<StringRef, WeightStates> weights;
};

/// Null for a state that there is none of.
Type getType(const std::optional<StateSet::State> &state) {
  return state ? Type(state->type) : Type();
}

/// FP8 copies of a tensor in a function, with the reciprocal of their scale.
struct Copies {
  Value rowwise, columnwise, amax, scaleInv;
};

/// Makes FP8 products that are built products of one layer.
struct LayerNamer : OpBuilder::Listener {
  explicit LayerNamer(StringAttr layer) : layer(layer) {}

  void notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) override {
    if (auto product = dyn_cast<ScaledMatmulOp>(op))
      product.setLayerAttr(layer);
  }

  StringAttr layer;
};

class FunctionRewriter {
public:
  FunctionRewriter(const FunctionPlan &function, const QuantizePlan &plan,
                   const StateSet &states, RecipeAttrInterface recipe,
                   bool updates)
      : function(function), func(function.func), plan(plan), states(states),
        recipe(recipe), updates(updates), builder(func.getContext()) {}

  void run();

  unsigned quantized = 0;

private:
  Value addArgument(const StateSet::State &state);
  void addResult(const StateSet::State &state, Value value);
  void addArguments();
  Copies quantizeTensor(const QuantizedTensor &tensor);
  void replaceOps();
  void updateStates();
  void guardUpdates();
  void eraseUnreadParams();

  const FunctionPlan &function;
  func::FuncOp func;
  const QuantizePlan &plan;
  const StateSet &states;
  RecipeAttrInterface recipe;
  bool updates;
  OpBuilder builder;

  /// Arguments of the scaling states; null where this function has none.
  SmallVector<Value> stateArguments;
  llvm::MapVector<StringRef, Copies> weightArguments;
  /// The amax of each slot that ran.
  SmallVector<Value> amaxes;
  /// The ops that skip an update, and the amaxes that they are to watch.
  SmallVector<UpdateGuardOpInterface> guards;
  SmallVector<Value> watched;
  /// The last op that reads the scaling state of this step.
  Operation *lastReader = nullptr;
};
} // namespace

Value FunctionRewriter::addArgument(const StateSet::State &state) {
  unsigned index = func.getNumArguments();
  // The index is in range, so this cannot fail.
  (void)func.insertArgument(index, state.type, state.attrs, func.getLoc());
  return func.getArgument(index);
}

void FunctionRewriter::addResult(const StateSet::State &state, Value value) {
  (void)func.insertResult(func.getNumResults(), state.type, state.attrs);
  Operation *terminator = func.getBody().front().getTerminator();
  terminator->insertOperands(terminator->getNumOperands(), value);
}

void FunctionRewriter::addArguments() {
  for (auto [i, state] : llvm::enumerate(states.scaling)) {
    bool read = i == states.scales || i == states.scaleInvs;
    stateArguments.push_back(read || updates ? addArgument(state) : Value());
  }
  for (auto &[param, weight] : states.weights) {
    const QuantizedTensor *tensor = llvm::find_if(
        function.tensors, [&, name = param](const QuantizedTensor &candidate) {
          return candidate.param == name;
        });
    bool reads = tensor != function.tensors.end();
    if (!reads && !updates)
      continue;
    Copies &copies = weightArguments[param];
    if (weight.rowwise && (updates || tensor->rowwise))
      copies.rowwise = addArgument(*weight.rowwise);
    if (weight.columnwise && (updates || tensor->columnwise))
      copies.columnwise = addArgument(*weight.columnwise);
    if (updates)
      copies.amax = addArgument(weight.amax);
  }
}

Copies FunctionRewriter::quantizeTensor(const QuantizedTensor &tensor) {
  Location loc = tensor.firstUser->getLoc();
  auto it = weightArguments.find(tensor.param);
  bool isState = it != weightArguments.end();
  // Where the value appears, so that its producer can take the quantization
  // over; arguments where they are first read.
  if (Operation *producer = isState ? nullptr : tensor.source.getDefiningOp())
    builder.setInsertionPointAfter(producer);
  else
    builder.setInsertionPoint(tensor.firstUser);

  Copies copies;
  Value scale;
  if (isState) {
    copies = it->second;
  } else {
    FloatType format = plan.slots[tensor.slot].format;
    Type source = tensor.source.getType();
    scale = recipe.buildScale(builder, loc, tensor.source, format,
                              stateArguments, tensor.slot);
    // A scale made in the step comes from an amax already.
    auto compute = scale.getDefiningOp<ComputeScaleOp>();
    Value known = compute ? compute.getAmax() : Value();
    bool wantsAmax = updates || (!known && !guards.empty());
    auto op = QuantizeOp::create(
        builder, loc,
        tensor.rowwise ? getCopyType(source, format, false) : Type(),
        tensor.columnwise ? getCopyType(source, format, true) : Type(),
        wantsAmax ? getScalarType(builder.getContext()) : Type(),
        /*dbias=*/Type(), tensor.source, scale);
    copies = {op.getRowwise(),
              op.getColumnwise(),
              wantsAmax ? op.getAmax() : known,
              {}};
    ++quantized;
  }
  if (copies.amax)
    watched.push_back(copies.amax);
  copies.scaleInv =
      recipe.buildScaleInv(builder, loc, scale, stateArguments, tensor.slot);
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
      operands.push_back({operand.columnwise ? copies[index].columnwise
                                             : copies[index].rowwise,
                          copies[index].scaleInv});
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

void FunctionRewriter::updateStates() {
  Block &body = func.getBody().front();
  // After the last reader of the old state, so that it can be updated in place.
  if (lastReader)
    builder.setInsertionPointAfter(lastReader);
  else
    builder.setInsertionPointToStart(&body);
  SmallVector<Attribute> formats;
  for (const Slot &slot : plan.slots)
    formats.push_back(TypeAttr::get(slot.format));
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
  SmallVector<Value> newStates =
      recipe.buildUpdate(builder, func.getLoc(), stateArguments, amaxes,
                         builder.getArrayAttr(formats));
  for (auto [state, value] : llvm::zip_equal(states.scaling, newStates))
    addResult(state, value);

  Operation *update = newStates[states.scales].getDefiningOp();
  for (auto &[param, weight] : plan.weights) {
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
                                 newParam, scale);
    ++quantized;
    if (weightStates.rowwise)
      addResult(*weightStates.rowwise, op.getRowwise());
    if (weightStates.columnwise)
      addResult(*weightStates.columnwise, op.getColumnwise());
    addResult(weightStates.amax, op.getAmax());
  }
}

/// An update is skipped when a tensor on the way to its gradients was not
/// finite. What is quantized behind a guard is not on that way.
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
    if (plan.weights.contains(tensor.param) && tensor.source.use_empty())
      unread.set(cast<BlockArgument>(tensor.source).getArgNumber());
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
  eraseDeadOps(func);
  eraseUnreadParams();
}

namespace {
struct QuantizePass : public te::impl::TEQuantizeBase<QuantizePass> {
  using Base::Base;
  /// Reads the recipe: its dialect may have to be loaded, which is too late
  /// when passes run.
  LogicalResult initialize(MLIRContext *context) override {
    recipeAttribute = parseAttribute(recipe, context);
    return success();
  }
  void runOnOperation() override;

private:
  FailureOr<RecipeAttrInterface> checkRecipe();
  FailureOr<StateSet> makeStates(const QuantizePlan &plan,
                                 RecipeAttrInterface recipe);
  FailureOr<bool> updatesStates(func::FuncOp func, const QuantizePlan &plan);
  LogicalResult makeInit(const QuantizePlan &plan, const StateSet &states,
                         RecipeAttrInterface recipe, func::FuncOp updater);

  Attribute recipeAttribute;
};
} // namespace

FailureOr<RecipeAttrInterface> QuantizePass::checkRecipe() {
  if (!recipeAttribute)
    return emitError(getOperation().getLoc())
           << "te-quantize cannot read the recipe '" << recipe
           << "'; give one such as #te.delayed_scaling<history=16>";
  auto result = dyn_cast<RecipeAttrInterface>(recipeAttribute);
  if (!result)
    return emitError(getOperation().getLoc())
           << "te-quantize expects a quantization recipe, but '" << recipe
           << "' is none";
  return result;
}

FailureOr<StateSet> QuantizePass::makeStates(const QuantizePlan &plan,
                                             RecipeAttrInterface recipe) {
  OpBuilder builder(&getContext());
  auto makeState = [&](std::string name, StringRef kind, RankedTensorType type,
                       Attribute init) {
    NamedAttrList attrs;
    attrs.set(kStateAttr, builder.getStringAttr(name));
    attrs.set(kKindAttr, builder.getStringAttr(kind));
    attrs.set(kInitAttr, init);
    return StateSet::State{std::move(name), type,
                           attrs.getDictionary(&getContext())};
  };

  StateSet states;
  std::optional<unsigned> scales, scaleInvs;
  for (const RecipeState &state : recipe.getStates(plan.slots.size())) {
    if (state.kind == "fp8_scale")
      scales = states.scaling.size();
    if (state.kind == "fp8_scale_inv")
      scaleInvs = states.scaling.size();
    Type element = state.type.getElementType();
    Attribute init = isa<IntegerType>(element)
                         ? Attribute(builder.getIntegerAttr(
                               element, static_cast<int64_t>(state.init)))
                         : Attribute(builder.getFloatAttr(element, state.init));
    states.scaling.push_back(
        makeState(state.name, state.kind, state.type, init));
  }
  if (states.scaling.empty())
    return states;
  if (!scales || !scaleInvs)
    return emitError(getOperation().getLoc())
           << "te-quantize finds no state of the kind '"
           << (scales ? "fp8_scale_inv" : "fp8_scale")
           << "' among those of the recipe " << recipe.getRecipeName();
  states.scales = *scales;
  states.scaleInvs = *scaleInvs;

  Attribute derived = builder.getStringAttr("derived");
  for (auto &[param, weight] : plan.weights) {
    FloatType format = plan.slots[weight.slot].format;
    StateSet::WeightStates &weightStates = states.weights[param];
    std::string name = "fp8.weight." + param.str();
    if (weight.rowwise)
      weightStates.rowwise =
          makeState(name + ".rowwise", "fp8_weight",
                    getCopyType(weight.type, format, false), derived);
    if (weight.columnwise)
      weightStates.columnwise =
          makeState(name + ".columnwise", "fp8_weight",
                    getCopyType(weight.type, format, true), derived);
    weightStates.amax =
        makeState("fp8.weight_amax." + param.str(), "fp8_weight_amax",
                  getScalarType(&getContext()), derived);
  }
  return states;
}

/// Whether a function carries the scaling state to the next step.
FailureOr<bool> QuantizePass::updatesStates(func::FuncOp func,
                                            const QuantizePlan &plan) {
  if (plan.weights.empty()) {
    auto entry = func->getAttrOfType<StringAttr>(kEntryAttr);
    const EntryKind *kind = entry ? findEntryKind(entry) : nullptr;
    return kind && kind->hasGradients;
  }
  StringRef updated, kept;
  for (auto &[param, weight] : plan.weights)
    (findParamResult(func, param) ? updated : kept) = param;
  if (!updated.empty() && !kept.empty())
    return func.emitError()
           << "updates the parameter '" << updated << "' but not '" << kept
           << "', which another entry updates; FP8 weights and their scales "
           << "are updated together";
  return !updated.empty();
}

LogicalResult QuantizePass::makeInit(const QuantizePlan &plan,
                                     const StateSet &states,
                                     RecipeAttrInterface recipe,
                                     func::FuncOp updater) {
  ModuleOp module = getOperation();
  if (Operation *existing = module.lookupSymbol("init"))
    return existing->emitError()
           << "is named 'init', a name that te-quantize needs for the entry "
           << "that makes the first FP8 copies of the weights; rename it";

  // Arguments: parameters, scaling state, what is derived.
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  for (auto &[param, weight] : plan.weights) {
    for (unsigned i = 0, e = updater.getNumArguments(); i < e; ++i) {
      auto name = updater.getArgAttrOfType<StringAttr>(i, kParamAttr);
      if (!name || name.getValue() != param)
        continue;
      argumentTypes.push_back(weight.type);
      argumentAttrs.push_back(updater.getArgAttrDict(i));
    }
  }
  auto addState = [&](const StateSet::State &state) {
    argumentTypes.push_back(state.type);
    argumentAttrs.push_back(state.attrs);
    resultTypes.push_back(state.type);
    resultAttrs.push_back(state.attrs);
  };
  addState(states.scaling[states.scales]);
  addState(states.scaling[states.scaleInvs]);
  for (auto &[param, weight] : states.weights) {
    if (weight.rowwise)
      addState(*weight.rowwise);
    if (weight.columnwise)
      addState(*weight.columnwise);
    addState(weight.amax);
  }

  OpBuilder builder(module.getBodyRegion());
  builder.setInsertionPointToEnd(module.getBody());
  Location loc = updater.getLoc();
  auto type = builder.getFunctionType(argumentTypes, resultTypes);
  auto init = func::FuncOp::create(builder, loc, "init", type);
  init->setAttr(kEntryAttr, builder.getStringAttr("init"));
  init.setAllArgAttrs(argumentAttrs);
  init.setAllResultAttrs(resultAttrs);
  Block *body = init.addEntryBlock();
  builder.setInsertionPointToStart(body);

  unsigned numWeights = plan.weights.size();
  Value scales = body->getArgument(numWeights);
  Value scaleInvs = body->getArgument(numWeights + 1);
  SmallVector<Value> derived;
  unsigned index = 0;
  for (auto &[param, weight] : plan.weights) {
    const StateSet::WeightStates &weightStates =
        states.weights.find(param)->second;
    Value value = body->getArgument(index++);
    Value amax = AmaxOp::create(builder, loc, weightStates.amax.type, value);
    auto [scale, scaleInv] = recipe.buildInitialScale(
        builder, loc, amax, plan.slots[weight.slot].format);
    auto op =
        QuantizeOp::create(builder, loc, getType(weightStates.rowwise),
                           getType(weightStates.columnwise),
                           /*amax=*/Type(), /*dbias=*/Type(), value, scale);
    if (weightStates.rowwise)
      derived.push_back(op.getRowwise());
    if (weightStates.columnwise)
      derived.push_back(op.getColumnwise());
    derived.push_back(amax);
    scales = insertSlot(builder, loc, scale, scales, weight.slot);
    scaleInvs = insertSlot(builder, loc, scaleInv, scaleInvs, weight.slot);
    ++numQuantized;
  }
  SmallVector<Value> results = {scales, scaleInvs};
  results.append(derived);
  func::ReturnOp::create(builder, loc, results);
  return success();
}

/// Puts the ops of all regions back into their function; returns the ops of
/// fp8 regions that have an FP8 form, in program order.
static SmallVector<Fp8OpInterface> dissolveRegions(func::FuncOp func) {
  SmallVector<Fp8OpInterface> chosen;
  func.walk([&](Fp8OpInterface op) {
    auto region = op->getParentOfType<RegionOp>();
    if (region && region.getPrecision() == Precision::Fp8)
      chosen.push_back(op);
  });
  func.walk([](RegionOp region) {
    Block &body = region.getBody().front();
    Operation *yield = body.getTerminator();
    region.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    region->getBlock()->getOperations().splice(region->getIterator(),
                                               body.getOperations());
    region.erase();
  });
  return chosen;
}

void QuantizePass::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<RecipeAttrInterface> recipe = checkRecipe();
  if (failed(recipe))
    return signalPassFailure();
  if (module->hasAttr(kSlotsAttr)) {
    module.emitError() << "is quantized already: it has 'te.slots'";
    return signalPassFailure();
  }

  SmallVector<std::pair<func::FuncOp, SmallVector<Fp8OpInterface>>> chosen;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isDeclaration())
      continue;
    SmallVector<Fp8OpInterface> ops = dissolveRegions(func);
    if (func.getBody().hasOneBlock()) {
      chosen.push_back({func, std::move(ops)});
    } else if (!ops.empty()) {
      func.emitError() << "has FP8 ops and several blocks; te-quantize takes "
                       << "functions without control flow";
      return signalPassFailure();
    }
  }
  nameLayers(module);
  FailureOr<QuantizePlan> plan = makeQuantizePlan(chosen, *recipe);
  if (failed(plan))
    return signalPassFailure();
  if (plan->slots.empty())
    return;
  FailureOr<StateSet> states = makeStates(*plan, *recipe);
  if (failed(states))
    return signalPassFailure();

  Callers callers(module);
  func::FuncOp updater;
  for (const FunctionPlan &function : plan->functions) {
    FailureOr<bool> updates = updatesStates(function.func, *plan);
    if (failed(updates))
      return signalPassFailure();
    // Without state there is nothing to update.
    updates = *updates && !states->scaling.empty();
    if (function.ops.empty() && !(*updates && !plan->weights.empty()))
      continue;
    func::FuncOp func = function.func;
    if (Operation *caller = callers.find(func)) {
      InFlightDiagnostic diagnostic =
          func.emitError()
          << "@" << func.getName()
          << " gets scaling state as arguments and results, but "
          << describeFunctionOf(caller)
          << " calls it; run the pass 'inline' before te-partition";
      diagnostic.attachNote(caller->getLoc()) << "called here";
      return signalPassFailure();
    }
    if (*updates && !plan->weights.empty())
      updater = function.func;
    FunctionRewriter rewriter(function, *plan, *states, *recipe, *updates);
    rewriter.run();
    numQuantized += rewriter.quantized;
    numFp8Ops += function.ops.size();
  }
  if (updater && failed(makeInit(*plan, *states, *recipe, updater)))
    return signalPassFailure();
  if (fastDgrad)
    module.walk([](ScaledMatmulOp op) {
      if (op.getRole() == MatmulRole::Dgrad)
        op.setAccumulate(Accumulate::Fast);
    });

  numSlots = plan->slots.size();
  OpBuilder builder(&getContext());
  SmallVector<Attribute> names, formats;
  for (const Slot &slot : plan->slots) {
    names.push_back(builder.getStringAttr(slot.name));
    formats.push_back(TypeAttr::get(slot.format));
  }
  module->setAttr(kSlotsAttr, builder.getArrayAttr(names));
  module->setAttr(kSlotFormatsAttr, builder.getArrayAttr(formats));
  module->setAttr(kRecipeAttr, *recipe);
}
