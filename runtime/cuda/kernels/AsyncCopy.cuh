// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies from device to shared memory, without registers in
// between. A thread that uses only what it has copied itself needs no barrier.
#ifndef TERT_CUDA_KERNELS_ASYNCCOPY_CUH
#define TERT_CUDA_KERNELS_ASYNCCOPY_CUH

#include <cuda_runtime.h>

#include <cstdint>

namespace tert::cuda {

/// Starts a copy of 16 aligned bytes.
__device__ inline void copyAsync(uint4 *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   uint32_t(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// Groups the thread's copies since the last call into one batch.
__device__ inline void commitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits for all of the thread's batches except the last `pending`.
template <int pending> __device__ inline void waitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ASYNCCOPY_CUH
