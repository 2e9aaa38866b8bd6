// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-bucket-collectives: collectives of several tensors in one call, which
// pay the cost per call once.

#include "BufferBytes.h"
#include "JoinCalls.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <limits>

namespace mlir::te {
#define GEN_PASS_DEF_TERTBUCKETCOLLECTIVES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;
using tert::CollectiveOp;

/// Bytes of the full tensors of each rank that a collective transfers.
static int64_t getWholeBytes(CollectiveOp op) {
  int64_t bytes = 0;
  for (ShapedType type : op.getWholes())
    bytes += bytesOf(type);
  return bytes;
}

/// True if both are of one kind, along the same axes.
static bool areAlike(CollectiveOp op, CollectiveOp other) {
  return op.getKind() == other.getKind() && op.getAxes() == other.getAxes();
}

/// Bytes per bucket: a quarter of the total of all collectives like `op`, so
/// that most of it begins long before the backward pass ends; but not so little
/// that starting a collective takes as long as its transfer (10 us between
/// devices of a host, in which 3 MB pass), and no more than the size from which
/// the link's bandwidth is the limit.
static int64_t getBucketBytes(CollectiveOp op) {
  int64_t total = 0;
  for (auto call : op->getBlock()->getOps<CollectiveOp>())
    if (areAlike(call, op))
      total += getWholeBytes(call);
  return std::clamp<int64_t>(total / 4, 4 << 20, 32 << 20);
}

/// Largest bucket of sums, in bytes, at the end of the program.
static constexpr int64_t kLastBytes = 16 << 20;

/// Bytes of the sums from `op` on that may begin together: nothing overlaps the
/// last bucket, so it should be small, and sums that can start earlier do not
/// wait for it.
static int64_t getBytesAtOnce(CollectiveOp op) {
  if (op.getKind() == CollectiveKind::AllGather)
    return std::numeric_limits<int64_t>::max();
  int64_t left = 0;
  for (Operation *next = op; next; next = next->getNextNode())
    if (auto call = dyn_cast<CollectiveOp>(next); call && areAlike(call, op))
      left += getWholeBytes(call);
  return std::max(left / 3 * 2, kLastBytes);
}

/// True if tensor parallel ranks wait for this sum in the next layer: it does
/// not wait for another.
static bool isOfActivations(CollectiveOp op) {
  if (op.getKind() != CollectiveKind::ReduceScatter)
    return false;
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(op->getParentOfType<ModuleOp>());
  if (failed(mesh) || !*mesh)
    return false;
  std::optional<shard::GridAxis> axis = (*mesh)->findAxis(kTensorAxis);
  return axis && op.getAxes() >> *axis & 1;
}

/// True if a collective before `op` may be merged with one after it. Operands
/// of gathers are available already and transferred while `op` computes;
/// results of sums are not awaited.
static bool mayWait(CollectiveKind kind, Operation *op) {
  return kind != CollectiveKind::AllGather || isMemoryEffectFree(op) ||
         isa<memref::AllocOp>(op);
}

namespace {
struct CollectiveCall
    : tert::UpdateCallOpInterface::ExternalModel<CollectiveCall, CollectiveOp> {
  /// At most a bucket's size apart: a collective begins when the last of its
  /// tensors is available.
  bool isAlike(Operation *op, Operation *other) const {
    auto first = cast<CollectiveOp>(op);
    auto last = dyn_cast<CollectiveOp>(other);
    if (!last || !areAlike(first, last) || isOfActivations(last))
      return false;
    const int64_t bucket =
        std::min(getBucketBytes(last), getBytesAtOnce(first));
    int64_t bytes = 0;
    for (Operation *next = op; next; next = next->getNextNode()) {
      if (auto call = dyn_cast<CollectiveOp>(next);
          call && call.getKind() == first.getKind())
        bytes += getWholeBytes(call);
      else if (!mayWait(first.getKind(), next))
        return false;
      if (next == other)
        return bytes <= bucket;
    }
    return false;
  }

  void join(Operation *op, OpBuilder &builder, Location loc,
            ArrayRef<Operation *> calls) const {
    SmallVector<Value> x, y;
    for (Operation *call : calls) {
      llvm::append_range(x, cast<CollectiveOp>(call).getX());
      llvm::append_range(y, cast<CollectiveOp>(call).getY());
    }
    auto first = cast<CollectiveOp>(calls.front());
    CollectiveOp::create(builder, loc, TypeRange(), x, y, first.getKind(),
                         /*async=*/false, first.getAxes());
  }
};

struct TERTBucketCollectives
    : te::impl::TERTBucketCollectivesBase<TERTBucketCollectives> {
  void runOnOperation() override {
    // Kinds do not wait for each other.
    for (CollectiveKind kind :
         {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter,
          CollectiveKind::AllGather})
      for (Block &block : getOperation().getBody())
        numJoined += joinCalls(block, [&](Operation *call) {
          auto collective = dyn_cast<CollectiveOp>(call);
          return collective && collective.getKind() == kind &&
                 !collective.getAsync();
        });
  }
};
} // namespace

void tert::registerCollectiveCallExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    CollectiveOp::attachInterface<CollectiveCall>(*context);
  });
}
