// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/Contraction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

/// True if the body adds the product of both inputs, each perhaps widened, to
/// the old value.
static bool sumsProducts(linalg::LinalgOp op) {
  auto isPair = [](Operation *product, Operation *sum) {
    return isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum);
  };
  return llvm::all_of(
             op.getBlock()->without_terminator(),
             llvm::IsaPred<arith::MulFOp, arith::AddFOp, arith::ExtFOp>) &&
         linalg::detail::isContractionBody(*op.getBlock(), isPair);
}

FailureOr<Contraction> Contraction::get(linalg::LinalgOp op,
                                        std::string *reason) {
  auto fail = [&](StringRef why) -> FailureOr<Contraction> {
    if (reason)
      *reason = why.str();
    return failure();
  };
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0 || !sumsProducts(op))
    return fail("");
  if (!op.hasPureTensorSemantics() ||
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return fail("its operands are not tensors");
  for (Type type : op->getOperandTypes()) {
    Type element = getElementTypeOrSelf(type);
    if (!element.isF32() && !element.isBF16())
      return fail("an operand is not of float32 or bfloat16");
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return fail("an operand's shape is known only at run time");
  }
  Contraction contraction;
  contraction.loopSizes = op.getStaticLoopRanges();
  contraction.operands = op->getOperands();
  unsigned numLoops = op.getNumLoops();
  SmallVector<llvm::SmallBitVector, 3> has;
  for (AffineMap map : op.getIndexingMapsArray()) {
    if (!map.isProjectedPermutation())
      return fail("an operand is read otherwise than by whole dimensions");
    has.emplace_back(numLoops);
    auto &loops = contraction.dimensions.emplace_back();
    for (AffineExpr expr : map.getResults()) {
      loops.push_back(cast<AffineDimExpr>(expr).getPosition());
      has.back().set(loops.back());
    }
  }
  for (unsigned loop = 0; loop < numLoops; ++loop) {
    bool a = has[0].test(loop), b = has[1].test(loop), c = has[2].test(loop);
    if (a && b && c)
      (contraction.loopSizes[loop] == 1 ? contraction.m : contraction.batch)
          .push_back(loop);
    else if (a && c)
      contraction.m.push_back(loop);
    else if (b && c)
      contraction.n.push_back(loop);
    else if (a && b)
      contraction.k.push_back(loop);
    else
      return fail("a loop is one of a single operand, or of the result alone");
  }
  if (contraction.k.empty())
    return fail("nothing is summed over");
  return contraction;
}
