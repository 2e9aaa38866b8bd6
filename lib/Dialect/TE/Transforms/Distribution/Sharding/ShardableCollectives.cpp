// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ShardableOpInterface of collectives along one axis of a mesh, for sharding
// their operands along another.

#include "Distribution/Sharding/PieceShardings.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::te;

/// The dimension that a collective shards or gathers; -1 for none.
static int64_t getCollectiveDim(VaryOp) { return -1; }
static int64_t getCollectiveDim(shard::AllReduceOp) { return -1; }
static int64_t getCollectiveDim(shard::AllGatherOp op) {
  return op.getGatherAxis().getSExtValue();
}
static int64_t getCollectiveDim(shard::AllSliceOp op) {
  return op.getSliceAxis().getSExtValue();
}
static int64_t getCollectiveDim(shard::ReduceScatterOp op) {
  return op.getScatterAxis().getSExtValue();
}
static int64_t getCollectiveDim(AllGatherSequenceOp op) { return op.getDim(); }
static int64_t getCollectiveDim(AllSliceSequenceOp op) { return op.getDim(); }
static int64_t getCollectiveDim(ReduceScatterSequenceOp op) {
  return op.getDim();
}

namespace {
template <typename Op>
struct ShardableCollective
    : ShardableOpInterface::ExternalModel<ShardableCollective<Op>, Op> {
  FailureOr<OpSharding> getSharding(Operation *op, bool ofResult,
                                    unsigned number, const DimSplit &cut,
                                    int64_t, std::string &reason) const {
    int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
    int64_t own = getCollectiveDim(cast<Op>(op));
    SmallVector<Factor> factors;
    for (int64_t dim = 0; dim < rank; ++dim)
      if (dim != own)
        factors.push_back(
            Factor().add(op->getOpOperand(0), dim).add(op->getResult(0), dim));
    return shareFactor(op, factors, ofResult, number, cut, reason);
  }
};

template <typename... Ops> void attachCollectives(MLIRContext *context) {
  (Ops::template attachInterface<ShardableCollective<Ops>>(*context), ...);
}
} // namespace

void mlir::te::registerShardableCollectiveExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    attachCollectives<VaryOp, AllGatherSequenceOp, AllSliceSequenceOp,
                      ReduceScatterSequenceOp>(context);
  });
  registry.addExtension(+[](MLIRContext *context, shard::ShardDialect *) {
    attachCollectives<shard::AllReduceOp, shard::AllGatherOp, shard::AllSliceOp,
                      shard::ReduceScatterOp>(context);
  });
}
