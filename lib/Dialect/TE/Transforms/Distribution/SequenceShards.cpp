// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/SequenceShards.h"

#include "Raise/LoopLabels.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// Splits dimension `dim` of `value` in two, the first of size `outer`.
static Value splitDim(OpBuilder &builder, Location loc, Value value,
                      int64_t dim, int64_t outer) {
  RankedTensorType type = tensorType(value);
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

/// Collapses dimensions `dim` and `dim` + 1 of `value`.
static Value joinDims(OpBuilder &builder, Location loc, Value value,
                      int64_t dim) {
  RankedTensorType type = tensorType(value);
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

/// Applies build(value, dim) to `value` reshaped so that the blocks of the
/// split `cut` are dimensions of their own; `dim` is the sharded dimension.
static Value onSequences(OpBuilder &builder, Location loc, Value value,
                         const DimSplit &cut,
                         function_ref<Value(Value value, int64_t dim)> build) {
  if (cut.cut.outer == 1)
    return build(value, cut.dim);
  Value blocks = splitDim(builder, loc, value, cut.dim, cut.cut.outer);
  return joinDims(builder, loc, build(blocks, cut.dim + 1), cut.dim);
}

Value SequenceShards::slice(Location loc, Value whole, const DimSplit &cut) {
  return onSequences(
      builder, loc, whole, cut, [&](Value value, int64_t dim) -> Value {
        RankedTensorType type = tensorType(value);
        return AllSliceSequenceOp::create(
            builder, loc,
            withSize(type, dim, type.getDimSize(dim) / mesh.ranks), value,
            mesh.grid, ArrayRef(mesh.axis), dim, balanced);
      });
}

Value SequenceShards::lookUp(Location loc, Value whole, const DimSplit &cut) {
  RankedTensorType type = tensorType(whole);
  // Rows run along the dimensions up to the sharded one.
  ArrayRef<int64_t> shape = type.getShape();
  const int64_t outer = llvm::product_of(shape.take_front(cut.dim));
  const int64_t rows = outer * shape[cut.dim];
  const int64_t columns = llvm::product_of(shape.drop_front(cut.dim + 1));
  Value table = reshapeTo(builder, loc, whole, {rows, columns});
  Value positions = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({rows}, builder.getI64Type()),
          ArrayRef(llvm::to_vector(llvm::seq<int64_t>(0, rows)))));
  Value own = slice(loc, positions,
                    {0, Cut::of(outer * cut.cut.outer, cut.cut.blocks)});
  Value part = EmbeddingOp::create(
      builder, loc, type.clone({rows / mesh.ranks, columns}), own, table);
  return reshapeTo(builder, loc, part,
                   getPartType(type, cut, mesh.ranks).getShape());
}

Value SequenceShards::gather(Location loc, Value part, const DimSplit &cut,
                             bool varies) {
  return onSequences(
      builder, loc, part, cut, [&](Value value, int64_t dim) -> Value {
        RankedTensorType type = tensorType(value);
        Value all = AllGatherSequenceOp::create(
            builder, loc,
            withSize(type, dim, type.getDimSize(dim) * mesh.ranks), value,
            mesh.grid, ArrayRef(mesh.axis), dim, balanced);
        return varies && isa<FloatType>(type.getElementType()) ? vary(loc, all)
                                                               : all;
      });
}

Value SequenceShards::vary(Location loc, Value whole) {
  return VaryOp::create(builder, loc, whole, mesh.grid, ArrayRef(mesh.axis));
}

Value SequenceShards::sum(Location loc, Value terms) {
  return shard::AllReduceOp::create(builder, loc, terms, mesh.grid,
                                    ArrayRef(mesh.axis),
                                    shard::ReductionKind::Sum);
}
