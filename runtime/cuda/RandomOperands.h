// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random values for timing. Zeros would be too fast: the hardware clocks higher
// on them.
#ifndef TERT_CUDA_RANDOMOPERANDS_H
#define TERT_CUDA_RANDOMOPERANDS_H

#include "tert/types.h"

#include <cstdint>

#include <cuda_runtime.h>

namespace tert::cuda {

/// Fills `count` elements of a float or FP8 dtype with finite values, roughly
/// normally distributed, different for every seed.
void fillRandom(cudaStream_t stream, tert_dtype dtype, void *data,
                int64_t count, uint32_t seed);

} // namespace tert::cuda

#endif // TERT_CUDA_RANDOMOPERANDS_H
