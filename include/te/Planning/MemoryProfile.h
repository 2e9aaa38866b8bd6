// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the arena of a program holds in the course of a call.

#ifndef TE_PLANNING_MEMORYPROFILE_H
#define TE_PLANNING_MEMORYPROFILE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace mlir::te {

struct MemoryProfile {
  /// Bytes of the buffers that hold values at a time, with their alignment.
  struct Sample {
    int64_t activations = 0; ///< made by the forward pass, read by the backward
    int64_t gradients = 0;   ///< of parameters, until the update
    int64_t others = 0;

    int64_t getBytes() const { return activations + gradients + others; }
  };
  /// The fullest moment of each of equal parts of the program, by numbers of
  /// operations.
  std::vector<Sample> samples;
  /// The fullest of all: no arena is smaller.
  Sample peak;
};

/// The profile of a function after tert-plan-memory, in `numSamples` parts.
/// Fails as BufferLiveness does.
FailureOr<MemoryProfile> computeMemoryProfile(func::FuncOp function,
                                              unsigned numSamples);

} // namespace mlir::te

#endif // TE_PLANNING_MEMORYPROFILE_H
