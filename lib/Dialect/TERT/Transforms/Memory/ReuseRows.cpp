// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-reuse-rows: stores slices of a matrix over the slices of another that
// have been read.

#include "../Footprint.h"
#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTREUSEROWS
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-reuse-rows"

using namespace mlir;
using namespace mlir::te;

namespace {

/// A call that accesses some of a buffer.
struct Access {
  Operation *op;
  BufferBox box;
};

/// A buffer that could share the memory of another, slice by slice.
class SharedBuffer {
public:
  SharedBuffer(memref::AllocOp from, memref::AllocOp to) : from(from), to(to) {}

  /// True if each slice of `to` is first accessed after the last access to that
  /// slice of `from`, possibly after moving calls.
  bool match();
  /// The same buffers in a clone of their function.
  SharedBuffer in(const IRMapping &copy) const;
  void apply() const;

private:
  struct Move {
    Operation *op, *behind;
  };

  memref::AllocOp from, to;
  SmallVector<Move> moves;
};

} // namespace

/// All calls that access `buffer`, with the elements that they access; nullopt
/// if one of them is not in its block.
static std::optional<SmallVector<Access>> findAccesses(memref::AllocOp buffer) {
  SmallVector<Access> accesses;
  if (!allUses(buffer, [&](OpOperand &use, const BufferBox &box) {
        if (!isMemoryEffectFree(use.getOwner()))
          accesses.push_back({use.getOwner(), box});
        return use.getOwner()->getBlock() == buffer->getBlock();
      }))
    return std::nullopt;
  return accesses;
}

bool SharedBuffer::match() {
  std::optional<SmallVector<Access>> before = findAccesses(from);
  std::optional<SmallVector<Access>> after = findAccesses(to);
  if (!before || !after)
    return false;
  llvm::MapVector<Operation *, Operation *> places;
  for (const Access &late : *after)
    for (const Access &early : *before) {
      if (early.op->isBeforeInBlock(late.op) || !early.box.overlaps(late.box))
        continue;
      if (early.op == late.op)
        return false;
      Operation *&place = places[late.op];
      if (!place || place->isBeforeInBlock(early.op))
        place = early.op;
    }
  for (auto [op, place] : places) {
    if (op->getNumResults() != 0 || !canMoveBehind(op, place))
      return false;
    moves.push_back({op, place});
  }
  return true;
}

SharedBuffer SharedBuffer::in(const IRMapping &copy) const {
  auto inCopy = [&](memref::AllocOp alloc) {
    return cast<memref::AllocOp>(copy.lookup(alloc.getOperation()));
  };
  SharedBuffer shared(inCopy(from), inCopy(to));
  for (auto [op, behind] : moves)
    shared.moves.push_back({copy.lookup(op), copy.lookup(behind)});
  return shared;
}

void SharedBuffer::apply() const {
  for (auto [op, behind] : moves)
    op->moveAfter(behind);
  memref::AllocOp first = from, second = to;
  if (second->isBeforeInBlock(first))
    first->moveBefore(second);
  second.replaceAllUsesWith(first.getResult());
  second.erase();
}

namespace {
struct TERTReuseRows : te::impl::TERTReuseRowsBase<TERTReuseRows> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    while (!function.isDeclaration() && function.getBody().hasOneBlock()) {
      FailureOr<bool> changed = shareAtPeak(function);
      if (failed(changed))
        return signalPassFailure();
      if (!*changed)
        break;
      ++numShared;
    }
  }

private:
  /// Makes one of the buffers that are live at peak memory share another's
  /// memory, if that lowers the peak.
  FailureOr<bool> shareAtPeak(func::FuncOp function) {
    FailureOr<BufferLiveness> liveness = BufferLiveness::computeFor(function);
    if (failed(liveness))
      return failure();
    const unsigned peak = liveness->getPeakPosition();
    SmallVector<BufferInterval> atPeak;
    for (const BufferInterval &interval : liveness->getIntervals())
      if (interval.isLiveAt(peak) && interval.bytes >= minBytes &&
          interval.buffer.getDefiningOp<memref::AllocOp>())
        atPeak.push_back(interval);
    for (const BufferInterval &to : atPeak)
      for (const BufferInterval &from : atPeak) {
        if (from.buffer.getType() != to.buffer.getType() ||
            from.firstUse >= to.firstUse || from.lastUse >= to.lastUse)
          continue;
        SharedBuffer shared(from.buffer.getDefiningOp<memref::AllocOp>(),
                            to.buffer.getDefiningOp<memref::AllocOp>());
        if (!shared.match()) {
          LDBG() << "left, a slice is written before the other is read: "
                 << to.buffer << " over " << from.buffer;
          continue;
        }
        IRMapping copy;
        OwningOpRef<func::FuncOp> tried = function.clone(copy);
        shared.in(copy).apply();
        FailureOr<BufferLiveness> after = BufferLiveness::computeFor(*tried);
        if (failed(after))
          return failure();
        if (after->getPeakBytes(/*alignment=*/1) >=
            liveness->getPeakBytes(/*alignment=*/1)) {
          LDBG() << "left, the peak would not be lower: " << to.buffer
                 << " over " << from.buffer;
          continue;
        }
        LDBG() << "taken: " << to.buffer << " over " << from.buffer;
        shared.apply();
        return true;
      }
    return false;
  }
};
} // namespace
