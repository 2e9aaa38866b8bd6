// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of what several GPUs have, and small copies, by multiprocessors.
#ifndef TERT_NCCL_PEERKERNELS_H
#define TERT_NCCL_PEERKERNELS_H

#include "tert/types.h"

#include <cuda_runtime.h>

#include <vector>

namespace tert::nccl {

/// More share no memory.
constexpr int32_t maxPeers = 64;

/// Some elements of a sum over the members: this one's addends, and those of
/// the others `offset` bytes into what was copied of each.
struct Addends {
  const void *own;
  void *sum;
  int64_t offset; ///< a multiple of 16
  int64_t count;  ///< of elements, at least 1
};

/// Sums in the order of the members, in float32, rounded once. What was copied
/// of the one at place p of the others lies at copies + p * stride.
void addInOrder(cudaStream_t stream, tert_dtype dtype,
                const std::vector<Addends> &addends, const char *copies,
                int64_t stride, int32_t rank, int32_t ranks);

/// The same where the others' addends are read in their memory: x[member] is
/// where `count` elements begin, and y where they go, which may be this one's
/// x.
void addDirectly(cudaStream_t stream, tert_dtype dtype,
                 const std::vector<const char *> &x, void *y, int64_t count);

/// Some bytes that go from one place to another, which may be another GPU's.
struct Copied {
  const void *from;
  void *to;
  int64_t bytes;
};

/// Copies all of them at once, by multiprocessors: for what is too small to be
/// worth a copy engine's start. Not more than so many thread blocks of 256 take
/// part: 64 have as much under way as a link carries, and leave room for a
/// computation beside them.
void copyAll(cudaStream_t stream, const std::vector<Copied> &copies,
             int32_t mostBlocks = INT32_MAX);

} // namespace tert::nccl

#endif // TERT_NCCL_PEERKERNELS_H
