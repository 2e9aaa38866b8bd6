// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests below the backend's C functions, which are skipped without a GPU.
#ifndef TERT_TEST_RUNTIME_CUDA_HASGPU_H
#define TERT_TEST_RUNTIME_CUDA_HASGPU_H

#include <cuda_runtime.h>

namespace tert_test {

inline bool hasGpu() {
  int devices = 0;
  return cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_CUDA_HASGPU_H
