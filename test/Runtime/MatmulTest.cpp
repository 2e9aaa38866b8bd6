// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestTensor.h"

#include <algorithm>

using namespace tert_test;

namespace {

struct Sizes {
  int64_t m, n, k;
};

/// Odd sizes, one row, few rows, one column, nothing to sum, and more than one
/// block in every direction.
const std::vector<Sizes> allSizes = {
    {1, 1, 1},     {1, 64, 7},     {5, 3, 0},      {0, 4, 8},
    {4, 0, 8},     {7, 1, 300},    {97, 65, 257},  {100, 130, 64},
    {48, 16, 513}, {33, 1100, 40}, {210, 190, 70}, {3, 130, 300},
    {8, 200, 530}};

/// A stored operand of op(x) [rows, cols].
Tensor operand(int32_t dtype, int64_t rows, int64_t cols, bool transposed,
               int64_t gap) {
  return transposed ? Tensor(dtype, {cols, rows}, gap)
                    : Tensor(dtype, {rows, cols}, gap);
}
double element(const Tensor &x, int64_t row, int64_t col, bool transposed) {
  return transposed ? x.at(col, row) : x.at(row, col);
}

/// Checks d against sums in float64. The error of a sum of k products in f32
/// is bounded by k * 2^-24 times the sum of magnitudes; the result is rounded
/// once.
void check(const Tensor &d, const Tensor &a, const Tensor &b, bool transposeA,
           bool transposeB, double scale, const Tensor *bias,
           const Tensor *addend = nullptr) {
  int64_t m = d.size(0), n = d.size(1), k = a.size(transposeA ? 0 : 1);
  // As arrays: this is the slow part of the test.
  std::vector<double> left(m * k), right(k * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t l = 0; l < k; ++l)
      left[i * k + l] = element(a, i, l, transposeA);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t l = 0; l < k; ++l)
      right[j * k + l] = element(b, l, j, transposeB);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (int64_t l = 0; l < k; ++l) {
        double product = left[i * k + l] * right[j * k + l] * scale;
        sum += product;
        magnitude += std::fabs(product);
      }
      if (bias) {
        sum += bias->at(j);
        magnitude += std::fabs(bias->at(j));
      }
      if (addend) {
        sum += addend->at(i, j);
        magnitude += std::fabs(addend->at(i, j));
      }
      double tolerance = (k + 4) * std::ldexp(1.0, -24) * magnitude;
      if (d.layout.dtype == TERT_BF16)
        tolerance += std::ldexp(std::fabs(sum), -8);
      ASSERT_NEAR(d.at(i, j), sum, tolerance)
          << m << "x" << n << "x" << k << " at " << i << "," << j;
    }
  d.checkGaps();
}

/// Codes of finite FP8 values.
void randomizeCodes(Tensor &x, uint32_t seed) {
  std::mt19937 generator(seed);
  int limit = x.layout.dtype == TERT_F8E4M3 ? 0x7f : 0x7c;
  for (int64_t i = 0; i < x.numElements(); ++i)
    x.setBits(i, (generator() % limit) | (generator() & 0x80));
}

} // namespace

TEST(MatmulTest, TransposesTypesAndSizes) {
  Context context;
  int combination = 0;
  for (const Sizes &s : allSizes)
    for (bool transposeA : {false, true})
      for (bool transposeB : {false, true}) {
        auto typeOf = [&](int bit) {
          return (combination >> bit & 1) ? TERT_BF16 : TERT_F32;
        };
        Tensor a = operand(typeOf(0), s.m, s.k, transposeA, 3);
        Tensor b = operand(typeOf(1), s.k, s.n, transposeB, 5);
        Tensor d(typeOf(2), {s.m, s.n}, 7), bias(typeOf(1), {s.n});
        bool withBias = combination % 3 == 0, addToD = combination % 5 < 2;
        a.randomize(1);
        b.randomize(2);
        bias.randomize(3);
        d.randomize(4);
        Tensor addend = d;
        EXPECT_OK(context,
                  tert_matmul(context, nullptr, a, b,
                              withBias ? (const tert_tensor *)bias : nullptr, d,
                              transposeA, transposeB, addToD));
        check(d, a, b, transposeA, transposeB, 1.0, withBias ? &bias : nullptr,
              addToD ? &addend : nullptr);
        ++combination;
      }
}

// Two factors in bf16 may be multiplied by instructions of their own.
TEST(MatmulTest, Bf16TransposesAndSizes) {
  Context context;
  for (const Sizes &s : allSizes)
    for (bool transposeA : {false, true})
      for (bool transposeB : {false, true}) {
        Tensor a = operand(TERT_BF16, s.m, s.k, transposeA, 3);
        Tensor b = operand(TERT_BF16, s.k, s.n, transposeB, 5);
        Tensor d(TERT_F32, {s.m, s.n}, 7);
        a.randomize(1);
        b.randomize(2);
        EXPECT_OK(context, tert_matmul(context, nullptr, a, b, nullptr, d,
                                       transposeA, transposeB, 0));
        check(d, a, b, transposeA, transposeB, 1.0, nullptr);
      }
}

TEST(MatmulTest, InfinityAndNanStayInTheirRow) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16}) {
    Tensor a(dtype, {70, 33}), b(dtype, {33, 20}), d(TERT_F32, {70, 20});
    a.randomize(1);
    b.randomize(2);
    a.set(5 * 33 + 32, NAN);
    a.set(6 * 33 + 1, INFINITY);
    EXPECT_OK(context,
              tert_matmul(context, nullptr, a, b, nullptr, d, 0, 0, 0));
    for (int64_t i = 0; i < 70; ++i)
      for (int64_t j = 0; j < 20; ++j) {
        ASSERT_EQ(std::isnan(d.at(i, j)), i == 5);
        ASSERT_EQ(std::isinf(d.at(i, j)), i == 6);
      }
  }
}

// A token that is generated alone has the results that it has among others.
TEST(MatmulTest, FewRowsHaveTheBitsOfMany) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (bool transposeB : {false, true}) {
      Tensor a(dtype, {40, 601}), d(TERT_F32, {40, 130});
      Tensor b = operand(dtype, 601, 130, transposeB, 0);
      a.randomize(1);
      b.randomize(2);
      EXPECT_OK(context, tert_matmul(context, nullptr, a, b, nullptr, d, 0,
                                     transposeB, 0));
      for (int64_t rows : {1, 3, 8, 9}) {
        Tensor few(dtype, {rows, 601}), result(TERT_F32, {rows, 130});
        for (int64_t i = 0; i < few.numElements(); ++i)
          few.set(i, a.at(i));
        EXPECT_OK(context, tert_matmul(context, nullptr, few, b, nullptr,
                                       result, 0, transposeB, 0));
        for (int64_t i = 0; i < result.numElements(); ++i)
          ASSERT_EQ(result.at(i), d.at(i)) << rows << " rows, element " << i;
      }
    }
}

TEST(MatmulTest, RefusesOtherShapes) {
  Context context;
  tert_site site = {"tert.matmul", "lm_head (model.py:9)", 2, 0, 0};
  Tensor a(TERT_F32, {4, 6}), b(TERT_F32, {5, 3}), d(TERT_F32, {4, 3});
  EXPECT_EQ(tert_matmul(context, &site, a, b, nullptr, d, 0, 0, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.matmul at lm_head (model.py:9): 'b' is [5, 3] f32, but must "
            "be of 6 in dimension 0, the summed dimension of 'a', [4, 6]");
  Tensor good(TERT_F32, {6, 3}), bias(TERT_F32, {4});
  EXPECT_EQ(tert_matmul(context, &site, a, good, bias, d, 0, 0, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_matmul(context, &site, a, good, nullptr, a, 0, 0, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_matmul(context, &site, a, good, nullptr, nullptr, 0, 0, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'d' is missing"), std::string::npos);
  EXPECT_OK(context, tert_matmul(context, &site, a, good, nullptr, d, 0, 0, 0));
}

TEST(ScaledMatmulTest, FormatsAndSizes) {
  Context context;
  std::pair<int32_t, int32_t> formats[] = {{TERT_F8E4M3, TERT_F8E4M3},
                                           {TERT_F8E5M2, TERT_F8E4M3},
                                           {TERT_F8E4M3, TERT_F8E5M2}};
  int combination = 0;
  for (const Sizes &s : allSizes)
    for (auto [aFormat, bFormat] : formats) {
      Tensor a(aFormat, {s.m, s.k}, 16), b(bFormat, {s.n, s.k}, 3);
      Tensor d(combination % 2 ? TERT_BF16 : TERT_F32, {s.m, s.n}, 9);
      Tensor bias(TERT_BF16, {s.n});
      bool withBias = combination % 3 == 0, withAddend = combination % 5 < 2;
      Tensor addend(combination % 2 ? TERT_BF16 : TERT_F32, {s.m, s.n}, 5);
      addend.randomize(4);
      randomizeCodes(a, 1);
      randomizeCodes(b, 2);
      bias.randomize(3);
      float aScaleInv = 0.0173f, bScaleInv = 3.25f;
      EXPECT_OK(context,
                tert_scaled_matmul(
                    context, nullptr, Scaled(a, Tensor::scalar(aScaleInv)),
                    Scaled(b, Tensor::scalar(bScaleInv)),
                    withBias ? (const tert_tensor *)bias : nullptr,
                    withAddend ? (const tert_tensor *)addend : nullptr, d,
                    combination % 2));
      check(d, a, b, false, true, double(aScaleInv) * bScaleInv,
            withBias ? &bias : nullptr, withAddend ? &addend : nullptr);
      ++combination;
    }
}

TEST(ScaledMatmulTest, ExactOnSmallIntegers) {
  // Products and sums that f32 holds exactly, so that every bit is determined.
  Context context;
  Tensor a(TERT_F8E4M3, {130, 300}), b(TERT_F8E4M3, {70, 300});
  Tensor d(TERT_F32, {130, 70});
  std::mt19937 generator(3);
  uint8_t codes[] = {0x00, 0x38, 0xb8, 0x40, 0xc4}; // 0, 1, -1, 2, -3
  for (Tensor *x : {&a, &b})
    for (int64_t i = 0; i < x->numElements(); ++i)
      x->setBits(i, codes[generator() % 5]);
  EXPECT_OK(context, tert_scaled_matmul(
                         context, nullptr, Scaled(a, Tensor::scalar(0.5)),
                         Scaled(b, Tensor::scalar(4)), nullptr, nullptr, d, 0));
  for (int64_t i = 0; i < 130; ++i)
    for (int64_t j = 0; j < 70; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < 300; ++k)
        sum += a.at(i, k) * b.at(j, k);
      ASSERT_EQ(d.at(i, j), 2 * sum);
    }
}

TEST(ScaledMatmulTest, EveryCode) {
  // Each code alone in its row, in both halves of a pair of neighbours.
  Context context;
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
    Tensor a(format, {256, 37}), ones(TERT_F8E4M3, {20, 37});
    for (int64_t i = 0; i < ones.numElements(); ++i)
      ones.setBits(i, 0x38);
    for (int64_t i = 0; i < a.numElements(); ++i)
      a.setBits(i, 0);
    for (int64_t code = 0; code < 256; ++code)
      a.setBits(code * 37 + code % 37, uint32_t(code));
    Tensor d(TERT_F32, {256, 20}), dTransposed(TERT_F32, {20, 256});
    EXPECT_OK(context,
              tert_scaled_matmul(context, nullptr, Scaled(a, Tensor::scalar(1)),
                                 Scaled(ones, Tensor::scalar(1)), nullptr,
                                 nullptr, d, 0));
    EXPECT_OK(context, tert_scaled_matmul(context, nullptr,
                                          Scaled(ones, Tensor::scalar(1)),
                                          Scaled(a, Tensor::scalar(1)), nullptr,
                                          nullptr, dTransposed, 0));
    for (int64_t code = 0; code < 256; ++code) {
      const float expected = float(a.at(code * 37 + code % 37));
      for (int64_t j = 0; j < 20; ++j)
        for (float actual :
             {float(d.at(code, j)), float(dTransposed.at(j, code))})
          if (std::isnan(expected))
            ASSERT_TRUE(std::isnan(actual)) << code;
          else
            ASSERT_EQ(actual, expected) << code;
    }
  }
}

TEST(ScaledMatmulTest, OneScaleAloneDoesNotOverflow) {
  // What has the largest float32 numbers next to what is small: a sum times the
  // first scale is beyond float32, the result is not.
  Context context;
  Tensor a(TERT_F8E4M3, {3, 16}), b(TERT_F8E4M3, {5, 16}), d(TERT_F32, {3, 5});
  for (Tensor *x : {&a, &b})
    for (int64_t i = 0; i < x->numElements(); ++i)
      x->setBits(i, 0x7e); // 448
  float large = 0x1p119f, small = 0x1p-30f, tiny = 0x1p-140f;
  double sum = 16 * 448.0 * 448.0;
  for (auto [first, second] :
       {std::pair(large, small), std::pair(small, large),
        std::pair(large, tiny), std::pair(tiny, large)}) {
    EXPECT_OK(context, tert_scaled_matmul(context, nullptr,
                                          Scaled(a, Tensor::scalar(first)),
                                          Scaled(b, Tensor::scalar(second)),
                                          nullptr, nullptr, d, 0));
    for (int64_t i = 0; i < d.numElements(); ++i)
      EXPECT_EQ(d.at(i), sum * double(first) * double(second));
  }
}

TEST(ScaledMatmulTest, ThreadsDoNotMatter) {
  Context one(1), three(3);
  for (const Sizes &s : allSizes) {
    Tensor a(TERT_F8E4M3, {s.m, s.k}), b(TERT_F8E5M2, {s.n, s.k});
    randomizeCodes(a, 1);
    randomizeCodes(b, 2);
    Tensor d1(TERT_F32, {s.m, s.n}), d3 = d1;
    EXPECT_OK(one, tert_scaled_matmul(
                       one, nullptr, Scaled(a, Tensor::scalar(1)),
                       Scaled(b, Tensor::scalar(1)), nullptr, nullptr, d1, 0));
    EXPECT_OK(three,
              tert_scaled_matmul(three, nullptr, Scaled(a, Tensor::scalar(1)),
                                 Scaled(b, Tensor::scalar(1)), nullptr, nullptr,
                                 d3, 0));
    EXPECT_TRUE(d1.sameBits(d3));
  }
}

TEST(ScaledMatmulTest, RefusesBadArguments) {
  Context context;
  tert_site site = {"tert.scaled_matmul", "h.0.attn (model.py:5)", 2, 0, 0};
  Tensor a(TERT_F8E5M2, {4, 6}), b(TERT_F8E5M2, {3, 6}), d(TERT_F32, {4, 3});
  Tensor one = Tensor::scalar(1);
  EXPECT_EQ(tert_scaled_matmul(context, &site, Scaled(a, one), Scaled(b, one),
                               nullptr, nullptr, d, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("h.0.attn (model.py:5): 'b' is [3, 6] f8E5M2"),
            std::string::npos);
  Tensor c(TERT_F8E4M3, {3, 5});
  EXPECT_EQ(tert_scaled_matmul(context, &site, Scaled(a, one), Scaled(c, one),
                               nullptr, nullptr, d, 0),
            TERT_INVALID_ARGUMENT);
  Tensor good(TERT_F8E4M3, {3, 6});
  EXPECT_EQ(tert_scaled_matmul(context, &site, Scaled(a, one),
                               Scaled(good, nullptr), nullptr, nullptr, d, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_scaled_matmul(context, &site, Scaled(a, one),
                               Scaled(good, one), nullptr, nullptr, d, 2),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_scaled_matmul(context, &site, Scaled(a, one),
                               Scaled(good, one), nullptr, nullptr, good, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_OK(context,
            tert_scaled_matmul(context, &site, Scaled(a, one),
                               Scaled(good, one), nullptr, nullptr, d, 1));
}
