// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one function that this library exports.

#include "cuda/CudaBackend.h"
#include "cuda/Libraries.h"
#include "program/CudaLibrary.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace tert;

static void writeMessage(const char *text, char *message, size_t size) {
  if (!message || size == 0)
    return;
  size_t length = std::min(std::strlen(text), size - 1);
  std::memcpy(message, text, length);
  message[length] = '\0';
}

extern "C" tert_status
tert_cuda_create_backend(int32_t interfaceVersion, int32_t ordinal,
                         const tert_options *options, Backend **backend,
                         char *message, size_t messageSize) {
  *backend = nullptr;
  if (interfaceVersion != backendInterfaceVersion) {
    writeMessage("libtert-cuda.so and libtert.so are of different builds; "
                 "install both from one",
                 message, messageSize);
    return TERT_UNSUPPORTED;
  }
  try {
    cuda::checkLibraries();
    cuda::Device device = cuda::Device::open(ordinal);
    cuda::OnGpu thread(ordinal);
    *backend = new cuda::CudaBackend(std::move(device), *options);
    return TERT_OK;
  } catch (const Error &error) {
    writeMessage(error.what(), message, messageSize);
    return error.getStatus();
  } catch (const std::bad_alloc &) {
    writeMessage("out of memory", message, messageSize);
    return TERT_OUT_OF_MEMORY;
  } catch (const std::exception &error) {
    writeMessage(error.what(), message, messageSize);
    return TERT_DEVICE_ERROR;
  }
}
