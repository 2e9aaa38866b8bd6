// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-validate-precision: the invariants of FP8 scaling, checked on the IR
// alone. It shares no code with the passes that establish them.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "Precision/ScaleTrace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEVALIDATEPRECISION
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// Name and kind of the state that an argument holds, else empty.
static StringRef stateOf(Value value) {
  return getArgumentAttr(value, kStateAttr);
}
static StringRef kindOf(Value value) {
  return getArgumentAttr(value, kKindAttr);
}

namespace {
/// What an FP8 operand is a copy of.
struct CopyOrigin {
  /// The slot that quantized it, -1 when that is unknown.
  int64_t slot;
  bool columnwise;
  /// Made in this function, else null.
  Operation *quantization;
  /// The FP8 state that it is, else empty.
  StringRef state;
};

/// A weight's copies that are carried between steps.
struct WeightState {
  int64_t slot;
  func::FuncOp writer;
};

class Validator {
public:
  explicit Validator(ModuleOp module) : module(module) {}
  LogicalResult run();

private:
  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return op->emitError();
  }
  std::string describe(int64_t slot) const;
  Type formatOf(int64_t slot) const {
    return cast<TypeAttr>(formats[slot]).getValue();
  }

  bool checkModule();
  bool checkScaleOfStep(const Quantization &quantization, Operation *reader,
                        Value scaleInv);
  void checkStateTypes(func::FuncOp func);
  void collectWeightStates(func::FuncOp func);
  void checkFunction(func::FuncOp func);
  void checkQuantization(const Quantization &quantization);
  void checkCopySizes(const Quantization &quantization);
  void checkStepFormat(Operation *op, StringRef name, Value data);
  void checkOperand(Operation *op, StringRef name, Value data, Value scaleInv);
  StringRef roleOf(const CopyOrigin &copy) const;
  void collectLayers();
  void checkLayer(ScaledMatmulOp op);
  void checkRoles(ScaledMatmulOp op);
  void checkOrientation(ScaledMatmulOp op, StringRef name,
                        const CopyOrigin &copy);
  void checkUpdate(func::FuncOp func);
  void checkAmax(func::FuncOp func, UpdateScalesOp update, int64_t slot);
  void checkWrittenWeights(func::FuncOp func);
  void checkInitialScale(func::FuncOp func, Operation *op, int64_t slot,
                         ComputeScaleOp compute);

  std::optional<CopyOrigin> traceCopy(Value value) const;
  int64_t slotOfInitial(func::FuncOp func, ComputeScaleOp compute) const;

  ModuleOp module;
  bool failed = false;
  ArrayAttr slots, formats;
  /// The recipe, if it makes scales within the step.
  RecipeAttrInterface stepRecipe;
  llvm::StringMap<WeightState> weightStates;
  /// Layers that have a forward product, in whatever precision.
  llvm::StringSet<> layers;

  /// Of the function at hand.
  llvm::MapVector<Operation *, Quantization> quantizations;
  /// Weight slots read through their states, with the parameter.
  llvm::DenseMap<int64_t, std::string> readParams;
  /// How a layer reads the copies of a weight's slot: [fprop, dgrad]
  /// columnwise.
  llvm::DenseMap<std::pair<StringAttr, int64_t>,
                 std::array<std::optional<bool>, 2>>
      weightReads;
  /// The FP8 forward product of a layer.
  llvm::DenseMap<StringAttr, ScaledMatmulOp> forwards;
};
} // namespace

std::string Validator::describe(int64_t slot) const {
  if (slot < 0 || slot >= static_cast<int64_t>(slots.size()))
    return "slot " + std::to_string(slot);
  return "slot " + std::to_string(slot) + " '" +
         cast<StringAttr>(slots[slot]).str() + "'";
}

std::optional<CopyOrigin> Validator::traceCopy(Value value) const {
  if (Operation *op = value.getDefiningOp()) {
    std::optional<Quantization> quantization = getQuantization(op);
    if (!quantization ||
        (value != quantization->rowwise && value != quantization->columnwise))
      return std::nullopt;
    std::optional<ScaleOrigin> origin = traceScale(quantization->scale);
    return CopyOrigin{
        origin ? origin->slot : -1, value == quantization->columnwise, op, {}};
  }
  if (kindOf(value) != "fp8_weight")
    return std::nullopt;
  auto name = splitWeightName(stateOf(value));
  if (!name)
    return std::nullopt;
  auto it = weightStates.find(name->first);
  return CopyOrigin{it == weightStates.end() ? -1 : it->second.slot,
                    name->second, nullptr, stateOf(value)};
}

bool Validator::checkModule() {
  bool hasFp8 = false;
  module.walk([&](Operation *op) {
    if (isa<RegionOp>(op))
      error(op) << "te.region is left over; te-quantize dissolves all of them";
    hasFp8 |= isa<ScaledMatmulOp, UpdateScalesOp>(op);
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
  if (RecipeAttrInterface recipe = getRecipe(module);
      recipe && recipe.getStates(1).empty())
    stepRecipe = recipe;
  llvm::StringMap<unsigned> seen;
  for (auto [i, name] : llvm::enumerate(slots.getAsRange<StringAttr>()))
    if (auto [it, inserted] = seen.try_emplace(name.getValue(), i); !inserted)
      error(module) << "names slots " << it->second << " and " << i << " both '"
                    << name.getValue() << "'";
  for (auto [i, format] : llvm::enumerate(formats.getAsValueRange<TypeAttr>()))
    if (!isa<Float8E4M3FNType, Float8E5M2Type>(format)) {
      error(module) << "gives " << describe(i) << " the format " << format
                    << "; formats are f8E4M3FN and f8E5M2";
      return false;
    }
  return true;
}

/// Scaling states have one column per slot, and a result's argument twin.
void Validator::checkStateTypes(func::FuncOp func) {
  int64_t numSlots = slots.size();
  for (BlockArgument argument : func.getArguments()) {
    StringRef kind = kindOf(argument);
    if (kind != "fp8_scale" && kind != "fp8_scale_inv" &&
        kind != "fp8_amax_history" && kind != "fp8_nonfinite")
      continue;
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || type.getRank() == 0 || type.getShape().back() != numSlots)
      error(func) << "expects the state '" << stateOf(argument) << "' to have "
                  << numSlots << " columns, one per slot, but it is "
                  << argument.getType();
  }
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto name = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    if (!name || !kind || !kind.getValue().starts_with("fp8_"))
      continue;
    bool tied = llvm::any_of(func.getArguments(), [&](BlockArgument argument) {
      return stateOf(argument) == name.getValue() &&
             argument.getType() == func.getResultTypes()[i];
    });
    if (!tied)
      error(func) << "returns the state '" << name.getValue()
                  << "' without an argument of that name and type";
  }
}

/// The slot whose column of the returned scales `compute` was written to.
int64_t Validator::slotOfInitial(func::FuncOp func,
                                 ComputeScaleOp compute) const {
  for (Operation *user : compute.getScale().getUsers())
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(user))
      if (std::optional<int64_t> slot = getElementIndex(insert))
        return *slot;
  return -1;
}

/// Learns from the functions that write FP8 weights which slot each belongs to.
void Validator::collectWeightStates(func::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    if (!kind || !state || kind.getValue() != "fp8_weight")
      continue;
    auto name = splitWeightName(state.getValue());
    if (!name) {
      error(func) << "expects the name of an fp8_weight state to be "
                  << "'fp8.weight.<parameter>.rowwise' or '.columnwise', got '"
                  << state.getValue() << "'";
      continue;
    }
    Value value = terminator->getOperand(i);
    std::optional<CopyOrigin> copy = traceCopy(value);
    if (!copy || !copy->quantization) {
      error(func) << "returns the state '" << state.getValue()
                  << "', which no quantization in this function wrote";
      continue;
    }
    std::optional<ScaleOrigin> scale =
        traceScale(getQuantization(copy->quantization)->scale);
    if (!scale)
      continue; // reported with the quantization itself
    int64_t slot = scale->version == ScaleVersion::Initial
                       ? slotOfInitial(func, scale->compute)
                       : scale->slot;
    auto [it, inserted] =
        weightStates.try_emplace(name->first, WeightState{slot, func});
    if (!inserted && it->second.slot != slot)
      error(copy->quantization)
          << "writes the state '" << state.getValue() << "' in "
          << describe(slot) << ", but @" << it->second.writer.getName()
          << " writes it in " << describe(it->second.slot);
  }
}

/// A scale that is not carried is what the recipe says it is. `scaleInv` is
/// what `reader` multiplies with, null where the quantization itself is looked
/// at.
bool Validator::checkScaleOfStep(const Quantization &quantization,
                                 Operation *reader, Value scaleInv) {
  Value copy =
      quantization.rowwise ? quantization.rowwise : quantization.columnwise;
  if (!copy)
    return true;
  std::optional<std::string> problem =
      stepRecipe.checkScale(quantization.scale, scaleInv, quantization.source,
                            cast<FloatType>(getElementTypeOrSelf(copy)));
  if (problem)
    error(reader) << *problem;
  return !problem;
}

void Validator::checkQuantization(const Quantization &quantization) {
  if (stepRecipe) {
    checkScaleOfStep(quantization, quantization.op, Value());
    checkCopySizes(quantization);
    return;
  }
  std::optional<ScaleOrigin> scale = traceScale(quantization.scale);
  if (!scale) {
    error(quantization.op) << "expects its scale to be one element of "
                           << "fp8.scales, or of te.compute_scale";
    return;
  }
  if (scale->inverse) {
    error(quantization.op)
        << "quantizes with a reciprocal (scale_inv); expects "
        << "the scale of " << describe(scale->slot);
    return;
  }
  Type format;
  if (scale->version == ScaleVersion::Initial)
    format = scale->compute.getFormat();
  else if (scale->slot >= static_cast<int64_t>(slots.size()))
    error(quantization.op) << "uses " << describe(scale->slot) << " of "
                           << slots.size();
  else
    format = formatOf(scale->slot);
  for (Value copy : {quantization.rowwise, quantization.columnwise}) {
    if (!copy)
      continue;
    Type element = getElementTypeOrSelf(copy);
    if (format && element != format)
      error(quantization.op)
          << "quantizes to " << element << ", but "
          << (scale->version == ScaleVersion::Initial ? "its scale"
                                                      : describe(scale->slot))
          << " has the format " << format;
  }
  checkCopySizes(quantization);
}

void Validator::checkCopySizes(const Quantization &quantization) {
  for (Value copy : {quantization.rowwise, quantization.columnwise})
    if (copy)
      for (int64_t size : cast<RankedTensorType>(copy.getType()).getShape())
        if (size % kFp8Alignment != 0)
          error(quantization.op)
              << "makes an FP8 copy of type " << copy.getType()
              << "; expects sizes that are multiples of " << kFp8Alignment;
}

/// Learns which layers there are: each has a forward product, which reads no
/// gradient.
void Validator::collectLayers() {
  module.walk([&](Operation *op) {
    StringAttr layer;
    if (auto matmul = dyn_cast<ScaledMatmulOp>(op)) {
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

/// A product belongs to a layer, and forward products of a function to
/// different ones.
void Validator::checkLayer(ScaledMatmulOp op) {
  StringAttr layer = op.getLayerAttr();
  if (!layer) {
    error(op) << "has no layer; te-quantize hands the product's name on";
    return;
  }
  if (op.getRole() != MatmulRole::Fprop) {
    if (!layers.contains(layer.getValue()))
      error(op) << "is the " << stringifyMatmulRole(op.getRole())
                << " of the layer '" << layer.getValue()
                << "', of which the module has no forward product";
    return;
  }
  auto [it, inserted] = forwards.try_emplace(layer, op);
  if (inserted)
    return;
  InFlightDiagnostic diagnostic = error(op);
  diagnostic << "is a second forward product of the layer '" << layer.getValue()
             << "'; expects a name of its own";
  diagnostic.attachNote(it->second.getLoc()) << "the first is here";
}

/// What a copy is to its layer; empty when that is reported elsewhere.
StringRef Validator::roleOf(const CopyOrigin &copy) const {
  if (!copy.state.empty())
    return "weight";
  if (copy.slot < 0 || copy.slot >= static_cast<int64_t>(slots.size()))
    return {};
  return getSlotRole(cast<StringAttr>(slots[copy.slot]).getValue());
}

void Validator::checkRoles(ScaledMatmulOp op) {
  StringRef roles[2];
  for (auto [role, operand] : llvm::zip(roles, op->getOperands()))
    if (std::optional<CopyOrigin> copy = traceCopy(operand))
      role = roleOf(*copy);
  if (roles[0].empty() || roles[1].empty())
    return;
  std::pair<StringRef, StringRef> expected;
  switch (op.getRole()) {
  case MatmulRole::Fprop:
    expected = {"input", "weight"};
    break;
  case MatmulRole::Dgrad:
    expected = {"grad_output", "weight"};
    break;
  case MatmulRole::Wgrad:
    expected = {"grad_output", "input"};
    // A weight stored [K,N] has its gradient the other way round.
    if (roles[0] == "input")
      std::swap(roles[0], roles[1]);
    break;
  }
  if (std::make_pair(roles[0], roles[1]) != expected)
    error(op) << "reads " << roles[0] << " and " << roles[1] << "; "
              << stringifyMatmulRole(op.getRole()) << " expects "
              << expected.first << " and " << expected.second;
}

/// Tokens are rows: fprop and dgrad contract columns of what flows through the
/// layer and wgrad its rows. A layer's fprop and dgrad contract different
/// dimensions of its weight; which, may differ from layer to layer.
void Validator::checkOrientation(ScaledMatmulOp op, StringRef name,
                                 const CopyOrigin &copy) {
  MatmulRole role = op.getRole();
  if (roleOf(copy) != "weight") {
    bool expected = role == MatmulRole::Wgrad;
    if (copy.columnwise != expected)
      error(op) << "reads the " << (copy.columnwise ? "columnwise" : "rowwise")
                << " copy of " << describe(copy.slot) << " as operand " << name
                << "; " << stringifyMatmulRole(role) << " expects the "
                << (expected ? "columnwise" : "rowwise") << " one";
    return;
  }
  if (role == MatmulRole::Wgrad)
    return; // reported with the roles
  auto &reads = weightReads[{op.getLayerAttr(), copy.slot}];
  unsigned mine = role == MatmulRole::Dgrad;
  reads[mine] = copy.columnwise;
  if (reads[0] && reads[1] && *reads[0] == *reads[1])
    error(op) << "reads the " << (copy.columnwise ? "columnwise" : "rowwise")
              << " copy of " << describe(copy.slot) << " as the "
              << (mine ? "fprop" : "dgrad")
              << " of its layer does; expects the "
              << (copy.columnwise ? "rowwise" : "columnwise") << " one";
}

/// A copy that belongs to no slot of a state has the format of its role. Which
/// operand of wgrad is the gradient depends on how the weight is stored.
void Validator::checkStepFormat(Operation *op, StringRef name, Value data) {
  auto matmul = dyn_cast<ScaledMatmulOp>(op);
  if (!matmul || matmul.getRole() == MatmulRole::Wgrad)
    return;
  TensorRole role = name == "b" ? TensorRole::Weight
                    : matmul.getRole() == MatmulRole::Fprop
                        ? TensorRole::Input
                        : TensorRole::GradOutput;
  Type element = getElementTypeOrSelf(data);
  if (Type expected = stepRecipe.getElementType(role); element != expected)
    error(op) << "reads operand " << name << " as " << element << "; "
              << stepRecipe.getRecipeName() << " makes "
              << stringifyTensorRole(role) << " " << expected;
}

void Validator::checkOperand(Operation *op, StringRef name, Value data,
                             Value scaleInv) {
  std::optional<CopyOrigin> copy = traceCopy(data);
  if (!copy) {
    error(op) << "expects operand " << name << " to come from a quantization "
              << "or to be an FP8 weight";
    return;
  }
  if (stepRecipe) {
    if (!copy->quantization)
      error(op) << "reads operand " << name << " from the state '"
                << copy->state << "', but the recipe carries no copies";
    else if (Quantization quantization = *getQuantization(copy->quantization);
             checkScaleOfStep(quantization, op, scaleInv))
      checkStepFormat(op, name, data);
    return;
  }
  if (copy->quantization) {
    std::optional<ScaleOrigin> scale =
        traceScale(getQuantization(copy->quantization)->scale);
    if (!scale || scale->inverse)
      return; // reported with the quantization
    if (scale->version != ScaleVersion::Old) {
      error(op) << "reads operand " << name
                << " quantized with a scale of the next step; expects the "
                << "scale that this step began with";
      return;
    }
  }
  if (copy->slot < 0 || copy->slot >= static_cast<int64_t>(slots.size())) {
    error(op) << "reads operand " << name << " from the state '" << copy->state
              << "', which no entry writes";
    return;
  }
  if (!copy->state.empty())
    readParams[copy->slot] = splitWeightName(copy->state)->first.str();

  std::optional<ScaleOrigin> inverse = traceScale(scaleInv);
  if (!inverse || !inverse->inverse || inverse->version != ScaleVersion::Old ||
      inverse->slot != copy->slot) {
    InFlightDiagnostic diagnostic = error(op);
    diagnostic << "expects the scale_inv of operand " << name
               << " to be that of " << describe(copy->slot)
               << " as this step began, but it is ";
    if (!inverse)
      diagnostic << "no element of fp8.scale_invs";
    else if (!inverse->inverse)
      diagnostic << "the scale of " << describe(inverse->slot);
    else if (inverse->version != ScaleVersion::Old)
      diagnostic << "that of the next step";
    else
      diagnostic << "that of " << describe(inverse->slot);
  }
  Type element = getElementTypeOrSelf(data);
  if (element != formatOf(copy->slot))
    error(op) << "reads operand " << name << " as " << element << ", but "
              << describe(copy->slot) << " has the format "
              << formatOf(copy->slot);
  if (auto matmul = dyn_cast<ScaledMatmulOp>(op))
    checkOrientation(matmul, name, *copy);
}

/// One amax of the update: what it may be follows from what the function does
/// with the slot.
void Validator::checkAmax(func::FuncOp func, UpdateScalesOp update,
                          int64_t slot) {
  Value amax = update.getAmaxes()[slot];
  SmallVector<const Quantization *> mine;
  for (auto &[op, quantization] : quantizations) {
    std::optional<ScaleOrigin> scale = traceScale(quantization.scale);
    if (scale && scale->version == ScaleVersion::Old && scale->slot == slot)
      mine.push_back(&quantization);
  }
  if (mine.size() > 1) {
    InFlightDiagnostic diagnostic = error(mine[1]->op);
    diagnostic << "quantizes a second tensor in " << describe(slot)
               << "; a slot has one tensor, and its amax";
    diagnostic.attachNote(mine[0]->op->getLoc()) << "the first is here";
    return;
  }
  if (mine.size() == 1) {
    if (!mine[0]->amax || amax != mine[0]->amax)
      error(update) << "expects amax " << slot << " to be that of the tensor "
                    << "quantized in " << describe(slot)
                    << (mine[0]->amax ? "" : ", which computes none");
    return;
  }
  if (auto it = readParams.find(slot); it != readParams.end()) {
    if (stateOf(amax) != "fp8.weight_amax." + it->second)
      error(update) << "expects amax " << slot << " to be the state "
                    << "'fp8.weight_amax." << it->second << "' of the copies "
                    << "read in " << describe(slot);
    return;
  }
  if (!matchPattern(amax, m_AnyZeroFloat()))
    error(update) << "expects amax " << slot << " to be zero, as nothing here "
                  << "is quantized in " << describe(slot);
}

void Validator::checkUpdate(func::FuncOp func) {
  SmallVector<UpdateScalesOp> updates;
  func.walk([&](UpdateScalesOp op) { updates.push_back(op); });
  for (UpdateScalesOp extra :
       llvm::drop_begin(updates, updates.empty() ? 0 : 1))
    error(extra) << "updates the scales a second time; a step has one update";
  Operation *terminator = func.getBody().front().getTerminator();
  bool returnsScales = false;
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    StringRef name = kind ? kind.getValue() : StringRef();
    returnsScales |= name == "fp8_scale";
    if (updates.empty())
      continue;
    UpdateScalesOp update = updates.front();
    Value expected = name == "fp8_scale"          ? update.getNewScales()
                     : name == "fp8_scale_inv"    ? update.getNewScaleInvs()
                     : name == "fp8_amax_history" ? update.getNewHistory()
                     : name == "fp8_nonfinite"    ? update.getNewNonfinite()
                                                  : Value();
    if (expected && terminator->getOperand(i) != expected)
      error(terminator) << "expects result " << i << " (" << name
                        << ") to be what te.update_scales makes of it";
  }
  if (updates.empty())
    return;

  UpdateScalesOp update = updates.front();
  if (!returnsScales)
    error(update) << "updates the scales, but the function does not return "
                  << "them";
  std::pair<Value, StringRef> operands[] = {
      {update.getScales(), "fp8_scale"},
      {update.getScaleInvs(), "fp8_scale_inv"},
      {update.getHistory(), "fp8_amax_history"},
      {update.getNonfinite(), "fp8_nonfinite"}};
  for (auto [value, kind] : operands)
    if (kindOf(value) != kind)
      error(update) << "expects to update the function's state of kind '"
                    << kind << "'";
  if (update.getFormats() != formats)
    error(update) << "expects the formats of 'te.slot_formats'";
  if (update.getAmaxes().size() != slots.size()) {
    error(update) << "expects " << slots.size() << " amaxes, one per slot, got "
                  << update.getAmaxes().size();
    return;
  }
  for (int64_t slot = 0, e = slots.size(); slot < e; ++slot)
    checkAmax(func, update, slot);
  // A copy must follow its scale.
  for (auto &entry : weightStates) {
    bool written = false;
    for (unsigned i = 0, e = func.getNumResults(); i < e && !written; ++i)
      if (auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr))
        if (auto name = splitWeightName(state.getValue()))
          written = name->first == entry.first();
    if (!written)
      error(update) << "updates the scale of " << describe(entry.second.slot)
                    << ", but the function does not quantize the weight '"
                    << entry.first() << "' anew";
  }
}

/// In an entry that makes first copies: the scale that quantized must be
/// computed from the weight and be returned in the slot's columns.
void Validator::checkInitialScale(func::FuncOp func, Operation *op,
                                  int64_t slot, ComputeScaleOp compute) {
  if (slot < 0 || slot >= static_cast<int64_t>(slots.size())) {
    error(op) << "quantizes a weight with a scale that is not written to "
              << "fp8.scales";
    return;
  }
  if (compute.getFormat() != formatOf(slot))
    error(compute) << "computes a scale for " << compute.getFormat() << ", but "
                   << describe(slot) << " has the format " << formatOf(slot);
  Operation *terminator = func.getBody().front().getTerminator();
  auto isReturned = [&](StringRef kind, Value element) {
    for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
      auto attr = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
      if (!attr || attr.getValue() != kind)
        continue;
      Value state = terminator->getOperand(i);
      while (auto insert = state.getDefiningOp<tensor::InsertSliceOp>()) {
        if (getElementIndex(insert) == slot)
          return insert.getSource() == element;
        state = insert.getDest();
      }
    }
    return false;
  };
  if (!isReturned("fp8_scale", compute.getScale()))
    error(op) << "expects the scale of " << describe(slot)
              << " to be returned in its column of fp8.scales";
  if (!isReturned("fp8_scale_inv", compute.getScaleInv()))
    error(op) << "expects the scale_inv of " << describe(slot)
              << " to be returned in its column of fp8.scale_invs";
}

/// FP8 weights that a function returns.
void Validator::checkWrittenWeights(func::FuncOp func) {
  Operation *terminator = func.getBody().front().getTerminator();
  auto findResult = [&](StringRef attribute, const Twine &name) -> Value {
    for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
      if (auto attr = func.getResultAttrOfType<StringAttr>(i, attribute);
          attr && attr.getValue() == name.str())
        return terminator->getOperand(i);
    return {};
  };
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    if (!kind || !state || kind.getValue() != "fp8_weight")
      continue;
    auto name = splitWeightName(state.getValue());
    std::optional<CopyOrigin> copy = traceCopy(terminator->getOperand(i));
    if (!name || !copy || !copy->quantization)
      continue; // reported when the states were collected
    Quantization quantization = *getQuantization(copy->quantization);
    std::optional<ScaleOrigin> scale = traceScale(quantization.scale);
    if (!scale || scale->inverse)
      continue;
    if (copy->columnwise != name->second)
      error(quantization.op)
          << "returns its " << (copy->columnwise ? "columnwise" : "rowwise")
          << " copy as the state '" << state.getValue() << "'";

    // Of what, and with which scale.
    Value updated = findResult(kParamAttr, name->first);
    Value amax = findResult(kStateAttr, "fp8.weight_amax." + name->first);
    if (scale->version == ScaleVersion::Initial) {
      checkInitialScale(func, quantization.op,
                        slotOfInitial(func, scale->compute), scale->compute);
      auto amaxOp = scale->compute.getAmax().getDefiningOp<AmaxOp>();
      if (!amaxOp || amaxOp.getX() != quantization.source)
        error(scale->compute)
            << "expects the amax of the weight '" << name->first << "'";
      if (getArgumentAttr(quantization.source, kParamAttr) != name->first)
        error(quantization.op)
            << "expects to quantize the parameter '" << name->first
            << "' for the state '" << state.getValue() << "'";
      if (amax != scale->compute.getAmax() && amax != quantization.amax)
        error(quantization.op)
            << "expects its amax to be returned as 'fp8.weight_amax."
            << name->first << "'";
      continue;
    }
    if (scale->version == ScaleVersion::Old)
      error(quantization.op)
          << "quantizes the new weight '" << name->first
          << "' with the scale that this step began with; expects the updated "
          << "scale of " << describe(scale->slot)
          << ", which is what the next step reads it with";
    if (!updated || quantization.source != updated)
      error(quantization.op) << "expects to quantize the new value of the "
                             << "parameter '" << name->first
                             << "' for the state '" << state.getValue() << "'";
    if (!amax || amax != quantization.amax)
      error(quantization.op)
          << "expects its amax to be returned as 'fp8.weight_amax."
          << name->first << "'";
  }
}

void Validator::checkFunction(func::FuncOp func) {
  quantizations.clear();
  readParams.clear();
  weightReads.clear();
  forwards.clear();
  func.walk([&](Operation *op) {
    if (std::optional<Quantization> quantization = getQuantization(op)) {
      quantizations.insert({op, *quantization});
      checkQuantization(*quantization);
    }
  });
  func.walk([&](Operation *op) {
    if (auto matmul = dyn_cast<ScaledMatmulOp>(op)) {
      checkLayer(matmul);
      checkRoles(matmul);
      checkOperand(op, "a", matmul.getA(), matmul.getAScaleInv());
      checkOperand(op, "b", matmul.getB(), matmul.getBScaleInv());
    } else if (auto dequantize = dyn_cast<DequantizeOp>(op)) {
      checkOperand(op, "x", dequantize.getX(), dequantize.getScaleInv());
    }
  });
  checkUpdate(func);
  checkWrittenWeights(func);
}

LogicalResult Validator::run() {
  if (!checkModule())
    return failure(failed);
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isDeclaration())
      continue;
    if (func.getBody().hasOneBlock())
      functions.push_back(func);
    else if (func->hasAttr(kEntryAttr))
      error(func) << "is an entry with several blocks; expects entries without "
                  << "control flow";
  }
  for (func::FuncOp func : functions) {
    checkStateTypes(func);
    collectWeightStates(func);
  }
  collectLayers();
  for (func::FuncOp func : functions)
    checkFunction(func);
  return failure(failed);
}

namespace {
struct ValidatePrecisionPass
    : public te::impl::TEValidatePrecisionBase<ValidatePrecisionPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(Validator(getOperation()).run()))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
