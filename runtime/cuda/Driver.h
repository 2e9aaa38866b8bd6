// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver, which is present with every device, but not linked.
#ifndef TERT_CUDA_DRIVER_H
#define TERT_CUDA_DRIVER_H

#include <cuda.h>
#include <cuda_runtime.h>

namespace tert::cuda {

/// The function as of CUDA `version` (12030: 12.3); null if the driver is
/// older.
template <typename Function>
Function findDriverFunction(const char *name, unsigned version) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
  cudaError_t status = cudaGetDriverEntryPointByVersion(
      name, &function, version, cudaEnableDefault, &found);
#else
  cudaError_t status =
      cudaGetDriverEntryPoint(name, &function, cudaEnableDefault, &found);
#endif
  if (status != cudaSuccess)
    (void)cudaGetLastError(); // or a later call would report it
  return status == cudaSuccess && found == cudaDriverEntryPointSuccess
             ? reinterpret_cast<Function>(function)
             : nullptr;
}

} // namespace tert::cuda

#endif // TERT_CUDA_DRIVER_H
