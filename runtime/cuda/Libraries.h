// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The versions of the libraries that the loader found.
#ifndef TERT_CUDA_LIBRARIES_H
#define TERT_CUDA_LIBRARIES_H

#include <string>

namespace tert::cuda {

/// Throws TERT_UNSUPPORTED, naming what is there and what is needed, when
/// cuBLASLt or cuDNN is older than what this runtime relies on.
void checkLibraries();

/// "cuBLASLt 130100, cuDNN 91901, cudnn-frontend 1.32.0": what the choice and
/// the speed of an op may depend on.
std::string libraryVersions();

} // namespace tert::cuda

#endif // TERT_CUDA_LIBRARIES_H
