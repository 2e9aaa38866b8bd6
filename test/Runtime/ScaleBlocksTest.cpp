// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales of rows and blocks: amaxes, scales, copies, their values and their
// products, against formulas in float64.

#include "Fp8Reference.h"

using namespace tert_test;

namespace {

/// Scales [r, c] of a matrix, and the elements that share one.
struct Blocks {
  int64_t scaleRows, scaleCols, blockRows, blockCols;
};

int64_t padded(int64_t size) { return (size + 15) / 16 * 16; }

/// Of xᵀ if transposed, so that both copies have the same tests.
double element(const Tensor &x, bool transposed, int64_t row, int64_t col) {
  if (transposed)
    std::swap(row, col);
  return row < x.size(0) && col < x.size(1) ? x.at(row, col) : 0.0;
}

/// A matrix whose rows and columns differ by orders of magnitude, with a row of
/// zeros.
Tensor makeMatrix(int32_t dtype, int64_t rows, int64_t cols) {
  Tensor x(dtype, {rows, cols}, 3);
  x.randomize(11);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      x.set(i * cols + j,
            i == 1 ? 0.0
                   : x.at(i, j) * std::ldexp(1.0, int(i % 9) - int(j % 5)));
  return x;
}

/// A copy of x, quantized with the scales of its own amaxes, all of it checked.
struct BlockCopy {
  BlockCopy(Context &context, const Tensor &x, bool transposed,
            const Blocks &blocks, int32_t format)
      : copy(format,
             transposed
                 ? std::vector<int64_t>{padded(x.size(1)), padded(x.size(0))}
                 : std::vector<int64_t>{padded(x.size(0)), padded(x.size(1))}),
        scaleInv(TERT_F32, {blocks.scaleRows, blocks.scaleCols}) {
    Tensor amax(TERT_F32, {blocks.scaleRows, blocks.scaleCols}),
        scale(TERT_F32, {blocks.scaleRows, blocks.scaleCols});
    EXPECT_OK(context, tert_amax(context, nullptr, x, amax, transposed));
    for (int64_t r = 0; r < blocks.scaleRows; ++r)
      for (int64_t c = 0; c < blocks.scaleCols; ++c) {
        double largest = 0;
        for (int64_t i = r * blocks.blockRows; i < (r + 1) * blocks.blockRows;
             ++i)
          for (int64_t j = c * blocks.blockCols; j < (c + 1) * blocks.blockCols;
               ++j)
            largest =
                std::max(largest, std::fabs(element(x, transposed, i, j)));
        EXPECT_EQ(amax.at(r, c), largest) << r << ", " << c;
      }
    EXPECT_OK(context, tert_compute_scale(context, nullptr, amax, scale,
                                          scaleInv, format, 0, 0, 0));
    Fp8Reference reference(format);
    for (int64_t i = 0; i < amax.numElements(); ++i) {
      float expected =
          amax.at(i) == 0 ? 1.0f : float(reference.max()) / float(amax.at(i));
      EXPECT_EQ(scale.at(i), expected);
      EXPECT_EQ(scaleInv.at(i), 1.0f / expected);
    }
    const tert_tensor *rowwise = nullptr, *columnwise = nullptr;
    (transposed ? columnwise : rowwise) = copy;
    EXPECT_OK(context,
              tert_quantize(context, nullptr, x,
                            Quantized(scale, rowwise, columnwise, nullptr),
                            nullptr));
    for (int64_t i = 0; i < copy.size(0); ++i)
      for (int64_t j = 0; j < copy.size(1); ++j) {
        // The product is one of float32.
        float scaled =
            float(element(x, transposed, i, j)) *
            float(scale.at(i / blocks.blockRows, j / blocks.blockCols));
        EXPECT_EQ(copy.bitsAt(i, j), reference.encode(scaled))
            << i << ", " << j;
      }
  }

  Tensor copy, scaleInv;
};

TEST(ScaleBlocks, CopiesAndTheirValues) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
      for (bool transposed : {false, true}) {
        Tensor x = transposed ? makeMatrix(dtype, 290, 77)
                              : makeMatrix(dtype, 77, 290);
        // The copy is [80, 304]: by row, 1 x 128, 128 x 128 and others.
        for (const Blocks &blocks :
             {Blocks{80, 1, 1, 304}, Blocks{80, 3, 1, 128},
              Blocks{1, 3, 80, 128}, Blocks{5, 10, 16, 32},
              Blocks{1, 304, 80, 1}}) {
          BlockCopy made(context, x, transposed, blocks, format);
          Tensor y(TERT_F32, {80, 304});
          EXPECT_OK(context,
                    tert_dequantize(context, nullptr,
                                    Scaled(made.copy, made.scaleInv), y));
          for (int64_t i = 0; i < 80; ++i)
            for (int64_t j = 0; j < 304; ++j)
              ASSERT_EQ(y.at(i, j),
                        float(fp8Value(format, int(made.copy.bitsAt(i, j)))) *
                            float(made.scaleInv.at(i / blocks.blockRows,
                                                   j / blocks.blockCols)));
        }
      }
}

/// Wide and high results, which are computed in different orientations.
TEST(ScaleBlocks, ProductsOfRows) {
  Context context;
  for (auto [m, n] : {std::pair<int64_t, int64_t>{48, 272}, {272, 48}}) {
    Tensor x = makeMatrix(TERT_F32, m, 300), w = makeMatrix(TERT_F32, n, 300);
    BlockCopy a(context, x, false, {m, 1, 1, 304}, TERT_F8E5M2);
    BlockCopy b(context, w, false, {n, 1, 1, 304}, TERT_F8E4M3);
    Tensor d(TERT_F32, {m, n}), bias(TERT_F32, {n});
    bias.randomize(5);
    EXPECT_OK(context,
              tert_scaled_matmul(context, nullptr, Scaled(a.copy, a.scaleInv),
                                 Scaled(b.copy, b.scaleInv), bias, nullptr, d,
                                 TERT_ACCUMULATE_SPLIT));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        double sum = 0, magnitude = 0;
        for (int64_t k = 0; k < 304; ++k) {
          double product = fp8Value(TERT_F8E5M2, int(a.copy.bitsAt(i, k))) *
                           fp8Value(TERT_F8E4M3, int(b.copy.bitsAt(j, k)));
          sum += product;
          magnitude += std::fabs(product);
        }
        double scale = a.scaleInv.at(i, 0) * b.scaleInv.at(j, 0);
        double expected = sum * scale + bias.at(j);
        double bound = 304 * 0x1p-24 * magnitude * scale +
                       0x1p-22 * (std::fabs(expected) + std::fabs(bias.at(j)));
        ASSERT_NEAR(d.at(i, j), expected, bound) << i << ", " << j;
      }
  }
}

/// The values of a copy with the scales of blocks, row by row.
std::vector<double> valuesOf(const Tensor &copy, const Tensor &scaleInv,
                             int32_t format, int64_t blockRows,
                             int64_t blockCols) {
  std::vector<double> values;
  for (int64_t i = 0; i < copy.size(0); ++i)
    for (int64_t j = 0; j < copy.size(1); ++j)
      values.push_back(fp8Value(format, int(copy.bitsAt(i, j))) *
                       scaleInv.at(i / blockRows, j / blockCols));
  return values;
}

/// Scales that change along the summed dimension: each piece of it that has one
/// of either factor is summed, scaled and added. Wide, high, and with few rows.
TEST(ScaleBlocks, ProductsOfBlocks) {
  Context context;
  const int64_t depth = 720; // five blocks of 128, and one of 80
  for (auto [m, n] :
       {std::pair<int64_t, int64_t>{144, 272}, {272, 144}, {16, 80}, {5, 272}})
    for (bool rowsOfBoth : {false, true}) {
      Tensor x = makeMatrix(TERT_BF16, m, depth),
             w = makeMatrix(TERT_F32, n, depth);
      // The copy's rows are padded.
      const int64_t rows = padded(m);
      const int64_t groups = rowsOfBoth ? n : (n + 127) / 128;
      BlockCopy a(context, x, false, {rows, 6, 1, 128}, TERT_F8E4M3);
      BlockCopy b(context, w, false, {groups, 6, rowsOfBoth ? 1 : 128, 128},
                  TERT_F8E4M3);
      Tensor d(TERT_F32, {rows, n}), bias(TERT_F32, {n});
      bias.randomize(5);
      EXPECT_OK(context,
                tert_scaled_matmul(context, nullptr, Scaled(a.copy, a.scaleInv),
                                   Scaled(b.copy, b.scaleInv), bias, nullptr, d,
                                   TERT_ACCUMULATE_SPLIT));
      const std::vector<double> left = valuesOf(a.copy, a.scaleInv, TERT_F8E4M3,
                                                1, 128),
                                right =
                                    valuesOf(b.copy, b.scaleInv, TERT_F8E4M3,
                                             rowsOfBoth ? 1 : 128, 128);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n; ++j) {
          double sum = bias.at(j), magnitude = std::fabs(sum);
          for (int64_t k = 0; k < depth; ++k) {
            double product = left[i * depth + k] * right[j * depth + k];
            sum += product;
            magnitude += std::fabs(product);
          }
          ASSERT_NEAR(d.at(i, j), sum, 160 * 0x1p-24 * magnitude)
              << i << ", " << j;
        }
    }
}

/// One factor has a scale, the other one for each block.
TEST(ScaleBlocks, ProductOfBlocksWithOneScale) {
  Context context;
  Tensor x = makeMatrix(TERT_F32, 32, 256), w = makeMatrix(TERT_F32, 48, 256);
  BlockCopy a(context, x, false, {32, 8, 1, 32}, TERT_F8E5M2);
  Tensor b(TERT_F8E4M3, {48, 256}),
      scale = Tensor::scalar(8), scaleInv = Tensor::scalar(0.125),
      d(TERT_BF16, {32, 48}), addend(TERT_BF16, {32, 48});
  addend.randomize(6);
  EXPECT_OK(context,
            tert_quantize(context, nullptr, w,
                          Quantized(scale, b, nullptr, nullptr), nullptr));
  EXPECT_OK(context,
            tert_scaled_matmul(context, nullptr, Scaled(a.copy, a.scaleInv),
                               Scaled(b, scaleInv), nullptr, addend, d,
                               TERT_ACCUMULATE_SPLIT));
  for (int64_t i = 0; i < 32; ++i)
    for (int64_t j = 0; j < 48; ++j) {
      double sum = addend.at(i, j), magnitude = std::fabs(sum);
      for (int64_t k = 0; k < 256; ++k) {
        double product = fp8Value(TERT_F8E5M2, int(a.copy.bitsAt(i, k))) *
                         fp8Value(TERT_F8E4M3, int(b.bitsAt(j, k))) *
                         a.scaleInv.at(i, k / 32) * 0.125;
        sum += product;
        magnitude += std::fabs(product);
      }
      ASSERT_NEAR(d.at(i, j), sum,
                  0x1p-8 * std::fabs(sum) + 64 * 0x1p-24 * magnitude)
          << i << ", " << j;
    }
}

/// Scales beyond float32 when they are multiplied, where the product is not.
TEST(ScaleBlocks, ScalesOfVeryDifferentSizes) {
  Context context;
  Tensor a(TERT_F8E4M3, {16, 256}), b(TERT_F8E4M3, {16, 256}),
      aScales(TERT_F32, {16, 2}), bScales(TERT_F32, {1, 2}),
      d(TERT_F32, {16, 16});
  for (int64_t i = 0; i < 16 * 256; ++i) {
    a.set(i, 0x40); // 2
    b.set(i, 0x38); // 1
  }
  for (int64_t i = 0; i < 32; ++i)
    aScales.set(i, i % 2 ? 0x1p-100 : 0x1p120);
  bScales.set(0, 0x1p-120);
  bScales.set(1, 0x1p110);
  EXPECT_OK(context, tert_scaled_matmul(context, nullptr, Scaled(a, aScales),
                                        Scaled(b, bScales), nullptr, nullptr, d,
                                        TERT_ACCUMULATE_SPLIT));
  for (int64_t i = 0; i < 256; ++i)
    ASSERT_EQ(d.at(i), 256 + 256 * 1024.0);
}

TEST(ScaleBlocks, ShapesThatDivideNothingAreRefused) {
  Context context;
  Tensor x = makeMatrix(TERT_F32, 32, 64), q(TERT_F8E4M3, {32, 64}),
         qt(TERT_F8E4M3, {64, 32}), rows(TERT_F32, {32, 1}),
         thirds(TERT_F32, {1, 3}), d(TERT_F32, {32, 32});
  EXPECT_EQ(tert_quantize(context, nullptr, x, Quantized(rows, q, qt, nullptr),
                          nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.quantize: 'scale' has the scales of blocks of one copy, but "
            "two copies are to be written: write each with its own");
  EXPECT_EQ(tert_quantize(context, nullptr, x,
                          Quantized(thirds, q, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("[1, 3]"), std::string::npos)
      << context.error();
  EXPECT_EQ(tert_amax(context, nullptr, x, thirds, 0), TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("blocks of 'x', [32, 64], whose sizes"),
            std::string::npos)
      << context.error();
  EXPECT_EQ(tert_scaled_matmul(context, nullptr, Scaled(q, thirds),
                               Scaled(q, rows), nullptr, nullptr, d,
                               TERT_ACCUMULATE_SPLIT),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'a.scale_inv' is [1, 3]"), std::string::npos)
      << context.error();
  // A square matrix has rows and columns of one length: two copies, all the
  // same, need scales of their own.
  Tensor square = makeMatrix(TERT_F32, 32, 32), s(TERT_F8E4M3, {32, 32}),
         st(TERT_F8E4M3, {32, 32});
  EXPECT_EQ(tert_quantize(context, nullptr, square,
                          Quantized(rows, s, st, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("write each with its own"), std::string::npos);
}
} // namespace
