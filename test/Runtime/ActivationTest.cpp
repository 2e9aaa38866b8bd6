// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ActivationReference.h"
#include "Compare.h"
#include "SafetensorsFixture.h"

using namespace tert_test;

namespace {

class ActivationTest : public testing::TestWithParam<int32_t> {
protected:
  int32_t kind = GetParam();
  Context context;
};

std::string kindName(const testing::TestParamInfo<int32_t> &info) {
  static const char *const names[] = {"gelu_erf", "gelu_tanh",    "quick_gelu",
                                      "relu",     "squared_relu", "silu",
                                      "sigmoid",  "tanh"};
  return names[info.param];
}

const std::vector<std::pair<int64_t, int64_t>> shapes = {
    {1, 1}, {1, 300}, {70, 1}, {64, 64}, {65, 129}, {33, 600}, {200, 16}};

} // namespace

INSTANTIATE_TEST_SUITE_P(Kinds, ActivationTest, testing::Range(0, 8), kindName);

TEST_P(ActivationTest, AgreesWithFormula) {
  for (auto [rows, cols] : shapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (int32_t yDtype : {TERT_F32, TERT_BF16}) {
        Tensor x(dtype, {rows, cols}, 3), y(yDtype, {rows, cols}, 2);
        x.randomize(uint32_t(rows), 3.0);
        std::vector<double> expected = valuesOf(x);
        for (double &value : expected)
          value = activation(kind, value);
        QuantizedOutputs quantized(TERT_F8E4M3, rows, cols);
        EXPECT_OK(context, tert_activation(
                               context, nullptr, x, y,
                               Quantized(Tensor::scalar(7), quantized.rowwise,
                                         quantized.columnwise, quantized.amax),
                               kind));
        expectClose(y, expected, 4e-7, "y");
        quantized.expect(expected, 7, 4e-7, "quantized");
      }
}

/// Relative accuracy over the whole range, tails included. The tanh form of
/// GELU cancels in its lower tail by definition (1 + tanh).
TEST_P(ActivationTest, ValueIsAccurateToTheLastPlaces) {
  const int64_t n = 200000;
  Tensor x(TERT_F32, {1, n}), y = x;
  x.fill([&](int64_t i) { return -12.0 + 24.0 * i / n; });
  EXPECT_OK(context, tert_activation(context, nullptr, x, y, nullptr, kind));
  double worst = 0;
  for (int64_t i = 0; i < n; ++i) {
    double expected = activation(kind, x.at(i));
    if (std::fabs(expected) < 1e-37)
      continue;
    if (kind == TERT_GELU_TANH && x.at(i) < -1)
      ASSERT_NEAR(y.at(i), expected, 2e-7 * std::fabs(x.at(i))) << x.at(i);
    else if (kind == TERT_QUICK_GELU) // 1.702 x is rounded
      ASSERT_NEAR(y.at(i) / expected, 1, 8 * 0x1p-24 * (1 + std::fabs(x.at(i))))
          << x.at(i);
    else
      worst = std::max(worst, std::fabs(y.at(i) / expected - 1));
  }
  EXPECT_LT(worst, 8 * 0x1p-24);
}

TEST_P(ActivationTest, GradAgreesWithFormula) {
  for (auto [rows, cols] : shapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      Tensor x(dtype, {rows, cols}, 3), dy(dtype, {rows, cols}, 5);
      Tensor dx(dtype, {rows, cols}, 1), dbias(dtype, {cols});
      x.randomize(1, 3.0);
      dy.randomize(2);
      std::vector<double> expected(rows * cols), sums(cols, 0.0);
      for (int64_t i = 0; i < rows * cols; ++i) {
        expected[i] = dy.at(i) * activationGrad(kind, x.at(i));
        sums[i % cols] += expected[i];
      }
      QuantizedOutputs quantized(TERT_F8E5M2, rows, cols);
      EXPECT_OK(context, tert_activation_grad(
                             context, nullptr, dy, x, dx,
                             Quantized(Tensor::scalar(300), quantized.rowwise,
                                       quantized.columnwise, quantized.amax),
                             dbias, kind));
      expectClose(dx, expected, 2e-6, "dx");
      expectClose(dbias, sums, 1e-5, "dbias");
      quantized.expect(expected, 300, 2e-6, "quantized");
    }
}

TEST_P(ActivationTest, GradAgreesWithFiniteDifferences) {
  const int64_t n = 81;
  Tensor x(TERT_F32, {1, n}), dy = x, dx = x;
  // No point on a kink.
  x.fill([](int64_t i) { return -4.0 + i * 0.1 + 0.03; });
  dy.randomize(1);
  EXPECT_OK(context, tert_activation_grad(context, nullptr, dy, x, dx, nullptr,
                                          nullptr, kind));
  expectClose(dx,
              finiteDifferences(valuesOf(x),
                                [&](const std::vector<double> &v) {
                                  double sum = 0;
                                  for (int64_t i = 0; i < n; ++i)
                                    sum += dy.at(i) * activation(kind, v[i]);
                                  return sum;
                                }),
              2e-6, "dx");
}

TEST_P(ActivationTest, ThreadsDoNotMatter) {
  Tensor x(TERT_BF16, {200, 700}), dy = x;
  x.randomize(1, 2.0);
  dy.randomize(2);
  auto run = [&](int threads) {
    Context pool(threads);
    std::vector<Tensor> results = {
        Tensor(TERT_F32, {200, 700}),    Tensor(TERT_F32, {200, 700}),
        Tensor(TERT_F8E5M2, {200, 700}), Tensor(TERT_F8E5M2, {700, 200}),
        Tensor(TERT_F32, {700}),         Tensor::scalar(0)};
    EXPECT_OK(pool,
              tert_activation(pool, nullptr, x, results[0], nullptr, kind));
    EXPECT_OK(pool,
              tert_activation_grad(pool, nullptr, dy, x, results[1],
                                   Quantized(Tensor::scalar(5), results[2],
                                             results[3], results[5]),
                                   results[4], kind));
    return results;
  };
  std::vector<Tensor> one = run(1), three = run(3);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_TRUE(one[i].sameBits(three[i])) << i;
}

TEST_P(ActivationTest, NanStaysNan) {
  Tensor x(TERT_F32, {3, 70}), y = x, dx = x, dy = x;
  x.randomize(1).set(69, NAN);
  dy.randomize(2).set(140, NAN);
  Tensor amax = Tensor::scalar(0), gradAmax = Tensor::scalar(0);
  EXPECT_OK(context,
            tert_activation(context, nullptr, x, y,
                            Quantized(nullptr, nullptr, nullptr, amax), kind));
  EXPECT_TRUE(std::isnan(y.at(69)));
  EXPECT_FALSE(std::isnan(y.at(68)));
  EXPECT_TRUE(std::isnan(amax.at(0)));
  EXPECT_OK(context,
            tert_activation_grad(context, nullptr, dy, x, dx,
                                 Quantized(nullptr, nullptr, nullptr, gradAmax),
                                 nullptr, kind));
  EXPECT_TRUE(std::isnan(dx.at(140)));
  EXPECT_TRUE(std::isnan(gradAmax.at(0)));
}

TEST_P(ActivationTest, LargeArgumentsStayFinite) {
  Tensor x(TERT_F32, {1, 6}), y = x, dx = x, dy = x;
  const double values[] = {-1e38, -1e19, -200, 200, 1e18, 1e10};
  x.fill([&](int64_t i) { return values[i]; });
  dy.fill([](int64_t) { return 1; });
  EXPECT_OK(context, tert_activation(context, nullptr, x, y, nullptr, kind));
  EXPECT_OK(context, tert_activation_grad(context, nullptr, dy, x, dx, nullptr,
                                          nullptr, kind));
  for (int64_t i = 0; i < 6; ++i) {
    double value = activation(kind, values[i]);
    double slope = activationGrad(kind, values[i]);
    EXPECT_NEAR(y.at(i), value, 1e-6 * std::fabs(value) + 1e-30) << values[i];
    // x³ overflows in the derivative of the tanh form, as it does elsewhere.
    if (kind != TERT_GELU_TANH)
      EXPECT_NEAR(dx.at(i), slope, 1e-6 * std::fabs(slope) + 1e-30)
          << values[i];
  }
}

//===-- Transformer Engine's own bytes ------------------------------------===//

namespace {

class ActivationReferenceTest : public testing::Test {
protected:
  SafetensorsFixture file{TERT_TEST_INPUTS "/transformer_engine.safetensors"};
  Context context;
  Tensor x = file.get("act.x");
};

} // namespace

TEST_F(ActivationReferenceTest, EveryByteOfTransformerEngine) {
  for (auto [name, kind] : std::vector<std::pair<std::string, int32_t>>{
           {"gelu", TERT_GELU_TANH},
           {"relu", TERT_RELU},
           {"srelu", TERT_SQUARED_RELU},
           {"silu", TERT_SILU}}) {
    Tensor rowwise(TERT_F8E4M3, {x.size(0), x.size(1)});
    Tensor amax = Tensor::scalar(0);
    EXPECT_OK(context,
              tert_activation(
                  context, nullptr, x, nullptr,
                  Quantized(Tensor::scalar(40), rowwise, nullptr, amax), kind));
    EXPECT_TRUE(
        rowwise.sameBits(file.get("act." + name + ".rowwise", TERT_F8E4M3)))
        << name;
    EXPECT_TRUE(amax.sameBits(file.get("act." + name + ".amax"))) << name;
  }
}

TEST_F(ActivationReferenceTest, GradientOfGeluAndBias) {
  Tensor dy = file.get("act.dy");
  Tensor rowwise(TERT_F8E5M2, {x.size(0), x.size(1)});
  Tensor dbias(TERT_BF16, {x.size(1)}), amax = Tensor::scalar(0);
  EXPECT_OK(context, tert_activation_grad(
                         context, nullptr, dy, x, nullptr,
                         Quantized(Tensor::scalar(400), rowwise, nullptr, amax),
                         dbias, TERT_GELU_TANH));
  EXPECT_TRUE(
      rowwise.sameBits(file.get("act.dbias_dgelu.rowwise", TERT_F8E5M2)));
  EXPECT_TRUE(amax.sameBits(file.get("act.dbias_dgelu.amax")));
  EXPECT_TRUE(dbias.sameBits(file.get("act.dbias_dgelu.dbias")));
}
