// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of results with float64 references.
#ifndef TERT_TEST_RUNTIME_COMPARE_H
#define TERT_TEST_RUNTIME_COMPARE_H

#include "Fp8Reference.h"

namespace tert_test {

/// For the names of test cases.
inline const char *dtypeName(int32_t dtype) {
  static const char *const names[] = {"f32", "bf16", "f8E4M3", "f8E5M2",
                                      "i64", "i32",  "u8"};
  return names[dtype];
}

inline std::vector<double> valuesOf(const Tensor &tensor) {
  std::vector<double> values(tensor.numElements());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = tensor.at(i);
  return values;
}

/// Every element is within `tolerance` * (1 + |expected|) of its reference,
/// and within half a unit in bf16's last place more when it is stored so.
inline void expectClose(const Tensor &actual,
                        const std::vector<double> &expected, double tolerance,
                        const std::string &what) {
  ASSERT_EQ(actual.numElements(), int64_t(expected.size())) << what;
  double rounding = actual.layout.dtype == TERT_BF16 ? 0x1p-8 : 0.0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double bound = tolerance * (1.0 + std::fabs(expected[i])) +
                   rounding * std::fabs(expected[i]);
    ASSERT_NEAR(actual.at(i), expected[i], bound) << what << " at " << i;
  }
  actual.checkGaps();
}

/// The quantized outputs of one op, with padding on every side.
struct QuantizedOutputs {
  QuantizedOutputs(int32_t format, int64_t rows, int64_t cols)
      : rows(rows), cols(cols), rowwise(format, {rows + 3, cols + 5}, 2),
        columnwise(format, {cols + 2, rows + 9}, 1) {}

  /// Each code is that of the expected value times scale, or of a value within
  /// `tolerance` of it: a neighbour where the result lies close to a tie.
  void expect(const std::vector<double> &expected, float scale,
              double tolerance, const std::string &what) const {
    Fp8Reference reference(rowwise.layout.dtype);
    double largest = 0;
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < cols; ++j) {
        double value = expected[i * cols + j];
        double slack = tolerance * (1.0 + std::fabs(value));
        int32_t format = rowwise.layout.dtype;
        double low =
            fp8Value(format, reference.encode((value - slack) * scale));
        double high =
            fp8Value(format, reference.encode((value + slack) * scale));
        double actual = rowwise.at(i * (cols + 5) + j);
        ASSERT_TRUE(low <= actual && actual <= high)
            << what << " at " << i << "," << j << ": " << actual << " for "
            << value << " times " << scale;
        largest = std::max(largest, std::fabs(value));
      }
    if (rows * cols > 0)
      EXPECT_NEAR(amax.at(0), largest, tolerance * (1.0 + largest)) << what;
    for (int64_t i = 0; i < rows + 3; ++i)
      for (int64_t j = 0; j < cols + 5; ++j)
        if (i >= rows || j >= cols)
          ASSERT_EQ(rowwise.bitsAt(i, j), 0u) << what;
    for (int64_t j = 0; j < cols + 2; ++j)
      for (int64_t i = 0; i < rows + 9; ++i)
        ASSERT_EQ(columnwise.bitsAt(j, i),
                  i < rows && j < cols ? rowwise.bitsAt(i, j) : 0)
            << what << " transposed at " << j << "," << i;
    rowwise.checkGaps();
    columnwise.checkGaps();
  }

  int64_t rows, cols;
  Tensor rowwise, columnwise;
  Tensor amax = Tensor::scalar(-1);
};

/// d loss / d x by central differences; `loss` is a function of x.
template <typename Loss>
std::vector<double> finiteDifferences(std::vector<double> x, const Loss &loss) {
  constexpr double step = 1e-5;
  std::vector<double> gradient(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    double center = x[i];
    x[i] = center + step;
    double above = loss(x);
    x[i] = center - step;
    double below = loss(x);
    x[i] = center;
    gradient[i] = (above - below) / (2 * step);
  }
  return gradient;
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_COMPARE_H
