// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts statuses of CUDA and its libraries to tert::Error.
#ifndef TERT_CUDA_ERROR_H
#define TERT_CUDA_ERROR_H

#include "program/Error.h"

#include <cublasLt.h>
#include <cuda_runtime.h>

namespace tert::cuda {

/// Throws unless `status` is success: TERT_OUT_OF_MEMORY or TERT_DEVICE_ERROR,
/// with `what` and CUDA's name and text of the status.
void check(cudaError_t status, const char *what);
void check(cublasStatus_t status, const char *what);

} // namespace tert::cuda

#endif // TERT_CUDA_ERROR_H
