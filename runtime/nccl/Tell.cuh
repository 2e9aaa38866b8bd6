// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel says how far the device has come.
#ifndef TERT_NCCL_TELL_CUH
#define TERT_NCCL_TELL_CUH

#include "nccl/ScalarKernels.h"

namespace tert::nccl {

__device__ inline void tell(const Mark &mark) {
  // Streams may tell at the same time; the host only ever sees a whole word.
  *mark.word = uint64_t(atomicAdd(mark.count, 1u) + 1) << 32 | mark.site;
  __threadfence_system();
}

} // namespace tert::nccl

#endif // TERT_NCCL_TELL_CUH
