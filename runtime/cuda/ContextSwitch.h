// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device changing hands.
#ifndef TERT_CUDA_CONTEXTSWITCH_H
#define TERT_CUDA_CONTEXTSWITCH_H

namespace tert::cuda {

/// Lets another context have the current device for a moment and waits for it:
/// 0.2 s and 0.5 GiB while it lasts. Where a rank alone has a GPU, the kernels
/// of a recorded step with branches lie 0.4 µs apart, and do not as soon as any
/// other context has run anything: 0.2 ms of a step with 550 kernels (measured
/// on H200s, driver 580; docs/benchmarks.md). Only speed depends on it, so that
/// a device without memory for another context is left as it is.
void switchContexts() noexcept;

} // namespace tert::cuda

#endif // TERT_CUDA_CONTEXTSWITCH_H
