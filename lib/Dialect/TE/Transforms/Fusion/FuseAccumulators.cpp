// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse-accumulators: merges the addition to the sum over microbatches into
// the product that computes the gradient.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEFUSEACCUMULATORS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct FuseAccumulatorsPass
    : public te::impl::TEFuseAccumulatorsBase<FuseAccumulatorsPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<AddOp> sums;
    getOperation().walk([&](AddOp op) { sums.push_back(op); });
    for (AddOp sum : sums)
      fuse(sum);
  }

private:
  void fuse(AddOp sum);
};
} // namespace

/// True if a value is the sum over earlier microbatches, and is only read by an
/// addition.
static bool isAccumulator(Value value) {
  return isa<BlockArgument>(value) && value.hasOneUse() && isGradientSum(value);
}

void FuseAccumulatorsPass::fuse(AddOp sum) {
  Value state = sum.getA(), gradient = sum.getB();
  if (!isAccumulator(state))
    std::swap(state, gradient);
  if (!isAccumulator(state))
    return;
  auto func = sum->getParentOfType<func::FuncOp>();
  auto options = remark::RemarkOpts::name("Accumulate")
                     .category("te-fuse-accumulators")
                     .function(func.getName());
  auto missed = [&](StringRef reason) {
    remark::missed(sum.getLoc(), options) << remark::reason("{0}", reason);
  };
  auto product = gradient.getDefiningOp<MatmulOp>();
  if (!product)
    return missed("what is added does not come from a product as it is");
  if (product.getAddend())
    return missed("the product adds the terms before it, and in another order "
                  "the sum would have other bits");
  if (!gradient.hasOneUse() || product->getBlock() != sum->getBlock() ||
      gradient.getType() != state.getType())
    return missed("the product is read elsewhere, too");
  // It keeps its position, so that its operands need not be kept.
  product.getAddendMutable().assign(state);
  auto remark = remark::passed(sum.getLoc(), options);
  remark << remark::add("the product adds to the sum over microbatches");
  sum.getY().replaceAllUsesWith(product.getD());
  sum.erase();
  ++numFused;
}
