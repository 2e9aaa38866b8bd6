// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What passes ask of the collectives of shard. A value that is whole is the
// same on all ranks, and so is its cotangent; of a part, or of a term of a sum,
// each rank has the cotangent for itself. te.vary stands where a whole value is
// read by what differs between ranks.

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;

/// `like`'s shape with `value`'s element type.
static RankedTensorType typeOfCotangent(Value like, Value value) {
  return cast<RankedTensorType>(like.getType())
      .clone(getElementTypeOrSelf(value));
}

static LogicalResult requireSum(Operation *op, shard::ReductionKind kind) {
  if (kind == shard::ReductionKind::Sum)
    return success();
  return op->emitOpError() << "reduces by '"
                           << shard::stringifyReductionKind(kind)
                           << "'; only sums over ranks are differentiated";
}

namespace {

/// Every rank has the cotangent of the whole, and takes that of its part. Where
/// it is a sum over the ranks, nobody needs the whole of that.
struct AllGatherVjp
    : DifferentiableOpInterface::ExternalModel<AllGatherVjp,
                                               shard::AllGatherOp> {
  LogicalResult buildVjp(Operation *operation, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto op = cast<shard::AllGatherOp>(operation);
    Location loc = op.getLoc();
    RankedTensorType type = typeOfCotangent(op.getInput(), cotangents[0]);
    auto sum = cotangents[0].getDefiningOp<shard::AllReduceOp>();
    if (sum && sum->use_empty() && sum.getGrid() == op.getGrid() &&
        sum.getGridAxes() == op.getGridAxes() &&
        sum.getReduction() == shard::ReductionKind::Sum) {
      operands[0] = shard::ReduceScatterOp::create(
          builder, loc, type, op.getGrid(), op.getGridAxes(), sum.getInput(),
          shard::ReductionKind::Sum, op.getGatherAxis());
      return success();
    }
    operands[0] = shard::AllSliceOp::create(builder, loc, type, cotangents[0],
                                            op.getGrid(), op.getGridAxes(),
                                            op.getGatherAxis().getSExtValue());
    return success();
  }
};

struct AllSliceVjp
    : DifferentiableOpInterface::ExternalModel<AllSliceVjp, shard::AllSliceOp> {
  LogicalResult buildVjp(Operation *operation, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto op = cast<shard::AllSliceOp>(operation);
    operands[0] = shard::AllGatherOp::create(
        builder, op.getLoc(), typeOfCotangent(op.getInput(), cotangents[0]),
        op.getGrid(), op.getGridAxes(), cotangents[0], op.getSliceAxis());
    return success();
  }
};

/// The sum is whole; each of its terms has its cotangent.
struct AllReduceVjp
    : DifferentiableOpInterface::ExternalModel<AllReduceVjp,
                                               shard::AllReduceOp> {
  LogicalResult buildVjp(Operation *operation, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto op = cast<shard::AllReduceOp>(operation);
    if (failed(requireSum(op, op.getReduction())))
      return failure();
    operands[0] = cotangents[0];
    return success();
  }
};

struct ReduceScatterVjp
    : DifferentiableOpInterface::ExternalModel<ReduceScatterVjp,
                                               shard::ReduceScatterOp> {
  LogicalResult buildVjp(Operation *operation, OpBuilder &builder,
                         ValueRange cotangents, const Needed &needed,
                         Cotangents operands) const {
    auto op = cast<shard::ReduceScatterOp>(operation);
    if (failed(requireSum(op, op.getReduction())))
      return failure();
    operands[0] = shard::AllGatherOp::create(
        builder, op.getLoc(), typeOfCotangent(op.getInput(), cotangents[0]),
        op.getGrid(), op.getGridAxes(), cotangents[0], op.getScatterAxis());
    return success();
  }
};

template <typename Op>
struct PartMovement
    : DataMovementOpInterface::ExternalModel<PartMovement<Op>, Op> {};

/// A sum over ranks is held in the type that its terms come in.
template <typename Op>
struct SumPrecision
    : MixedPrecisionOpInterface::ExternalModel<SumPrecision<Op>, Op> {
  SmallVector<unsigned> getComputeResults(Operation *op) const {
    if (getElementTypeOrSelf(op->getOperand(0)) !=
        getElementTypeOrSelf(op->getResult(0)))
      return {0};
    return {};
  }
};

} // namespace

void mlir::te::registerCollectiveExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, shard::ShardDialect *) {
    shard::AllGatherOp::attachInterface<AllGatherVjp,
                                        PartMovement<shard::AllGatherOp>>(
        *context);
    shard::AllSliceOp::attachInterface<AllSliceVjp,
                                       PartMovement<shard::AllSliceOp>>(
        *context);
    shard::AllReduceOp::attachInterface<AllReduceVjp,
                                        SumPrecision<shard::AllReduceOp>>(
        *context);
    shard::ReduceScatterOp::attachInterface<
        ReduceScatterVjp, SumPrecision<shard::ReduceScatterOp>>(*context);
  });
}
