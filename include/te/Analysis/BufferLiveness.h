// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When the buffers that a block allocates are in use.

#ifndef TE_ANALYSIS_BUFFERLIVENESS_H
#define TE_ANALYSIS_BUFFERLIVENESS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Block.h"

namespace mlir::te {

/// One allocation and the operations between which it holds data: both ends are
/// positions in the block and belong to the interval, so a call's inputs and
/// outputs are live together.
struct BufferInterval {
  memref::AllocOp alloc;
  int64_t bytes;
  unsigned firstUse;
  unsigned lastUse;

  bool overlaps(const BufferInterval &other) const {
    return firstUse <= other.lastUse && other.firstUse <= lastUse;
  }
};

/// Lifetimes of all `memref.alloc` of a block that runs from top to bottom.
/// A use through a view is a use of the buffer, and one inside a nested region
/// counts at the operation that holds the region.
class BufferLiveness {
public:
  /// Fails, with an error at the allocation, for buffers of unknown size and
  /// for those that outlive the block.
  static FailureOr<BufferLiveness> compute(Block &block);

  /// In the order of allocation; those that nobody uses are left out.
  ArrayRef<BufferInterval> getIntervals() const { return intervals; }

  /// Most bytes in use at one position when every buffer takes a multiple of
  /// `alignment`: no assignment of addresses needs less.
  int64_t getPeakBytes(int64_t alignment) const;

private:
  SmallVector<BufferInterval> intervals;
  unsigned numPositions = 0;
};

} // namespace mlir::te

#endif // TE_ANALYSIS_BUFFERLIVENESS_H
