// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every CUDA op gets besides its tensors: the stream, temporary memory,
// the device's figures, and a way to report bad data from inside a kernel.
//
// An op may run eagerly or while the stream is being captured into a graph
// that is replayed later without the host. So an op
//  - only enqueues: no synchronization, no allocation of its own, no copy from
//    pageable memory (small tables travel as kernel parameters);
//  - reads nothing on the host that may change from step to step;
//  - asks for the same temporary memory whenever its arguments are the same.
#ifndef TERT_CUDA_LAUNCH_H
#define TERT_CUDA_LAUNCH_H

#include "cuda/DataErrors.h"
#include "cuda/Device.h"
#include "cuda/Error.h"
#include "cuda/Scratch.h"
#include "program/Tensor.h"
#include "tert/types.h"

#include <cuda_runtime.h>

namespace tert::cuda {

class Attention;
class Gemm;

struct LaunchContext {
  /// Everything a context does goes through one stream, in order.
  cudaStream_t stream;
  const Device &device;
  /// Given back when the op's method returns; the stream's order keeps the next
  /// op from overwriting it too early.
  Scratch &scratch;
  /// At least `counterCount` words that are zero when an op starts. An op that
  /// uses them (the last block to finish does the rest) leaves them zero.
  uint32_t *counters;
  static constexpr int64_t counterCount = 1 << 16;
  DataErrors &dataErrors;
  /// What a context keeps of the problems that it has met.
  Gemm &gemm;
  Attention &attention;
};

/// To be called after every kernel launch: throws what the launch itself
/// reports (a bad configuration; faults of the kernel come later).
inline void checkLaunch(const char *kernel) {
  check(cudaGetLastError(), kernel);
}

} // namespace tert::cuda

#endif // TERT_CUDA_LAUNCH_H
