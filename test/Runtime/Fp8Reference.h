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

/// Where an op puts the FP8 copies of a matrix and its amax, with a scale of
/// 30 and sizes padded to multiples of 16.
class Fp8Copies {
public:
  Fp8Copies(int32_t format, int64_t rows, int64_t columns)
      : reference(format), rows(rows), columns(columns),
        rowwise(format, {padded(rows), padded(columns)}),
        columnwise(format, {padded(columns), padded(rows)}) {}

  /// Expects both copies to be the codes of `matrix`, zero where it is padded,
  /// and the amax to be its.
  void expectOf(const Tensor &matrix) const {
    double largest = 0;
    for (int64_t i = 0; i < padded(rows); ++i)
      for (int64_t j = 0; j < padded(columns); ++j) {
        bool inside = i < rows && j < columns;
        double value = inside ? matrix.at(i, j) : 0;
        uint8_t code = inside ? reference.encode(float(value) * kScale) : 0;
        ASSERT_EQ(rowwise.bitsAt(i, j), code);
        ASSERT_EQ(columnwise.bitsAt(j, i), code);
        largest = std::max(largest, std::fabs(value));
      }
    EXPECT_EQ(amax.at(0), largest);
  }

private:
  static constexpr float kScale = 30;
  static int64_t padded(int64_t size) { return (size + 15) / 16 * 16; }

  Fp8Reference reference;
  int64_t rows, columns;

public:
  Tensor rowwise, columnwise;
  Tensor scale = Tensor::scalar(kScale), amax = Tensor::scalar(0);
};

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_FP8REFERENCE_H
