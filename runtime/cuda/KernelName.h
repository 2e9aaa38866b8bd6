// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of kernels for people.
#ifndef TERT_CUDA_KERNELNAME_H
#define TERT_CUDA_KERNELNAME_H

#include <string>

namespace tert::cuda {

/// The name that a kernel's symbol stands for, without namespaces, template
/// arguments and parameters: "addKernel". What is no C++ symbol stays as it is.
std::string readableKernelName(const std::string &symbol);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELNAME_H
