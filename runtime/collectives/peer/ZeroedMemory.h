// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Zeroed GPU memory, for counters and words of collectives.
#ifndef TERT_COLLECTIVES_PEER_ZEROEDMEMORY_H
#define TERT_COLLECTIVES_PEER_ZEROEDMEMORY_H

#include "cuda/Error.h"

#include <cuda_runtime.h>

#include <string>

namespace tert::peer {

/// Allocates zeroed device memory; free it with cudaFree.
inline void *allocateZeroedMemory(size_t bytes, const std::string &what) {
  void *memory = nullptr;
  cuda::check(cudaMalloc(&memory, bytes), ("allocating " + what).c_str());
  cuda::check(cudaMemset(memory, 0, bytes), ("clearing " + what).c_str());
  // The context's stream does not wait for the default stream.
  cuda::check(cudaStreamSynchronize(nullptr), ("clearing " + what).c_str());
  return memory;
}

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_ZEROEDMEMORY_H
