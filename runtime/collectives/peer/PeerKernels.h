// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over the memory of several GPUs, and small copies, by multiprocessors.
#ifndef TERT_COLLECTIVES_PEER_PEERKERNELS_H
#define TERT_COLLECTIVES_PEER_PEERKERNELS_H

#include "tert/types.h"

#include <cuda_runtime.h>

#include <vector>

namespace tert::peer {

/// More members cannot share memory.
constexpr int32_t maxPeers = 64;

/// Elements of a sum over the members: this member's addends, and those of the
/// others at byte `offset` of the data copied from each.
struct Addends {
  const void *own;
  void *sum;
  int64_t offset; ///< a multiple of 16
  int64_t count;  ///< in elements, at least 1
};

/// Adds in the order of the members, in float32, rounded once. The copy from
/// the p-th other member is at copies + p * stride.
void addInOrder(cudaStream_t stream, tert_dtype dtype,
                const std::vector<Addends> &addends, const char *copies,
                int64_t stride, int32_t rank, int32_t ranks);

/// Like addInOrder, but reads the others' addends from their memory: `count`
/// elements at x[member] are added into y, which may be this member's x.
void addDirectly(cudaStream_t stream, tert_dtype dtype,
                 const std::vector<const char *> &x, void *y, int64_t count);

/// Bytes to copy, possibly from or to another GPU.
struct Copied {
  const void *from;
  void *to;
  int64_t bytes;
};

/// Copies all of them at once by multiprocessors, for copies too small to be
/// worth the start of a copy engine. Uses at most `maxBlocks` thread blocks of
/// 256 threads: 64 keep a link busy and leave multiprocessors to a concurrent
/// computation.
void copyAll(cudaStream_t stream, const std::vector<Copied> &copies,
             int32_t maxBlocks = INT32_MAX);

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERKERNELS_H
