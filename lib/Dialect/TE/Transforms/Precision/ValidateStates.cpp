// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and checks the states of FP8 scaling, for te-validate-precision.

#include "Precision/Layers.h"
#include "Precision/Validation.h"

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/FrozenParameters.h"
#include "te/Dialect/TE/IR/LayerOps.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::te;

std::string ScalingModule::describe(int64_t slot) const {
  if (!isSlot(slot))
    return "slot " + std::to_string(slot);
  return "slot " + std::to_string(slot) + " '" + getName(slot).str() + "'";
}

bool mlir::te::isFp8(Value value) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(
      getElementTypeOrSelf(value.getType()));
}

std::optional<std::string>
ScalingModule::checkScaleOfStep(const Quantization &quantization,
                                Value scaleInv) const {
  Value copy =
      quantization.rowwise ? quantization.rowwise : quantization.columnwise;
  if (!copy)
    return std::nullopt;
  auto type = cast<RankedTensorType>(copy.getType());
  return recipe.checkScale(quantization.scale, scaleInv, quantization.source,
                           cast<FloatType>(type.getElementType()),
                           type.getShape(),
                           /*transposed=*/!quantization.rowwise);
}

std::string ScalingModule::getMissingAxes(const Quantization &quantization,
                                          Value amax) const {
  std::set<shard::GridAxis> axes;
  SmallVector<Value> copies = {quantization.rowwise, quantization.columnwise};
  while (!copies.empty()) {
    Value copy = copies.pop_back_val();
    if (!copy)
      continue;
    for (Operation *user : copy.getUsers()) {
      if (auto gather = dyn_cast<shard::AllGatherOp>(user))
        axes.insert(gather.getGridAxes().begin(), gather.getGridAxes().end());
      if (isa<shard::AllGatherOp, DataMovementOpInterface>(user))
        llvm::append_range(copies, user->getResults());
    }
  }
  while (Operation *slice = amax.getDefiningOp()) {
    Value own = getOwnMaximum(amax);
    if (own == amax)
      break;
    auto reduce = slice->getOperand(0).getDefiningOp<ReduceScalarsOp>();
    for (shard::GridAxis axis : reduce.getGridAxes())
      axes.erase(axis);
    amax = own;
  }
  std::string list;
  llvm::raw_string_ostream os(list);
  llvm::interleaveComma(axes, os);
  return list;
}

/// The origin of a rowwise copy.
std::optional<CopyOrigin> ScalingModule::traceRows(Value value) const {
  std::optional<CopyOrigin> origin = traceCopy(value);
  return origin && !origin->columnwise ? origin : std::nullopt;
}

std::optional<CopyOrigin> ScalingModule::traceCopy(Value value) const {
  if (Operation *op = value.getDefiningOp()) {
    // The gathered bytes of all ranks' rows, and their transpose, are copies,
    // too.
    if (auto gather = dyn_cast<shard::AllGatherOp>(op)) {
      std::optional<CopyOrigin> origin = traceCopy(gather.getInput());
      // Rows are columns of a columnwise copy.
      return origin && gather.getGatherAxis() == (origin->columnwise ? 1 : 0)
                 ? origin
                 : std::nullopt;
    }
    // So are rows that ranks exchange, or that are put in another order.
    if (auto exchange = dyn_cast<shard::AllToAllOp>(op))
      return traceRows(exchange.getInput());
    if (auto rows = dyn_cast<TakeRowsOp>(op))
      return traceRows(rows.getX());
    // So are some rows or columns of them, and these put together again.
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      return slice.hasUnitStride() ? traceCopy(slice.getSource())
                                   : std::nullopt;
    if (auto concat = dyn_cast<tensor::ConcatOp>(op))
      return traceJoined(concat);
    if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
      std::optional<CopyOrigin> origin = traceCopy(transpose.getInput());
      if (origin)
        origin->columnwise ^=
            transpose.getPermutation() == ArrayRef<int64_t>{1, 0};
      return origin;
    }
    std::optional<Quantization> quantization = getQuantization(op);
    if (!quantization ||
        (value != quantization->rowwise && value != quantization->columnwise))
      return std::nullopt;
    std::optional<ScaleOrigin> origin = traceScale(quantization->scale);
    return CopyOrigin{
        origin ? origin->slot : -1, value == quantization->columnwise, op, {}};
  }
  if (getArgumentText(value, kKindAttr) != "fp8_weight")
    return std::nullopt;
  StringRef state = getArgumentText(value, kStateAttr);
  auto name = splitWeightName(state);
  if (!name)
    return std::nullopt;
  auto it = weightStates.find(name->first);
  return CopyOrigin{it == weightStates.end() ? -1 : it->second.slot,
                    name->second, nullptr, state};
}

/// The slice of a copy that ranks gathered; null where it is none.
static tensor::ExtractSliceOp getGatheredSlice(Value value) {
  while (auto gather = value.getDefiningOp<shard::AllGatherOp>())
    value = gather.getInput();
  return value.getDefiningOp<tensor::ExtractSliceOp>();
}

/// A copy of several parameters, of which each rank has some rows, is one
/// copy of what ranks have of each, gathered one after the other.
std::optional<CopyOrigin>
ScalingModule::traceJoined(tensor::ConcatOp concat) const {
  const auto dim = unsigned(concat.getDim());
  Value copy;
  int64_t end = 0;
  for (Value input : concat.getInputs()) {
    tensor::ExtractSliceOp slice = getGatheredSlice(input);
    if (!slice || (copy && slice.getSource() != copy) ||
        slice.getStaticOffset(dim) != end)
      return std::nullopt;
    copy = slice.getSource();
    end += slice.getStaticSize(dim);
  }
  if (cast<RankedTensorType>(copy.getType()).getDimSize(dim) != end)
    return std::nullopt;
  return traceCopy(concat.getInputs().front());
}

/// Whether an op reads or makes values in an FP8 format.
static bool usesFp8(Operation *op) {
  return llvm::any_of(op->getOperands(), isFp8) ||
         llvm::any_of(op->getResults(), isFp8);
}

bool ScalingModule::read() {
  bool hasFp8 = false;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto func = dyn_cast<func::FuncOp>(op); func && isMeasurement(func))
      return WalkResult::skip();
    if (isa<RegionOp>(op))
      error(op) << "te.region is left over; te-quantize dissolves all of them";
    hasFp8 |= usesFp8(op);
    return WalkResult::advance();
  });
  slots = module->getAttrOfType<ArrayAttr>(kSlotsAttr);
  formats = module->getAttrOfType<ArrayAttr>(kSlotFormatsAttr);
  if (!slots && !formats) {
    if (hasFp8)
      error(module) << "has FP8 ops but no 'te.slots'";
    return false;
  }
  if (!slots || !formats || slots.size() != formats.size()) {
    error(module) << "expects 'te.slots' and 'te.slot_formats' of one length, "
                  << "got " << (slots ? slots.size() : 0) << " and "
                  << (formats ? formats.size() : 0);
    return false;
  }
  recipe = te::getRecipe(module);
  if (!recipe) {
    error(module) << "has 'te.slots' but not the recipe that they are scaled "
                  << "by; expects 'te.recipe'";
    return false;
  }
  recipeStates = recipe.getStates(getNumSlots());
  llvm::StringMap<unsigned> seen;
  for (auto [i, name] : llvm::enumerate(slots.getAsRange<StringAttr>()))
    if (auto [it, inserted] = seen.try_emplace(name.getValue(), i); !inserted)
      error(module) << "names slots " << it->second << " and " << i << " both '"
                    << name.getValue() << "'";
  if (!checkFormats())
    return false;
  readLayers();
  return true;
}

/// A slot has the format that the recipe gives the role in its name: other
/// formats would clip what the scale is made for.
bool ScalingModule::checkFormats() {
  for (auto [i, format] :
       llvm::enumerate(formats.getAsValueRange<TypeAttr>())) {
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(format)) {
      error(module) << "gives " << describe(i) << " the format " << format
                    << "; formats are f8E4M3FN and f8E5M2";
      return false;
    }
    std::optional<TensorRole> role =
        symbolizeTensorRole(getSlotRole(getName(i)));
    if (Type expected = role ? recipe.getElementType(*role) : Type();
        expected && format != expected)
      error(module) << "gives " << describe(i) << " the format " << format
                    << ", but " << recipe.getRecipeName() << " makes "
                    << stringifyTensorRole(*role) << " " << expected;
  }
  return true;
}

/// Finds the layers: each has a forward product, which reads no gradient.
void ScalingModule::readLayers() {
  module.walk([&](Operation *op) {
    StringAttr layer;
    if (auto matmul = dyn_cast<ScaledProductOpInterface>(op)) {
      if (matmul.getRole() == MatmulRole::Fprop)
        layer = matmul.getLayerAttr();
    } else if (auto product = dyn_cast<Fp8OpInterface>(op)) {
      if (llvm::none_of(product.getFp8Operands(),
                        [](const Fp8Operand &operand) {
                          return operand.role == TensorRole::GradOutput;
                        }))
        layer = product.getLayerAttr();
    }
    if (layer)
      layers.insert(layer.getValue());
  });
}

/// Scaling states have the recipe's types, with one column per slot, and
/// results have arguments of their name.
void ScalingModule::checkColumns(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    StringRef kind = getArgumentText(argument, kKindAttr);
    const auto *state =
        llvm::find_if(recipeStates, [&](const RecipeState &state) {
          return state.kind == kind;
        });
    if (state == recipeStates.end())
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() == 0 || type.getShape().back() != getNumSlots())
      error(func) << "expects the state '"
                  << getArgumentText(argument, kStateAttr) << "' to have "
                  << getNumSlots() << " columns, one per slot, but it is "
                  << argument.getType();
    else if (type != state->type)
      error(func) << "expects the state '"
                  << getArgumentText(argument, kStateAttr) << "' to be "
                  << state->type << ", as the module's recipe " << recipe
                  << " makes it, but it is " << type;
  }
  llvm::DenseSet<std::pair<StringAttr, Type>> states;
  for (BlockArgument argument : func.getArguments())
    if (auto name = getArgumentAttr<StringAttr>(argument, kStateAttr))
      states.insert({name, argument.getType()});
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto name = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    if (!name || !kind || !kind.getValue().starts_with("fp8_"))
      continue;
    if (!states.contains({name, func.getResultTypes()[i]}))
      error(func) << "returns the state '" << name.getValue()
                  << "' without an argument of that name and type";
  }
}

int64_t ScalingModule::getSlotOf(const InitialScale &scale) const {
  for (Operation *user : scale.scale.getUsers())
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      if (std::optional<int64_t> slot = getElementIndex(insert))
        return *slot;
  return -1;
}

/// Finds the slot of a result that is an FP8 weight.
void ScalingModule::readWeight(func::FuncOp func, unsigned result) {
  auto kind = func.getResultAttrOfType<StringAttr>(result, kKindAttr);
  auto state = func.getResultAttrOfType<StringAttr>(result, kStateAttr);
  if (!kind || !state || kind.getValue() != "fp8_weight")
    return;
  auto name = splitWeightName(state.getValue());
  if (!name) {
    error(func) << "expects the name of an fp8_weight state to be "
                << "'fp8.weight.<parameter>.rowwise' or '.columnwise', got '"
                << state.getValue() << "'";
    return;
  }
  Operation *terminator = func.getBody().front().getTerminator();
  std::optional<CopyOrigin> copy = traceCopy(terminator->getOperand(result));
  if (!copy || !copy->quantization) {
    error(func) << "returns the state '" << state.getValue()
                << "', which no quantization in this function wrote";
    return;
  }
  std::optional<ScaleOrigin> scale =
      traceScale(getQuantization(copy->quantization)->scale);
  if (!scale)
    return; // reported with the quantization itself
  int64_t slot = scale->version == ScaleVersion::Initial
                     ? getSlotOf(scale->initial)
                     : scale->slot;
  auto [it, inserted] =
      weightStates.try_emplace(name->first, WeightState{slot, func});
  if (!inserted && it->second.slot != slot)
    error(copy->quantization)
        << "writes the state '" << state.getValue() << "' in " << describe(slot)
        << ", but @" << it->second.writer.getName() << " writes it in "
        << describe(it->second.slot);
}

void ScalingModule::readStates(func::FuncOp func) {
  checkColumns(func);
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i)
    if (auto name = func.getArgAttrOfType<StringAttr>(i, kParamAttr);
        name && te::isFrozen(func, i))
      frozen.insert(name.getValue());
  for (BlockArgument argument : func.getArguments())
    if (getArgumentText(argument, kKindAttr) == "fp8_weight") {
      StringRef state = getArgumentText(argument, kStateAttr);
      if (auto name = splitWeightName(state))
        readStatesOf[name->first].insert(state.str());
    }
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    readWeight(func, i);
}
