// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites structured ops as ops on whole tensors.

#include "Linalg/BodyOnTensors.h"
#include "Linalg/Linalg.h"

#include "GenericForm.h"
#include "Raise/LoopLabels.h"

#include "te/Analysis/Contraction.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

/// A result of all loops in the shape and order of its output; null unless that
/// is one element for each iteration.
static Value toOutput(OpBuilder &builder, linalg::GenericOp op, Value value,
                      AffineMap map) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> permutation, shape;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      permutation.push_back(dim.getPosition());
      shape.push_back(type.getDimSize(dim.getPosition()));
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr);
               !constant || constant.getValue() != 0) {
      return {};
    }
  }
  if (!isPermutationVector(permutation) ||
      int64_t(permutation.size()) != type.getRank())
    return {};
  if (!isIdentityPermutation(permutation)) {
    Value init = tensor::EmptyOp::create(builder, op.getLoc(), shape,
                                         type.getElementType());
    value = linalg::TransposeOp::create(builder, op.getLoc(), value, init,
                                        permutation)
                ->getResult(0);
  }
  return value;
}

/// Rewrites an op with one element of each result for every iteration.
static bool writeElementwise(IRRewriter &rewriter, linalg::GenericOp op) {
  BodyOnTensors body(rewriter, op);
  if (!body.write())
    return false;
  SmallVector<Value> results;
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  for (auto [yielded, result, init] : llvm::zip_equal(
           yield.getOperands(), op.getResults(), op.getDpsInitsMutable())) {
    Value value = body.getOnAllLoops(yielded);
    if (value)
      value = toOutput(rewriter, op, value, op.getMatchingIndexingMap(&init));
    if (!value || tensorType(value).getElementType() !=
                      tensorType(result).getElementType())
      return false;
    auto shape = tensorType(result).getShape();
    results.push_back(tensorType(value).getShape() == shape
                          ? value
                          : reshapeTo(rewriter, op.getLoc(), value, shape));
  }
  rewriter.replaceOp(op, results);
  return true;
}

/// The op that combines a term with the accumulator, if the body does nothing
/// else with it.
static Operation *getJoin(linalg::GenericOp op, Value &term) {
  if (op.getNumResults() != 1)
    return nullptr;
  BlockArgument old = op.getRegionOutputArgs().front();
  auto yield = cast<linalg::YieldOp>(op.getBody()->getTerminator());
  Operation *join = yield.getOperand(0).getDefiningOp();
  if (!old.hasOneUse() || *old.user_begin() != join ||
      !isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
           arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MaxSIOp,
           arith::MinSIOp, arith::AndIOp, arith::OrIOp>(join))
    return nullptr;
  term = join->getOperand(join->getOperand(0) == old ? 1 : 0);
  return term == old ? nullptr : join;
}

/// Splits a reduction of computed terms into the terms and a reduction of
/// those.
static bool writeReduction(IRRewriter &rewriter, linalg::GenericOp op) {
  Value term;
  Operation *join = getJoin(op, term);
  if (!join)
    return false;
  // It already reduces an operand as it is.
  AffineMap identity = rewriter.getMultiDimIdentityMap(op.getNumLoops());
  if (op.getNumDpsInputs() == 1 &&
      op.getIndexingMapsArray().front() == identity &&
      term == op.getBody()->getArgument(0))
    return false;
  BodyOnTensors body(rewriter, op);
  if (!body.write(/*without=*/join))
    return false;
  Value terms = body.getOnAllLoops(term);
  if (!terms || tensorType(terms).getElementType() != term.getType())
    return false;
  AffineMap maps[] = {identity, op.getIndexingMapsArray().back()};
  auto reduction = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), terms, op.getOutputs(), maps,
      op.getIteratorTypesArray(),
      [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(term, arguments[0]);
        mapping.map(op.getRegionOutputArgs().front(), arguments[1]);
        linalg::YieldOp::create(builder, loc,
                                builder.clone(*join, mapping)->getResults());
      });
  rewriter.replaceOp(op, reduction.getResults());
  return true;
}

/// A fill with a number is a constant.
static bool writeFill(IRRewriter &rewriter, linalg::FillOp op) {
  Attribute number;
  auto type = dyn_cast<RankedTensorType>(op.getOutputs()[0].getType());
  if (!type || !type.hasStaticShape() ||
      !matchPattern(op.getInputs()[0], m_Constant(&number)) ||
      cast<TypedAttr>(number).getType() != type.getElementType())
    return false;
  rewriter.replaceOpWithNewOp<arith::ConstantOp>(
      op, DenseElementsAttr::get(type, number));
  return true;
}

void mlir::te::writeStructuredOps(func::FuncOp model) {
  IRRewriter rewriter(model.getContext());
  // Decomposes ops first: linalg.softmax.
  model.walk([&](linalg::AggregatedOpInterface op) {
    rewriter.setInsertionPoint(op);
    if (auto results = op.decomposeOperation(rewriter); succeeded(results))
      rewriter.replaceOp(op, *results);
  });
  SmallVector<linalg::LinalgOp> ops;
  model.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  for (linalg::LinalgOp op : ops) {
    if (!op.hasPureTensorSemantics() ||
        isa<linalg::TransposeOp, linalg::BroadcastOp>(op.getOperation()))
      continue;
    rewriter.setInsertionPoint(op);
    if (auto fill = dyn_cast<linalg::FillOp>(op.getOperation())) {
      (void)writeFill(rewriter, fill);
      continue;
    }
    if (succeeded(Contraction::get(op)))
      continue;
    FailureOr<linalg::GenericOp> generic = toGeneric(rewriter, op);
    if (failed(generic))
      continue;
    if (generic->getNumReductionLoops() == 0)
      (void)writeElementwise(rewriter, *generic);
    else
      (void)writeReduction(rewriter, *generic);
  }
}
