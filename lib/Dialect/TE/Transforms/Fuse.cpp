// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse: producers write FP8 copies, and activation_grad sums its rows, in
// the pass that computes the values.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEFUSE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static constexpr llvm::StringLiteral kCategory = "te-fuse";

static remark::RemarkOpts remarkOpts(Operation *op, StringRef name) {
  auto func = op->getParentOfType<func::FuncOp>();
  return remark::RemarkOpts::name(name).category(kCategory).function(
      func ? func.getName() : StringRef());
}

/// Makes `value` available before `point` by moving the ops that compute it;
/// changes nothing when one of them depends on `point` or has side effects.
static LogicalResult hoistBefore(Value value, Operation *point) {
  Operation *root = value.getDefiningOp();
  Block *block = point->getBlock();
  if (!root || root->getBlock() != block || root->isBeforeInBlock(point))
    return success();
  SetVector<Operation *> moved;
  SmallVector<Operation *> worklist = {root};
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (op == point || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return failure();
    if (!moved.insert(op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && producer->getBlock() == block &&
          (producer == point || !producer->isBeforeInBlock(point)))
        worklist.push_back(producer);
  }
  SmallVector<Operation *> ordered = moved.takeVector();
  llvm::sort(ordered,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ordered)
    op->moveBefore(point);
  return success();
}

namespace {
struct FusePass : public te::impl::TEFuseBase<FusePass> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ColumnSumOp> sums;
    SmallVector<QuantizeOp> quantizes;
    getOperation().walk([&](Operation *op) {
      if (auto sum = dyn_cast<ColumnSumOp>(op))
        sums.push_back(sum);
      if (auto quantize = dyn_cast<QuantizeOp>(op))
        quantizes.push_back(quantize);
    });
    // Sums first: afterwards nothing but the quantization may read dx.
    for (ColumnSumOp sum : sums)
      fuseDbias(sum, rewriter);
    for (QuantizeOp quantize : quantizes)
      fuseQuantize(quantize, rewriter);
  }

private:
  void fuseDbias(ColumnSumOp sum, IRRewriter &rewriter);
  void fuseQuantize(QuantizeOp quantize, IRRewriter &rewriter);
};
} // namespace

void FusePass::fuseDbias(ColumnSumOp sum, IRRewriter &rewriter) {
  auto producer = sum.getX().getDefiningOp<ActivationGradOp>();
  if (!producer || sum.getX() != producer.getDx())
    return;
  Type type = sum.getY().getType();
  if (producer.getDbias() && producer.getDbias().getType() == type) {
    rewriter.replaceOp(sum, producer.getDbias());
    ++numDbias;
    return;
  }
  if (producer.getDbias())
    return;
  auto typeOf = [](Value value) { return value ? value.getType() : Type(); };
  rewriter.setInsertionPoint(producer);
  auto fused = ActivationGradOp::create(
      rewriter, producer.getLoc(), typeOf(producer.getDx()),
      typeOf(producer.getRowwise()), typeOf(producer.getColumnwise()),
      typeOf(producer.getAmax()), type, producer.getKindAttr(),
      producer.getDy(), producer.getX(), producer.getScale());
  fused->setDiscardableAttrs(producer->getDiscardableAttrDictionary());
  rewriter.replaceOp(sum, fused.getDbias());
  rewriter.replaceOp(producer, fused->getResults().drop_back());
  ++numDbias;
  remark::passed(fused.getLoc(), remarkOpts(fused, "Dbias"))
      << remark::add("the gradient of the bias is summed where dx is computed");
}

void FusePass::fuseQuantize(QuantizeOp quantize, IRRewriter &rewriter) {
  auto result = dyn_cast<OpResult>(quantize.getX());
  auto missed = [&](StringRef name) {
    return remark::missed(quantize.getLoc(), remarkOpts(quantize, name));
  };
  if (!result) {
    missed("NoProducer") << remark::reason(
        "the value comes from outside the function");
    return;
  }
  Operation *owner = result.getOwner();
  auto producer = dyn_cast<QuantizingProducerOpInterface>(owner);
  if (!producer) {
    missed("NoProducer") << remark::reason(
        "{0} cannot quantize what it computes",
        owner->getName().getStringRef());
    return;
  }
  if (!producer.canQuantizeResult(result.getResultNumber())) {
    missed("NotThisResult") << remark::reason(
        "{0} cannot quantize result {1}, or quantizes it "
        "already with another scale",
        owner->getName().getStringRef(), result.getResultNumber());
    return;
  }
  if (owner->getBlock() != quantize->getBlock() ||
      failed(hoistBefore(quantize.getScale(), owner))) {
    missed("LateScale") << remark::reason("the scale is known only after {0}",
                                          owner->getName().getStringRef());
    return;
  }

  bool keep = llvm::any_of(result.getUsers(), [&](Operation *user) {
    return user != quantize.getOperation();
  });
  auto typeOf = [](Value value) {
    return value && !value.use_empty() ? value.getType() : Type();
  };
  rewriter.setInsertionPoint(owner);
  Location loc = quantize.getLoc();
  QuantizedResults fused = producer.quantizeResult(
      rewriter, result.getResultNumber(), quantize.getScale(),
      typeOf(quantize.getRowwise()), typeOf(quantize.getColumnwise()), keep);
  auto replace = [&](Value from, Value to) {
    if (from && to)
      rewriter.replaceAllUsesWith(from, to);
  };
  replace(quantize.getRowwise(), fused.rowwise);
  replace(quantize.getColumnwise(), fused.columnwise);
  replace(quantize.getAmax(), fused.amax);
  rewriter.eraseOp(quantize);
  replace(result, fused.highPrecision);
  Operation *newOwner = fused.amax.getDefiningOp();
  rewriter.eraseOp(owner);
  ++numQuantized;
  remark::passed(loc, remarkOpts(newOwner, "Quantize")) << remark::add(
      "{0} writes the FP8 copies itself", newOwner->getName().getStringRef());
}
