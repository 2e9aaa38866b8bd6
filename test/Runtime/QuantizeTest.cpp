// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fp8Reference.h"
#include "SafetensorsFixture.h"

#include <numeric>

using namespace tert_test;

namespace {

class FormatTest : public testing::TestWithParam<int32_t> {
protected:
  Context context;
  Fp8Reference reference{GetParam()};
};

std::string formatName(const testing::TestParamInfo<int32_t> &info) {
  return info.param == TERT_F8E4M3 ? "E4M3" : "E5M2";
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Formats, FormatTest,
                         testing::Values(TERT_F8E4M3, TERT_F8E5M2), formatName);

TEST_P(FormatTest, EveryBf16Value) {
  Tensor x(TERT_BF16, {256, 256});
  for (int i = 0; i < 65536; ++i)
    x.setBits(i, i);
  Tensor q(GetParam(), {256, 256}), qt(GetParam(), {256, 256});
  EXPECT_OK(context, tert_quantize(context, nullptr, x,
                                   Quantized(Tensor::scalar(1), q, qt, nullptr),
                                   nullptr));
  for (int i = 0; i < 65536; ++i) {
    uint8_t expected = reference.encode(bf16Value(uint16_t(i)));
    ASSERT_EQ(q.bitsAt(i), expected) << "bf16 bits " << i;
    ASSERT_EQ(qt.bitsAt(i % 256, i / 256), expected) << "bf16 bits " << i;
  }
}

TEST_P(FormatTest, NeighboursOfEveryTieAndValue) {
  // Around every value and every midpoint, f32 by f32.
  std::vector<float> inputs;
  for (int code = 0; code < 0x80; ++code) {
    double value = fp8Value(GetParam(), code);
    double next = fp8Value(GetParam(), code + 1 == 0x80 ? code : code + 1);
    if (!std::isfinite(value))
      continue;
    for (double center :
         {value, std::isfinite(next) ? (value + next) / 2 : value}) {
      float f = float(center);
      ASSERT_EQ(double(f), center);
      for (float x :
           {std::nextafter(f, -INFINITY), f, std::nextafter(f, INFINITY)}) {
        inputs.push_back(x);
        inputs.push_back(-x);
      }
    }
  }
  int64_t n = inputs.size();
  Tensor x(TERT_F32, {1, n}), q(GetParam(), {1, n});
  x.fill([&](int64_t i) { return inputs[i]; });
  EXPECT_OK(context,
            tert_quantize(context, nullptr, x,
                          Quantized(Tensor::scalar(1), q, nullptr, nullptr),
                          nullptr));
  for (int64_t i = 0; i < n; ++i)
    ASSERT_EQ(q.bitsAt(i), reference.encode(inputs[i])) << inputs[i];
}

TEST_P(FormatTest, DequantizeEveryCode) {
  for (int32_t dtype : {TERT_F32, TERT_BF16}) {
    // 256 codes in rows of odd length with gaps.
    Tensor x(GetParam(), {16, 17}, /*rowGap=*/3), y(dtype, {16, 17}, 5);
    for (int i = 0; i < 272; ++i)
      x.setBits(i, i & 0xff);
    float scaleInv = 0.3f;
    EXPECT_OK(context, tert_dequantize(context, nullptr,
                                       Scaled(x, Tensor::scalar(scaleInv)), y));
    for (int i = 0; i < 272; ++i) {
      float exact = float(fp8Value(GetParam(), i & 0xff)) * scaleInv;
      double expected = dtype == TERT_F32 ? exact : bf16Value(bf16Bits(exact));
      if (std::isnan(expected))
        ASSERT_TRUE(std::isnan(y.at(i))) << i;
      else
        ASSERT_EQ(y.at(i), expected) << i;
    }
    y.checkGaps();
  }
}

TEST_P(FormatTest, ShapesStridesAndPadding) {
  for (auto [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{{1, 1},
                                                                    {1, 300},
                                                                    {70, 1},
                                                                    {16, 16},
                                                                    {33, 47},
                                                                    {64, 64},
                                                                    {65, 129},
                                                                    {200, 190},
                                                                    {0, 5},
                                                                    {5, 0}}) {
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      Tensor x(dtype, {rows, cols}, 3);
      x.randomize(uint32_t(rows * 1000 + cols), 50.0);
      float scale = 1.7f;
      Tensor q(GetParam(), {rows + 3, cols + 5}, 2);
      Tensor qt(GetParam(), {cols + 2, rows + 70}, 1);
      Tensor amax = Tensor::scalar(-1), dbias(TERT_F32, {cols});
      EXPECT_OK(context,
                tert_quantize(context, nullptr, x,
                              Quantized(Tensor::scalar(scale), q, qt, amax),
                              dbias));
      for (int64_t j = 0; j < cols; ++j) {
        double sum = 0, size = 0;
        for (int64_t i = 0; i < rows; ++i) {
          sum += x.at(i, j);
          size += std::fabs(x.at(i, j));
        }
        ASSERT_NEAR(dbias.at(j), sum, 1e-6 * size);
      }
      double largest = 0;
      for (int64_t i = 0; i < x.numElements(); ++i)
        largest = std::max(largest, std::fabs(x.at(i)));
      EXPECT_EQ(amax.at(0), largest);
      for (int64_t i = 0; i < rows + 3; ++i)
        for (int64_t j = 0; j < cols + 5; ++j)
          ASSERT_EQ(q.bitsAt(i, j),
                    i < rows && j < cols
                        ? reference.encode(float(x.at(i, j)) * scale)
                        : 0)
              << rows << "x" << cols << " at " << i << "," << j;
      for (int64_t j = 0; j < cols + 2; ++j)
        for (int64_t i = 0; i < rows + 70; ++i)
          ASSERT_EQ(qt.bitsAt(j, i), i < rows && j < cols ? q.bitsAt(i, j) : 0);
      q.checkGaps();
      qt.checkGaps();
    }
  }
}

TEST_P(FormatTest, ThreadsDoNotMatter) {
  Tensor x(TERT_F32, {300, 517});
  x.randomize(1, 3.0);
  Tensor q1(GetParam(), {300, 517}), qt1(GetParam(), {517, 300}), q3 = q1,
                                                                  qt3 = qt1;
  Tensor amax1 = Tensor::scalar(0), amax3 = Tensor::scalar(0);
  Context one(1), three(3);
  EXPECT_OK(one, tert_quantize(one, nullptr, x,
                               Quantized(Tensor::scalar(9), q1, qt1, amax1),
                               nullptr));
  EXPECT_OK(three, tert_quantize(three, nullptr, x,
                                 Quantized(Tensor::scalar(9), q3, qt3, amax3),
                                 nullptr));
  EXPECT_TRUE(q1.sameBits(q3));
  EXPECT_TRUE(qt1.sameBits(qt3));
  EXPECT_TRUE(amax1.sameBits(amax3));
}

TEST(QuantizeTest, AmaxOfNonFinite) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16}) {
    Tensor x(dtype, {70, 33});
    x.randomize(3);
    Tensor amax = Tensor::scalar(0);
    x.set(70 * 33 - 1, -INFINITY);
    EXPECT_OK(context, tert_amax(context, nullptr, x, amax, /*transposed=*/0));
    EXPECT_EQ(amax.at(0), INFINITY);
    x.set(5, -NAN);
    EXPECT_OK(context, tert_amax(context, nullptr, x, amax, /*transposed=*/0));
    EXPECT_TRUE(std::isnan(amax.at(0)));
    EXPECT_OK(context, tert_quantize(
                           context, nullptr, x,
                           Quantized(Tensor::scalar(1), nullptr, nullptr, amax),
                           nullptr));
    EXPECT_TRUE(std::isnan(amax.at(0)));
  }
}

TEST(QuantizeTest, AmaxOfAnyShape) {
  Context context;
  for (std::vector<int64_t> shape : std::vector<std::vector<int64_t>>{
           {}, {1}, {9001}, {3, 5, 7, 11}, {2, 1, 3, 1}, {2, 3, 4, 5, 6, 7}}) {
    Tensor x(TERT_F32, shape, shape.empty() ? 0 : 2);
    x.randomize(7);
    double largest = 0;
    for (int64_t i = 0; i < x.numElements(); ++i)
      largest = std::max(largest, std::fabs(x.at(i)));
    Tensor amax = Tensor::scalar(-1);
    EXPECT_OK(context, tert_amax(context, nullptr, x, amax, /*transposed=*/0));
    EXPECT_EQ(amax.at(0), largest);
  }
  Tensor empty(TERT_F32, {0, 4}), amax = Tensor::scalar(-1);
  EXPECT_OK(context,
            tert_amax(context, nullptr, empty, amax, /*transposed=*/0));
  EXPECT_EQ(amax.at(0), 0);
}

TEST(QuantizeTest, AgreesWithTransformerEngine) {
  SafetensorsFixture file(TERT_TEST_INPUTS "/transformer_engine.safetensors");
  Context context;
  int numCasts = 0;
  for (const char *dtype : {"float32", "bfloat16"})
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
      for (int i = 0; i < 4; ++i) {
        std::string cast = std::string("cast.") + dtype + ".";
        Tensor x = file.get(cast + "x");
        cast += (format == TERT_F8E4M3 ? "e4m3." : "e5m2.") +
                std::to_string(i) + ".";
        Tensor rowwise = file.get(cast + "rowwise", format);
        Tensor columnwise = file.get(cast + "columnwise", format);
        Tensor q(format, {x.size(0), x.size(1)});
        Tensor qt(format, {x.size(1), x.size(0)});
        Tensor amax = Tensor::scalar(0);
        EXPECT_OK(context, tert_quantize(
                               context, nullptr, x,
                               Quantized(file.get(cast + "scale"), q, qt, amax),
                               nullptr));
        EXPECT_TRUE(q.sameBits(rowwise)) << cast;
        EXPECT_TRUE(qt.sameBits(columnwise)) << cast;
        EXPECT_TRUE(amax.sameBits(file.get(cast + "amax"))) << cast;
        ++numCasts;
      }
  EXPECT_EQ(numCasts, 16);
}

// Matrices one below the other are quantized as the one that they are together:
// tiles of 64 rows, parts that begin within one, and padding.
TEST_P(FormatTest, JoinedIsTheWhole) {
  constexpr int64_t cols = 70;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (const std::vector<int64_t> &rows :
         {std::vector<int64_t>{5}, {64, 1}, {16, 70, 3}, {1, 128, 66, 64}}) {
      SCOPED_TRACE(testing::Message() << rows.size() << " of " << dtype);
      int64_t all = std::accumulate(rows.begin(), rows.end(), int64_t(0));
      Tensor whole(dtype, {all, cols});
      whole.randomize(7, 40);
      std::vector<Tensor> parts;
      int64_t first = 0;
      for (int64_t count : rows) {
        Tensor part(dtype, {count, cols}, /*rowGap=*/int64_t(parts.size()));
        for (int64_t i = 0; i < count * cols; ++i)
          part.setBits(i, whole.bitsAt(first * cols + i));
        first += count;
        parts.push_back(part);
      }
      std::vector<tert_tensor> handles;
      for (Tensor &part : parts)
        handles.push_back(part.get());
      const Tensor scale = Tensor::scalar(3);
      auto run = [&](bool joined) {
        std::vector<Tensor> results = {Tensor(GetParam(), {all + 3, cols + 2}),
                                       Tensor(GetParam(), {cols, all + 9}),
                                       Tensor::scalar(-1)};
        for (Tensor &result : results)
          for (int64_t i = 0; i < result.numElements(); ++i)
            result.setBits(i, 0x7e);
        Quantized quantized(scale, results[0], results[1], results[2]);
        EXPECT_OK(context, joined
                               ? tert_quantize_joined(context, nullptr,
                                                      int32_t(handles.size()),
                                                      handles.data(), quantized)
                               : tert_quantize(context, nullptr, whole,
                                               quantized, nullptr));
        return results;
      };
      std::vector<Tensor> expected = run(false), got = run(true);
      for (size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(got[i].sameBits(expected[i])) << i;
    }
}

TEST(QuantizeTest, RefusesWhatCannotBeJoined) {
  Context context;
  Tensor x(TERT_F32, {4, 6}), narrow(TERT_F32, {4, 5}),
      other(TERT_BF16, {4, 6}), q(TERT_F8E4M3, {8, 6}),
      scale = Tensor::scalar(1);
  auto expectError = [&](std::vector<tert_tensor> parts,
                         const std::string &message) {
    EXPECT_EQ(tert_quantize_joined(context, nullptr, int32_t(parts.size()),
                                   parts.data(),
                                   Quantized(scale, q, nullptr, nullptr)),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find(message), std::string::npos)
        << context.error();
  };
  const tert_tensor part = x.get();
  expectError({}, "'num_x' is 0, but must be in [1, 4]");
  expectError({part, part, part, part, part}, "'num_x' is 5");
  expectError({part, narrow.get()}, "'x[1]'");
  expectError({part, other.get()}, "'x[1]'");
  expectError({part, part, part}, "at least [12, 6]");
}

TEST(QuantizeTest, RefusesBadArguments) {
  Context context;
  tert_site site = {"tert.quantize", "h.0.mlp (model.py:7)", 0, 0, 0};
  Tensor x(TERT_F32, {4, 6}), scale = Tensor::scalar(1);
  Tensor q(TERT_F8E4M3, {4, 5}), qt(TERT_F8E5M2, {6, 4});
  EXPECT_EQ(tert_quantize(context, &site, x,
                          Quantized(scale, q, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.quantize at h.0.mlp (model.py:7): 'rowwise' is [4, 5] "
            "f8E4M3, but must be at least [4, 6], the shape of the result");
  Tensor good(TERT_F8E4M3, {4, 6});
  EXPECT_EQ(tert_quantize(context, &site, x,
                          Quantized(scale, good, qt, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("share one scale"), std::string::npos);
  EXPECT_EQ(tert_quantize(context, &site, x,
                          Quantized(nullptr, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'scale' is missing"), std::string::npos);
  EXPECT_EQ(tert_quantize(context, &site, good,
                          Quantized(scale, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("must be f32 or bf16"), std::string::npos);
  Tensor strided(TERT_F32, {4, 6}, std::vector<int64_t>{1, 4});
  EXPECT_EQ(tert_quantize(context, &site, strided,
                          Quantized(scale, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("with strides [1, 4]"), std::string::npos);
  Tensor bad(TERT_F32, {4, 6});
  bad.layout.rank = 9;
  EXPECT_EQ(tert_quantize(context, &site, bad,
                          Quantized(scale, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  bad.layout.rank = 2;
  bad.layout.sizes[0] = bad.layout.sizes[1] = int64_t(1) << 40;
  EXPECT_EQ(tert_quantize(context, &site, bad,
                          Quantized(scale, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  bad.layout.sizes[0] = -1;
  EXPECT_EQ(tert_quantize(context, &site, bad,
                          Quantized(scale, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  bad.layout.dtype = 99;
  EXPECT_EQ(tert_quantize(context, &site, bad,
                          Quantized(scale, good, nullptr, nullptr), nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("dtype 99"), std::string::npos);
}
