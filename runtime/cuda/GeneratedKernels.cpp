// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/GeneratedKernels.h"

#include "program/Targets.h"

#include <string_view>
#include <vector>

using namespace tert;
using namespace tert::cuda;

GeneratedKernels::~GeneratedKernels() {
  for (auto &entry : images)
    if (entry.second.library)
      cudaLibraryUnload(entry.second.library);
}

cudaKernel_t GeneratedKernels::find(const tert_kernel &kernel) {
  Image &image = images[kernel.image_id];
  auto known = image.functions.find(std::string_view(kernel.name));
  if (known != image.functions.end())
    return known->second;
  if (capturing)
    throw Error(TERT_INVALID_ARGUMENT,
                std::string("kernel '") + kernel.name +
                    "' is not loaded yet, and cannot be while a graph is "
                    "recorded: run the entry once before");
  if (!image.library)
    check(cudaLibraryLoadData(&image.library, kernel.image, nullptr, nullptr, 0,
                              nullptr, nullptr, 0),
          "assembling the program's kernels");
  cudaKernel_t function = nullptr;
  check(cudaLibraryGetKernel(&function, image.library, kernel.name),
        "looking for a kernel of the program");
  image.functions.emplace(kernel.name, function);
  return function;
}

void GeneratedKernels::launch(LaunchContext &launch, const tert_kernel &kernel,
                              int32_t numOperands, void *const *operands) {
  if (!kernel.image)
    throw Error(TERT_UNSUPPORTED,
                std::string("kernel '") + kernel.name +
                    "' was generated for a CPU; compile the model with "
                    "--target=" +
                    std::string(findTargetOf("cuda")->name));
  cudaKernel_t function = find(kernel);
  // A kernel's parameters are passed by address.
  std::vector<void *> parameters;
  for (int32_t i = 0; i < numOperands; ++i)
    parameters.push_back(const_cast<void **>(&operands[i]));
  check(cudaLaunchKernel(reinterpret_cast<const void *>(function),
                         dim3(uint32_t(kernel.blocks)),
                         dim3(uint32_t(kernel.threads)), parameters.data(), 0,
                         launch.stream),
        kernel.name);
}
