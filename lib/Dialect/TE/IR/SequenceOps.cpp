// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "te/Dialect/TE/IR/MovementCotangent.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

/// Checks that `whole` are the sequences of which the ranks have `part`.
template <typename Op>
static LogicalResult verifySequences(Op op, SymbolTableCollection &symbols,
                                     Value part, Value whole) {
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(op.getOperation(),
                                                             op.getGridAttr());
  if (!grid || llvm::any_of(op.getGridAxes(), [&](int16_t axis) {
        return axis < 0 || axis >= int16_t(grid.getRank());
      }))
    return op.emitOpError() << "is on '" << op.getGrid()
                            << "', which is no shard.grid with these axes";
  int64_t ranks = 1;
  for (int16_t axis : op.getGridAxes())
    ranks *= grid.getShape()[axis];
  auto type = cast<RankedTensorType>(part.getType());
  const auto dim = int64_t(op.getDim());
  if (dim >= type.getRank())
    return op.emitOpError() << "has sequences along dimension " << dim << " of "
                            << type << ", which has none of that "
                            << "number";
  if (op.getBalanced() && type.getDimSize(dim) % 2 != 0)
    return op.emitOpError() << "gives a rank two pieces of a sequence, but "
                            << type << " is odd in dimension " << dim;
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= ranks;
  if (RankedTensorType expected = type.clone(shape);
      expected != whole.getType())
    return op.emitOpError() << "expects the sequences of " << ranks
                            << " ranks that have " << type << " to be "
                            << expected << ", but they are " << whole.getType();
  return success();
}

LogicalResult
AllGatherSequenceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifySequences(*this, symbols, getX(), getY());
}

LogicalResult
AllSliceSequenceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifySequences(*this, symbols, getY(), getX());
}

LogicalResult
ReduceScatterSequenceOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return verifySequences(*this, symbols, getY(), getX());
}

template <typename To, typename Op>
static Value createLike(OpBuilder &builder, Op op, Value value) {
  return To::create(builder, op.getLoc(), typeOfCotangent(op.getX(), value),
                    value, op.getGridAttr(), op.getGridAxesAttr(),
                    op.getDimAttr(), op.getBalancedAttr());
}

LogicalResult AllGatherSequenceOp::buildVjp(OpBuilder &builder,
                                            ValueRange cotangents,
                                            const llvm::BitVector &needed,
                                            MutableArrayRef<Value> operands) {
  if (Value terms =
          getTermsOfUnreadSum(cotangents[0], getGrid(), getGridAxes()))
    operands[0] = createLike<ReduceScatterSequenceOp>(builder, *this, terms);
  else
    operands[0] = createLike<AllSliceSequenceOp>(builder, *this, cotangents[0]);
  return success();
}

LogicalResult AllSliceSequenceOp::buildVjp(OpBuilder &builder,
                                           ValueRange cotangents,
                                           const llvm::BitVector &needed,
                                           MutableArrayRef<Value> operands) {
  operands[0] = createLike<AllGatherSequenceOp>(builder, *this, cotangents[0]);
  return success();
}

LogicalResult
ReduceScatterSequenceOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  const llvm::BitVector &needed,
                                  MutableArrayRef<Value> operands) {
  operands[0] = createLike<AllGatherSequenceOp>(builder, *this, cotangents[0]);
  return success();
}

Work AllSliceSequenceOp::getWork() {
  Work work;
  work.kernel = "copy";
  work.bytes = 2 * getBytes(getY().getType());
  return work;
}

SmallVector<unsigned> ReduceScatterSequenceOp::getComputeResults() {
  if (getElementTypeOrSelf(getX()) != getElementTypeOrSelf(getY()))
    return {0};
  return {};
}
