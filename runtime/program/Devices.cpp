// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices by name.

#include "cpu/CpuBackend.h"
#include "program/CudaLibrary.h"
#include "program/Error.h"

#include <charconv>

using namespace tert;

/// N of "cuda:N"; 0 for "cuda"; -1 for anything else.
static int cudaOrdinal(std::string_view device) {
  if (device == "cuda")
    return 0;
  constexpr std::string_view prefix = "cuda:";
  if (device.substr(0, prefix.size()) != prefix)
    return -1;
  device.remove_prefix(prefix.size());
  int ordinal = -1;
  auto [end, error] =
      std::from_chars(device.data(), device.data() + device.size(), ordinal);
  return error == std::errc() && end == device.data() + device.size() ? ordinal
                                                                      : -1;
}

std::unique_ptr<Backend> tert::createBackend(std::string_view device,
                                             const tert_options &options) {
  if (device == "cpu")
    return std::make_unique<cpu::CpuBackend>(options);
  if (int ordinal = cudaOrdinal(device); ordinal >= 0)
    return createCudaBackend(ordinal, options);
  throw Error(TERT_UNSUPPORTED,
              "there is no device '" + std::string(device) +
                  "' in this build of the runtime; it has: cpu, and cuda:N "
                  "where there is a GPU");
}
