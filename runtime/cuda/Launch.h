// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of every CUDA op besides its tensors: the stream, temporary memory,
// the device's properties, and a way to report bad data from a kernel.
//
// An op may run eagerly or while the stream is captured into a graph that is
// replayed later without the host. So an op
// - only enqueues: no synchronization, no allocation of its own, no copy from
//   pageable memory (small tables are kernel parameters);
// - reads nothing on the host that may change between steps;
// - requests the same temporary memory for the same arguments.
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
  /// All work of a context runs on one stream at a time, in order.
  cudaStream_t stream;
  const Device &device;
  /// Released when the op's method returns; the stream's order keeps the next
  /// op from overwriting it too early.
  Scratch &scratch;
  /// At least `counterCount` words that are zero when an op starts. An op that
  /// uses them (the last block to finish does the remaining work) leaves them
  /// zero.
  uint32_t *counters;
  static constexpr int64_t counterCount = 1 << 16;
  DataErrors &dataErrors;
  /// A context's caches of plans.
  Gemm &gemm;
  Attention &attention;
};

/// Call after every kernel launch. Throws errors of the launch itself (a bad
/// configuration; faults of the kernel are reported later).
inline void checkLaunch(const char *kernel) {
  check(cudaGetLastError(), kernel);
}

} // namespace tert::cuda

#endif // TERT_CUDA_LAUNCH_H
