// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Precision/QuantizeStates.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

RankedTensorType mlir::te::getCopyType(Type source, FloatType format,
                                       bool columnwise) {
  auto type = cast<RankedTensorType>(source);
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
  }
  SmallVector<Value> results = {scales, scaleInvs};
  results.append(derived);
  func::ReturnOp::create(builder, loc, results);
  return success();
}
