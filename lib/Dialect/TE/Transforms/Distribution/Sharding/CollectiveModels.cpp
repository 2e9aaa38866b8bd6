// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interface models of the collectives of shard. The cotangent of a replicated
// value is replicated, too; for a shard, or a term of a sum, each rank has its
// own. te.vary marks a replicated value that is read by computation which
// differs between ranks.

#include "Distribution/Sharding/SpmdAnalysis.h"
#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/MovementCotangent.h"
#include "te/Dialect/TE/Transforms/Distribution/Sharding.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

static LogicalResult requireSum(Operation *op, shard::ReductionKind kind) {
  if (kind == shard::ReductionKind::Sum)
    return success();
  return op->emitOpError() << "reduces by '"
                           << shard::stringifyReductionKind(kind)
                           << "'; only sums over ranks are differentiated";
}

//===----------------------------------------------------------------------===//
// Operand cotangents from result cotangents
//===----------------------------------------------------------------------===//

/// Every rank has the full cotangent and takes its shard. If the cotangent is a
/// sum over the ranks, a reduce-scatter suffices.
static FailureOr<Value> ofAllGather(shard::AllGatherOp op, OpBuilder &builder,
                                    Value cotangent) {
  Location loc = op.getLoc();
  RankedTensorType type = typeOfCotangent(op.getInput(), cotangent);
  if (Value terms =
          getTermsOfUnreadSum(cotangent, op.getGrid(), op.getGridAxes()))
    return Value(shard::ReduceScatterOp::create(
        builder, loc, type, op.getGrid(), op.getGridAxes(), terms,
        shard::ReductionKind::Sum, op.getGatherAxis()));
  return Value(shard::AllSliceOp::create(builder, loc, type, cotangent,
                                         op.getGrid(), op.getGridAxes(),
                                         op.getGatherAxis().getSExtValue()));
}

/// Each rank has the cotangent of its shard, and all need the full one.
template <typename Op>
static Value gatherCotangent(Op op, OpBuilder &builder, Value cotangent,
                             const APInt &axis) {
  return shard::AllGatherOp::create(
      builder, op.getLoc(), typeOfCotangent(op.getInput(), cotangent),
      op.getGrid(), op.getGridAxes(), cotangent, axis);
}

static FailureOr<Value> ofAllSlice(shard::AllSliceOp op, OpBuilder &builder,
                                   Value cotangent) {
  return gatherCotangent(op, builder, cotangent, op.getSliceAxis());
}

/// The sum is replicated; each rank's term has the sum's cotangent.
static FailureOr<Value> ofAllReduce(shard::AllReduceOp op, OpBuilder &,
                                    Value cotangent) {
  if (failed(requireSum(op, op.getReduction())))
    return failure();
  return cotangent;
}

static FailureOr<Value> ofReduceScatter(shard::ReduceScatterOp op,
                                        OpBuilder &builder, Value cotangent) {
  if (failed(requireSum(op, op.getReduction())))
    return failure();
  return gatherCotangent(op, builder, cotangent, op.getScatterAxis());
}

/// The pieces of the cotangent go back where those of the value came from.
static FailureOr<Value> ofAllToAll(shard::AllToAllOp op, OpBuilder &builder,
                                   Value cotangent) {
  return Value(shard::AllToAllOp::create(
      builder, op.getLoc(), typeOfCotangent(op.getInput(), cotangent),
      op.getGridAttr(), op.getGridAxesAttr(), cotangent, op.getConcatAxisAttr(),
      op.getSplitAxisAttr()));
}

namespace {

/// Implements DifferentiableOpInterface of an op by one of these functions.
template <typename Op, FailureOr<Value> (*build)(Op, OpBuilder &, Value)>
struct CollectiveVjp
    : DifferentiableOpInterface::ExternalModel<CollectiveVjp<Op, build>, Op> {
  LogicalResult buildVjp(Operation *op, OpBuilder &builder,
                         ValueRange cotangents, const llvm::BitVector &needed,
                         MutableArrayRef<Value> operands) const {
    FailureOr<Value> made = build(cast<Op>(op), builder, cotangents[0]);
    if (failed(made))
      return failure();
    operands[0] = *made;
    return success();
  }
};

template <typename Op>
struct PartMovement
    : DataMovementOpInterface::ExternalModel<PartMovement<Op>, Op> {};

/// A sum over ranks is kept in the type of its terms.
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

namespace {
/// A collective of one tensor on a graph.
template <typename Op, CollectiveKind kind>
struct TensorCollective
    : CollectiveOpInterface::ExternalModel<TensorCollective<Op, kind>, Op> {
  CollectiveKind getCollectiveKind(Operation *) const { return kind; }
  int32_t getMeshAxes(Operation *op) const {
    return static_cast<int32_t>(toAxisSet(cast<Op>(op).getGridAxes()));
  }
  SmallVector<ShapedType> getWholes(Operation *op) const {
    Value whole = kind == CollectiveKind::AllGather ? Value(op->getResult(0))
                                                    : op->getOperand(0);
    return {cast<ShapedType>(whole.getType())};
  }
};
} // namespace

template <typename Op, CollectiveKind kind>
static void attachCollective(MLIRContext *context) {
  Op::template attachInterface<TensorCollective<Op, kind>>(*context);
}

template <typename Op, FailureOr<Value> (*build)(Op, OpBuilder &, Value),
          template <typename> typename Model>
static void attachModels(MLIRContext *context) {
  Op::template attachInterface<CollectiveVjp<Op, build>, Model<Op>>(*context);
}

void mlir::te::registerCollectiveExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, shard::ShardDialect *) {
    attachModels<shard::AllGatherOp, ofAllGather, PartMovement>(context);
    attachModels<shard::AllSliceOp, ofAllSlice, PartMovement>(context);
    attachModels<shard::AllReduceOp, ofAllReduce, SumPrecision>(context);
    attachModels<shard::ReduceScatterOp, ofReduceScatter, SumPrecision>(
        context);
    attachModels<shard::AllToAllOp, ofAllToAll, PartMovement>(context);
    attachCollective<shard::AllToAllOp, CollectiveKind::AllToAll>(context);
    attachCollective<shard::AllGatherOp, CollectiveKind::AllGather>(context);
    attachCollective<shard::AllReduceOp, CollectiveKind::AllReduce>(context);
    attachCollective<shard::ReduceScatterOp, CollectiveKind::ReduceScatter>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    attachCollective<AllGatherSequenceOp, CollectiveKind::AllGather>(context);
    attachCollective<ReduceScatterSequenceOp, CollectiveKind::ReduceScatter>(
        context);
  });
}
