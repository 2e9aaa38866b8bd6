// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LossOpInterface and RowwiseLossOpInterface of the te ops.

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

unsigned CrossEntropyOp::getLogitsOperand() {
  return getLogitsMutable().getOperandNumber();
}

unsigned CrossEntropyWithGradOp::getLogitsOperand() {
  return getLogitsMutable().getOperandNumber();
}

SmallVector<unsigned> CrossEntropyOp::getRowOperands() {
  return {getLabelsMutable().getOperandNumber()};
}

/// How `grad`, which reads the logits of `loss`, differs from the gradient of
/// just this loss; empty when it does not.
static StringRef compare(CrossEntropyOp loss, CrossEntropyGradOp grad) {
  if (grad.getLabels() != loss.getLabels())
    return "the gradient of its logits is taken for other labels";
  if (grad.getIgnoreIndex() != loss.getIgnoreIndex())
    return "the gradient of its logits ignores another label";
  if (grad.getReduction() != loss.getReduction())
    return "the gradient of its logits is that of another reduction";
  if (grad.getLabelSmoothingAttr() != loss.getLabelSmoothingAttr())
    return "the gradient of its logits smooths the labels differently";
  if (grad.getZLossAttr() != loss.getZLossAttr())
    return "the gradient of its logits has another z_loss";
  if (grad.getLse() != loss.getLse() || grad.getCount() != loss.getCount())
    return "the gradient of its logits takes the sums of another loss";
  return "";
}

Value CrossEntropyOp::matchGradient(Operation *user, std::string &reason) {
  auto grad = dyn_cast<CrossEntropyGradOp>(user);
  if (!grad)
    return {};
  reason = compare(*this, grad).str();
  return reason.empty() ? grad.getDlogits() : Value();
}

SmallVector<Value> CrossEntropyOp::buildShared(OpBuilder &builder) {
  int64_t classes = cast<RankedTensorType>(getLogits().getType()).getDimSize(1);
  // They may be counted already, for the sum over microbatches.
  for (Operation *user : getLabels().getUsers())
    if (auto counted = dyn_cast<CountLabelsOp>(user);
        counted && counted->getBlock() == builder.getBlock() &&
        counted.getClasses() == static_cast<uint64_t>(classes) &&
        counted.getIgnoreIndex() == getIgnoreIndex() &&
        (builder.getInsertionPoint() == builder.getBlock()->end() ||
         counted->isBeforeInBlock(&*builder.getInsertionPoint())))
      return {counted.getCount()};
  Value count = CountLabelsOp::create(
      builder, getLoc(), RankedTensorType::get({}, builder.getF32Type()),
      getLabels(), classes, getIgnoreIndex());
  return {count};
}

std::pair<Value, Value>
CrossEntropyOp::buildPart(OpBuilder &builder, Operation *gradient, Value logits,
                          ValueRange rows, ValueRange shared, Value loss) {
  auto part = CrossEntropyWithGradOp::create(
      builder, getLoc(), logits.getType(), loss.getType(),
      cast<CrossEntropyGradOp>(gradient).getDloss(), /*labels=*/rows[0],
      /*count=*/shared[0], logits, loss, getIgnoreIndexAttr(),
      getReductionAttr(), getLabelSmoothingAttr(), getZLossAttr());
  return {part.getDlogits(), part.getNewLoss()};
}

// The gradient takes the logits' place.
Work CrossEntropyOp::getPartWork(RankedTensorType logits) {
  Work work;
  work.kernel = "cross_entropy_with_grad";
  work.bytes = 2 * getBytes(logits);
  return work;
}
