// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of many tensors in one launch, and transpositions.
#ifndef TERT_CUDA_KERNELS_MULTICOPY_H
#define TERT_CUDA_KERNELS_MULTICOPY_H

#include "cuda/Launch.h"
#include "cuda/kernels/Loops.h"

namespace tert::cuda {

/// Copies x to y, of the same type, if one is a transpose of the other and
/// lines of both can be accessed 16 bytes at a time. Returns false otherwise.
bool copyTransposed(LaunchContext &launch, const Matrix &x, const Matrix &y);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_MULTICOPY_H
