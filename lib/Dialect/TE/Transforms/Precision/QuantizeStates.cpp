// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/QuantizeStates.h"

#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Support/MatrixView.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

RankedTensorType mlir::te::getCopyType(Type source, FloatType format,
                                       bool columnwise) {
  RankedTensorType type = getMatrixType(cast<RankedTensorType>(source));
  int64_t rows = llvm::alignTo(type.getDimSize(0), kFp8Alignment);
  int64_t columns = llvm::alignTo(type.getDimSize(1), kFp8Alignment);
  if (columnwise)
    std::swap(rows, columns);
  return RankedTensorType::get({rows, columns}, format);
}

RankedTensorType mlir::te::getScalarType(MLIRContext *context) {
  return RankedTensorType::get({}, Float32Type::get(context));
}

Type mlir::te::getType(const std::optional<StateSet::State> &state) {
  return state ? Type(state->type) : Type();
}

/// The shards of weights that ranks hold (te.shard), by name.
static llvm::StringMap<ShardAttr> findShards(ModuleOp module) {
  llvm::StringMap<ShardAttr> shards;
  for (auto function : module.getOps<func::FuncOp>())
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i) {
      auto name = function.getArgAttrOfType<StringAttr>(i, kParamAttr);
      auto shard = function.getArgAttrOfType<ShardAttr>(i, kShardAttr);
      if (name && shard)
        shards[name.getValue()] = shard;
    }
  return shards;
}

/// The blocks of a weight's sharded dimension in its view as a matrix.
static SmallVector<int64_t> getMatrixBlocks(ShardAttr weight) {
  ArrayRef<int64_t> shape = weight.getShape();
  const auto dim = size_t(weight.getDim());
  SmallVector<int64_t> blocks(weight.getBlocks());
  if (dim + 1 == shape.size())
    return blocks;
  int64_t outer = 1, inner = 1;
  for (int64_t size : shape.take_front(dim))
    outer *= size;
  for (int64_t size : shape.drop_back().drop_front(dim + 1))
    inner *= size;
  // Those of one index of the outer dimensions lie between those of others.
  if (blocks.empty() && outer > 1)
    blocks.push_back(shape[dim]);
  SmallVector<int64_t> all;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t block : blocks)
      all.push_back(block * inner);
  return all;
}

/// The concatenation of the copies of a weight's shards along the sharded
/// dimension or, if that has blocks, block by block: checkpoints then hold the
/// copy of the full weight. Each shard is padded separately, after its blocks.
static ShardAttr getShardOfCopy(ShardAttr weight, RankedTensorType copy,
                                bool columnwise, const Mesh &mesh) {
  ArrayRef<int64_t> of = weight.getShape();
  const bool ofColumns = size_t(weight.getDim()) + 1 == of.size();
  const int64_t dim = columnwise ? !ofColumns : ofColumns;
  SmallVector<int64_t> shape(copy.getShape());
  for (auto [i, axis] : llvm::enumerate(mesh.getAxes()))
    if (weight.getDimAxes() >> i & 1)
      shape[dim] *= axis.size;
  SmallVector<int64_t> blocks = getMatrixBlocks(weight);
  auto full = RankedTensorType::get(of, copy.getElementType());
  if (const int64_t padding =
          shape[dim] - getMatrixType(full).getDimSize(ofColumns);
      !blocks.empty() && padding > 0)
    blocks.push_back(padding);
  return ShardAttr::get(weight.getContext(), shape, weight.getDimAxes(), dim,
                        blocks, /*flatAxes=*/0);
}

FailureOr<StateSet> mlir::te::makeStates(ModuleOp module,
                                         const QuantizePlan &plan,
                                         RecipeAttrInterface recipe) {
  MLIRContext *context = module.getContext();
  OpBuilder builder(context);
  auto makeState = [&](std::string name, StringRef kind, RankedTensorType type,
                       Attribute init) {
    NamedAttrList attrs;
    attrs.set(kStateAttr, builder.getStringAttr(name));
    attrs.set(kKindAttr, builder.getStringAttr(kind));
    attrs.set(kInitAttr, init);
    return StateSet::State{std::move(name), type, attrs.getDictionary(context)};
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
    return emitError(module.getLoc())
           << "te-quantize finds no state of the kind '"
           << (scales ? "fp8_scale_inv" : "fp8_scale")
           << "' among those of the recipe " << recipe.getRecipeName();
  states.scales = *scales;
  states.scaleInvs = *scaleInvs;

  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return failure();
  llvm::StringMap<ShardAttr> shards = findShards(module);
  Attribute derived = builder.getStringAttr("derived");
  for (auto &[param, weight] : plan.weights) {
    FloatType format = plan.slots[weight.slot].format;
    StateSet::WeightStates &weightStates = states.weights[param];
    auto makeCopy = [&, param = param, &weight = weight,
                     shard = shards.lookup(param)](bool columnwise) {
      RankedTensorType type = getCopyType(weight.type, format, columnwise);
      StateSet::State state =
          makeState("fp8.weight." + param.str() +
                        (columnwise ? ".columnwise" : ".rowwise"),
                    "fp8_weight", type, derived);
      if (!shard || !*mesh)
        return state;
      NamedAttrList attrs(state.attrs);
      attrs.set(kShardAttr, getShardOfCopy(shard, type, columnwise, **mesh));
      state.attrs = attrs.getDictionary(context);
      return state;
    };
    if (weight.rowwise)
      weightStates.rowwise = makeCopy(false);
    if (weight.columnwise)
      weightStates.columnwise = makeCopy(true);
    weightStates.amax =
        makeState("fp8.weight_amax." + param.str(), "fp8_weight_amax",
                  getScalarType(context), derived);
  }
  return states;
}

static Value insertSlot(OpBuilder &builder, Location loc, Value scalar,
                        Value state, unsigned slot) {
  return tensor::InsertSliceOp::create(
      builder, loc, scalar, state,
      ArrayRef<OpFoldResult>{builder.getIndexAttr(slot)},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

LogicalResult mlir::te::makeInit(const QuantizePlan &plan,
                                 const StateSet &states,
                                 RecipeAttrInterface recipe,
                                 func::FuncOp updater) {
  auto module = updater->getParentOfType<ModuleOp>();
  if (Operation *existing = module.lookupSymbol("init"))
    return existing->emitError()
           << "is named 'init', a name that te-quantize needs for the entry "
           << "that makes the first FP8 copies of the weights; rename it";

  // Arguments: parameters, scaling state, derived values.
  SmallVector<Type> argumentTypes, resultTypes;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  for (auto &[param, weight] : plan.weights) {
    argumentTypes.push_back(weight.type);
    argumentAttrs.push_back(weight.attrs);
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
    Value value = viewAsMatrix(builder, loc, body->getArgument(index++));
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
  }
  SmallVector<Value> results = {scales, scaleInvs};
  results.append(derived);
  func::ReturnOp::create(builder, loc, results);
  return success();
}
