// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies of many tensors in one launch, and transpositions.
#ifndef TERT_CUDA_KERNELS_MULTICOPY_H
#define TERT_CUDA_KERNELS_MULTICOPY_H

#include "cuda/Launch.h"
#include "cuda/kernels/Loops.h"

namespace tert::cuda {

/// tert_multi_copy: in one launch what is rows or transposes, in as many as
/// tert_copy takes what is not.
void multiCopy(LaunchContext &launch, const tert_site &site, int32_t n,
               const tert_tensor *x, const tert_tensor *y);

/// Copies x to y, of one type, where one is a transpose of the other whose
/// lines can be read and written 16 bytes at a time. Returns whether they can.
bool copyTransposed(LaunchContext &launch, const Matrix &x, const Matrix &y);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_MULTICOPY_H
