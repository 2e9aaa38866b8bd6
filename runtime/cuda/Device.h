// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One GPU: whether this runtime runs on it, and its figures.
#ifndef TERT_CUDA_DEVICE_H
#define TERT_CUDA_DEVICE_H

#include <cstddef>
#include <string>

namespace tert::cuda {

struct Device {
  /// Looks at GPU number `ordinal`. Throws TERT_UNSUPPORTED, saying what is
  /// missing and what to do, without a driver, without that GPU, or when it is
  /// older than Hopper.
  static Device open(int ordinal);
  /// Throws TERT_UNSUPPORTED if the kernels of this runtime do not run on it.
  void requireHopper() const;

  int ordinal = 0;
  std::string name;
  int major = 0, minor = 0; ///< compute capability
  int multiprocessors = 0;
  int maxSharedBytes = 0; ///< of one block, after opting in
  size_t l2Bytes = 0;
  size_t memoryBytes = 0;
};

/// The calling thread is on GPU number `ordinal` as long as this lives, and
/// then on the one that it was on before.
class OnGpu {
public:
  explicit OnGpu(int ordinal);
  ~OnGpu();
  OnGpu(const OnGpu &) = delete;
  OnGpu &operator=(const OnGpu &) = delete;

  /// Puts the thread on the GPU; returns the one it was on.
  static int enter(int ordinal);
  static void leave(int ordinal, int previous) noexcept;

private:
  int ordinal, previous;
};

} // namespace tert::cuda

#endif // TERT_CUDA_DEVICE_H
