// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies with the scales of their own blocks, and products of them, against the
// CPU's.

#include "KernelTest.h"

using namespace tert_test;

namespace {

enum Division { Rows, Vectors, Squares };

int64_t blocksOf(int64_t size) { return (size + 127) / 128; }
int64_t padded(int64_t size) { return (size + 15) / 16 * 16; }
int64_t fours(int64_t size) { return (size + 3) / 4 * 4; }

/// The scales of a copy [rows, cols], laid out as products read them.
Tensor scalesOf(Division division, int64_t rows, int64_t cols) {
  switch (division) {
  case Rows:
    return poisoned(TERT_F32, {rows, 1});
  case Vectors: {
    Tensor scales(TERT_F32, {rows, blocksOf(cols)},
                  std::vector<int64_t>{1, fours(rows)});
    for (int64_t i = 0; i < scales.numElements(); ++i)
      scales.setBits(i, ~uint64_t(0));
    return scales;
  }
  case Squares:
    return poisoned(TERT_F32, {blocksOf(rows), blocksOf(cols)},
                    fours(blocksOf(cols)) - blocksOf(cols));
  }
  return Tensor::scalar(0);
}

class BlockScalesTest : public KernelTest {
protected:
  /// One call for the wanted parts: 1 the rowwise copy, 2 the columnwise one, 4
  /// the amax, 8 the sum of rows.
  void quantize(const Tensor &x, int32_t format, Division division, int wanted,
                float epsilon, bool powerOfTwo) {
    const int64_t rows = padded(x.size(0)), cols = padded(x.size(1));
    runBoth({x, poisoned(format, {rows, cols}), scalesOf(division, rows, cols),
             poisoned(format, {cols, rows}), scalesOf(division, cols, rows),
             poisoned(TERT_F32, {}), poisoned(TERT_F32, {x.size(1)})},
            [&](tert_context *c, const Arguments &a) {
              tert_quantized quantized = {};
              if (wanted & 1)
                quantized.rowwise = {a[1], a[2]};
              if (wanted & 2)
                quantized.columnwise = {a[3], a[4]};
              if (wanted & 4)
                quantized.amax = a[5];
              return tert_quantize_blocks(c, nullptr, a[0], &quantized,
                                          wanted & 8 ? a[6] : nullptr, epsilon,
                                          powerOfTwo);
            });
    for (size_t i = 1; i < 6; ++i)
      expectSameBits(i);
    if (wanted & 8)
      expectClose(6, 2e-5);
  }
};

/// Values of many magnitudes, blocks of zeros among them.
Tensor matrix(int32_t dtype, const Shape &s) {
  Tensor x = random(dtype, {s.rows, s.cols}, s.gap, 7);
  for (int64_t row = 0; row < s.rows; ++row)
    for (int64_t col = 0; col < s.cols; ++col) {
      const int64_t i = row * s.cols + col;
      x.set(i, row / 128 % 3 == 1 && col / 128 % 2 == 1
                   ? 0
                   : x.at(i) * std::pow(2.0, double(row % 23 + col % 19) - 20));
    }
  return x;
}

const Shape blockShapes[] = {{16, 16, 0},   {33, 47, 0},    {128, 128, 0},
                             {64, 256, 0},  {256, 384, 0},  {200, 190, 2},
                             {300, 129, 0}, {512, 1024, 8}, {2048, 2048, 0},
                             {3, 5000, 0},  {5000, 3, 0}};

} // namespace

TEST_F(BlockScalesTest, CopiesAreBitForBit) {
  for (const Shape &s : blockShapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      const Tensor x = matrix(dtype, s);
      const bool isLarge = x.numElements() > (1 << 16);
      for (Division division : {Rows, Vectors, Squares})
        for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
          for (int wanted : {15, 3, 1, 2, 5, 10}) {
            // The CPU takes seconds for all of them.
            if (isLarge && (wanted != 15 || format != TERT_F8E4M3))
              continue;
            SCOPED_TRACE(testing::Message()
                         << s.rows << "x" << s.cols << " division " << division
                         << " format " << format << " dtype " << dtype
                         << " wanted " << wanted);
            quantize(x, format, division, wanted, 0.0f, false);
          }
    }
}

TEST_F(BlockScalesTest, EpsilonAndPowersOfTwo) {
  for (Division division : {Rows, Vectors, Squares})
    for (float epsilon : {0.0f, 0.01f})
      for (bool powerOfTwo : {false, true})
        quantize(matrix(TERT_BF16, {300, 520, 0}), TERT_F8E4M3, division, 15,
                 epsilon, powerOfTwo);
}

TEST_F(BlockScalesTest, ValuesThatAreNotFinite) {
  Tensor x = matrix(TERT_BF16, {256, 384, 0});
  x.set(5, INFINITY);
  x.set(200 * 384 + 300, NAN);
  for (Division division : {Rows, Vectors, Squares})
    quantize(x, TERT_F8E4M3, division, 7, 0.0f, true);
}

TEST_F(BlockScalesTest, Products) {
  struct Sizes {
    int64_t m, n, k;
  };
  for (const Sizes &s : {Sizes{128, 256, 384}, {272, 48, 1040}, {16, 144, 128}})
    for (Division second : {Squares, Vectors})
      for (int32_t dType : {TERT_BF16, TERT_F32})
        for (int variant = 0; variant < 8; ++variant) {
          SCOPED_TRACE(testing::Message()
                       << s.m << "x" << s.n << "x" << s.k << " second "
                       << second << " -> " << dType << " variant " << variant);
          auto codes = [](int64_t rows, int64_t cols, uint32_t seed) {
            Tensor x(TERT_F8E4M3, {rows, cols});
            std::mt19937 generator(seed);
            for (int64_t i = 0; i < x.numElements(); ++i)
              x.setBits(i, (generator() % 0x40) | (generator() & 0x80));
            return x;
          };
          auto scales = [](Division division, int64_t rows, int64_t cols) {
            Tensor x = scalesOf(division, rows, cols);
            x.fill([](int64_t i) { return std::ldexp(1.0, int(i % 5) - 2); });
            return x;
          };
          Tensor bias = random(TERT_F32, {s.n}, 0, 3);
          runBoth(
              {codes(s.m, s.k, 1), scales(Vectors, s.m, s.k),
               codes(s.n, s.k, 2), scales(second, s.n, s.k), bias,
               random(dType, {s.m, s.n}, 0, 4), poisoned(dType, {s.m, s.n})},
              [&](tert_context *c, const Arguments &a) {
                return tert_scaled_matmul(
                    c, nullptr, Scaled(a[0], a[1]), Scaled(a[2], a[3]),
                    variant & 2 ? a[4] : nullptr, variant & 4 ? a[5] : nullptr,
                    a[6],
                    variant & 1 ? TERT_ACCUMULATE_FAST : TERT_ACCUMULATE_SPLIT);
              });
          expectClose(6, 1e-2);
        }
}
