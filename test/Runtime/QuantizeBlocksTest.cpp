// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies with scales of their own blocks, against the formula.

#include "Fp8Reference.h"

#include <cfloat>

using namespace tert_test;

namespace {

constexpr int64_t kBlock = 128;

int64_t padded(int64_t size) { return (size + 15) / 16 * 16; }
int64_t blocksOf(int64_t size) { return (size + kBlock - 1) / kBlock; }

/// A scale by its definition: 448 or 57344 over the amax.
float scaleOf(float amax, int32_t format, float epsilon, bool powerOfTwo) {
  if (amax < epsilon)
    amax = epsilon;
  if (amax == 0 || !std::isfinite(amax))
    return 1;
  float scale = (format == TERT_F8E4M3 ? 448.0f : 57344.0f) / amax;
  if (std::isinf(scale))
    scale = FLT_MAX;
  return powerOfTwo ? std::exp2(std::floor(std::log2(double(scale)))) : scale;
}

/// How scales are in memory: one row after the other, or one column, with gaps.
enum class Order { Rows, Columns };

Tensor makeScales(int64_t rows, int64_t cols, Order order) {
  return Tensor(TERT_F32, {rows, cols},
                order == Order::Rows ? std::vector<int64_t>{cols + 3, 1}
                                     : std::vector<int64_t>{1, rows + 3});
}

/// One copy of x; of xᵀ if columnwise.
struct Copy {
  Copy(const Tensor &x, bool columnwise, bool squares, int32_t format,
       Order order)
      : columnwise(columnwise), format(format), blockRows(squares ? kBlock : 1),
        rows(x.size(columnwise)), cols(x.size(!columnwise)),
        codes(format, {padded(rows), padded(cols)}),
        scaleInv(makeScales(squares ? blocksOf(rows) : padded(rows),
                            blocksOf(cols), order)) {}

  tert_scaled scaled() { return {codes, scaleInv}; }

  void expectOf(const Tensor &x, float epsilon, bool powerOfTwo) const {
    auto element = [&](int64_t i, int64_t j) {
      if (i >= rows || j >= cols)
        return 0.0;
      return columnwise ? x.at(j, i) : x.at(i, j);
    };
    Fp8Reference reference(format);
    for (int64_t r = 0; r < scaleInv.size(0); ++r)
      for (int64_t c = 0; c < scaleInv.size(1); ++c) {
        const int64_t rowEnd = std::min((r + 1) * blockRows, codes.size(0)),
                      colEnd = std::min((c + 1) * kBlock, codes.size(1));
        double amax = 0;
        for (int64_t i = r * blockRows; i < rowEnd; ++i)
          for (int64_t j = c * kBlock; j < colEnd; ++j)
            if (!(std::fabs(element(i, j)) <= amax))
              amax = std::isnan(amax) ? amax : std::fabs(element(i, j));
        const float scale = scaleOf(float(amax), format, epsilon, powerOfTwo);
        ASSERT_EQ(scaleInv.at(r, c), 1.0f / scale) << r << ", " << c;
        for (int64_t i = r * blockRows; i < rowEnd; ++i)
          for (int64_t j = c * kBlock; j < colEnd; ++j)
            ASSERT_EQ(codes.bitsAt(i, j),
                      reference.encode(float(element(i, j)) * scale))
                << i << ", " << j;
      }
    scaleInv.checkGaps();
    codes.checkGaps();
  }

  bool columnwise;
  int32_t format;
  int64_t blockRows, rows, cols;
  Tensor codes, scaleInv;
};

/// Values of many sizes; blocks of zeros, of subnormal numbers, with an
/// infinity and with a NaN.
Tensor makeMatrix(int32_t dtype, int64_t rows, int64_t cols) {
  Tensor x(dtype, {rows, cols}, 5);
  x.randomize(21);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) {
      double value = x.at(i, j) * std::ldexp(1.0, int(i % 17) - 2 * int(j % 7));
      if (i % 40 == 3 && j < 128)
        value = 0;
      if (i % 40 == 5)
        value *= 0x1p-130;
      if (i % 40 == 7)
        value *= 0x1p100;
      if (i == 11 && j == cols - 1)
        value = INFINITY;
      if (i == 13 && j == cols / 2)
        value = NAN;
      x.set(i * cols + j, value);
    }
  return x;
}

void expectCopies(const Tensor &x, bool squares, int32_t format, Order order,
                  float epsilon, bool powerOfTwo) {
  Context context;
  Copy rowwise(x, false, squares, format, order),
      columnwise(x, true, squares, format, order);
  Tensor dbias(TERT_F32, {x.size(1)}), amax = Tensor::scalar(-1);
  tert_quantized both = {nullptr, rowwise.scaled(), columnwise.scaled(), amax};
  EXPECT_OK(context, tert_quantize_blocks(context, nullptr, x, &both, dbias,
                                          epsilon, powerOfTwo));
  rowwise.expectOf(x, epsilon, powerOfTwo);
  columnwise.expectOf(x, epsilon, powerOfTwo);
  double largest = 0;
  for (int64_t j = 0; j < x.size(1); ++j) {
    double sum = 0, magnitude = 0;
    for (int64_t i = 0; i < x.size(0); ++i) {
      sum += x.at(i, j);
      magnitude += std::fabs(x.at(i, j));
      if (!(std::fabs(x.at(i, j)) <= largest) && !std::isnan(largest))
        largest = std::fabs(x.at(i, j));
    }
    if (std::isfinite(magnitude))
      EXPECT_NEAR(dbias.at(j), sum, magnitude * 0x1p-20);
  }
  EXPECT_EQ(std::isnan(amax.at(0)), std::isnan(largest));
  if (!std::isnan(largest))
    EXPECT_EQ(amax.at(0), largest);
}

TEST(QuantizeBlocks, CopiesAreTheFormula) {
  for (auto [rows, cols] : {std::pair<int64_t, int64_t>{256, 384},
                            {144, 272},
                            {130, 129},
                            {16, 16},
                            {77, 300},
                            {1, 1}})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (bool squares : {false, true})
        for (bool powerOfTwo : {false, true})
          expectCopies(makeMatrix(dtype, rows, cols), squares, TERT_F8E4M3,
                       squares ? Order::Rows : Order::Columns, 0, powerOfTwo);
}

TEST(QuantizeBlocks, FormatsEpsilonsAndOrders) {
  Tensor x = makeMatrix(TERT_F32, 150, 260);
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
    for (Order order : {Order::Rows, Order::Columns})
      for (float epsilon : {0.0f, 0.01f})
        for (bool squares : {false, true})
          expectCopies(x, squares, format, order, epsilon, true);
}

/// Each part of the result alone.
TEST(QuantizeBlocks, PartsAreOptional) {
  Context context;
  Tensor x = makeMatrix(TERT_BF16, 200, 100), amax = Tensor::scalar(-1);
  for (bool columnwise : {false, true}) {
    Copy copy(x, columnwise, false, TERT_F8E4M3, Order::Columns);
    tert_quantized one = {};
    (columnwise ? one.columnwise : one.rowwise) = copy.scaled();
    EXPECT_OK(context, tert_quantize_blocks(context, nullptr, x, &one, nullptr,
                                            0, true));
    copy.expectOf(x, 0, true);
  }
  tert_quantized none = {nullptr, {}, {}, amax};
  EXPECT_OK(context,
            tert_quantize_blocks(context, nullptr, x, &none, nullptr, 0, true));
  EXPECT_TRUE(std::isnan(amax.at(0)));
}

TEST(QuantizeBlocks, NothingToQuantize) {
  Context context;
  for (auto [rows, cols] :
       {std::pair<int64_t, int64_t>{0, 64}, {64, 0}, {0, 0}})
    for (bool squares : {false, true}) {
      Tensor x(TERT_F32, {rows, cols}), amax = Tensor::scalar(-1);
      Copy rowwise(x, false, squares, TERT_F8E4M3, Order::Rows),
          columnwise(x, true, squares, TERT_F8E4M3, Order::Rows);
      tert_quantized both = {nullptr, rowwise.scaled(), columnwise.scaled(),
                             amax};
      EXPECT_OK(context, tert_quantize_blocks(context, nullptr, x, &both,
                                              nullptr, 0, true));
      EXPECT_EQ(amax.at(0), 0);
    }
}

/// The same bits for any number of threads.
TEST(QuantizeBlocks, ThreadsDoNotMatter) {
  Tensor x = makeMatrix(TERT_F32, 300, 600);
  Copy first(x, true, false, TERT_F8E4M3, Order::Rows);
  for (int32_t threads : {1, 3}) {
    Context context(threads);
    Copy copy(x, true, false, TERT_F8E4M3, Order::Rows);
    tert_quantized one = {nullptr, {}, copy.scaled(), nullptr};
    EXPECT_OK(context, tert_quantize_blocks(context, nullptr, x, &one, nullptr,
                                            0, false));
    if (threads == 1)
      first = copy;
    EXPECT_TRUE(copy.codes.sameBits(first.codes));
    EXPECT_TRUE(copy.scaleInv.sameBits(first.scaleInv));
  }
}

TEST(QuantizeBlocks, RefusesBadArguments) {
  Context context;
  Tensor x = makeMatrix(TERT_F32, 32, 256), scale = Tensor::scalar(1);
  auto refuses = [&](const tert_quantized &quantized, float epsilon,
                     const std::string &message) {
    EXPECT_EQ(tert_quantize_blocks(context, nullptr, x, &quantized, nullptr,
                                   epsilon, 0),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find(message), std::string::npos)
        << context.error();
  };
  Copy copy(x, false, false, TERT_F8E4M3, Order::Rows);
  refuses({scale, copy.scaled(), {}, nullptr}, 0,
          "'scale' is given, but the op makes the scales: leave it null");
  refuses({nullptr, {copy.codes, nullptr}, {}, nullptr}, 0,
          "'rowwise.scale_inv' is missing");
  refuses({nullptr, copy.scaled(), {}, nullptr}, -1,
          "'epsilon' is -1.000000, but must be finite and not negative");
  refuses({nullptr, {}, copy.scaled(), nullptr}, 0,
          "'columnwise' is [32, 256] f8E4M3, but must be at least [256, 32]");
  Tensor thirds(TERT_F32, {32, 3});
  refuses({nullptr, {copy.codes, thirds}, {}, nullptr}, 0,
          "'rowwise.scale_inv' is [32, 3] f32, but must be a scalar, or [r, c] "
          "for blocks of 'rowwise'");
  Tensor overlapping(TERT_F32, {32, 2}, std::vector<int64_t>{1, 1});
  refuses({nullptr, {copy.codes, overlapping}, {}, nullptr}, 0,
          "of rows, or of columns, that are contiguous and do not overlap");
}

} // namespace
