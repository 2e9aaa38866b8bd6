// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ceilings.h"

using namespace tert;
using namespace tert::cuda;

namespace {
struct Measured {
  const char *name; ///< prefix of the device's name
  Ceilings ceilings;
};
} // namespace

/// Measured with large matrix products and copies of random data; data sheets
/// promise more. An H100 is an H200's chip with slower memory.
static constexpr Measured measured[] = {
    {"NVIDIA H200", {1.49e15, 8.15e14, 5.1e13, 4.30e12}},
    {"NVIDIA H100 80GB HBM3", {1.49e15, 8.15e14, 5.1e13, 3.0e12}},
};

Ceilings cuda::ceilingsOf(const Device &device) {
  for (const Measured &gpu : measured)
    if (device.name.rfind(gpu.name, 0) == 0)
      return gpu.ceilings;
  return {};
}
