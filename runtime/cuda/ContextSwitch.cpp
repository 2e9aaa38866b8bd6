// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/ContextSwitch.h"

#include "cuda/Driver.h"

#include <cstddef>
#include <cstdint>

using namespace tert;

void cuda::switchContexts() noexcept {
  const auto getDevice =
      findDriverFunction<CUresult (*)(CUdevice *)>("cuCtxGetDevice", 11000);
  // From 11.4 on, creating a context takes more parameters.
  const auto create =
      findDriverFunction<CUresult (*)(CUcontext *, unsigned, CUdevice)>(
          "cuCtxCreate", 11000);
  const auto destroy =
      findDriverFunction<CUresult (*)(CUcontext)>("cuCtxDestroy", 11000);
  const auto allocate = findDriverFunction<CUresult (*)(CUdeviceptr *, size_t)>(
      "cuMemAlloc", 11000);
  const auto fill =
      findDriverFunction<CUresult (*)(CUdeviceptr, unsigned, size_t)>(
          "cuMemsetD32", 11000);
  const auto synchronize =
      findDriverFunction<CUresult (*)()>("cuCtxSynchronize", 11000);
  CUdevice device = 0;
  CUcontext other = nullptr;
  if (!getDevice || !create || !destroy || !allocate || !fill || !synchronize ||
      getDevice(&device) != CUDA_SUCCESS ||
      create(&other, 0, device) != CUDA_SUCCESS)
    return;
  constexpr size_t words = size_t(1) << 18; // large enough that a kernel fills
                                            // it
  CUdeviceptr memory = 0;
  if (allocate(&memory, words * sizeof(uint32_t)) == CUDA_SUCCESS &&
      fill(memory, 0, words) == CUDA_SUCCESS)
    synchronize();
  destroy(other); // frees its memory; the previous context becomes current
}
