// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-add-loss: entries get the loss of their logits.

#include "Training/EntryEditor.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/Transforms/Passes.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEADDLOSS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

class TEAddLoss : public mlir::te::impl::TEAddLossBase<TEAddLoss> {
public:
  using TEAddLossBase::TEAddLossBase;

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> functions =
        findEntries(getOperation(), entries,
                    [](const EntryKind &kind) { return kind.hasLoss; });
    if (failed(functions))
      return signalPassFailure();
    if (functions->empty())
      return;
    Location loc = getOperation().getLoc();
    if (isNoLoss(loss)) {
      emitError(loc) << "entry '" << getEntryName(functions->front())
                     << "' needs a loss: choose " << kLossNames
                     << ", or build the entries vjp and forward alone";
      return signalPassFailure();
    }
    LossAttrInterface attr = parseLoss(loss, loc);
    if (!attr)
      return signalPassFailure();
    dividesLate = !isSum(attr) && (lateDivision || hasMicrobatches());
    for (func::FuncOp function : *functions)
      if (failed(addTo(function, attr)))
        return signalPassFailure();
  }

private:
  /// Whether the terms of the loss are only added.
  static bool isSum(LossAttrInterface attr) {
    auto reduction = attr.getSettings().getAs<StringAttr>("reduction");
    return reduction && reduction == stringifyReduction(Reduction::Sum);
  }
  bool hasMicrobatches() {
    return llvm::any_of(
        getOperation().getOps<func::FuncOp>(), [](func::FuncOp function) {
          const EntryKind *kind = findEntryKind(getEntryName(function));
          return kind && kind->accumulates;
        });
  }
  LogicalResult addTo(func::FuncOp function, LossAttrInterface attr);

  /// Whether steps return what their loss is the mean over.
  bool dividesLate = false;
};

/// An entry as losses see it.
class EntrySite : public LossSite {
public:
  EntrySite(EntryEditor &entry, StringRef scores)
      : entry(entry), scores(scores) {}

  OpBuilder &getBuilder() override { return entry.getBuilder(); }
  Location getLoc() override {
    return NameLoc::get(getBuilder().getStringAttr("loss"), entry.getLoc());
  }
  Operation *getModule() override {
    return entry.getFunction()->getParentOfType<ModuleOp>();
  }
  SmallVector<NamedTensor> getInputs() override {
    return getTensors(BoundaryRole::Input);
  }
  SmallVector<NamedTensor> getOutputs() override {
    return getTensors(BoundaryRole::Output);
  }
  FailureOr<NamedTensor> findScores() override;
  Value addInput(StringRef name, RankedTensorType type) override {
    return entry.addArgument(entry.getLoc(), type,
                             {entry.attr(kInputAttr, name)},
                             /*behind=*/{kInputAttr});
  }
  InFlightDiagnostic error() override { return entry.error(); }

private:
  SmallVector<NamedTensor> getTensors(BoundaryRole role) {
    return llvm::map_to_vector(
        entry.getValues(role), [](const EntryValue &value) {
          return NamedTensor{value.name().str(), value.value};
        });
  }

  EntryEditor &entry;
  StringRef scores; ///< the output's name; empty: the only one of floats
};

} // namespace

FailureOr<NamedTensor> EntrySite::findScores() {
  SmallVector<NamedTensor> candidates;
  for (const NamedTensor &output : getOutputs())
    if (isa<FloatType>(output.type().getElementType())) {
      if (output.name == scores)
        return output;
      candidates.push_back(output);
    }
  if (!scores.empty())
    return errorWith("has no floating-point output '" + scores + "'",
                     "there is", candidates);
  if (candidates.size() == 1)
    return candidates.front();
  return errorWith(
      "needs one output as logits for the loss; name it with the option logits",
      "there is", candidates);
}

/// What a loss counts, where it is read beside the gradient: te-fuse-loss joins
/// the two to an op that needs the count and does not make it.
static Value countApart(OpBuilder &builder, Value count) {
  auto loss = count.getDefiningOp<CrossEntropyOp>();
  if (!loss)
    return count;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loss);
  return loss.buildShared(builder).front();
}

LogicalResult TEAddLoss::addTo(func::FuncOp function, LossAttrInterface attr) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  EntrySite site(*entry, logits);
  FailureOr<BuiltLoss> built = attr.buildLoss(site);
  if (failed(built))
    return failure();

  // A model's own loss is not returned twice under the same name.
  const EntryKind *kind = findEntryKind(getEntryName(function));
  SmallVector<EntryValue> outputs = entry->getValues(BoundaryRole::Output);
  bool keepsOutputs = !kind || kind->keepsOutputs;
  entry->eraseResults([&](unsigned result) {
    return !keepsOutputs ||
           (built->output == "loss" &&
            llvm::any_of(outputs, [&](const EntryValue &output) {
              return output.name() == "loss" &&
                     output.boundary.result == result;
            }));
  });
  entry->addResult(built->loss, {entry->attr(kOutputAttr, "loss")});
  if (kind && kind->countsLabels)
    entry->addResult(built->count, {entry->attr(kOutputAttr, "count")});
  else if (dividesLate && kind && (kind->hasUpdates || kind->accumulates))
    entry->addResult(
        countApart(entry->getBuilder(), built->count),
        {entry->attr(kOutputAttr, "count"),
         entry->attr(kLossDivisorAttr, entry->getBuilder().getUnitAttr())});
  ++numLosses;
  return entry->finish();
}
