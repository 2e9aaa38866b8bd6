// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"
#include "SafetensorsFixture.h"

using namespace tert_test;

namespace {

constexpr float eps = 1e-5f;

struct Reference {
  std::vector<double> y, rstd;
};

Reference rmsNorm(const std::vector<double> &x,
                  const std::vector<double> &gamma, bool zeroCentered) {
  size_t cols = gamma.size(), rows = x.size() / cols;
  Reference result{std::vector<double>(x.size()), {}};
  for (size_t i = 0; i < rows; ++i) {
    double meanSquare = 0;
    for (size_t j = 0; j < cols; ++j)
      meanSquare += x[i * cols + j] * x[i * cols + j] / double(cols);
    double rstd = 1 / std::sqrt(meanSquare + eps);
    result.rstd.push_back(rstd);
    for (size_t j = 0; j < cols; ++j)
      result.y[i * cols + j] =
          x[i * cols + j] * rstd * (gamma[j] + zeroCentered);
  }
  return result;
}

struct GradReference {
  std::vector<double> dx, dgamma;
};

GradReference rmsNormGrad(const std::vector<double> &dy,
                          const std::vector<double> &x,
                          const std::vector<double> &gamma, bool zeroCentered) {
  size_t cols = gamma.size(), rows = x.size() / cols;
  Reference forward = rmsNorm(x, gamma, zeroCentered);
  GradReference result{std::vector<double>(x.size()),
                       std::vector<double>(cols, 0.0)};
  for (size_t i = 0; i < rows; ++i) {
    double rstd = forward.rstd[i], mean = 0;
    auto c = [&](size_t j) {
      return dy[i * cols + j] * (gamma[j] + zeroCentered);
    };
    for (size_t j = 0; j < cols; ++j) {
      double n = x[i * cols + j] * rstd;
      mean += c(j) * n / double(cols);
      result.dgamma[j] += dy[i * cols + j] * n;
    }
    for (size_t j = 0; j < cols; ++j)
      result.dx[i * cols + j] = rstd * (c(j) - x[i * cols + j] * rstd * mean);
  }
  return result;
}

struct Case {
  int64_t rows, cols;
  int32_t dtype;
  int32_t zeroCentered;
};

class RMSNormTest : public testing::TestWithParam<Case> {
protected:
  Case shape = GetParam();
  Context context;
  Tensor x{shape.dtype, {shape.rows, shape.cols}, 3};
  Tensor gamma{shape.dtype, {shape.cols}};
  Tensor rstd{TERT_F32, {shape.rows}};

  void SetUp() override {
    x.randomize(1, 2.0);
    gamma.randomize(2, 0.3);
    if (!shape.zeroCentered)
      for (int64_t j = 0; j < shape.cols; ++j)
        gamma.set(j, gamma.at(j) + 1);
  }
  Reference reference() const {
    return rmsNorm(valuesOf(x), valuesOf(gamma), shape.zeroCentered);
  }
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (auto [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 1}, {1, 7}, {3, 64}, {64, 256}, {65, 129}, {200, 33}, {2, 1000}})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (int32_t zeroCentered : {0, 1})
        result.push_back({rows, cols, dtype, zeroCentered});
  return result;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, RMSNormTest, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::to_string(info.param.rows) + "x" +
                                  std::to_string(info.param.cols) + "_" +
                                  dtypeName(info.param.dtype) +
                                  (info.param.zeroCentered ? "_zero_centered"
                                                           : "");
                         });

TEST_P(RMSNormTest, AgreesWithFormula) {
  Reference expected = reference();
  for (int32_t yDtype : {TERT_F32, TERT_BF16}) {
    Tensor y(yDtype, {shape.rows, shape.cols}, 1);
    QuantizedOutputs quantized(TERT_F8E4M3, shape.rows, shape.cols);
    EXPECT_OK(context,
              tert_rms_norm(context, nullptr, x, gamma, y, rstd,
                            Quantized(Tensor::scalar(20), quantized.rowwise,
                                      quantized.columnwise, quantized.amax),
                            eps, shape.zeroCentered));
    expectClose(rstd, expected.rstd, 1e-6, "rstd");
    expectClose(y, expected.y, 3e-6, "y");
    quantized.expect(expected.y, 20, 3e-6, "quantized");
  }
}

TEST_P(RMSNormTest, OutputsAreOptional) {
  Reference expected = reference();
  EXPECT_OK(context, tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                                   nullptr, eps, shape.zeroCentered));
  expectClose(rstd, expected.rstd, 1e-6, "rstd");
  Tensor amax = Tensor::scalar(-1);
  EXPECT_OK(context, tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                                   Quantized(nullptr, nullptr, nullptr, amax),
                                   eps, shape.zeroCentered));
  double largest = 0;
  for (double value : expected.y)
    largest = std::max(largest, std::fabs(value));
  EXPECT_NEAR(amax.at(0), largest, 3e-6 * (1 + largest));
}

TEST_P(RMSNormTest, GradAgreesWithFormula) {
  EXPECT_OK(context, tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                                   nullptr, eps, shape.zeroCentered));
  Tensor dy(shape.dtype, {shape.rows, shape.cols}, 2);
  dy.randomize(4);
  Tensor residual(TERT_F32, {shape.rows, shape.cols}, 7);
  residual.randomize(5);
  GradReference expected = rmsNormGrad(valuesOf(dy), valuesOf(x),
                                       valuesOf(gamma), shape.zeroCentered);
  for (bool withResidual : {false, true})
    for (bool withDx : {true, false}) {
      Tensor dx(shape.dtype, {shape.rows, shape.cols}, 4);
      Tensor dgamma(shape.dtype, {shape.cols});
      QuantizedOutputs quantized(TERT_F8E5M2, shape.rows, shape.cols);
      EXPECT_OK(context,
                tert_rms_norm_grad(
                    context, nullptr, dy, x, gamma, rstd,
                    withResidual ? static_cast<const tert_tensor *>(residual)
                                 : nullptr,
                    withDx ? static_cast<const tert_tensor *>(dx) : nullptr,
                    dgamma,
                    Quantized(Tensor::scalar(200), quantized.rowwise,
                              quantized.columnwise, quantized.amax),
                    shape.zeroCentered));
      std::vector<double> dxExpected = expected.dx;
      if (withResidual)
        for (size_t i = 0; i < dxExpected.size(); ++i)
          dxExpected[i] += residual.at(int64_t(i));
      if (withDx)
        expectClose(dx, dxExpected, 1e-5, "dx");
      quantized.expect(dxExpected, 200, 1e-5, "quantized");
      expectClose(dgamma, expected.dgamma, 2e-5, "dgamma");
    }
}

// The copy that rms_norm makes, byte for byte, and the gradient as it is.
TEST_P(RMSNormTest, GradRecomputesTheCopy) {
  const std::vector<int64_t> turned = {shape.cols, shape.rows};
  Tensor expectedCopy(TERT_F8E4M3, turned, 2), copy(TERT_F8E4M3, turned, 2);
  EXPECT_OK(context, tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                                   Quantized(Tensor::scalar(20), nullptr,
                                             expectedCopy, nullptr),
                                   eps, shape.zeroCentered));
  Tensor dy(shape.dtype, {shape.rows, shape.cols}, 2), residual = dy;
  dy.randomize(4);
  residual.randomize(5);
  const Tensor scale = Tensor::scalar(200), yScale = Tensor::scalar(20);
  auto run = [&](bool anew) {
    Tensor dx(shape.dtype, {shape.rows, shape.cols}),
        dgamma(TERT_F32, {shape.cols}),
        amax = Tensor::scalar(-1),
        rowwise(TERT_F8E5M2, {shape.rows, shape.cols}),
        columnwise(TERT_F8E5M2, turned);
    Quantized quantized(scale, rowwise, columnwise, amax);
    EXPECT_OK(context,
              anew ? tert_rms_norm_grad_recompute(
                         context, nullptr, dy, x, gamma, rstd, yScale, residual,
                         dx, dgamma, quantized, copy, shape.zeroCentered)
                   : tert_rms_norm_grad(context, nullptr, dy, x, gamma, rstd,
                                        residual, dx, dgamma, quantized,
                                        shape.zeroCentered));
    return std::vector<Tensor>{dx, dgamma, rowwise, columnwise, amax};
  };
  for (int64_t i = 0; i < copy.numElements(); ++i)
    copy.setBits(i, 0x7e);
  std::vector<Tensor> expected = run(false), got = run(true);
  EXPECT_TRUE(copy.sameBits(expectedCopy));
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_TRUE(got[i].sameBits(expected[i])) << i;
}

TEST_P(RMSNormTest, ThreadsDoNotMatter) {
  Tensor dy(shape.dtype, {shape.rows, shape.cols});
  dy.randomize(4);
  auto run = [&](int threads) {
    Context pool(threads);
    std::vector<Tensor> results = {
        Tensor(TERT_F32, {shape.rows, shape.cols}),
        Tensor(TERT_F32, {shape.rows}),
        Tensor(TERT_F8E4M3, {shape.rows, shape.cols}),
        Tensor(TERT_F32, {shape.rows, shape.cols}),
        Tensor(TERT_F32, {shape.cols}),
        Tensor(TERT_F8E5M2, {shape.cols, shape.rows}),
        Tensor::scalar(0)};
    EXPECT_OK(pool,
              tert_rms_norm(
                  pool, nullptr, x, gamma, results[0], results[1],
                  Quantized(Tensor::scalar(3), results[2], nullptr, nullptr),
                  eps, shape.zeroCentered));
    EXPECT_OK(pool, tert_rms_norm_grad(pool, nullptr, dy, x, gamma, results[1],
                                       nullptr, results[3], results[4],
                                       Quantized(Tensor::scalar(3), nullptr,
                                                 results[5], results[6]),
                                       shape.zeroCentered));
    return results;
  };
  std::vector<Tensor> one = run(1), three = run(3);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_TRUE(one[i].sameBits(three[i])) << i;
}

TEST(RMSNormGradTest, AgreesWithFiniteDifferences) {
  Context context;
  Tensor x(TERT_F32, {3, 5}), dy = x, dx = x, gamma(TERT_F32, {5}),
                              dgamma = gamma, rstd(TERT_F32, {3});
  x.randomize(1);
  dy.randomize(2);
  gamma.randomize(3);
  EXPECT_OK(context, tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                                   nullptr, eps, 0));
  EXPECT_OK(context, tert_rms_norm_grad(context, nullptr, dy, x, gamma, rstd,
                                        nullptr, dx, dgamma, nullptr, 0));
  auto loss = [&](const std::vector<double> &y) {
    double sum = 0;
    for (size_t i = 0; i < y.size(); ++i)
      sum += y[i] * dy.at(int64_t(i));
    return sum;
  };
  std::vector<double> xs = valuesOf(x), gs = valuesOf(gamma);
  expectClose(dx,
              finiteDifferences(
                  xs, [&](auto &v) { return loss(rmsNorm(v, gs, false).y); }),
              1e-5, "dx");
  expectClose(dgamma,
              finiteDifferences(
                  gs, [&](auto &v) { return loss(rmsNorm(xs, v, false).y); }),
              1e-5, "dgamma");
}

TEST(RMSNormReferenceTest, EveryByteOfTransformerEngine) {
  SafetensorsFixture file(TERT_TEST_INPUTS "/transformer_engine.safetensors");
  Context context;
  Tensor x = file.get("norm.x");
  int64_t rows = x.size(0), cols = x.size(1);
  for (int zeroCentered : {0, 1}) {
    std::string name = "norm.rms.zc" + std::to_string(zeroCentered) + ".";
    // The zero-centred run was given gamma - 1.
    Tensor gamma = file.get("norm.gamma");
    for (int64_t j = 0; j < cols; ++j)
      gamma.set(j, gamma.at(j) - zeroCentered);
    Tensor rstd(TERT_F32, {rows});
    Tensor rowwise(TERT_F8E4M3, {rows, cols}), amax = Tensor::scalar(0);
    EXPECT_OK(context, tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                                     Quantized(Tensor::scalar(50), rowwise,
                                               nullptr, amax),
                                     eps, zeroCentered));
    EXPECT_TRUE(rowwise.sameBits(file.get(name + "rowwise", TERT_F8E4M3)))
        << name;
    EXPECT_TRUE(amax.sameBits(file.get(name + "amax"))) << name;
    Tensor rsigma = file.get(name + "rsigma");
    for (int64_t i = 0; i < rows; ++i)
      EXPECT_NEAR(rstd.at(i) / rsigma.at(i), 1, 2e-7) << i;
  }
}

TEST(RMSNormNonFiniteTest, NanReachesTheAmax) {
  Context context;
  Tensor x(TERT_F32, {70, 40}), gamma(TERT_F32, {40});
  x.randomize(1).set(69 * 40 + 39, NAN);
  gamma.fill([](int64_t) { return 1; });
  Tensor rstd(TERT_F32, {70}), amax = Tensor::scalar(0);
  EXPECT_OK(context,
            tert_rms_norm(context, nullptr, x, gamma, nullptr, rstd,
                          Quantized(nullptr, nullptr, nullptr, amax), eps, 0));
  EXPECT_TRUE(std::isnan(amax.at(0)));
  EXPECT_TRUE(std::isnan(rstd.at(69)));
  EXPECT_FALSE(std::isnan(rstd.at(68)));
}
