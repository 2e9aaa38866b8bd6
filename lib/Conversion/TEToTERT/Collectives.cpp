// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RuntimeOpInterface of the collectives.

#include "Collectives.h"
#include "Lowering.h"

#include "te/Conversion/Passes.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "tert/types.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// Mesh axes as the runtime represents them: bit a for axis a.
static uint32_t toBits(ArrayRef<int16_t> axes) {
  uint32_t bits = 0;
  for (int16_t axis : axes)
    bits |= uint32_t(1) << axis;
  return bits;
}

/// Flattens a tensor with more dimensions than the runtime supports, for a
/// collective that takes the elements in order.
static Value flattenIfDeep(RewriterBase &rewriter, Location loc, Value tensor) {
  const int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  if (rank <= TERT_MAX_RANK)
    return tensor;
  return tensor::CollapseShapeOp::create(
      rewriter, loc, tensor, {llvm::to_vector(llvm::seq<int64_t>(0, rank))});
}

/// Replaces `op` by the result of a collective on flattenIfDeep(), expanded to
/// the dimensions of `type`.
static void replaceByShaped(Operation *op, RewriterBase &rewriter,
                            RankedTensorType type, Value result) {
  if (result.getType() != type)
    result = tensor::ExpandShapeOp::create(
        rewriter, op->getLoc(), type, result,
        {llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()))});
  rewriter.replaceOp(op, result);
}

namespace {

LogicalResult lower(ReduceScalarsOp op, RewriterBase &rewriter) {
  auto destination = [&](Value result) -> Value {
    if (!result)
      return {};
    return createEmpty(rewriter, op.getLoc(), result.getType());
  };
  Value max = destination(op.getMax()), sum = destination(op.getSum());
  rewriter.replaceOpWithNewOp<tert::ReduceScalarsOp>(
      op, op->getResultTypes(), op.getMaxima(), op.getSums(), max, sum,
      toBits(op.getGridAxes()));
  return success();
}

/// An all-reduce reuses the buffer of its operand if nothing else reads that.
LogicalResult lower(shard::AllReduceOp op, RewriterBase &rewriter) {
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || type != op.getResult().getType() ||
      !(type.getElementType().isF32() || type.getElementType().isBF16()))
    return op.emitError() << "is a collective on " << op.getInput().getType()
                          << " that the runtime does not have: it sums "
                             "tensors of f32 or bf16, into the same type";
  if (op.getReduction() != shard::ReductionKind::Sum)
    return op.emitError()
           << "reduces by '" << shard::stringifyReductionKind(op.getReduction())
           << "', which the runtime does not do for tensors; it sums them "
              "(te.reduce_scalars has the maximum of scalars)";
  Value addends = flattenIfDeep(rewriter, op.getLoc(), op.getInput());
  auto sum = tert::CollectiveOp::create(
      rewriter, op.getLoc(), TypeRange(addends.getType()), ValueRange(),
      ValueRange(addends), CollectiveKind::AllReduce, /*async=*/false,
      toBits(op.getGridAxes()));
  replaceByShaped(op, rewriter, type, sum->getResult(0));
  return success();
}

/// True if shards are contiguous in memory: all dimensions before the sharded
/// one have size 1.
bool isOutermost(RankedTensorType whole, const APInt &axis) {
  ArrayRef<int64_t> before =
      whole.getShape().take_front(axis.getLimitedValue(whole.getRank()));
  return llvm::all_of(before, [](int64_t size) { return size == 1; });
}

LogicalResult checkOutermost(Operation *op, RankedTensorType whole,
                             const APInt &axis) {
  if (isOutermost(whole, axis))
    return success();
  return op->emitError()
         << "is a collective over shards along dimension "
         << axis.getZExtValue() << " of " << whole
         << "; the runtime has those along the outermost dimension: transpose "
            "around it";
}

/// Replaces a sharding collective by the runtime's: `create` builds that, of an
/// operand and a destination.
template <typename Op>
LogicalResult replaceByRuntime(Op op, RewriterBase &rewriter,
                               function_ref<Operation *(Value, Value)> create) {
  auto type = cast<RankedTensorType>(op.getResult().getType());
  Value input = flattenIfDeep(rewriter, op.getLoc(), op.getInput());
  Value destination = flattenIfDeep(rewriter, op.getLoc(),
                                    createEmpty(rewriter, op.getLoc(), type));
  replaceByShaped(op, rewriter, type, create(input, destination)->getResult(0));
  return success();
}

/// Creates a collective of one tensor.
tert::CollectiveOp createCollective(RewriterBase &rewriter, Location loc,
                                    CollectiveKind kind, Value input,
                                    Value destination, uint32_t axes) {
  return tert::CollectiveOp::create(
      rewriter, loc, TypeRange(destination.getType()), ValueRange(input),
      ValueRange(destination), kind, /*async=*/false, axes);
}

template <typename Op>
LogicalResult replaceByCollective(Op op, RewriterBase &rewriter,
                                  CollectiveKind kind) {
  return replaceByRuntime(op, rewriter, [&](Value input, Value destination) {
    return createCollective(rewriter, op.getLoc(), kind, input, destination,
                            toBits(op.getGridAxes()));
  });
}

LogicalResult lower(shard::AllGatherOp op, RewriterBase &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  if (isOutermost(type, op.getGatherAxis()))
    return replaceByCollective(op, rewriter, CollectiveKind::AllGather);
  Value destination = createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::CollectiveSequenceOp>(
      op, TypeRange(type), op.getInput(), destination,
      CollectiveKind::AllGather, /*async=*/false,
      op.getGatherAxis().getZExtValue(), /*balanced=*/false,
      toBits(op.getGridAxes()));
  return success();
}

LogicalResult lower(shard::ReduceScatterOp op, RewriterBase &rewriter) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto part = cast<RankedTensorType>(op.getResult().getType());
  if (op.getReduction() != shard::ReductionKind::Sum ||
      part.getElementType() != type.getElementType() ||
      !(type.getElementType().isF32() || type.getElementType().isBF16()))
    return op.emitError() << "is a collective on " << type << " into " << part
                          << " that the runtime does not have: it sums "
                             "tensors of f32 or bf16, into the same type";
  if (failed(checkOutermost(op, type, op.getScatterAxis())))
    return failure();
  return replaceByCollective(op, rewriter, CollectiveKind::ReduceScatter);
}

LogicalResult lower(shard::AllToAllOp op, RewriterBase &rewriter) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  if (failed(checkOutermost(op, type, op.getSplitAxis())) ||
      failed(checkOutermost(op, result, op.getConcatAxis())))
    return failure();
  return replaceByCollective(op, rewriter, CollectiveKind::AllToAll);
}

LogicalResult lower(shard::AllSliceOp op, RewriterBase &rewriter) {
  if (failed(checkOutermost(op, cast<RankedTensorType>(op.getInput().getType()),
                            op.getSliceAxis())))
    return failure();
  return replaceByRuntime(op, rewriter, [&](Value input, Value destination) {
    return tert::AllSliceOp::create(rewriter, op.getLoc(),
                                    TypeRange(destination.getType()), input,
                                    destination, toBits(op.getGridAxes()));
  });
}

/// The destination of a collective of sequences; null with an error if the
/// runtime does not have it.
template <typename Op> Value createSequence(Op op, RewriterBase &rewriter) {
  auto type = cast<RankedTensorType>(op.getY().getType());
  if (type.getElementType() ==
      cast<RankedTensorType>(op.getX().getType()).getElementType())
    return createEmpty(rewriter, op.getLoc(), type);
  op.emitError() << "makes " << type << " of " << op.getX().getType()
                 << ", which the runtime does not support: it communicates "
                    "one type";
  return {};
}

template <typename Op, CollectiveKind kind>
LogicalResult lowerSequence(Op op, RewriterBase &rewriter) {
  Value y = createSequence(op, rewriter);
  if (!y)
    return failure();
  rewriter.replaceOpWithNewOp<tert::CollectiveSequenceOp>(
      op, TypeRange(y.getType()), op.getX(), y, kind, /*async=*/false,
      op.getDim(), op.getBalanced(), toBits(op.getGridAxes()));
  return success();
}

LogicalResult lower(AllSliceSequenceOp op, RewriterBase &rewriter) {
  Value y = createSequence(op, rewriter);
  if (!y)
    return failure();
  rewriter.replaceOpWithNewOp<tert::AllSliceSequenceOp>(
      op, TypeRange(y.getType()), op.getX(), y, op.getDim(), op.getBalanced(),
      toBits(op.getGridAxes()));
  return success();
}

LogicalResult lower(ReduceNormOp op, RewriterBase &rewriter) {
  auto type = cast<RankedTensorType>(op.getNorm().getType());
  Value norm = createEmpty(rewriter, op.getLoc(), type);
  rewriter.replaceOpWithNewOp<tert::ReduceNormOp>(
      op, TypeRange(type), op.getGradients(), norm, op.getIsPart(),
      toBits(op.getGridAxes()));
  return success();
}

/// Gathers all ranks' ids, looks up their rows in this rank's shard, and
/// reduce-scatters the results: every row has one nonzero term.
LogicalResult lower(SharedEmbeddingOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(op->getParentOfType<ModuleOp>());
  if (failed(mesh) || !*mesh)
    return op.emitError() << "needs a module with a mesh";
  int64_t ranks = 1;
  for (shard::GridAxis axis : op.getGridAxes())
    ranks *= (*mesh)->getAxes()[axis].size;
  const uint32_t axes = toBits(op.getGridAxes());
  auto y = cast<RankedTensorType>(op.getY().getType());
  auto ofAll = [&](RankedTensorType type) {
    SmallVector<int64_t> shape(type.getShape());
    shape.front() *= ranks;
    return createEmpty(rewriter, loc, type.clone(shape));
  };
  Value ids = ofAll(cast<RankedTensorType>(op.getIds().getType()));
  ids = createCollective(rewriter, loc, CollectiveKind::AllGather, op.getIds(),
                         ids, axes)
            .getResult(0);
  Value rows = ofAll(y);
  rows = tert::EmbeddingPartOp::create(rewriter, loc, TypeRange(rows.getType()),
                                       ids, op.getPart(), rows, op.getNumRows(),
                                       axes)
             .getResult(0);
  Value own = createEmpty(rewriter, loc, y);
  rewriter.replaceOp(op, createCollective(rewriter, loc,
                                          CollectiveKind::ReduceScatter, rows,
                                          own, axes));
  return success();
}

LogicalResult lower(AddEmbeddingPartOp op, RewriterBase &rewriter) {
  rewriter.replaceOpWithNewOp<tert::AddEmbeddingGradPartOp>(
      op, TypeRange(op.getSum().getType()), op.getIds(), op.getDy(),
      op.getPart(), op.getNumRows(), toBits(op.getGridAxes()));
  return success();
}

} // namespace

void mlir::te::registerCollectiveRuntimeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    attachLowering<ReduceScalarsOp, lower>(context);
    attachLowering<ReduceNormOp, lower>(context);
    attachLowering<SharedEmbeddingOp, lower>(context);
    attachLowering<AddEmbeddingPartOp, lower>(context);
    attachLowering<
        AllGatherSequenceOp,
        lowerSequence<AllGatherSequenceOp, CollectiveKind::AllGather>>(context);
    attachLowering<AllSliceSequenceOp, lower>(context);
    attachLowering<
        ReduceScatterSequenceOp,
        lowerSequence<ReduceScatterSequenceOp, CollectiveKind::ReduceScatter>>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, shard::ShardDialect *) {
    attachLowering<shard::AllReduceOp, lower>(context);
    attachLowering<shard::AllGatherOp, lower>(context);
    attachLowering<shard::ReduceScatterOp, lower>(context);
    attachLowering<shard::AllSliceOp, lower>(context);
    attachLowering<shard::AllToAllOp, lower>(context);
  });
}
