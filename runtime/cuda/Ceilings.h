// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Highest measured throughput of GPUs.
#ifndef TERT_CUDA_CEILINGS_H
#define TERT_CUDA_CEILINGS_H

#include "cuda/Device.h"
#include "program/Work.h"

namespace tert::cuda {

/// Zeros for a GPU without measurements.
Ceilings ceilingsOf(const Device &device);

} // namespace tert::cuda

#endif // TERT_CUDA_CEILINGS_H
