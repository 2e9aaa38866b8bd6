// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GPU: its properties, and the check that this runtime supports it.
#ifndef TERT_CUDA_DEVICE_H
#define TERT_CUDA_DEVICE_H

#include <cstddef>
#include <string>

namespace tert::cuda {

struct Device {
  /// Opens GPU number `ordinal`. Throws TERT_UNSUPPORTED, with what is missing
  /// and what to do, if there is no driver or no such GPU, or if the
  /// runtime has no kernels for it.
  static Device open(int ordinal);
  /// Throws TERT_UNSUPPORTED if kernels that are built for `architectures`,
  /// those of CMake ("80-real,90a-real"), do not run on it.
  void requireKernels(const std::string &architectures) const;

  int ordinal = 0;
  std::string name;
  int major = 0, minor = 0; ///< compute capability
  int multiprocessors = 0;
  int maxSharedBytes = 0; ///< per block, after opting in
  size_t l2Bytes = 0;
  size_t memoryBytes = 0;
};

/// Binds the calling thread to GPU number `ordinal` during its lifetime, and
/// then to the previous one again.
class OnGpu {
public:
  explicit OnGpu(int ordinal);
  ~OnGpu();
  OnGpu(const OnGpu &) = delete;
  OnGpu &operator=(const OnGpu &) = delete;

  /// Binds the thread to the GPU; returns the previous one.
  static int enter(int ordinal);
  static void leave(int ordinal, int previous) noexcept;

private:
  int ordinal, previous;
};

} // namespace tert::cuda

#endif // TERT_CUDA_DEVICE_H
