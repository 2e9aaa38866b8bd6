// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that are part of a program, as PTX. The driver assembles an image for
// the present GPU when its first kernel is launched, and caches the result on
// disk.
#ifndef TERT_CUDA_GENERATEDKERNELS_H
#define TERT_CUDA_GENERATEDKERNELS_H

#include "cuda/Launch.h"

#include <map>
#include <string>

namespace tert::cuda {

/// The images of one context.
class GeneratedKernels {
public:
  GeneratedKernels() = default;
  ~GeneratedKernels();
  GeneratedKernels(const GeneratedKernels &) = delete;
  GeneratedKernels &operator=(const GeneratedKernels &) = delete;

  void launch(LaunchContext &launch, const tert_kernel &kernel,
              int32_t numOperands, void *const *operands);

  /// While set, loading an image is an error, as it would fail during a
  /// capture.
  void setCapturing(bool value) { capturing = value; }

private:
  struct Image {
    cudaLibrary_t library = nullptr;
    std::map<std::string, cudaKernel_t, std::less<>> functions;
  };

  cudaKernel_t find(const tert_kernel &kernel);

  std::map<uint64_t, Image> images;
  bool capturing = false;
};

} // namespace tert::cuda

#endif // TERT_CUDA_GENERATEDKERNELS_H
