// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass whose rewrites are right but for one, for tests of what finds it.

#include "TestPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {

/// x - (-y) = x + y
struct SubtractNegated : OpRewritePattern<arith::SubFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SubFOp op,
                                PatternRewriter &rewriter) const override {
    auto negated = op.getRhs().getDefiningOp<arith::NegFOp>();
    if (!negated)
      return failure();
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, op.getLhs(),
                                               negated.getOperand());
    return success();
  }
};

/// x y + x z = x (y + z)
struct FactorOut : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    auto left = op.getLhs().getDefiningOp<arith::MulFOp>();
    auto right = op.getRhs().getDefiningOp<arith::MulFOp>();
    if (!left || !right || left.getLhs() != right.getLhs())
      return failure();
    Value sum = arith::AddFOp::create(rewriter, op.getLoc(), left.getRhs(),
                                      right.getRhs());
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, left.getLhs(), sum);
    return success();
  }
};

/// (x - y) - z = x - (y - z), which is wrong.
struct Reassociate : OpRewritePattern<arith::SubFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SubFOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getLhs().getDefiningOp<arith::SubFOp>();
    if (!inner)
      return failure();
    Value difference = arith::SubFOp::create(rewriter, op.getLoc(),
                                             inner.getRhs(), op.getRhs());
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, inner.getLhs(), difference);
    return success();
  }
};

struct PlantedRewrite : PassWrapper<PlantedRewrite, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantedRewrite)
  StringRef getArgument() const override { return "test-te-planted-rewrite"; }
  StringRef getDescription() const override {
    return "Rewrite arithmetic, once in a while wrongly";
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SubtractNegated, FactorOut, Reassociate>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void mlir::te::test::registerPlantedRewritePass() {
  PassRegistration<PlantedRewrite>();
}
