// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of several tensors in one call (UpdateCallOpInterface): what they
// cost besides their bytes is paid once.

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

// What an exchange moves: the whole tensors of each rank.
static ValueRange wholesOf(tert::AllReduceOp op) { return op.getTensors(); }
static ValueRange wholesOf(tert::ReduceScatterOp op) { return op.getX(); }
static ValueRange wholesOf(tert::AllGatherOp op) { return op.getY(); }

/// How much is exchanged at once: a quarter of all that is exchanged like `op`,
/// so that most of it begins long before the backward pass ends; but not so
/// little that the start of an exchange takes as long as its bytes (10 us
/// between devices of a host, in which 3 MB pass), and no more than what the
/// link's bandwidth limits anyway.
template <typename Op> static int64_t getBucketBytes(Op op) {
  int64_t total = 0;
  for (auto call : op->getBlock()->template getOps<Op>())
    if (call.getAxes() == op.getAxes())
      total += bytesOf(wholesOf(call));
  return std::clamp<int64_t>(total / 4, 4 << 20, 32 << 20);
}

/// So many bytes of sums may be one exchange at the end of all.
static constexpr int64_t kLastBytes = 16 << 20;

/// How much of what is summed from `op` on may begin together: nothing runs
/// beside what is summed last, so that it is to be little, and what can be on
/// its way before does not wait for it.
template <typename Op> static int64_t getBytesAtOnce(Op op) {
  int64_t left = 0;
  for (Operation *next = op; next; next = next->getNextNode())
    if (auto call = dyn_cast<Op>(next); call && call.getAxes() == op.getAxes())
      left += bytesOf(wholesOf(call));
  return std::max(left / 3 * 2, kLastBytes);
}
static int64_t getBytesAtOnce(tert::AllGatherOp) {
  return std::numeric_limits<int64_t>::max();
}

/// One exchange of what several ones have.
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

/// Whether ranks that share the layers of a model wait for this sum in the next
/// one: it does not wait for another.
static bool isOfActivations(tert::ReduceScatterOp op) {
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(op->getParentOfType<ModuleOp>());
  if (failed(mesh) || !*mesh)
    return false;
  std::optional<shard::GridAxis> axis = (*mesh)->findAxis(kTensorAxis);
  return axis && op.getAxes() >> *axis & 1;
}
template <typename Op> static bool isOfActivations(Op) { return false; }

/// Whether an exchange in front of `op` may be one with another behind it. What
/// is gathered is there already, and on its way while `op` computes; sums are
/// not waited for.
template <typename Op> static bool mayWait(Operation *op) {
  return !std::is_same_v<Op, tert::AllGatherOp> || isMemoryEffectFree(op) ||
         isa<memref::AllocOp>(op);
}

namespace {
template <typename Op>
struct CollectiveCall
    : tert::UpdateCallOpInterface::ExternalModel<CollectiveCall<Op>, Op> {
  /// Not farther from each other than a bucket is large: an exchange begins
  /// when the last of its tensors is there.
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
        bytes += bytesOf(wholesOf(call));
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
