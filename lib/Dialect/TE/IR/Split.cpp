// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// split.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult SplitOp::verify() {
  auto x = tensorType(getX());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= x.getRank())
    return emitOpError() << "has axis " << axis << ", but the operand is " << x;
  int64_t total = 0;
  for (Value piece : getPieces()) {
    if (tensorType(piece).getRank() != x.getRank())
      return emitOpError() << "expects a piece of rank " << x.getRank()
                           << ", but one is " << piece.getType();
    SmallVector<int64_t> shape(x.getShape());
    shape[axis] = tensorType(piece).getDimSize(axis);
    total += shape[axis];
    if (failed(verifyShape(*this, "a piece", piece, shape)))
      return failure();
    if (getElementTypeOrSelf(piece) != x.getElementType())
      return emitOpError() << "expects pieces of the operand's element type, "
                           << "but one is " << piece.getType();
  }
  if (total != x.getDimSize(axis))
    return emitOpError() << "has pieces of " << total << " elements along axis "
                         << axis << " of " << x;
  return success();
}

/// The one piece is the whole, and pieces of a concatenation are what it joins
/// where they are cut at its seams.
LogicalResult SplitOp::fold(FoldAdaptor adaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (getNumResults() == 1 &&
      getX().getType() == getPieces().front().getType()) {
    results.push_back(getX());
    return success();
  }
  auto concat = getX().getDefiningOp<tensor::ConcatOp>();
  if (!concat || concat.getDim() != getAxis() ||
      !llvm::equal(concat.getInputs().getTypes(), getPieces().getTypes()))
    return failure();
  llvm::append_range(results, concat.getInputs());
  return success();
}

LogicalResult SplitOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                const Needed &needed, Cotangents operands) {
  if (!needed[0])
    return success();
  SmallVector<Value> pieces;
  for (auto [piece, cotangent] : llvm::zip_equal(getPieces(), cotangents))
    pieces.push_back(cotangent
                         ? convertElementType(builder, getLoc(), cotangent,
                                              getElementTypeOrSelf(getX()))
                         : createZeros(builder, getLoc(), tensorType(piece)));
  operands[0] =
      tensor::ConcatOp::create(builder, getLoc(), getX().getType(),
                               static_cast<int64_t>(getAxis()), pieces);
  return success();
}

void SplitOp::buildLinalgForm(LinalgForm &f) {
  int64_t first = 0, axis = getAxis();
  for (Value piece : getPieces()) {
    int64_t count = sizeOf(piece, axis);
    if (f.needs(piece))
      f.set(piece, f.slice(getX(), axis, first, count));
    first += count;
  }
}
