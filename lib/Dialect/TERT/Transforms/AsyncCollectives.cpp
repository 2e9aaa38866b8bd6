// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-async-collectives: overlaps collectives with computation.

#include "Footprint.h"
#include "te/Analysis/CostModel.h"
#include "te/Dialect/TERT/IR/CallWork.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
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

/// True if the work between a collective and its reader takes at least
/// `leastSeconds`, of which its cost model is sure; unknown work takes none.
static bool hidesBehind(Operation *collective, Operation *reader,
                        double leastSeconds) {
  if (reader == collective->getNextNode())
    return false;
  const CostModel model(collective);
  double seconds = 0;
  for (Operation *op = collective->getNextNode(); op != reader;
       op = op->getNextNode()) {
    if (op->getNumRegions() != 0 || isa<CallOpInterface>(op))
      return true;
    if (std::optional<Work> work = tert::getCallWork(op); work && model)
      seconds += model.get().getFloorSeconds(*work);
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

namespace {
struct TERTAsyncCollectives
    : te::impl::TERTAsyncCollectivesBase<TERTAsyncCollectives> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Operation *> collectives;
    getOperation().walk([&](Operation *op) {
      if (isa<tert::CollectiveOp, tert::CollectiveSequenceOp>(op) &&
          !cast<CollectiveOpInterface>(op).isAsync() &&
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
    collective->setAttr("async", builder.getUnitAttr());
    if (cast<CollectiveOpInterface>(collective).getCollectiveKind() ==
        CollectiveKind::ReduceScatter)
      scatters.push_back({collective, await});
    ++numOverlapped;
  }

  /// Reduce-scatters in flight, the last first.
  SmallVector<std::pair<Operation *, tert::AwaitOp>> scatters;
};
} // namespace
