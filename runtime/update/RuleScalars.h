// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalars of an optimizer's step, as its rule reads them.
#ifndef TERT_UPDATE_RULESCALARS_H
#define TERT_UPDATE_RULESCALARS_H

#include <cstdint>

#ifdef __CUDACC__
#define TERT_HOST_DEVICE __host__ __device__
#else
#define TERT_HOST_DEVICE
#endif

namespace tert {

/// Addresses in the memory of whoever reads them.
struct RuleScalars {
  static constexpr int capacity = 8;
  const float *values[capacity];
  const int64_t *stepNumber;

  TERT_HOST_DEVICE double operator[](int i) const { return *values[i]; }
  /// Counts from 1.
  TERT_HOST_DEVICE double step() const { return double(*stepNumber); }
};

} // namespace tert

#endif // TERT_UPDATE_RULESCALARS_H
