// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Libraries.h"

#include "program/Error.h"

#include <cublasLt.h>
#include <cudnn.h>
#include <cudnn_frontend_version.h>

#include <string>

using namespace tert;

namespace {
/// major * 10000 + minor * 100 + patch, the encoding of both libraries.
struct Version {
  size_t number;

  std::string text() const {
    return std::to_string(number / 10000) + "." +
           std::to_string(number / 100 % 100);
  }
};
} // namespace

static void require(const char *library, Version found, Version least) {
  if (found.number >= least.number)
    return;
  throw Error(
      TERT_UNSUPPORTED,
      std::string(library) + " " + found.text() +
          " is what the loader found, and this runtime needs at least " +
          least.text() +
          "; install a newer one or put it first in LD_LIBRARY_PATH");
}

void tert::cuda::checkLibraries() {
  require("cuBLASLt", {cublasLtGetVersion()}, {120800});
  // For deterministic attention gradients on Hopper.
  require("cuDNN", {cudnnGetVersion()}, {90500});
}

std::string tert::cuda::libraryVersions() {
  return "cuBLASLt " + std::to_string(cublasLtGetVersion()) + ", cuDNN " +
         std::to_string(cudnnGetVersion()) + ", cudnn-frontend " +
         std::to_string(CUDNN_FRONTEND_MAJOR_VERSION) + "." +
         std::to_string(CUDNN_FRONTEND_MINOR_VERSION) + "." +
         std::to_string(CUDNN_FRONTEND_PATCH_VERSION);
}
