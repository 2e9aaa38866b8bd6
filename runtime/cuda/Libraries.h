// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Versions of the loaded libraries.
#ifndef TERT_CUDA_LIBRARIES_H
#define TERT_CUDA_LIBRARIES_H

#include <string>

namespace tert::cuda {

/// Throws TERT_UNSUPPORTED, naming the present and the required version, if
/// cuBLASLt or cuDNN is too old for this runtime.
void checkLibraries();

/// "cuBLASLt 130100, cuDNN 91901, cudnn-frontend 1.32.0": versions that the
/// choice and the speed of an op may depend on.
std::string libraryVersions();

} // namespace tert::cuda

#endif // TERT_CUDA_LIBRARIES_H
