// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of the GPU that counters and words of exchanges begin with.
#ifndef TERT_NCCL_ZEROS_H
#define TERT_NCCL_ZEROS_H

#include "cuda/Error.h"

#include <cuda_runtime.h>

#include <string>

namespace tert::nccl {

/// Bytes of the GPU's memory that are zero when it comes back; for cudaFree.
inline void *allocateZeros(size_t bytes, const std::string &what) {
  void *memory = nullptr;
  cuda::check(cudaMalloc(&memory, bytes), ("allocating " + what).c_str());
  cuda::check(cudaMemset(memory, 0, bytes), ("clearing " + what).c_str());
  // The context's stream does not wait for the one that this went to.
  cuda::check(cudaStreamSynchronize(nullptr), ("clearing " + what).c_str());
  return memory;
}

} // namespace tert::nccl

#endif // TERT_NCCL_ZEROS_H
