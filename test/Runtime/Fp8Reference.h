// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8 rounding by its definition: the nearest of the format's values.
#ifndef TERT_TEST_RUNTIME_FP8REFERENCE_H
#define TERT_TEST_RUNTIME_FP8REFERENCE_H

#include "TestTensor.h"

#include <algorithm>

namespace tert_test {

/// Rounds by looking the neighbours up among the values of all codes.
class Fp8Reference {
public:
  explicit Fp8Reference(int32_t dtype) {
    for (int code = 0; code < 0x80; ++code) {
      double value = fp8Value(dtype, code);
      if (std::isfinite(value))
        values.push_back(value); // ascending, as codes are
    }
  }

  double max() const { return values.back(); }

  /// Nearest, ties to the even code, saturating; NaN is 0x7f.
  uint8_t encode(double value) const {
    if (std::isnan(value))
      return 0x7f;
    uint8_t sign = std::signbit(value) ? 0x80 : 0;
    double magnitude = std::fabs(value);
    if (magnitude >= max())
      return uint8_t(sign | (values.size() - 1));
    size_t above = std::upper_bound(values.begin(), values.end(), magnitude) -
                   values.begin();
    size_t below = above - 1;
    double toBelow = magnitude - values[below];
    double toAbove = values[above] - magnitude;
    size_t code = toBelow < toAbove   ? below
                  : toAbove < toBelow ? above
                  : below % 2 == 0    ? below
                                      : above;
    return uint8_t(sign | code);
  }

private:
  std::vector<double> values;
};

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_FP8REFERENCE_H
