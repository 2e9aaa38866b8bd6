// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// scf.for with known bounds, such as layers that are stacked in one tensor.

#include "Linalg/Linalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::te;

static int64_t countOps(Operation *root) {
  int64_t count = 0;
  root->walk([&](Operation *) { ++count; });
  return count;
}

/// The counter's first value, how often the loop runs, and the step; nothing
/// when they are not known.
static std::optional<std::tuple<APInt, int64_t, APInt>>
getRange(scf::ForOp loop) {
  APInt low, high, step;
  if (!matchPattern(loop.getLowerBound(), m_ConstantInt(&low)) ||
      !matchPattern(loop.getUpperBound(), m_ConstantInt(&high)) ||
      !matchPattern(loop.getStep(), m_ConstantInt(&step)) ||
      !step.isStrictlyPositive())
    return std::nullopt;
  bool isEmpty = loop.getUnsignedCmp() ? high.ule(low) : high.sle(low);
  if (isEmpty)
    return std::tuple(low, int64_t(0), step);
  // The distance fits the unsigned numbers of this width.
  APInt trips = (high - low - 1).udiv(step);
  if (trips.uge(kMostOps))
    return std::tuple(low, kMostOps, step);
  return std::tuple(low, int64_t(trips.getZExtValue()) + 1, step);
}

LogicalResult mlir::te::unrollLoops(func::FuncOp model) {
  IRRewriter rewriter(model.getContext());
  int64_t total = countOps(model);
  while (true) {
    // A counter that became a constant may be an inner loop's bound.
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    (void)applyPatternsGreedily(model, RewritePatternSet(model.getContext()),
                                config);
    scf::ForOp loop;
    model.walk<WalkOrder::PreOrder>([&](scf::ForOp candidate) {
      if (!getRange(candidate))
        return WalkResult::advance();
      loop = candidate;
      return WalkResult::interrupt();
    });
    if (!loop)
      return success();
    auto [low, trips, step] = *getRange(loop);
    total += trips * countOps(loop);
    if (total > kMostOps)
      return loop.emitError() << "would be written " << trips
                              << " times, and the model have more than "
                              << kMostOps << " operations";
    rewriter.setInsertionPoint(loop);
    SmallVector<Value> carried(loop.getInitArgs());
    APInt counter = low;
    for (int64_t trip = 0; trip < trips; ++trip, counter += step) {
      IRMapping mapping;
      mapping.map(loop.getInductionVar(),
                  arith::ConstantOp::create(
                      rewriter, loop.getLoc(),
                      rewriter.getIntegerAttr(loop.getInductionVar().getType(),
                                              counter)));
      mapping.map(loop.getRegionIterArgs(), carried);
      for (Operation &op : loop.getBody()->without_terminator())
        rewriter.clone(op, mapping);
      for (auto [value, yielded] : llvm::zip_equal(
               carried, loop.getBody()->getTerminator()->getOperands()))
        value = mapping.lookupOrDefault(yielded);
    }
    rewriter.replaceOp(loop, carried);
  }
}
