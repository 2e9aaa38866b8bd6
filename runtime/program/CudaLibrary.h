// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA backend is a separate library, loaded when a GPU is requested, so
// that everything else runs without CUDA.
#ifndef TERT_PROGRAM_CUDALIBRARY_H
#define TERT_PROGRAM_CUDALIBRARY_H

#include "program/Backend.h"

namespace tert {

/// Type of the function that libtert-cuda exports as TERT_CUDA_FACTORY_SYMBOL.
/// It opens GPU number `ordinal`, or writes the reason of failure to `message`.
using CudaFactory = tert_status (*)(int32_t interfaceVersion, int32_t ordinal,
                                    const tert_options *options,
                                    Backend **backend, char *message,
                                    size_t messageSize);
#define TERT_CUDA_FACTORY_SYMBOL "tert_cuda_create_backend"

/// Loads libtert-cuda.so from this library's directory or from the loader's
/// path, and opens a GPU. Throws if either fails.
std::unique_ptr<Backend> createCudaBackend(int ordinal,
                                           const tert_options &options);

} // namespace tert

#endif // TERT_PROGRAM_CUDALIBRARY_H
