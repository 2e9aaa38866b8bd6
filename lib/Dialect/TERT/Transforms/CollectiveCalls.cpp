// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives of several tensors in one call (UpdateCallOpInterface), which pay
// the cost per call once.

#include "BufferBytes.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::te;

static int64_t bytesOf(ValueRange tensors) {
  int64_t bytes = 0;
  for (Value tensor : tensors)
    bytes += bytesOf(tensor);
  return bytes;
}

// The full tensors of each rank that a collective transfers.
static ValueRange getFullTensors(tert::AllReduceOp op) {
  return op.getTensors();
}
static ValueRange getFullTensors(tert::ReduceScatterOp op) { return op.getX(); }
static ValueRange getFullTensors(tert::AllGatherOp op) { return op.getY(); }

/// Bytes per bucket: a quarter of the total of all collectives like `op`, so
/// that most of it begins long before the backward pass ends; but not so little
/// that starting a collective takes as long as its transfer (10 us between
/// devices of a host, in which 3 MB pass), and no more than the size from which
/// the link's bandwidth is the limit.
template <typename Op> static int64_t getBucketBytes(Op op) {
  int64_t total = 0;
  for (auto call : op->getBlock()->template getOps<Op>())
    if (call.getAxes() == op.getAxes())
      total += bytesOf(getFullTensors(call));
  return std::clamp<int64_t>(total / 4, 4 << 20, 32 << 20);
}

/// Largest bucket of sums, in bytes, at the end of the program.
static constexpr int64_t kLastBytes = 16 << 20;

/// Bytes of the sums from `op` on that may begin together: nothing overlaps the
/// last bucket, so it should be small, and sums that can start earlier do not
/// wait for it.
template <typename Op> static int64_t getBytesAtOnce(Op op) {
  int64_t left = 0;
  for (Operation *next = op; next; next = next->getNextNode())
    if (auto call = dyn_cast<Op>(next); call && call.getAxes() == op.getAxes())
      left += bytesOf(getFullTensors(call));
  return std::max(left / 3 * 2, kLastBytes);
}
static int64_t getBytesAtOnce(tert::AllGatherOp) {
  return std::numeric_limits<int64_t>::max();
}

/// Builds one collective of several.
static void createJoined(OpBuilder &builder, Location loc,
                         ArrayRef<tert::AllReduceOp> calls) {
  SmallVector<Value> tensors;
  for (tert::AllReduceOp call : calls)
    llvm::append_range(tensors, call.getTensors());
  tert::AllReduceOp::create(builder, loc, TypeRange(), tensors,
                            tert::AllReduceOp(calls.front()).getAxes());
}
template <typename Op>
static void createJoined(OpBuilder &builder, Location loc, ArrayRef<Op> calls) {
  SmallVector<Value> x, y;
  for (Op call : calls) {
    llvm::append_range(x, call.getX());
    llvm::append_range(y, call.getY());
  }
  Op::create(builder, loc, TypeRange(), x, y, Op(calls.front()).getAxes());
}

/// True if tensor parallel ranks wait for this sum in the next layer: it does
/// not wait for another.
static bool isOfActivations(tert::ReduceScatterOp op) {
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(op->getParentOfType<ModuleOp>());
  if (failed(mesh) || !*mesh)
    return false;
  std::optional<shard::GridAxis> axis = (*mesh)->findAxis(kTensorAxis);
  return axis && op.getAxes() >> *axis & 1;
}
template <typename Op> static bool isOfActivations(Op) { return false; }

/// True if a collective before `op` may be merged with one after it. Operands
/// of gathers are available already and transferred while `op` computes;
/// results of sums are not awaited.
template <typename Op> static bool mayWait(Operation *op) {
  return !std::is_same_v<Op, tert::AllGatherOp> || isMemoryEffectFree(op) ||
         isa<memref::AllocOp>(op);
}

namespace {
template <typename Op>
struct CollectiveCall
    : tert::UpdateCallOpInterface::ExternalModel<CollectiveCall<Op>, Op> {
  /// At most a bucket's size apart: a collective begins when the last of its
  /// tensors is available.
  bool isAlike(Operation *op, Operation *other) const {
    auto last = dyn_cast<Op>(other);
    if (!last || last.getAxes() != cast<Op>(op).getAxes() ||
        isOfActivations(last))
      return false;
    const int64_t bucket =
        std::min(getBucketBytes(last), getBytesAtOnce(cast<Op>(op)));
    int64_t bytes = 0;
    for (Operation *next = op; next; next = next->getNextNode()) {
      if (auto call = dyn_cast<Op>(next))
        bytes += bytesOf(getFullTensors(call));
      else if (!mayWait<Op>(next))
        return false;
      if (next == other)
        return bytes <= bucket;
    }
    return false;
  }

  void join(Operation *, OpBuilder &builder, Location loc,
            ArrayRef<Operation *> calls) const {
    createJoined(builder, loc,
                 ArrayRef<Op>(llvm::map_to_vector(calls, llvm::CastTo<Op>)));
  }
};
} // namespace

void tert::registerCollectiveCallExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TERTDialect *) {
    AllReduceOp::attachInterface<CollectiveCall<AllReduceOp>>(*context);
    ReduceScatterOp::attachInterface<CollectiveCall<ReduceScatterOp>>(*context);
    AllGatherOp::attachInterface<CollectiveCall<AllGatherOp>>(*context);
  });
}
