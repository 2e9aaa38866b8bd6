// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-add-loss: entries get the loss of their logits.

#include "Training/EntryEditor.h"
#include "Training/HiddenKeys.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"

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
    for (func::FuncOp function : *functions)
      if (failed(addTo(function)))
        return signalPassFailure();
  }

private:
  LogicalResult addTo(func::FuncOp function);
  FailureOr<EntryValue> findLogits(EntryEditor &entry);
  FailureOr<EntryValue> findIds(EntryEditor &entry);
  FailureOr<Value> addLabels(EntryEditor &entry, const EntryValue &scores);
  LogicalResult checkLookahead(Value scores, Value ids);

  LossOptions getLossOptions() { return {loss, reduction, ignoreIndex}; }
};

} // namespace

/// Emits "<what>; <list>" and the candidates.
static LogicalResult ambiguous(EntryEditor &entry, const Twine &what,
                               ArrayRef<EntryValue> candidates,
                               StringRef list) {
  InFlightDiagnostic diag = entry.error() << what << "; " << list;
  if (candidates.empty())
    return diag << " nothing";
  llvm::interleaveComma(candidates, diag << " ", [&](const EntryValue &value) {
    diag << "'" << value.name() << "' (" << value.boundary.type << ")";
  });
  return diag;
}

FailureOr<EntryValue> TEAddLoss::findLogits(EntryEditor &entry) {
  SmallVector<EntryValue> candidates;
  for (EntryValue &value : entry.getValues(BoundaryRole::Output))
    if (value.isFloat()) {
      if (value.name() == logits)
        return value;
      candidates.push_back(value);
    }
  if (!logits.empty())
    return ambiguous(entry, "has no floating-point output '" + logits + "'",
                     candidates, "there is");
  if (candidates.size() == 1)
    return candidates.front();
  return ambiguous(
      entry,
      "needs one output as logits for the loss; name it with the option logits",
      candidates, "there is");
}

FailureOr<EntryValue> TEAddLoss::findIds(EntryEditor &entry) {
  SmallVector<EntryValue> candidates;
  SmallVector<EntryValue> all = entry.getValues(BoundaryRole::Input);
  for (const EntryValue &value : all)
    if (value.type().getElementType().isInteger() &&
        value.type().getRank() == 2)
      candidates.push_back(value);
  // Masks and token types are integers as well; ids have one name everywhere.
  if (candidates.size() > 1)
    for (const EntryValue &value : candidates)
      if (value.name() == "input_ids")
        return value;
  if (candidates.size() == 1)
    return candidates.front();
  return ambiguous(entry,
                   "needs one integer input [batch, sequence] to take the "
                   "causal loss's labels from (use the loss cross-entropy to "
                   "give labels)",
                   all, "its inputs are");
}

/// Fails where positions of `scores` see later tokens of `ids`: an attention
/// without a causal mask, of its own or in its bias, between the two, over keys
/// or values that are made of them. Such a model learns to read its labels.
LogicalResult TEAddLoss::checkLookahead(Value scores, Value ids) {
  if (getOperation()->hasAttr(kAllowLookaheadAttr))
    return success();
  SetVector<Operation *> before, behind;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  (void)getBackwardSlice(scores, &before, options);
  getForwardSlice(ids, &behind);
  for (Operation *op : before) {
    auto attention = dyn_cast<AttentionOp>(op);
    if (!attention || attention.getCausal() ||
        (attention.getBias() && hidesLaterKeys(attention.getBias())))
      continue;
    auto isOfIds = [&](Value value) {
      return behind.contains(value.getDefiningOp());
    };
    if (!isOfIds(attention.getK()) && !isOfIds(attention.getV()))
      continue;
    return attention.emitError()
           << "every position sees all tokens here, also the later ones that "
              "the loss causal-lm has it predict: training would teach the "
              "model to read the answer. Make the attention causal, give "
              "labels of your own with the loss cross-entropy, or insist with "
              "--allow-lookahead (in a module, the attribute '"
           << kAllowLookaheadAttr << "')";
  }
  return success();
}

/// The labels of `scores`: of the causal loss from the ids, else an input.
FailureOr<Value> TEAddLoss::addLabels(EntryEditor &entry,
                                      const EntryValue &scores) {
  OpBuilder &builder = entry.getBuilder();
  if (loss == LossKind::CausalLM) {
    FailureOr<EntryValue> ids = findIds(entry);
    if (failed(ids) || failed(checkLookahead(scores.value, ids->value)))
      return failure();
    return buildCausalLabels(
        builder, NameLoc::get(builder.getStringAttr("loss"), entry.getLoc()),
        ids->value, getLossOptions());
  }
  // One label per row of logits, in the shape of the ids where it fits.
  ArrayRef<int64_t> shape = scores.type().getShape();
  if (shape.empty())
    return entry.error() << "has scalar logits '" << scores.name() << "'";
  auto type = RankedTensorType::get(shape.drop_back(), builder.getI64Type());
  for (const EntryValue &value : entry.getValues(BoundaryRole::Input))
    if (type.getRank() == 1 && value.type().getElementType().isInteger() &&
        value.type().getRank() == 2 &&
        value.type().getNumElements() == type.getNumElements())
      type = type.clone(value.type().getShape());
  return entry.addArgument(entry.getLoc(), type,
                           {entry.attr(kInputAttr, "labels")},
                           /*behind=*/{kInputAttr});
}

LogicalResult TEAddLoss::addTo(func::FuncOp function) {
  StringRef name = getEntryName(function);
  if (loss == LossKind::None)
    return emitError(getOperation().getLoc())
           << "entry '" << name
           << "' needs a loss: choose causal-lm or cross-entropy, or build "
              "the entry vjp";
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  FailureOr<EntryValue> scores = findLogits(*entry);
  if (failed(scores))
    return failure();
  FailureOr<Value> labels = addLabels(*entry, *scores);
  if (failed(labels))
    return failure();
  OpBuilder &builder = entry->getBuilder();
  FailureOr<CrossEntropyOp> op = buildCrossEntropy(
      builder, NameLoc::get(builder.getStringAttr("loss"), entry->getLoc()),
      scores->value, *labels, getLossOptions());
  if (failed(op))
    return failure();

  const EntryKind *kind = findEntryKind(name);
  if (kind && !kind->keepsOutputs)
    entry->eraseResults([](unsigned) { return true; });
  entry->addResult(op->getLoss(), {entry->attr(kOutputAttr, "loss")});
  if (kind && kind->countsLabels)
    entry->addResult(op->getCount(), {entry->attr(kOutputAttr, "count")});
  ++numLosses;
  return entry->finish();
}
