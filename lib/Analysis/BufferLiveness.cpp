// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/BufferLiveness.h"

#include "te/Dialect/TE/IR/TE.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

/// More than any machine has; sums over as many buffers as a program can have
/// do not overflow.
static constexpr int64_t kMaxBytes = int64_t(1) << 48;

/// Bytes of a contiguous buffer of this type, nullopt if unknown or too large.
static std::optional<int64_t> getSizeInBytes(MemRefType type) {
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape())
    if (llvm::MulOverflow(bytes, size, bytes) || bytes > kMaxBytes)
      return std::nullopt;
  return bytes;
}

/// "'memref.alloc' op …" or "argument 3 …".
static InFlightDiagnostic emitBufferError(Value buffer) {
  if (Operation *alloc = buffer.getDefiningOp())
    return alloc->emitOpError();
  return mlir::emitError(buffer.getLoc())
         << "argument " << cast<BlockArgument>(buffer).getArgNumber() << " ";
}

FailureOr<BufferInterval> BufferLiveness::measure(Block &block,
                                                  Value buffer) const {
  std::optional<int64_t> bytes =
      getSizeInBytes(cast<MemRefType>(buffer.getType()));
  if (!bytes)
    return emitBufferError(buffer)
           << "has no static size in bytes, or too large a one";
  BufferInterval interval{buffer, *bytes, numPositions, 0};
  SmallVector<Value> aliases = {buffer};
  while (!aliases.empty()) {
    for (OpOperand &use : aliases.pop_back_val().getUses()) {
      Operation *user = block.findAncestorOpInBlock(*use.getOwner());
      if (!user || user->hasTrait<OpTrait::IsTerminator>())
        return emitBufferError(buffer)
               << "outlives the block that allocates it";
      unsigned position = positions.lookup(user);
      interval.firstUse = std::min(interval.firstUse, position);
      interval.lastUse = std::max(interval.lastUse, position);
      // A memref made from this one may point into it, and so may the results
      // of the enclosing op, whose region may yield it.
      for (Operation *op = use.getOwner();; op = op->getParentOp()) {
        for (Value result : op->getResults())
          if (isa<BaseMemRefType>(result.getType()))
            aliases.push_back(result);
        if (op == user)
          break;
      }
    }
  }
  return interval;
}

FailureOr<BufferLiveness>
BufferLiveness::compute(Block &block, ArrayRef<BlockArgument> results) {
  BufferLiveness liveness;
  for (Operation &op : block)
    liveness.positions[&op] = liveness.numPositions++;

  for (BlockArgument result : results) {
    FailureOr<BufferInterval> interval = liveness.measure(block, result);
    if (failed(interval))
      return failure();
    interval->lastUse = liveness.numPositions - 1;
    if (!result.use_empty())
      liveness.intervals.push_back(*interval);
  }
  for (auto alloc : block.getOps<memref::AllocOp>()) {
    FailureOr<BufferInterval> interval = liveness.measure(block, alloc);
    if (failed(interval))
      return failure();
    if (!alloc->use_empty())
      liveness.intervals.push_back(*interval);
  }
  return liveness;
}

FailureOr<BufferLiveness>
BufferLiveness::computeFor(func::FuncOp function,
                           function_ref<bool(BlockArgument)> isResult) {
  SmallVector<BlockArgument> results;
  for (BlockArgument argument : function.getArguments())
    // In programs on tensors outputs have no buffers yet.
    if (isa<MemRefType>(argument.getType()) &&
        function.getArgAttr(argument.getArgNumber(), kOutputAttr) &&
        (!isResult || isResult(argument)))
      results.push_back(argument);
  return compute(function.front(), results);
}

SmallVector<int64_t> BufferLiveness::getChanges(int64_t alignment) const {
  SmallVector<int64_t> changes(numPositions + 1, 0);
  for (const BufferInterval &interval : intervals) {
    int64_t bytes = llvm::alignTo(interval.bytes, alignment);
    changes[interval.firstUse] += bytes;
    changes[interval.lastUse + 1] -= bytes;
  }
  return changes;
}

int64_t BufferLiveness::getPeakBytes(int64_t alignment) const {
  int64_t live = 0, peak = 0;
  for (int64_t bytes : getChanges(alignment))
    peak = std::max(peak, live += bytes);
  return peak;
}

unsigned BufferLiveness::getPeakPosition() const {
  int64_t live = 0, peak = 0;
  unsigned result = 0;
  for (auto [position, bytes] : llvm::enumerate(getChanges(/*alignment=*/1)))
    if (live += bytes; live > peak) {
      peak = live;
      result = position;
    }
  return result;
}
