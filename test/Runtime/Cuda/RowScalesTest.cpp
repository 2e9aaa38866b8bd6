// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales and amaxes of rows, against the CPU's, which are tested against
// float64 formulas.

#include "KernelTest.h"

using namespace tert_test;

namespace {

class RowScalesTest : public KernelTest {};

/// `shapes` and some that fit the kernels' tiles, so that no bound is checked.
std::vector<Shape> rowShapes() {
  std::vector<Shape> all(std::begin(shapes), std::end(shapes));
  all.insert(all.end(), {{128, 128, 0},
                         {64, 256, 0},
                         {256, 384, 0},
                         {1024, 128, 8},
                         {2048, 2048, 0}});
  return all;
}

/// Values of many magnitudes, and among them zeros, infinities and NaN.
Tensor matrix(int32_t dtype, const Shape &s, bool isFinite) {
  Tensor x = random(dtype, {s.rows, s.cols}, s.gap, 7);
  for (int64_t row = 0; row < s.rows; ++row)
    for (int64_t col = 0; col < s.cols; ++col) {
      const int64_t i = row * s.cols + col;
      x.set(i, row % 5 == 4 || col % 7 == 6
                   ? 0
                   : x.at(i) * std::pow(2.0, double(row % 23 + col % 19) - 20));
    }
  if (!isFinite && x.numElements() > 0) {
    x.set(x.numElements() / 2, -INFINITY);
    x.set(0, NAN);
  }
  return x;
}

int64_t padded(int64_t size) { return (size + 15) / 16 * 16; }

} // namespace

TEST_F(RowScalesTest, AmaxesAreBitForBit) {
  for (const Shape &s : rowShapes())
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (bool isFinite : {true, false})
        for (bool transposed : {false, true})
          for (bool isPadded : {false, true}) {
            const int64_t rows = transposed ? s.cols : s.rows;
            // No blocks of nothing.
            if (rows == 0)
              continue;
            SCOPED_TRACE(testing::Message()
                         << s.rows << "x" << s.cols << " dtype " << dtype
                         << " transposed " << transposed << isPadded);
            runBoth({matrix(dtype, s, isFinite),
                     poisoned(TERT_F32, {isPadded ? padded(rows) : rows, 1})},
                    [&](tert_context *c, const Arguments &a) {
                      return tert_amax(c, nullptr, a[0], a[1], transposed);
                    });
            expectSameBits(1);
          }
}

TEST_F(RowScalesTest, ScalesOfManyAmaxesAreBitForBit) {
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
    Tensor amaxes = random(TERT_F32, {3000, 1}, 0, 3);
    for (int64_t i = 0; i < amaxes.numElements(); ++i)
      amaxes.set(i, std::abs(amaxes.at(i)));
    for (auto [i, amax] : {std::pair(5, 0.0f), std::pair(6, INFINITY),
                           std::pair(2999, NAN), std::pair(1000, 1e-44f)})
      amaxes.set(i, amax);
    runBoth(
        {amaxes, poisoned(TERT_F32, {3000, 1}), poisoned(TERT_F32, {3000, 1})},
        [&](tert_context *c, const Arguments &a) {
          return tert_compute_scale(c, nullptr, a[0], a[1], a[2], format, 1,
                                    /*epsilon=*/0.01f, /*power_of_two=*/1);
        });
    expectSameBits(1);
    expectSameBits(2);
  }
}

TEST_F(RowScalesTest, CopiesAreBitForBit) {
  for (const Shape &s : rowShapes())
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
      for (int32_t dtype : {TERT_F32, TERT_BF16})
        for (bool transposed : {false, true})
          for (bool isPadded : {false, true}) {
            int64_t rows = transposed ? s.cols : s.rows;
            int64_t cols = transposed ? s.rows : s.cols;
            if (isPadded) {
              rows = padded(rows);
              cols = padded(cols);
            }
            if (rows == 0)
              continue;
            SCOPED_TRACE(testing::Message()
                         << s.rows << "x" << s.cols << " format " << format
                         << " dtype " << dtype << " transposed " << transposed
                         << isPadded);
            Tensor scales(TERT_F32, {rows, 1});
            for (int64_t i = 0; i < rows; ++i)
              scales.set(
                  i, std::ldexp(1.0 + double(i % 100) / 100, int(i % 17) - 5));
            // dbias and the amax are those of the whole matrix.
            for (bool wantsSums : {false, true}) {
              runBoth({matrix(dtype, s, wantsSums), scales,
                       poisoned(format, {rows, cols}, s.gap),
                       poisoned(TERT_F32, {}), poisoned(TERT_F32, {s.cols})},
                      [&](tert_context *c, const Arguments &a) {
                        return tert_quantize(
                            c, nullptr, a[0],
                            Quantized(a[1], transposed ? nullptr : a[2],
                                      transposed ? a[2] : nullptr,
                                      wantsSums ? a[3] : nullptr),
                            wantsSums ? a[4] : nullptr);
                      });
              expectSameBits(2);
              expectSameBits(3);
              if (wantsSums)
                expectClose(4, 2e-5);
            }
          }
}

TEST_F(RowScalesTest, DequantizedValuesAreBitForBit) {
  for (const Shape &s : rowShapes())
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        if (s.rows == 0)
          continue;
        SCOPED_TRACE(testing::Message() << s.rows << "x" << s.cols << " format "
                                        << format << " dtype " << dtype);
        Tensor codes(format, {s.rows, s.cols}, s.gap);
        for (int64_t i = 0; i < codes.numElements(); ++i)
          codes.setBits(i, format == TERT_F8E4M3 ? i % 127 : i % 124);
        Tensor scales = random(TERT_F32, {s.rows, 1}, 0, 5);
        runBoth({codes, scales, poisoned(dtype, {s.rows, s.cols}, s.gap)},
                [&](tert_context *c, const Arguments &a) {
                  return tert_dequantize(c, nullptr, Scaled(a[0], a[1]), a[2]);
                });
        expectSameBits(2);
      }
}

TEST_F(RowScalesTest, OtherBlocksAreRefused) {
  Tensor x(TERT_BF16, {64, 64}), amaxes(TERT_F32, {64, 2});
  OnGpu dx(gpu, x), dAmaxes(gpu, amaxes);
  EXPECT_EQ(tert_amax(gpu, nullptr, dx, dAmaxes, /*transposed=*/0),
            TERT_UNSUPPORTED);
  EXPECT_NE(gpuError().find("one for each row, [rows, 1]"), std::string::npos)
      << gpuError();
}
