// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Error.h"

using namespace tert;

void cuda::check(cudaError_t status, const char *what) {
  if (status == cudaSuccess)
    return;
  // Clears the error unless it is sticky.
  cudaGetLastError();
  throw Error(status == cudaErrorMemoryAllocation ? TERT_OUT_OF_MEMORY
                                                  : TERT_DEVICE_ERROR,
              std::string(what) + ": " + cudaGetErrorString(status) + " (" +
                  cudaGetErrorName(status) + ")");
}

void cuda::check(cublasStatus_t status, const char *what) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  throw Error(status == CUBLAS_STATUS_ALLOC_FAILED ? TERT_OUT_OF_MEMORY
                                                   : TERT_DEVICE_ERROR,
              std::string(what) + ": " + cublasLtGetStatusString(status) +
                  " (" + cublasLtGetStatusName(status) + ")");
}
