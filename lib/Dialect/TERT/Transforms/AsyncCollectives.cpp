// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-async-collectives: overlaps collectives with computation.

#include "Footprint.h"
#include "te/Dialect/TERT/IR/CallWork.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTASYNCCOLLECTIVES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-async-collectives"

using namespace mlir;
using namespace mlir::te;

/// The first op after `collective` that must not come before its completion;
/// null if the block ends without a terminator.
static Operation *findReader(Operation *collective) {
  Footprint tensors;
  tensors.add(collective);
  Operation &last = collective->getBlock()->back();
  return tensors.findConflict(collective->getNextNode(),
                              last.hasTrait<OpTrait::IsTerminator>() ? &last
                                                                     : nullptr);
}

/// Approximate bandwidth and throughput of current accelerators.
static constexpr double kBytesPerSecond = 4e12, kFlopsPerSecond = 1e15;

/// True if the work between a collective and its reader takes `leastSeconds`.
static bool hidesBehind(Operation *collective, Operation *reader,
                        double leastSeconds) {
  if (reader == collective->getNextNode())
    return false;
  double seconds = 0;
  for (Operation *op = collective->getNextNode(); op != reader;
       op = op->getNextNode()) {
    if (op->getNumRegions() != 0 || isa<CallOpInterface>(op))
      return true;
    if (std::optional<Work> work = tert::getCallWork(op))
      seconds += work->bytes / kBytesPerSecond + work->flops / kFlopsPerSecond;
  }
  return seconds >= leastSeconds;
}

/// Number of reduce-scatters in flight before the next begins: older ones are
/// awaited, which frees the memory of their operands.
static constexpr size_t kScattersUnderWay = 2;
/// A reduce-scatter this many times as large as those that began after it takes
/// as long as they do: it is not awaited yet.
static constexpr int64_t kLargeScatter = 2;

/// Bytes of a collective's tensors.
static double getBytesOf(Operation *collective) {
  double bytes = 0;
  for (Type type : collective->getOperandTypes())
    bytes += getBytes(type);
  return bytes;
}

/// The asynchronous form of `collective`, created at its position.
static Operation *createStart(OpBuilder &builder, Operation *collective) {
  Location loc = collective->getLoc();
  return TypeSwitch<Operation *, Operation *>(collective)
      .Case([&](tert::AllReduceOp op) {
        return tert::StartAllReduceOp::create(builder, loc, TypeRange(),
                                              op.getTensors(), op.getAxes());
      })
      .Case([&](tert::ReduceScatterOp op) {
        return tert::StartReduceScatterOp::create(
            builder, loc, TypeRange(), op.getX(), op.getY(), op.getAxes());
      })
      .Case([&](tert::AllGatherOp op) {
        return tert::StartAllGatherOp::create(
            builder, loc, TypeRange(), op.getX(), op.getY(), op.getAxes());
      })
      .Case([&](tert::ReduceScatterSequenceOp op) {
        return tert::StartReduceScatterSequenceOp::create(
            builder, loc, TypeRange(), op.getX(), op.getY(), op.getDim(),
            op.getBalanced(), op.getAxes());
      })
      .Case([&](tert::AllGatherSequenceOp op) {
        return tert::StartAllGatherSequenceOp::create(
            builder, loc, TypeRange(), op.getX(), op.getY(), op.getDim(),
            op.getBalanced(), op.getAxes());
      });
}

namespace {
struct TERTAsyncCollectives
    : te::impl::TERTAsyncCollectivesBase<TERTAsyncCollectives> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> collectives;
    getOperation().walk([&](Operation *op) {
      if (isa<tert::AllReduceOp, tert::ReduceScatterOp, tert::AllGatherOp,
              tert::ReduceScatterSequenceOp, tert::AllGatherSequenceOp>(op) &&
          llvm::all_of(op->getOperandTypes(), llvm::IsaPred<MemRefType>))
        collectives.push_back(op);
    });
    // The last first: its reader is an op, not the await of another.
    for (Operation *collective : llvm::reverse(collectives))
      overlap(collective);
    std::reverse(scatters.begin(), scatters.end());
    for (size_t i = 0; i + kScattersUnderWay < scatters.size(); ++i) {
      auto [start, await] = scatters[i];
      size_t limit = i + 1;
      double bytes = 0;
      while (limit < scatters.size() &&
             (limit < i + kScattersUnderWay ||
              bytes * kLargeScatter < getBytesOf(start)))
        bytes += getBytesOf(scatters[limit++].first);
      if (limit == scatters.size())
        continue;
      Operation *next = scatters[limit].first;
      if (next->getBlock() == await->getBlock() &&
          next->isBeforeInBlock(await)) {
        LDBG() << "awaited early, before " << *next << ": " << *start;
        await->moveBefore(next);
      }
    }
    scatters.clear();
  }

private:
  void overlap(Operation *collective) {
    Operation *reader = findReader(collective);
    if (!hidesBehind(collective, reader, leastMicroseconds * 1e-6)) {
      LDBG() << "left, less than " << leastMicroseconds
             << " us of work before its result is read: " << *collective;
      return;
    }
    LDBG() << "taken: " << *collective;
    OpBuilder builder(collective);
    if (reader)
      builder.setInsertionPoint(reader);
    else
      builder.setInsertionPointToEnd(collective->getBlock());
    // Operands are awaited, too: until then their buffers are in use.
    auto await = tert::AwaitOp::create(builder, collective->getLoc(),
                                       TypeRange(), collective->getOperands());
    builder.setInsertionPoint(collective);
    Operation *start = createStart(builder, collective);
    if (isa<tert::ReduceScatterOp, tert::ReduceScatterSequenceOp>(collective))
      scatters.push_back({start, await});
    collective->erase();
    ++numOverlapped;
  }

  /// Reduce-scatters in flight, the last first.
  SmallVector<std::pair<Operation *, tert::AwaitOp>> scatters;
};
} // namespace
