// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The only function that this library exports.

#include "cuda/CudaBackend.h"
#include "cuda/Libraries.h"
#include "program/CudaLibrary.h"
#include "program/Library.h"

#include <utility>

using namespace tert;

extern "C" tert_status
tert_cuda_create_backend(int32_t interfaceVersion, int32_t ordinal,
                         const tert_options *options, Backend **backend,
                         char *message, size_t messageSize) {
  *backend = nullptr;
  return callFactory(interfaceVersion, "tert-cuda", message, messageSize, [&] {
    cuda::checkLibraries();
    cuda::Device device = cuda::Device::open(ordinal);
    cuda::OnGpu thread(ordinal);
    *backend = new cuda::CudaBackend(std::move(device), *options);
  });
}
