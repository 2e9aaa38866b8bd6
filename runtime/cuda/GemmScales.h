// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alignment of scale factors of FP8 operands for cuBLASLt.
#ifndef TERT_CUDA_GEMMSCALES_H
#define TERT_CUDA_GEMMSCALES_H

#include "cuda/GemmPlan.h"
#include "cuda/Launch.h"

namespace tert::cuda {

/// Copies unaligned scale factors to temporary memory. cuBLASLt requires
/// addresses that are multiples of 16, and ours are elements of one vector.
void alignScales(LaunchContext &launch, GemmOperands &operands);

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMSCALES_H
