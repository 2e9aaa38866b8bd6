// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies from device to shared memory that a thread starts and later waits for,
// without registers in between. A thread that works on what it has copied
// itself needs no barrier.
#ifndef TERT_CUDA_KERNELS_ASYNCCOPY_CUH
#define TERT_CUDA_KERNELS_ASYNCCOPY_CUH

#include <cuda_runtime.h>

#include <cstdint>

namespace tert::cuda {

/// Starts to copy 16 aligned bytes.
__device__ inline void copyAsync(uint4 *to, const void *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   uint32_t(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
}

/// Makes one batch of what the thread has started since the batch before.
__device__ inline void commitCopies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Waits for all of the thread's batches but the last `pending`.
template <int pending> __device__ inline void waitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ASYNCCOPY_CUH
