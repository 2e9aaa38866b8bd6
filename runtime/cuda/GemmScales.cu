// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GemmScales.h"

using namespace tert;
using namespace tert::cuda;

/// Distance between the two copies, in floats.
static constexpr int scaleStride = 4;

static __global__ void copyScales(const float *a, const float *b,
                                  float *copies) {
  copies[0] = *a;
  copies[scaleStride] = *b;
}

static bool isAligned(const float *scale) {
  return reinterpret_cast<uintptr_t>(scale) % 16 == 0;
}

void cuda::alignScales(LaunchContext &launch, GemmOperands &operands) {
  if (isAligned(operands.aScale) && isAligned(operands.bScale))
    return;
  float *copies = launch.scratch.take<float>(2 * scaleStride);
  copyScales<<<1, 1, 0, launch.stream>>>(operands.aScale, operands.bScale,
                                         copies);
  checkLaunch("scale factor kernel");
  operands.aScale = copies;
  operands.bScale = copies + scaleStride;
}
