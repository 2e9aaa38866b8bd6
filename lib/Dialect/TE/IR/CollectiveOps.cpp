// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "OpMethods.h"
#include "te/Dialect/TE/IR/CollectiveInterface.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

#include "te/Dialect/TE/IR/TECollectiveEnums.cpp.inc"
#include "te/Dialect/TE/IR/TECollectiveInterface.cpp.inc"

/// The reduced scalars are a vector of as many elements, and are not there
/// where there are none.
static LogicalResult verifyReduced(Operation *op, StringRef name, Value reduced,
                                   int64_t count) {
  if (!reduced)
    return count == 0 ? success()
                      : LogicalResult(op->emitOpError()
                                      << "reduces " << count
                                      << " scalars, but has no result '" << name
                                      << "'");
  if (count == 0)
    return op->emitOpError()
           << "has the result '" << name << "', but nothing to reduce into it";
  return verifyShape(op, name, reduced, {count});
}

LogicalResult ReduceScalarsOp::verify() {
  if (failed(verifyReduced(*this, "max", getMax(), getMaxima().size())) ||
      failed(verifyReduced(*this, "sum", getSum(), getSums().size())))
    return failure();
  if (getMaxima().empty() && getSums().empty())
    return emitOpError() << "reduces nothing";
  return success();
}

LogicalResult ReduceNormOp::verify() {
  if (getIsPart().size() == getGradients().size())
    return success();
  return emitOpError() << "says of " << getIsPart().size()
                       << " gradients whether they are shards, but has "
                       << getGradients().size();
}

/// A part of a table of `numRows` rows, which ids name and `rows` are like.
template <typename Op> static LogicalResult verifyPart(Op op, Value rows) {
  auto part = cast<RankedTensorType>(op.getPart().getType());
  auto matrix = cast<RankedTensorType>(rows.getType());
  if (!part.getElementType().isF32())
    return op.emitOpError() << "takes a shard in f32, but it is " << part;
  if (failed(verifyShape(op, "ids", op.getIds(), {matrix.getDimSize(0)})))
    return failure();
  const auto numRows = static_cast<int64_t>(op.getNumRows());
  if (part.getNumElements() > numRows * matrix.getDimSize(1))
    return op.emitOpError() << "has a shard of " << part.getNumElements()
                            << " elements of a table of " << numRows
                            << " rows of " << matrix.getDimSize(1);
  return success();
}

LogicalResult SharedEmbeddingOp::verify() { return verifyPart(*this, getY()); }
LogicalResult AddEmbeddingPartOp::verify() {
  return verifyPart(*this, getDy());
}

Value mlir::te::getOwnMaximum(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  auto collective =
      slice ? slice.getSource().getDefiningOp<ReduceScalarsOp>() : nullptr;
  if (!collective || slice.getSource() != collective.getMax())
    return value;
  ArrayRef<int64_t> offsets = slice.getStaticOffsets();
  if (offsets.size() != 1 || slice.getStaticSizes()[0] != 1 || offsets[0] < 0 ||
      offsets[0] >= int64_t(collective.getMaxima().size()))
    return value;
  return collective.getMaxima()[offsets[0]];
}

Value mlir::te::getFirstMaximum(Value value) {
  while (true) {
    Value own = getOwnMaximum(value);
    if (own == value)
      return value;
    value = own;
  }
}

bool VaryOp::keepsOrder() { return true; }

LogicalResult VaryOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                               const llvm::BitVector &needed,
                               MutableArrayRef<Value> operands) {
  if (needed[0])
    operands[0] =
        shard::AllReduceOp::create(builder, getLoc(), cotangents[0], getGrid(),
                                   getGridAxes(), shard::ReductionKind::Sum);
  return success();
}
