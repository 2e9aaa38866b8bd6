// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/SequenceParts.h"

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// `value` with dimension `dim` as two, the first of `outer`.
static Value splitDim(OpBuilder &builder, Location loc, Value value,
                      int64_t dim, int64_t outer) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] /= outer;
  shape.insert(shape.begin() + dim, outer);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    groups.push_back({next++});
    if (i == dim)
      groups.back().push_back(next++);
  }
  return tensor::ExpandShapeOp::create(builder, loc, type.clone(shape), value,
                                       groups);
}

/// `value` with dimensions `dim` and `dim` + 1 as one.
static Value joinDims(OpBuilder &builder, Location loc, Value value,
                      int64_t dim) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] *= shape[dim + 1];
  shape.erase(shape.begin() + dim + 1);
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i == dim + 1)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  }
  return tensor::CollapseShapeOp::create(builder, loc, type.clone(shape), value,
                                         groups);
}

static Value join(OpBuilder &builder, Location loc, int64_t dim,
                  ArrayRef<Value> pieces) {
  return pieces.size() == 1
             ? pieces.front()
             : tensor::ConcatOp::create(builder, loc, dim, pieces).getResult();
}

SmallVector<int64_t> SequenceParts::piecesOf(int64_t rank) const {
  if (balanced)
    return {rank, 2 * mesh.ranks - 1 - rank};
  return {rank};
}

SmallVector<Value> SequenceParts::split(Location loc, Value value, int64_t dim,
                                        int64_t count) {
  if (count == 1)
    return {value};
  RankedTensorType type = typeOf(value);
  int64_t size = type.getDimSize(dim) / count;
  RankedTensorType piece = withSize(type, dim, size);
  if (isa<FloatType>(type.getElementType())) {
    auto op = SplitOp::create(builder, loc, SmallVector<Type>(count, piece),
                              value, builder.getI64IntegerAttr(dim));
    return SmallVector<Value>(op.getPieces());
  }
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<Value> pieces;
  for (int64_t i = 0; i < count; ++i) {
    offsets[dim] = builder.getIndexAttr(i * size);
    pieces.push_back(tensor::ExtractSliceOp::create(
        builder, loc, piece, value, offsets,
        getAsIndexOpFoldResult(builder.getContext(), piece.getShape()),
        strides));
  }
  return pieces;
}

Value SequenceParts::slice(Location loc, Value whole, const DimCut &cut) {
  // Sequences are a dimension of their own, and ranks a new outermost one.
  int64_t dim = cut.dim;
  const bool repeats = cut.cut.outer > 1;
  if (repeats)
    whole = splitDim(builder, loc, whole, dim++, cut.cut.outer);
  SmallVector<Value> pieces =
      split(loc, whole, dim, balanced ? 2 * mesh.ranks : mesh.ranks);
  SmallVector<Value> parts;
  for (int64_t rank = 0; rank < mesh.ranks; ++rank) {
    SmallVector<Value> own = llvm::map_to_vector(
        piecesOf(rank), [&](int64_t piece) { return pieces[piece]; });
    parts.push_back(
        splitDim(builder, loc, join(builder, loc, dim, own), 0, /*outer=*/1));
  }
  Value stacked = join(builder, loc, 0, parts);
  Value part = shard::AllSliceOp::create(
      builder, loc, withSize(typeOf(stacked), 0, 1), stacked, mesh.grid,
      ArrayRef(mesh.axis), /*slice_axis=*/0);
  part = joinDims(builder, loc, part, 0);
  return repeats ? joinDims(builder, loc, part, dim - 1) : part;
}

Value SequenceParts::lookUp(Location loc, Value table) {
  RankedTensorType type = typeOf(table);
  int64_t rows = type.getDimSize(0);
  auto ids = RankedTensorType::get({rows}, builder.getI64Type());
  Value positions = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          ids, ArrayRef(llvm::to_vector(llvm::seq<int64_t>(0, rows)))));
  Value own = slice(loc, positions, {0, Cut::whole(rows)});
  return EmbeddingOp::create(builder, loc, withSize(type, 0, rows / mesh.ranks),
                             own, table);
}

Value SequenceParts::gather(Location loc, Value part, const DimCut &cut,
                            bool varies) {
  int64_t dim = cut.dim;
  const bool repeats = cut.cut.outer > 1;
  if (repeats)
    part = splitDim(builder, loc, part, dim++, cut.cut.outer);
  part = splitDim(builder, loc, part, 0, /*outer=*/1);
  Value all = shard::AllGatherOp::create(
      builder, loc, withSize(typeOf(part), 0, mesh.ranks), mesh.grid,
      ArrayRef(mesh.axis), part, APInt(64, 0));
  if (varies && isa<FloatType>(typeOf(all).getElementType()))
    all = vary(loc, all);
  SmallVector<Value> pieces(balanced ? 2 * mesh.ranks : mesh.ranks);
  for (auto [rank, own] : llvm::enumerate(split(loc, all, 0, mesh.ranks))) {
    SmallVector<int64_t> numbers = piecesOf(rank);
    SmallVector<Value> halves =
        split(loc, joinDims(builder, loc, own, 0), dim, numbers.size());
    for (auto [number, piece] : llvm::zip_equal(numbers, halves))
      pieces[number] = piece;
  }
  Value whole = join(builder, loc, dim, pieces);
  return repeats ? joinDims(builder, loc, whole, dim - 1) : whole;
}

Value SequenceParts::vary(Location loc, Value whole) {
  return VaryOp::create(builder, loc, whole, mesh.grid, ArrayRef(mesh.axis));
}

Value SequenceParts::sum(Location loc, Value terms) {
  return shard::AllReduceOp::create(builder, loc, terms, mesh.grid,
                                    ArrayRef(mesh.axis),
                                    shard::ReductionKind::Sum);
}
