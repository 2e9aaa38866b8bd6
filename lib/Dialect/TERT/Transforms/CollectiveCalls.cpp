// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of several tensors in one call (UpdateCallOpInterface): what they
// cost besides their bytes is paid once.

#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

/// Large enough for an exchange to be limited by the link's bandwidth, small
/// enough for most of them to begin long before the backward pass ends.
static constexpr int64_t kBucketBytes = 32 << 20;

static int64_t bytesOf(ValueRange tensors) {
  int64_t bytes = 0;
  for (Value tensor : tensors) {
    auto type = cast<ShapedType>(tensor.getType());
    bytes += type.getNumElements() *
             llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  }
  return bytes;
}

// What an exchange moves: the whole tensors of each rank.
static ValueRange wholesOf(tert::AllReduceOp op) { return op.getTensors(); }
static ValueRange wholesOf(tert::ReduceScatterOp op) { return op.getX(); }
static ValueRange wholesOf(tert::AllGatherOp op) { return op.getY(); }

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
    if (!last || last.getAxes() != cast<Op>(op).getAxes())
      return false;
    int64_t bytes = 0;
    for (Operation *next = op; next; next = next->getNextNode()) {
      if (auto call = dyn_cast<Op>(next))
        bytes += bytesOf(wholesOf(call));
      else if (!mayWait<Op>(next))
        return false;
      if (next == other)
        return bytes <= kBucketBytes;
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
