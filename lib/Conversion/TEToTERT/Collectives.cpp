// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RuntimeOpInterface of what ranks exchange.

#include "Collectives.h"

#include "te/Conversion/Passes.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

/// Axes of a mesh as the runtime has them: bit a for axis a.
static uint32_t toBits(ArrayRef<int16_t> axes) {
  uint32_t bits = 0;
  for (int16_t axis : axes)
    bits |= uint32_t(1) << axis;
  return bits;
}

namespace {

struct ReduceScalarsLowering
    : RuntimeOpInterface::ExternalModel<ReduceScalarsLowering,
                                        ReduceScalarsOp> {
  LogicalResult lowerToRuntime(Operation *operation,
                               RewriterBase &rewriter) const {
    auto op = cast<ReduceScalarsOp>(operation);
    auto destination = [&](Value result) -> Value {
      if (!result)
        return {};
      auto type = cast<RankedTensorType>(result.getType());
      return tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape(),
                                     type.getElementType());
    };
    Value max = destination(op.getMax()), sum = destination(op.getSum());
    rewriter.replaceOpWithNewOp<tert::ReduceScalarsOp>(
        op, op->getResultTypes(), op.getMaxima(), op.getSums(), max, sum,
        toBits(op.getGridAxes()));
    return success();
  }
};

/// A sum replaces its addend where nothing else reads that.
struct AllReduceLowering
    : RuntimeOpInterface::ExternalModel<AllReduceLowering, shard::AllReduceOp> {
  LogicalResult lowerToRuntime(Operation *operation,
                               RewriterBase &rewriter) const {
    auto op = cast<shard::AllReduceOp>(operation);
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!type || type != op.getResult().getType() ||
        !(type.getElementType().isF32() || type.getElementType().isBF16()))
      return op.emitError() << "is an exchange of " << op.getInput().getType()
                            << " that the runtime does not have: it sums "
                               "tensors of f32 or bf16, into the same type";
    if (op.getReduction() != shard::ReductionKind::Sum)
      return op.emitError()
             << "reduces by '"
             << shard::stringifyReductionKind(op.getReduction())
             << "', which the runtime does not do for tensors; it sums them "
                "(te.reduce_scalars has the maximum of scalars)";
    rewriter.replaceOpWithNewOp<tert::AllReduceOp>(op, TypeRange(type),
                                                   ValueRange(op.getInput()),
                                                   toBits(op.getGridAxes()));
    return success();
  }
};

} // namespace

void mlir::te::registerCollectiveRuntimeModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    ReduceScalarsOp::attachInterface<ReduceScalarsLowering>(*context);
  });
  registry.addExtension(+[](MLIRContext *context, shard::ShardDialect *) {
    shard::AllReduceOp::attachInterface<AllReduceLowering>(*context);
  });
}
