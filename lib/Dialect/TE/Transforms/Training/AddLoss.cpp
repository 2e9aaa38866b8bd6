// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-add-loss: adds the loss of their logits to entries.

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
  /// True if the terms of the loss are only added.
  static bool isSum(LossAttrInterface attr) {
    auto reduction = attr.getSettings().getAs<StringAttr>("reduction");
    return reduction && reduction == stringifyReduction(Reduction::Sum);
  }
  bool hasMicrobatches() {
    return llvm::any_of(getOperation().getOps<func::FuncOp>(),
                        [](func::FuncOp function) {
                          const EntryKind *kind = getEntryKind(function);
                          return kind && kind->accumulates;
                        });
  }
  LogicalResult addTo(func::FuncOp function, LossAttrInterface attr);

  /// True if steps return the number of terms of the mean.
  bool dividesLate = false;
};

/// The entry's interface for losses.
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
  /// As findScores, without an error: nullopt, and the candidates.
  std::optional<NamedTensor> matchScores(SmallVector<NamedTensor> &candidates);
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
  StringRef scores; ///< the output's name; empty: the only floating-point one
};

} // namespace

std::optional<NamedTensor>
EntrySite::matchScores(SmallVector<NamedTensor> &candidates) {
  for (const NamedTensor &output : getOutputs())
    if (isa<FloatType>(output.type().getElementType())) {
      if (output.name == scores)
        return output;
      candidates.push_back(output);
    }
  if (scores.empty() && candidates.size() == 1)
    return candidates.front();
  return std::nullopt;
}

FailureOr<NamedTensor> EntrySite::findScores() {
  SmallVector<NamedTensor> candidates;
  if (std::optional<NamedTensor> found = matchScores(candidates))
    return *found;
  if (!scores.empty())
    return errorWith("has no floating-point output '" + scores + "'",
                     "there is", candidates);
  return errorWith(
      "needs one output as logits for the loss; name it with the option logits",
      "there is", candidates);
}

/// The count computed separately, next to the gradient: te-fuse-loss joins loss
/// and gradient into an op that needs the count and does not compute it.
static Value countApart(OpBuilder &builder, Value count) {
  auto loss = count.getDefiningOp<CrossEntropyOp>();
  if (!loss)
    return count;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loss);
  return loss.buildShared(builder).front();
}

/// The scores [batch, classes] that annotated labels are compared with, of a
/// loss that counts labels: they are small, and give the accuracy, which a loss
/// does not. Empty if there are none. Rows that are not samples, as those of
/// logits [batch * tokens, vocabulary], are too many.
static std::string findComparedMatrix(EntrySite &site, LossAttrInterface attr) {
  DictionaryAttr settings = attr.getSettings();
  auto labels = settings.getAs<StringAttr>("labels");
  if (!labels || labels.getValue() != "annotated" || settings.get("counts"))
    return {};
  SmallVector<NamedTensor> others;
  std::optional<NamedTensor> scores = site.matchScores(others);
  if (!scores || scores->type().getRank() != 2)
    return {};
  const int64_t rows = scores->type().getDimSize(0);
  const bool areSamples =
      llvm::all_of(site.getInputs(), [&](const NamedTensor &input) {
        return input.type().getRank() > 0 && input.type().getDimSize(0) == rows;
      });
  return areSamples ? scores->name : std::string();
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
  const EntryKind *kind = getEntryKind(function);
  SmallVector<EntryValue> outputs = entry->getValues(BoundaryRole::Output);
  bool keepsOutputs = !kind || kind->keepsOutputs;
  const std::string compared = kind && kind->countsLabels && !kind->measures
                                   ? findComparedMatrix(site, attr)
                                   : std::string();
  entry->eraseResults([&](unsigned result) {
    auto isOutput = [&](StringRef name) {
      return llvm::any_of(outputs, [&](const EntryValue &output) {
        return output.name() == name && output.boundary.result == result;
      });
    };
    if (!keepsOutputs)
      return compared.empty() || !isOutput(compared);
    return built->output == "loss" && isOutput("loss");
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
