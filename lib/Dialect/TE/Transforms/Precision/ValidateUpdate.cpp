// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the update of the scales: every slot's amax reaches it, all states go
// through it, and FP8 weights follow their scales.

#include "Precision/Validation.h"
#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Support/MatrixView.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

namespace {
class UpdateValidator {
public:
  UpdateValidator(ScalingModule &module, func::FuncOp func,
                  const Quantizations &quantizations,
                  const ReadParams &readParams, const PartSlots &partSlots)
      : module(module), func(func), quantizations(quantizations),
        readParams(readParams), partSlots(partSlots) {
    for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
      for (StringRef attribute : {kParamAttr, kStateAttr, kKindAttr})
        if (auto value = func.getResultAttrOfType<StringAttr>(i, attribute))
          results[attribute].try_emplace(value.getValue(),
                                         getTerminator()->getOperand(i));
  }

  void run() {
    checkUpdate();
    checkRecord();
    checkGuards();
    checkWrittenWeights();
    checkStaleCopies();
  }

private:
  InFlightDiagnostic error(Operation *op) { return module.error(op); }
  Operation *getTerminator() { return func.getBody().front().getTerminator(); }
  /// The value returned with a string attribute; null if there is none.
  Value findResult(StringRef attribute, const Twine &value) const;

  void checkUpdate();
  void checkRecord();
  void checkAmaxes(Operation *op, ArrayRef<Value> amaxes, bool isUpdate);
  void checkStates(Operation *op, const ScaleUpdate &update);
  void checkAmax(Operation *update, Value amax, int64_t slot,
                 ArrayRef<const Quantization *> mine, bool isUpdate);
  void checkFollowed(Operation *update);
  void checkUpdated();
  void checkRecipe(Operation *update);
  void checkGuards();
  void checkStaleCopies();
  void checkWrittenWeights();
  void checkFirstCopies(const Quantization &quantization,
                        const InitialScale &scale, StringRef param,
                        StringRef state);
  void checkInitialScale(Operation *op, int64_t slot,
                         const InitialScale &scale);

  ScalingModule &module;
  func::FuncOp func;
  const Quantizations &quantizations;
  const ReadParams &readParams;
  const PartSlots &partSlots;
  /// The first value returned with each string attribute, by attribute.
  llvm::StringMap<llvm::StringMap<Value>> results;
};
} // namespace

Value UpdateValidator::findResult(StringRef attribute,
                                  const Twine &value) const {
  auto named = results.find(attribute);
  return named == results.end() ? Value() : named->second.lookup(value.str());
}

/// The amaxes of which a value is the maximum: those of the parts of a tensor,
/// or itself.
static SmallVector<Value> getPartAmaxes(Value amax) {
  auto largest = amax.getDefiningOp<AmaxOp>();
  auto concat =
      largest ? largest.getX().getDefiningOp<tensor::ConcatOp>() : nullptr;
  if (!concat)
    return {amax};
  SmallVector<Value> amaxes;
  for (Value input : concat.getInputs()) {
    auto vector = input.getDefiningOp<tensor::ExpandShapeOp>();
    if (!vector || vector.getSrcType().getRank() != 0)
      return {amax};
    amaxes.push_back(vector.getSrc());
  }
  return amaxes;
}

/// Checks one amax of the update: its valid values follow from the function's
/// quantizations `mine` of the slot.
void UpdateValidator::checkAmax(Operation *update, Value amax, int64_t slot,
                                ArrayRef<const Quantization *> mine,
                                bool isUpdate) {
  if (mine.size() > 1 && !partSlots.contains(slot))
    return; // reported with the quantizations
  for (const Quantization *quantization : mine)
    if (std::string axes = module.getMissingAxes(*quantization, amax);
        !axes.empty()) {
      error(update) << "expects amax " << slot << " to be the maximum over the "
                    << "ranks along axes [" << axes << "] of the grid, which "
                    << "gather their copies of " << module.describe(slot)
                    << " (te.reduce_scalars)";
      return;
    }
  // What other ranks have is larger, if it is another number.
  amax = getFirstMaximum(amax);
  if (mine.size() == 1) {
    if (!mine[0]->amax || amax != mine[0]->amax)
      error(update) << "expects amax " << slot << " to be that of the tensor "
                    << "quantized in " << module.describe(slot)
                    << (mine[0]->amax ? "" : ", which computes none");
    return;
  }
  // Of the parts of a tensor, each counts.
  if (mine.size() > 1) {
    SmallVector<Value> amaxes = getPartAmaxes(amax);
    const bool isMaximum =
        amaxes.size() == mine.size() &&
        llvm::all_of(mine, [&](const Quantization *part) {
          return part->amax && llvm::is_contained(amaxes, part->amax);
        });
    if (!isMaximum)
      error(update) << "expects amax " << slot << " to be the maximum of those "
                    << "of the " << mine.size() << " parts quantized in "
                    << module.describe(slot);
    return;
  }
  // A weight's amax is counted once a step, by the update.
  if (auto it = readParams.find(slot); isUpdate && it != readParams.end()) {
    if (getArgumentText(amax, kStateAttr) != "fp8.weight_amax." + it->second)
      error(update) << "expects amax " << slot << " to be the state "
                    << "'fp8.weight_amax." << it->second << "' of the copies "
                    << "read in " << module.describe(slot);
    return;
  }
  if (!matchPattern(amax, m_AnyZeroFloat()))
    error(update) << "expects amax " << slot << " to be zero, as nothing here "
                  << "is quantized in " << module.describe(slot);
}

/// Checks that all states go through the update.
void UpdateValidator::checkStates(Operation *op, const ScaleUpdate &update) {
  bool returnsScales = false;
  ArrayRef<RecipeState> states = module.getRecipeStates();
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    if (!kind)
      continue;
    returnsScales |= kind == "fp8_scale";
    for (auto [state, value] : llvm::zip_equal(states, update.newStates))
      if (kind == state.kind && getTerminator()->getOperand(i) != value)
        error(getTerminator())
            << "expects result " << i << " (" << state.kind << ") to be what '"
            << op->getName() << "' makes of it";
  }
  if (!returnsScales)
    error(op) << "updates the scales, but the function does not return them";
  for (auto [state, value] : llvm::zip_equal(states, update.states))
    if (getArgumentText(value, kKindAttr) != state.kind)
      error(op) << "expects to update the function's state of kind '"
                << state.kind << "'";
}

/// Checks that a copy follows its scale.
void UpdateValidator::checkFollowed(Operation *update) {
  llvm::StringSet<> written;
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i)
    if (auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr))
      if (auto name = splitWeightName(state.getValue()))
        written.insert(name->first);
  for (auto &entry : module.getWeightStates()) {
    // The scale of a frozen weight stays, too.
    if (module.isFrozen(entry.first())) {
      if (written.contains(entry.first()))
        error(update) << "quantizes the weight '" << entry.first()
                      << "' anew, which is frozen";
      continue;
    }
    if (!written.contains(entry.first()))
      error(update) << "updates the scale of "
                    << module.describe(entry.second.slot)
                    << ", but the function does not quantize the weight '"
                    << entry.first() << "' anew";
  }
}

/// A step that uses scales updates them.
void UpdateValidator::checkUpdated() {
  const EntryKind *kind = getEntryKind(func);
  if (!kind || !kind->hasUpdates || !module.carriesScales())
    return;
  std::set<int64_t> used;
  for (auto &[op, quantization] : quantizations)
    if (std::optional<ScaleOrigin> scale =
            module.traceScale(quantization.scale);
        scale && module.isSlot(scale->slot))
      used.insert(scale->slot);
  for (auto &read : readParams)
    used.insert(read.first);
  if (used.empty())
    return;
  error(func) << "updates parameters, but not the scales that it uses, among "
              << "them that of " << module.describe(*used.begin())
              << "; expects the update of " << module.getRecipe()
              << " with the amaxes of all slots";
}

/// An update that says which recipe it follows follows the module's.
void UpdateValidator::checkRecipe(Operation *update) {
  for (NamedAttribute attribute : update->getAttrs())
    if (auto recipe = dyn_cast<RecipeAttrInterface>(attribute.getValue());
        recipe && recipe != module.getRecipe())
      error(update) << "updates the scales with " << recipe
                    << ", but the recipe of the module (te.recipe) is "
                    << module.getRecipe();
}

/// The tensor of which a value is the amax; null if it is of none.
static Value getMeasured(Value amax) {
  Operation *op = amax.getDefiningOp();
  if (auto measure = dyn_cast_if_present<AmaxOp>(op))
    return measure.getX();
  std::optional<Quantization> quantization =
      op ? getQuantization(op) : std::nullopt;
  return quantization && quantization->amax == amax ? quantization->source
                                                    : Value();
}

/// Casts saturate: an infinity shows in the amax alone, and so what decides
/// about the update of the parameters reads those of all tensors quantized
/// before it.
void UpdateValidator::checkGuards() {
  Block &body = func.getBody().front();
  for (auto guard : body.getOps<UpdateGuardOpInterface>()) {
    llvm::DenseSet<Value> amaxes, measured;
    for (Value operand : guard->getOperands()) {
      Value amax = getFirstMaximum(operand);
      amaxes.insert_range(getPartAmaxes(amax));
      if (Value tensor = getMeasured(amax))
        measured.insert(tensor);
    }
    for (auto &[op, quantization] : quantizations) {
      if (op->getBlock() != &body || !op->isBeforeInBlock(guard))
        continue;
      std::optional<ScaleOrigin> scale =
          module.carriesScales() ? module.traceScale(quantization.scale)
                                 : std::nullopt;
      if (module.carriesScales() &&
          (!scale || scale->version != ScaleVersion::Old))
        continue;
      auto compute = quantization.scale.getDefiningOp<ComputeScaleOp>();
      if (measured.contains(quantization.source) ||
          (quantization.amax && amaxes.contains(quantization.amax)) ||
          (compute && amaxes.contains(getFirstMaximum(compute.getAmax()))))
        continue;
      InFlightDiagnostic diagnostic = error(guard);
      diagnostic << "does not read the amax of "
                 << (scale ? module.describe(scale->slot)
                           : "a tensor that becomes FP8")
                 << ", whose cast hides infinities; expects it among 'amaxes'";
      diagnostic.attachNote(op->getLoc()) << "the tensor is quantized here";
    }
  }
}

/// The FP8 copies of a parameter are those of its value in the next step.
void UpdateValidator::checkStaleCopies() {
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto param = func.getResultAttrOfType<StringAttr>(i, kParamAttr);
    if (!param ||
        getArgumentText(getTerminator()->getOperand(i), kParamAttr) == param)
      continue;
    for (const std::string &state : module.getReadStates(param))
      if (!findResult(kStateAttr, state))
        error(getTerminator())
            << "returns a new value of the parameter '" << param.getValue()
            << "', but not its FP8 copy '" << state
            << "', which the next step would read as it was before; expects "
            << "the new value's";
  }
}

void UpdateValidator::checkUpdate() {
  Operation *op = nullptr;
  ScaleUpdate update;
  func.walk([&](Operation *candidate) {
    std::optional<ScaleUpdate> found = module.getRecipe().getUpdate(candidate);
    if (found && op)
      error(candidate)
          << "updates the scales a second time; a step has one update";
    if (found && !op) {
      op = candidate;
      update = std::move(*found);
    }
  });
  if (!op) {
    checkUpdated();
    return;
  }
  if (const EntryKind *kind = getEntryKind(func); kind && kind->accumulates)
    error(op) << "updates the scales in a microbatch, so that those behind it "
              << "quantize with others than the copies of weights; expects a "
              << "record of the amaxes for the update of the step";
  checkRecipe(op);
  checkStates(op, update);
  if (update.formats != module.getFormats())
    error(op) << "expects the formats of 'te.slot_formats'";
  checkAmaxes(op, update.amaxes, /*isUpdate=*/true);
  checkFollowed(op);
}

/// Checks that every slot's amax reaches an update or a record.
void UpdateValidator::checkAmaxes(Operation *op, ArrayRef<Value> amaxes,
                                  bool isUpdate) {
  int64_t numSlots = module.getNumSlots();
  if (static_cast<int64_t>(amaxes.size()) != numSlots) {
    error(op) << "expects " << numSlots << " amaxes, one per slot, got "
              << amaxes.size();
    return;
  }
  llvm::DenseMap<int64_t, SmallVector<const Quantization *>> bySlot;
  for (auto &[quantizer, quantization] : quantizations) {
    std::optional<ScaleOrigin> scale = module.traceScale(quantization.scale);
    if (scale && scale->version == ScaleVersion::Old)
      bySlot[scale->slot].push_back(&quantization);
  }
  for (auto [slot, amax] : llvm::enumerate(amaxes))
    checkAmax(op, amax, slot, bySlot.lookup(slot), isUpdate);
}

/// A microbatch only records its amaxes for the update of its step.
void UpdateValidator::checkRecord() {
  Operation *op = nullptr;
  ScaleUpdate record;
  RecipeAttrInterface recipe = module.getRecipe();
  func.walk([&](Operation *candidate) {
    std::optional<ScaleUpdate> found = recipe.getRecord(candidate);
    if (found && op)
      error(candidate)
          << "records amaxes a second time; a microbatch has one record";
    if (found && !op) {
      op = candidate;
      record = std::move(*found);
    }
  });
  const EntryKind *kind = getEntryKind(func);
  const bool accumulates = kind && kind->accumulates;
  if (!op) {
    if (accumulates && recipe.getRecordState() && !quantizations.empty())
      error(func) << "quantizes tensors of a microbatch, but does not record "
                  << "their amaxes for the update of the step";
    return;
  }
  if (!accumulates) {
    error(op) << "records amaxes in a function that is no microbatch of a "
              << "step; what it leaves there would be counted by the next step";
    return;
  }
  ArrayRef<RecipeState> states = module.getRecipeStates();
  for (auto [state, before, after] :
       llvm::zip_equal(states, record.states, record.newStates)) {
    if (before && getArgumentText(before, kKindAttr) != state.kind)
      error(op) << "expects to record in the function's state of kind '"
                << state.kind << "'";
    if (after && findResult(kKindAttr, state.kind) != after)
      error(op) << "records amaxes, but the function does not return them as '"
                << state.name << "'";
    if (!after && findResult(kKindAttr, state.kind))
      error(func) << "returns the state '" << state.name
                  << "', which a microbatch leaves as it is";
  }
  checkAmaxes(op, record.amaxes, /*isUpdate=*/false);
}

/// In an entry that makes first copies: the quantization's scale must be
/// computed from the weight and be returned in the slot's columns.
void UpdateValidator::checkInitialScale(Operation *op, int64_t slot,
                                        const InitialScale &scale) {
  if (!module.isSlot(slot)) {
    error(op) << "quantizes a weight with a scale that is not written to "
              << "fp8.scales";
    return;
  }
  if (scale.format != module.getFormat(slot))
    error(scale.scale.getDefiningOp())
        << "computes a scale for " << scale.format << ", but "
        << module.describe(slot) << " has the format "
        << module.getFormat(slot);
  auto isReturned = [&](StringRef kind, Value element) {
    Value state = findResult(kKindAttr, kind);
    while (auto insert =
               state ? state.getDefiningOp<tensor::InsertSliceOp>() : nullptr) {
      // An insertion of several columns, or of an unknown one, may overwrite
      // this one.
      std::optional<int64_t> column = getElementIndex(insert);
      if (!column || *column == slot)
        return column && insert.getSource() == element;
      state = insert.getDest();
    }
    return false;
  };
  if (!isReturned("fp8_scale", scale.scale))
    error(op) << "expects the scale of " << module.describe(slot)
              << " to be returned in its column of fp8.scales";
  if (!isReturned("fp8_scale_inv", scale.scaleInv))
    error(op) << "expects the scale_inv of " << module.describe(slot)
              << " to be returned in its column of fp8.scale_invs";
}

/// The first copies of a weight are quantized with a scale made from its amax.
void UpdateValidator::checkFirstCopies(const Quantization &quantization,
                                       const InitialScale &scale,
                                       StringRef param, StringRef state) {
  checkInitialScale(quantization.op, module.getSlotOf(scale), scale);
  auto amaxOp = getFirstMaximum(scale.amax).getDefiningOp<AmaxOp>();
  if (!amaxOp || amaxOp.getX() != quantization.source)
    error(scale.scale.getDefiningOp())
        << "expects the amax of the weight '" << param << "'";
  if (getArgumentText(getTensorOfMatrix(quantization.source), kParamAttr) !=
      param)
    error(quantization.op) << "expects to quantize the parameter '" << param
                           << "' for the state '" << state << "'";
  Value amax = findResult(kStateAttr, "fp8.weight_amax." + param);
  if (amax != scale.amax && amax != quantization.amax)
    error(quantization.op)
        << "expects its amax to be returned as 'fp8.weight_amax." << param
        << "'";
}

/// Checks the FP8 weights that a function returns.
void UpdateValidator::checkWrittenWeights() {
  for (unsigned i = 0, e = func.getNumResults(); i < e; ++i) {
    auto kind = func.getResultAttrOfType<StringAttr>(i, kKindAttr);
    auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    if (!kind || !state || kind.getValue() != "fp8_weight")
      continue;
    if (const EntryKind *entry = getEntryKind(func);
        entry && entry->accumulates) {
      error(getTerminator())
          << "returns the state '" << state.getValue()
          << "' from a microbatch, so that those behind it read another weight;"
          << " expects the entry that updates the parameter to write it";
      continue;
    }
    auto name = splitWeightName(state.getValue());
    std::optional<CopyOrigin> copy =
        module.traceCopy(getTerminator()->getOperand(i));
    if (!name || !copy || !copy->quantization)
      continue; // reported when the states were read
    const Quantization &quantization =
        quantizations.find(copy->quantization)->second;
    std::optional<ScaleOrigin> scale = module.traceScale(quantization.scale);
    if (!scale || scale->inverse)
      continue;
    if (copy->columnwise != name->second)
      error(quantization.op)
          << "returns its " << (copy->columnwise ? "columnwise" : "rowwise")
          << " copy as the state '" << state.getValue() << "'";
    if (scale->version == ScaleVersion::Initial) {
      checkFirstCopies(quantization, scale->initial, name->first,
                       state.getValue());
      continue;
    }
    // Checks the source and the scale.
    if (scale->version == ScaleVersion::Old)
      error(quantization.op)
          << "quantizes the new weight '" << name->first
          << "' with the scale that this step began with; expects the updated "
          << "scale of " << module.describe(scale->slot)
          << ", which is what the next step reads it with";
    Value updated = findResult(kParamAttr, name->first);
    if (!updated || getTensorOfMatrix(quantization.source) != updated)
      error(quantization.op) << "expects to quantize the new value of the "
                             << "parameter '" << name->first
                             << "' for the state '" << state.getValue() << "'";
    // For sharded weights the maximum over the ranks is returned.
    Value amax = findResult(kStateAttr, "fp8.weight_amax." + name->first);
    if (!amax || getFirstMaximum(amax) != quantization.amax)
      error(quantization.op)
          << "expects its amax to be returned as 'fp8.weight_amax."
          << name->first << "'";
  }
}

void mlir::te::validateUpdate(ScalingModule &module, func::FuncOp func,
                              const Quantizations &quantizations,
                              const ReadParams &readParams,
                              const PartSlots &partSlots) {
  UpdateValidator(module, func, quantizations, readParams, partSlots).run();
}
