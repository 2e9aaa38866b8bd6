// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums and copies by multiprocessors, over the memory of one GPU or several.
#ifndef TERT_COLLECTIVES_PEER_PEERKERNELS_H
#define TERT_COLLECTIVES_PEER_PEERKERNELS_H

#include "tert/types.h"

#include <cuda_runtime.h>

#include <vector>

namespace tert::peer {

/// The operands of a sum over all members.
struct Summed {
  tert_dtype dtype;            ///< f32 or bf16
  std::vector<const char *> x; ///< of each member
  void *y;                     ///< may be one of them
  int64_t count;               ///< in elements
};

/// Adds in the order of the members, in float32, rounded once. For addends in
/// this GPU's memory.
void addAll(cudaStream_t stream, const std::vector<Summed> &sums);

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
