// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scale factors of FP8 operands where cuBLASLt takes them.
#ifndef TERT_CUDA_GEMMSCALES_H
#define TERT_CUDA_GEMMSCALES_H

#include "cuda/GemmPlan.h"
#include "cuda/Launch.h"

namespace tert::cuda {

/// cuBLASLt refuses scale factors whose addresses are not multiples of 16, and
/// ours are elements of one vector. Those that it would refuse are copied to
/// temporary memory.
void alignScales(LaunchContext &launch, GemmOperands &operands);

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMSCALES_H
