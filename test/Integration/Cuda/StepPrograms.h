// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where programs are that were compiled beforehand, in a build and in a bundle
// for GPUs (scripts/gpu-bundle).
#ifndef TE_TEST_INTEGRATION_CUDA_STEPPROGRAMS_H
#define TE_TEST_INTEGRATION_CUDA_STEPPROGRAMS_H

#include <filesystem>
#include <string>

namespace test {

/// NAME.TARGET.so of the folder that is the tests' argument, or else of "steps"
/// beside them.
std::filesystem::path programPath(const std::string &name,
                                  const std::string &target);

/// te-run, where builds and bundles have it.
std::string teRunPath();

} // namespace test

#endif // TE_TEST_INTEGRATION_CUDA_STEPPROGRAMS_H
