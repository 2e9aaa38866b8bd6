// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lifetimes of the buffers of a block.

#ifndef TE_ANALYSIS_BUFFERLIVENESS_H
#define TE_ANALYSIS_BUFFERLIVENESS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Block.h"

namespace mlir::te {

/// Alignment of buffers in an arena, in bytes.
constexpr int64_t kBufferAlignment = 256;

/// One buffer and the operations between which it holds data: both ends are
/// positions in the block and belong to the interval, so a call's inputs and
/// outputs are live together.
struct BufferInterval {
  /// The result of a memref.alloc, or a block argument.
  Value buffer;
  int64_t bytes;
  unsigned firstUse;
  unsigned lastUse;

  bool isLiveAt(unsigned position) const {
    return firstUse <= position && position <= lastUse;
  }
  bool overlaps(const BufferInterval &other) const {
    return firstUse <= other.lastUse && other.firstUse <= lastUse;
  }
};

/// Lifetimes of all `memref.alloc` of a block that runs from top to bottom, and
/// of `results`: arguments that the block writes and that are read afterwards.
/// A use through a view is a use of the buffer, and one inside a nested region
/// counts at the operation that contains the region.
class BufferLiveness {
public:
  /// Fails, with an error at the buffer, for buffers of unknown size and for
  /// allocations that outlive the block.
  static FailureOr<BufferLiveness>
  compute(Block &block, ArrayRef<BlockArgument> results = {});

  /// For a function of one block, whose results are its te.output, all of them
  /// or those that `isResult` chooses.
  static FailureOr<BufferLiveness>
  computeFor(func::FuncOp function,
             function_ref<bool(BlockArgument)> isResult = nullptr);

  /// Results, then allocations in order; unused ones are left out.
  ArrayRef<BufferInterval> getIntervals() const { return intervals; }

  /// The position of an operation of the block.
  unsigned getPosition(Operation *op) const { return positions.lookup(op); }

  /// The lifetime of any buffer of the block; of one that is not used, the last
  /// use is 0. Fails, with an error at the use, if it leaves the block.
  FailureOr<BufferInterval> measure(Block &block, Value buffer) const;

  /// Most bytes in use at one position if every buffer takes a multiple of
  /// `alignment`: a lower bound of any placement.
  int64_t getPeakBytes(int64_t alignment) const;

  /// The first position of peak memory.
  unsigned getPeakPosition() const;

private:
  /// Increase of the bytes in use at each position over the one before.
  SmallVector<int64_t> getChanges(int64_t alignment) const;
  SmallVector<BufferInterval> intervals;
  DenseMap<Operation *, unsigned> positions;
  unsigned numPositions = 0;
};

} // namespace mlir::te

#endif // TE_ANALYSIS_BUFFERLIVENESS_H
