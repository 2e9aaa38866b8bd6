// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest that GPUs were seen to go.
#ifndef TERT_CUDA_CEILINGS_H
#define TERT_CUDA_CEILINGS_H

#include "cuda/Device.h"
#include "program/Work.h"

namespace tert::cuda {

/// Zeros for a GPU that was not measured.
Ceilings ceilingsOf(const Device &device);

} // namespace tert::cuda

#endif // TERT_CUDA_CEILINGS_H
