// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Context switches of the device.
#ifndef TERT_CUDA_CONTEXTSWITCH_H
#define TERT_CUDA_CONTEXTSWITCH_H

namespace tert::cuda {

/// Makes another context current for a moment and waits for it, which takes 0.2
/// s and, meanwhile, 0.5 GiB. If one rank alone uses a GPU, the kernels of a
/// recorded step with branches start 0.4 µs apart until another context has run
/// anything: 0.2 ms of a step with 550 kernels (measured on H200s, driver 580;
/// docs/benchmarks.md). Only speed depends on this, so a failure, as without
/// memory for another context, is ignored.
void switchContexts() noexcept;

} // namespace tert::cuda

#endif // TERT_CUDA_CONTEXTSWITCH_H
