// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA backend is a library of its own, loaded when a GPU is asked for, so
// that everything else runs where there is no CUDA.
#ifndef TERT_PROGRAM_CUDALIBRARY_H
#define TERT_PROGRAM_CUDALIBRARY_H

#include "program/Backend.h"

namespace tert {

/// What libtert-cuda exports under TERT_CUDA_FACTORY_SYMBOL: opens GPU number
/// `ordinal`, or writes to `message` why it cannot.
using CudaFactory = tert_status (*)(int32_t interfaceVersion, int32_t ordinal,
                                    const tert_options *options,
                                    Backend **backend, char *message,
                                    size_t messageSize);
#define TERT_CUDA_FACTORY_SYMBOL "tert_cuda_create_backend"

/// Loads libtert-cuda.so, the one beside this library or else one on the
/// loader's path, and opens a GPU. Throws when either fails.
std::unique_ptr<Backend> createCudaBackend(int ordinal,
                                           const tert_options &options);

} // namespace tert

#endif // TERT_PROGRAM_CUDALIBRARY_H
