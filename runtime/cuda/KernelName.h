// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readable names of kernels.
#ifndef TERT_CUDA_KERNELNAME_H
#define TERT_CUDA_KERNELNAME_H

#include <string>

namespace tert::cuda {

/// The name in a kernel's symbol, without namespaces, template arguments and
/// parameters: "addKernel". Returns other symbols unchanged.
std::string readableKernelName(const std::string &symbol);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELNAME_H
