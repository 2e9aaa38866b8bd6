// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales in E8M0, one for 1 x 32 elements: scales and codes by their
// definition, bit for bit, and their products.

#include "Fp8Reference.h"

#include <cfloat>

using namespace tert_test;

namespace {

constexpr int64_t kBlock = 32;

int64_t padded(int64_t size) { return (size + 15) / 16 * 16; }
int64_t blocksOf(int64_t size) { return (size + kBlock - 1) / kBlock; }

/// The exponent of the least power of two from 2^-127 on with which the largest
/// number of the format reaches the amax.
int exponentOf(double amax, double largest) {
  int exponent = -127;
  while (exponent < 127 && std::ldexp(largest, exponent) < amax)
    ++exponent;
  return exponent;
}

uint8_t codeOf(double amax, double largest) {
  return std::isnan(amax) ? 0xff : uint8_t(exponentOf(amax, largest) + 127);
}

/// What elements are multiplied with.
float scaleOf(uint8_t code) {
  return code == 0      ? 1.0f
         : code == 0xff ? std::numeric_limits<float>::quiet_NaN()
                        : float(std::ldexp(1.0, 127 - code));
}

/// A block of 32 elements of a row of x, or of a column if columnwise.
struct Copy {
  Copy(const Tensor &x, bool columnwise, int32_t format, int64_t gap = 0)
      : columnwise(columnwise), format(format), rows(x.size(columnwise)),
        cols(x.size(!columnwise)), codes(format, {padded(rows), padded(cols)}),
        scaleInv(TERT_F8E8M0, {padded(rows), blocksOf(cols)}, gap) {}

  tert_scaled scaled() { return {codes, scaleInv}; }

  void expectOf(const Tensor &x) const {
    Fp8Reference reference(format);
    auto element = [&](int64_t i, int64_t j) {
      if (i >= rows || j >= cols)
        return 0.0;
      return columnwise ? x.at(j, i) : x.at(i, j);
    };
    for (int64_t i = 0; i < scaleInv.size(0); ++i)
      for (int64_t c = 0; c < scaleInv.size(1); ++c) {
        const int64_t end = std::min((c + 1) * kBlock, codes.size(1));
        double amax = 0;
        for (int64_t j = c * kBlock; j < end; ++j)
          if (!(std::fabs(element(i, j)) <= amax))
            amax = std::isnan(amax) ? amax : std::fabs(element(i, j));
        const uint8_t code = codeOf(amax, reference.max());
        ASSERT_EQ(scaleInv.bitsAt(i, c), code) << i << ", " << c;
        for (int64_t j = c * kBlock; j < end; ++j) {
          const bool inside = i < rows && j < cols;
          ASSERT_EQ(codes.bitsAt(i, j),
                    inside
                        ? reference.encode(float(element(i, j)) * scaleOf(code))
                        : 0)
              << i << ", " << j;
        }
      }
    scaleInv.checkGaps();
    codes.checkGaps();
  }

  bool columnwise;
  int32_t format;
  int64_t rows, cols;
  Tensor codes, scaleInv;
};

/// Values of many sizes; blocks of zeros, of numbers too small for any scale,
/// with an infinity and with a NaN.
Tensor makeMatrix(int32_t dtype, int64_t rows, int64_t cols) {
  Tensor x(dtype, {rows, cols}, 5);
  x.randomize(23);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j) {
      double value = x.at(i, j) * std::ldexp(1.0, int(i % 17) - 2 * int(j % 7));
      if (i % 40 == 3 && j < 32)
        value = 0;
      if (i % 40 == 5)
        value *= 0x1p-124;
      if (i % 40 == 7)
        value *= 0x1p100;
      if (i == 11 && j == cols - 1)
        value = -INFINITY;
      if (i == 13 && j == cols / 2)
        value = NAN;
      x.set(i * cols + j, value);
    }
  return x;
}

} // namespace

// Amaxes and the codes of their scales, computed by hand: 448 * 2^k belongs to
// 2^k, and what is larger to 2^(k + 1).
TEST(E8M0, ScalesOfAmaxes) {
  struct Case {
    int32_t format;
    float amax;
    uint8_t code;
  };
  const std::vector<Case> cases = {
      {TERT_F8E4M3, 448.0f, 127},
      {TERT_F8E4M3, std::nextafter(448.0f, 1000.0f), 128},
      {TERT_F8E4M3, std::nextafter(448.0f, 0.0f), 127},
      {TERT_F8E4M3, 224.0f, 126},
      {TERT_F8E4M3, 1.0f, 119},
      {TERT_F8E4M3, 0x1.cp-100f, 19},
      {TERT_F8E4M3, 0x1.c00002p-100f, 20},
      {TERT_F8E4M3, FLT_MAX, 247},
      {TERT_F8E5M2, 57344.0f, 127},
      {TERT_F8E5M2, 57345.0f, 128},
      {TERT_F8E5M2, 1.0f, 112},
      // The least scale is 2^-127, and 0 has it, too.
      {TERT_F8E4M3, 0x1.cp-118f, 1},
      {TERT_F8E4M3, 0x1.cp-119f, 0},
      {TERT_F8E4M3, 0x1.c1p-119f, 1},
      {TERT_F8E4M3, FLT_MIN, 0},
      {TERT_F8E4M3, 0x1p-149f, 0},
      {TERT_F8E4M3, 0.0f, 0},
      {TERT_F8E4M3, INFINITY, 254},
      {TERT_F8E4M3, NAN, 255}};
  Context context;
  for (const Case &c : cases) {
    SCOPED_TRACE(c.amax);
    Tensor amax = Tensor::scalar(c.amax), scale = Tensor::scalar(-1),
           scaleInv(TERT_F8E8M0, {});
    EXPECT_OK(context, tert_compute_scale(context, nullptr, amax, scale,
                                          scaleInv, c.format, 0, 0, 0));
    EXPECT_EQ(scaleInv.bitsAt(0), c.code);
    if (c.code == 255)
      EXPECT_TRUE(std::isnan(scale.at(0)));
    else
      EXPECT_EQ(scale.at(0), scaleOf(c.code));
  }
}

TEST(E8M0, ScalesOfManyAmaxes) {
  Context context;
  std::mt19937 generator(3);
  std::uniform_int_distribution<uint32_t> bits(0x06000000, 0x7f7fffff);
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
    Tensor amaxes(TERT_F32, {100, 50}), scales(TERT_F32, {100, 50}),
        inverses(TERT_F8E8M0, {100, 50});
    for (int64_t i = 0; i < amaxes.numElements(); ++i)
      amaxes.setBits(i, bits(generator));
    EXPECT_OK(context, tert_compute_scale(context, nullptr, amaxes, scales,
                                          inverses, format, 0, 0, 0));
    for (int64_t i = 0; i < amaxes.numElements(); ++i)
      ASSERT_EQ(inverses.bitsAt(i),
                codeOf(amaxes.at(i), Fp8Reference(format).max()))
          << amaxes.at(i);
  }
}

TEST(E8M0, CopiesAreTheFormula) {
  Context context;
  for (auto [rows, cols] : {std::pair<int64_t, int64_t>{64, 96},
                            {144, 272},
                            {77, 300},
                            {130, 33},
                            {16, 16},
                            {1, 1}})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
        Tensor x = makeMatrix(dtype, rows, cols), amax = Tensor::scalar(-1);
        Copy rowwise(x, false, format, 3), columnwise(x, true, format);
        tert_quantized both = {nullptr, rowwise.scaled(), columnwise.scaled(),
                               amax};
        EXPECT_OK(context, tert_quantize_blocks(context, nullptr, x, &both,
                                                nullptr, 0, 0));
        rowwise.expectOf(x);
        columnwise.expectOf(x);
        EXPECT_EQ(std::isnan(amax.at(0)), rows > 13);
      }
}

/// The values of a copy, row by row.
std::vector<double> valuesOf(const Copy &copy) {
  std::vector<double> values;
  for (int64_t i = 0; i < copy.codes.size(0); ++i)
    for (int64_t j = 0; j < copy.codes.size(1); ++j)
      values.push_back(fp8Value(copy.format, int(copy.codes.bitsAt(i, j))) *
                       copy.scaleInv.at(i, j / kBlock));
  return values;
}

TEST(E8M0, ValuesAndProducts) {
  Context context;
  const int64_t depth = 144; // four blocks of 32, and one of 16
  for (auto [m, n] : {std::pair<int64_t, int64_t>{48, 272}, {272, 48}, {5, 80}})
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
      Tensor x(TERT_BF16, {m, depth}), w(TERT_F32, {n, depth});
      x.randomize(4), w.randomize(5);
      for (int64_t i = 0; i < m * depth; ++i)
        x.set(i, x.at(i) * std::ldexp(1.0, int(i % 31) - 12));
      Copy a(x, false, format), b(w, false, TERT_F8E4M3);
      tert_quantized quantized[] = {{nullptr, a.scaled(), {}, nullptr},
                                    {nullptr, b.scaled(), {}, nullptr}};
      EXPECT_OK(context, tert_quantize_blocks(context, nullptr, x, quantized,
                                              nullptr, 0, 0));
      EXPECT_OK(context, tert_quantize_blocks(context, nullptr, w,
                                              quantized + 1, nullptr, 0, 0));
      const std::vector<double> left = valuesOf(a), right = valuesOf(b);
      const int64_t rows = padded(m);
      Tensor y(TERT_F32, {rows, depth}), d(TERT_F32, {rows, n});
      EXPECT_OK(context, tert_dequantize(context, nullptr,
                                         Scaled(a.codes, a.scaleInv), y));
      for (int64_t i = 0; i < y.numElements(); ++i)
        ASSERT_EQ(y.at(i), left[i]);
      EXPECT_OK(context, tert_scaled_matmul(
                             context, nullptr, Scaled(a.codes, a.scaleInv),
                             Scaled(b.codes, b.scaleInv), nullptr, nullptr, d,
                             TERT_ACCUMULATE_SPLIT));
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < n; ++j) {
          double sum = 0, magnitude = 0;
          for (int64_t k = 0; k < depth; ++k) {
            const double product = left[i * depth + k] * right[j * depth + k];
            sum += product;
            magnitude += std::fabs(product);
          }
          ASSERT_NEAR(d.at(i, j), sum, 64 * 0x1p-24 * magnitude)
              << i << ", " << j;
        }
    }
}

/// A scale for the whole matrix, and a factor with scales of another type.
TEST(E8M0, OneScale) {
  Context context;
  Tensor a(TERT_F8E4M3, {16, 64}), b(TERT_F8E4M3, {16, 64}),
      aScale(TERT_F8E8M0, {}), bScale = Tensor::scalar(0.375),
                               d(TERT_F32, {16, 16}), y(TERT_F32, {16, 64});
  for (int64_t i = 0; i < 16 * 64; ++i) {
    a.set(i, 0x40); // 2
    b.set(i, 0x38); // 1
  }
  aScale.setBits(0, 130); // 8
  EXPECT_OK(context, tert_scaled_matmul(context, nullptr, Scaled(a, aScale),
                                        Scaled(b, bScale), nullptr, nullptr, d,
                                        TERT_ACCUMULATE_SPLIT));
  for (int64_t i = 0; i < 256; ++i)
    ASSERT_EQ(d.at(i), 64 * 2 * 8 * 0.375);
  EXPECT_OK(context, tert_dequantize(context, nullptr, Scaled(a, aScale), y));
  for (int64_t i = 0; i < 16 * 64; ++i)
    ASSERT_EQ(y.at(i), 16);
}

TEST(E8M0, RefusesBadArguments) {
  Context context;
  Tensor x = makeMatrix(TERT_F32, 32, 64), amax = Tensor::scalar(1),
         scale = Tensor::scalar(1), scaleInv(TERT_F8E8M0, {});
  const std::string formula =
      "scales in f8E8M0 are made of the amax alone: 'margin', 'epsilon' and "
      "'power_of_two' must be 0";
  auto refuses = [&](tert_status status, const std::string &message) {
    EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find(message), std::string::npos)
        << context.error();
  };
  auto compute = [&](int32_t margin, float epsilon, int32_t powerOfTwo) {
    return tert_compute_scale(context, nullptr, amax, scale, scaleInv,
                              TERT_F8E4M3, margin, epsilon, powerOfTwo);
  };
  refuses(compute(1, 0, 0), formula);
  refuses(compute(0, 1, 0), formula);
  refuses(compute(0, 0, 1), formula);
  Copy copy(x, false, TERT_F8E4M3);
  tert_quantized one = {nullptr, copy.scaled(), {}, nullptr};
  refuses(tert_quantize_blocks(context, nullptr, x, &one, nullptr, 0, 1),
          formula);
  // A scale to multiply with is f32.
  Tensor given(TERT_F8E8M0, {32, 2});
  refuses(tert_quantize(context, nullptr, x,
                        Quantized(given, copy.codes, nullptr, nullptr),
                        nullptr),
          "'scale' is [32, 2] f8E8M0, but must be f32");
  refuses(tert_fill(context, nullptr, given, 1),
          "'y' is [32, 2] f8E8M0, but must be f32, bf16 or an integer");
}
