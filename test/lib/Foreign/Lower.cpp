// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass of the program that brings the dialect: what has no RuntimeOpInterface
// becomes linalg.

#include "Foreign/Foreign.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::te::test::foreign;

static Value constant(ImplicitLocOpBuilder &b, float value) {
  return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
}

static Value onePlusAbs(ImplicitLocOpBuilder &b, Value x) {
  return arith::AddFOp::create(b, constant(b, 1), math::AbsFOp::create(b, x));
}

static Value lowerSoftsign(RewriterBase &rewriter, SoftsignOp op) {
  return computeElements(rewriter, op.getLoc(), op.getType(), op.getX(),
                         [](ImplicitLocOpBuilder &b, ValueRange x) -> Value {
                           return arith::DivFOp::create(b, x[0],
                                                        onePlusAbs(b, x[0]));
                         });
}

static Value lowerSoftsignGrad(RewriterBase &rewriter, SoftsignGradOp op) {
  return computeElements(rewriter, op.getLoc(), op.getType(),
                         {op.getDy(), op.getX()},
                         [](ImplicitLocOpBuilder &b, ValueRange x) -> Value {
                           Value root = onePlusAbs(b, x[1]);
                           return arith::DivFOp::create(
                               b, x[0], arith::MulFOp::create(b, root, root));
                         });
}

namespace {
struct LowerPass : PassWrapper<LowerPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerPass)

  StringRef getArgument() const override { return "foreign-lower"; }
  StringRef getDescription() const override {
    return "Lower foreign.softsign and its gradient to linalg";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, tensor::TensorDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](Operation *op) {
      rewriter.setInsertionPoint(op);
      if (auto softsign = dyn_cast<SoftsignOp>(op))
        rewriter.replaceOp(op, lowerSoftsign(rewriter, softsign));
      else if (auto gradient = dyn_cast<SoftsignGradOp>(op))
        rewriter.replaceOp(op, lowerSoftsignGrad(rewriter, gradient));
    });
  }
};
} // namespace

void mlir::te::test::registerForeignPasses() { PassRegistration<LowerPass>(); }
