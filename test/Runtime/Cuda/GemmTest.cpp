// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Gpu.h"

using namespace tert_test;

namespace {

class GemmTest : public GpuTest {};

struct Sizes {
  int64_t m, n, k;
};

/// Codes of finite FP8 values up to 2 in magnitude.
void randomizeCodes(Tensor &x, uint32_t seed) {
  std::mt19937 generator(seed);
  for (int64_t i = 0; i < x.numElements(); ++i)
    x.setBits(i, (generator() % 0x40) | (generator() & 0x80));
}

Tensor operand(int32_t dtype, int64_t rows, int64_t cols, bool transposed,
               int64_t gap) {
  return transposed ? Tensor(dtype, {cols, rows}, gap)
                    : Tensor(dtype, {rows, cols}, gap);
}

} // namespace

TEST_F(GemmTest, FloatTypesTransposesAndSizes) {
  const Sizes sizes[] = {{1, 1, 1},      {1, 64, 7},     {5, 3, 0},
                         {0, 4, 8},      {7, 1, 300},    {97, 65, 257},
                         {33, 1100, 40}, {256, 256, 512}};
  const int32_t dtypes[][3] = {{TERT_F32, TERT_F32, TERT_F32},
                               {TERT_BF16, TERT_BF16, TERT_BF16},
                               {TERT_BF16, TERT_BF16, TERT_F32},
                               {TERT_BF16, TERT_F32, TERT_BF16}};
  for (const Sizes &s : sizes)
    for (const auto &[aType, bType, dType] : dtypes)
      for (int variant = 0; variant < 8; ++variant) {
        bool transposeA = variant & 1, transposeB = variant & 2;
        int64_t gap = variant & 1 ? 3 : 0;
        Tensor a = operand(aType, s.m, s.k, transposeA, gap);
        Tensor b = operand(bType, s.k, s.n, transposeB, gap);
        Tensor bias(TERT_F32, {s.n}), d(dType, {s.m, s.n}, gap);
        a.randomize(1);
        b.randomize(2);
        bias.randomize(3);
        d.randomize(4);
        bool hasBias = variant & 4, addToD = variant % 3 == 1;
        OnGpu da(gpu, a), db(gpu, b), dBias(gpu, bias), dd(gpu, d);
        ASSERT_EQ(tert_matmul(gpu, nullptr, da, db,
                              hasBias ? (const tert_tensor *)dBias : nullptr,
                              dd, transposeA, transposeB, addToD),
                  TERT_OK)
            << gpuError();
        Tensor actual = dd.read();
        ASSERT_EQ(tert_matmul(cpu, nullptr, a, b,
                              hasBias ? (const tert_tensor *)bias : nullptr, d,
                              transposeA, transposeB, addToD),
                  TERT_OK);
        EXPECT_LT(relativeError(actual, d), dType == TERT_BF16 ? 8e-3 : 2e-6)
            << s.m << "x" << s.n << "x" << s.k << " dtypes " << aType << bType
            << dType << " variant " << variant;
        actual.checkGaps();
      }
}

TEST_F(GemmTest, Fp8) {
  const Sizes sizes[] = {{16, 16, 16}, {128, 512, 384}, {272, 48, 1040}};
  const int32_t formats[][2] = {{TERT_F8E4M3, TERT_F8E4M3},
                                {TERT_F8E5M2, TERT_F8E4M3},
                                {TERT_F8E4M3, TERT_F8E5M2}};
  for (const Sizes &s : sizes)
    for (const auto &[aType, bType] : formats)
      for (int32_t dType : {TERT_BF16, TERT_F32})
        for (int variant = 0; variant < 12; ++variant) {
          // Laid out like d, or not.
          Tensor addend(dType, {s.m, s.n}, variant >= 8 ? 8 : 0);
          addend.randomize(4);
          bool hasAddend = variant >= 4;
          int32_t accumulate =
              variant & 1 ? TERT_ACCUMULATE_FAST : TERT_ACCUMULATE_SPLIT;
          bool hasBias = variant & 2;
          Tensor a(aType, {s.m, s.k}), b(bType, {s.n, s.k}, 16);
          Tensor bias(TERT_F32, {s.n}), d(dType, {s.m, s.n});
          randomizeCodes(a, 1);
          randomizeCodes(b, 2);
          bias.randomize(3);
          Tensor aScale = Tensor::scalar(0.37f), bScale = Tensor::scalar(1.9f);
          OnGpu da(gpu, a), db(gpu, b), dBias(gpu, bias), dd(gpu, d);
          OnGpu dAddend(gpu, addend);
          OnGpu das(gpu, aScale), dbs(gpu, bScale);
          ASSERT_EQ(tert_scaled_matmul(
                        gpu, nullptr, Scaled(da, das), Scaled(db, dbs),
                        hasBias ? (const tert_tensor *)dBias : nullptr,
                        hasAddend ? (const tert_tensor *)dAddend : nullptr, dd,
                        accumulate),
                    TERT_OK)
              << gpuError();
          Tensor actual = dd.read();
          ASSERT_EQ(tert_scaled_matmul(
                        cpu, nullptr, Scaled(a, aScale), Scaled(b, bScale),
                        hasBias ? (const tert_tensor *)bias : nullptr,
                        hasAddend ? (const tert_tensor *)addend : nullptr, d,
                        accumulate),
                    TERT_OK);
          EXPECT_LT(relativeError(actual, d), 1e-2)
              << s.m << "x" << s.n << "x" << s.k << " formats " << aType
              << bType << " -> " << dType << " variant " << variant;
          actual.checkGaps();
        }
}

TEST_F(GemmTest, Fp8WithScalesOfRows) {
  const Sizes sizes[] = {{16, 16, 16}, {128, 512, 384}, {272, 48, 1040}};
  const int32_t formats[][2] = {{TERT_F8E4M3, TERT_F8E4M3},
                                {TERT_F8E5M2, TERT_F8E4M3},
                                {TERT_F8E4M3, TERT_F8E5M2}};
  for (const Sizes &s : sizes)
    for (const auto &[aType, bType] : formats)
      for (int32_t dType : {TERT_BF16, TERT_F32})
        for (int variant = 0; variant < 8; ++variant) {
          SCOPED_TRACE(testing::Message()
                       << s.m << "x" << s.n << "x" << s.k << " formats "
                       << aType << bType << " -> " << dType << " variant "
                       << variant);
          int32_t accumulate =
              variant & 1 ? TERT_ACCUMULATE_FAST : TERT_ACCUMULATE_SPLIT;
          bool hasBias = variant & 2, hasAddend = variant & 4;
          Tensor a(aType, {s.m, s.k}), b(bType, {s.n, s.k}, 16);
          Tensor bias(TERT_F32, {s.n}), d(dType, {s.m, s.n});
          Tensor addend(dType, {s.m, s.n});
          randomizeCodes(a, 1);
          randomizeCodes(b, 2);
          bias.randomize(3);
          addend.randomize(4);
          // Magnitudes that differ from row to row.
          Tensor aScale(TERT_F32, {s.m, 1}), bScale(TERT_F32, {s.n, 1});
          aScale.fill([](int64_t i) { return std::ldexp(1.3, int(i % 5)); });
          bScale.fill([](int64_t i) { return std::ldexp(0.7, int(i % 7)); });
          OnGpu da(gpu, a), db(gpu, b), dBias(gpu, bias), dd(gpu, d);
          OnGpu dAddend(gpu, addend);
          OnGpu das(gpu, aScale), dbs(gpu, bScale);
          ASSERT_EQ(tert_scaled_matmul(
                        gpu, nullptr, Scaled(da, das), Scaled(db, dbs),
                        hasBias ? (const tert_tensor *)dBias : nullptr,
                        hasAddend ? (const tert_tensor *)dAddend : nullptr, dd,
                        accumulate),
                    TERT_OK)
              << gpuError();
          Tensor actual = dd.read();
          ASSERT_EQ(tert_scaled_matmul(
                        cpu, nullptr, Scaled(a, aScale), Scaled(b, bScale),
                        hasBias ? (const tert_tensor *)bias : nullptr,
                        hasAddend ? (const tert_tensor *)addend : nullptr, d,
                        accumulate),
                    TERT_OK);
          // Rows and columns of small scales are as exact as the others.
          for (int64_t i = 0; i < d.numElements(); ++i) {
            const double scale =
                aScale.at(i / s.n) * bScale.at(i % s.n) * std::sqrt(s.k);
            ASSERT_LE(std::abs(actual.at(i) - d.at(i)),
                      0.02 * (scale + std::abs(d.at(i))) + 0.02)
                << "at " << i;
          }
        }
}

TEST_F(GemmTest, Fp8WithScalesOfRowsOfOneOperandIsRefused) {
  Tensor a(TERT_F8E4M3, {16, 16}), d(TERT_BF16, {16, 16});
  Tensor one = Tensor::scalar(1.0f), rows(TERT_F32, {16, 1});
  OnGpu da(gpu, a), dd(gpu, d), dOne(gpu, one), dRows(gpu, rows);
  EXPECT_EQ(tert_scaled_matmul(gpu, nullptr, Scaled(da, dOne),
                               Scaled(da, dRows), nullptr, nullptr, dd,
                               TERT_ACCUMULATE_SPLIT),
            TERT_UNSUPPORTED);
  EXPECT_NE(gpuError().find("one for each row of both"), std::string::npos)
      << gpuError();
}

TEST_F(GemmTest, Fp8SizesThatNeedPaddingAreRefused) {
  Tensor a(TERT_F8E4M3, {16, 24}), b(TERT_F8E4M3, {16, 24});
  Tensor d(TERT_BF16, {16, 16}), one = Tensor::scalar(1.0f);
  OnGpu da(gpu, a), db(gpu, b), dd(gpu, d), scale(gpu, one);
  EXPECT_EQ(tert_scaled_matmul(gpu, nullptr, Scaled(da, scale),
                               Scaled(db, scale), nullptr, nullptr, dd,
                               TERT_ACCUMULATE_SPLIT),
            TERT_UNSUPPORTED);
  EXPECT_NE(gpuError().find("multiples of 16"), std::string::npos)
      << gpuError();
}

/// Programs keep all scales in one vector, so addresses are any multiple of 4.
TEST_F(GemmTest, Fp8ScalesAtAnyAddress) {
  Tensor a(TERT_F8E4M3, {32, 64}), b(TERT_F8E4M3, {16, 64});
  Tensor d(TERT_BF16, {32, 16}), scales(TERT_F32, {8});
  randomizeCodes(a, 1);
  randomizeCodes(b, 2);
  scales.fill([](int64_t i) { return 0.5 + double(i); });
  OnGpu da(gpu, a), db(gpu, b), dd(gpu, d), dScales(gpu, scales);
  Tensor one = Tensor::scalar(1.0f);
  auto element = [&](const tert_tensor *vector, int64_t i) {
    return tert_tensor{static_cast<float *>(vector->data) + i, &one.layout};
  };
  tert_tensor gpuA = element(dScales, 1), gpuB = element(dScales, 4);
  ASSERT_EQ(tert_scaled_matmul(gpu, nullptr, Scaled(da, &gpuA),
                               Scaled(db, &gpuB), nullptr, nullptr, dd,
                               TERT_ACCUMULATE_FAST),
            TERT_OK)
      << gpuError();
  tert_tensor cpuA = element(scales, 1), cpuB = element(scales, 4);
  ASSERT_EQ(tert_scaled_matmul(cpu, nullptr, Scaled(a, &cpuA), Scaled(b, &cpuB),
                               nullptr, nullptr, d, TERT_ACCUMULATE_FAST),
            TERT_OK);
  EXPECT_LT(relativeError(dd.read(), d), 1e-2);
}

TEST_F(GemmTest, RunsAreBitEqual) {
  Tensor a(TERT_BF16, {512, 2048}), b(TERT_BF16, {768, 2048});
  Tensor d(TERT_BF16, {512, 768});
  a.randomize(1);
  b.randomize(2);
  OnGpu da(gpu, a), db(gpu, b), first(gpu, d), second(gpu, d);
  for (const OnGpu *result : {&first, &second})
    ASSERT_EQ(tert_matmul(gpu, nullptr, da, db, nullptr, *result, 0, 1, 0),
              TERT_OK)
        << gpuError();
  EXPECT_TRUE(first.read().sameBits(second.read()));
}
