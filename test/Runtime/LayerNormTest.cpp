// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"
#include "SafetensorsFixture.h"

using namespace tert_test;

namespace {

struct Reference {
  std::vector<double> y, mean, rstd;
};

Reference layerNorm(const std::vector<double> &x,
                    const std::vector<double> &gamma,
                    const std::vector<double> &beta, double eps,
                    bool zeroCentered) {
  size_t cols = gamma.size(), rows = x.size() / cols;
  Reference result{std::vector<double>(x.size()), {}, {}};
  for (size_t i = 0; i < rows; ++i) {
    double mean = 0, variance = 0;
    for (size_t j = 0; j < cols; ++j)
      mean += x[i * cols + j] / cols;
    for (size_t j = 0; j < cols; ++j)
      variance += std::pow(x[i * cols + j] - mean, 2) / cols;
    double rstd = 1 / std::sqrt(variance + eps);
    result.mean.push_back(mean);
    result.rstd.push_back(rstd);
    for (size_t j = 0; j < cols; ++j)
      result.y[i * cols + j] =
          (x[i * cols + j] - mean) * rstd * (gamma[j] + zeroCentered) + beta[j];
  }
  return result;
}

struct GradReference {
  std::vector<double> dx, dgamma, dbeta;
};

GradReference layerNormGrad(const std::vector<double> &dy,
                            const std::vector<double> &x,
                            const std::vector<double> &gamma, double eps,
                            bool zeroCentered) {
  size_t cols = gamma.size(), rows = x.size() / cols;
  std::vector<double> zero(cols, 0.0);
  Reference forward = layerNorm(x, gamma, zero, eps, zeroCentered);
  GradReference result{std::vector<double>(x.size()), zero, zero};
  for (size_t i = 0; i < rows; ++i) {
    double meanG = 0, meanGH = 0;
    auto h = [&](size_t j) {
      return (x[i * cols + j] - forward.mean[i]) * forward.rstd[i];
    };
    auto g = [&](size_t j) {
      return dy[i * cols + j] * (gamma[j] + zeroCentered);
    };
    for (size_t j = 0; j < cols; ++j) {
      meanG += g(j) / cols;
      meanGH += g(j) * h(j) / cols;
      result.dgamma[j] += dy[i * cols + j] * h(j);
      result.dbeta[j] += dy[i * cols + j];
    }
    for (size_t j = 0; j < cols; ++j)
      result.dx[i * cols + j] =
          forward.rstd[i] * (g(j) - meanG - h(j) * meanGH);
  }
  return result;
}

struct Case {
  int64_t rows, cols;
  int32_t dtype;
  int32_t zeroCentered;
};

class LayerNormTest : public testing::TestWithParam<Case> {
protected:
  static constexpr float eps = 1e-5f;
  Case shape = GetParam();
  Context context;
  Tensor x{shape.dtype, {shape.rows, shape.cols}, 3};
  Tensor gamma{shape.dtype, {shape.cols}};
  Tensor beta{shape.dtype, {shape.cols}};
  Tensor mean{TERT_F32, {shape.rows}};
  Tensor rstd{TERT_F32, {shape.rows}};

  void SetUp() override {
    x.randomize(1, 2.0);
    for (int64_t i = 0; i < x.numElements(); ++i)
      x.set(i, x.at(i) + 0.7); // a mean that is not zero
    gamma.randomize(2, 0.3);
    if (!shape.zeroCentered)
      for (int64_t j = 0; j < shape.cols; ++j)
        gamma.set(j, gamma.at(j) + 1);
    beta.randomize(3, 0.5);
  }
  Reference reference() const {
    return layerNorm(valuesOf(x), valuesOf(gamma), valuesOf(beta), eps,
                     shape.zeroCentered);
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

INSTANTIATE_TEST_SUITE_P(Shapes, LayerNormTest, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::to_string(info.param.rows) + "x" +
                                  std::to_string(info.param.cols) +
                                  (info.param.dtype == TERT_F32 ? "_f32"
                                                                : "_bf16") +
                                  (info.param.zeroCentered ? "_zero_centered"
                                                           : "");
                         });

TEST_P(LayerNormTest, AgreesWithFormula) {
  Reference expected = reference();
  for (int32_t yDtype : {TERT_F32, TERT_BF16}) {
    Tensor y(yDtype, {shape.rows, shape.cols}, 1);
    QuantizedOutputs quantized(TERT_F8E4M3, shape.rows, shape.cols);
    EXPECT_OK(context,
              tert_layer_norm(context, nullptr, x, gamma, beta, y, mean, rstd,
                              Quantized(Tensor::scalar(20), quantized.rowwise,
                                        quantized.columnwise, quantized.amax),
                              eps, shape.zeroCentered));
    expectClose(mean, expected.mean, 1e-6, "mean");
    // One column has no variance, and rstd = 1/sqrt(eps).
    expectClose(rstd, expected.rstd, 1e-6, "rstd");
    expectClose(y, expected.y, 3e-6, "y");
    quantized.expect(expected.y, 20, 3e-6, "quantized");
  }
}

TEST_P(LayerNormTest, OutputsAreOptional) {
  Reference expected = reference();
  EXPECT_OK(context,
            tert_layer_norm(context, nullptr, x, gamma, beta, nullptr, mean,
                            rstd, nullptr, eps, shape.zeroCentered));
  expectClose(mean, expected.mean, 1e-6, "mean");
  Tensor amax = Tensor::scalar(-1);
  EXPECT_OK(context,
            tert_layer_norm(context, nullptr, x, gamma, beta, nullptr, mean,
                            rstd, Quantized(nullptr, nullptr, nullptr, amax),
                            eps, shape.zeroCentered));
  double largest = 0;
  for (double value : expected.y)
    largest = std::max(largest, std::fabs(value));
  EXPECT_NEAR(amax.at(0), largest, 3e-6 * (1 + largest));
}

TEST_P(LayerNormTest, GradAgreesWithFormula) {
  EXPECT_OK(context,
            tert_layer_norm(context, nullptr, x, gamma, beta, nullptr, mean,
                            rstd, nullptr, eps, shape.zeroCentered));
  Tensor dy(shape.dtype, {shape.rows, shape.cols}, 2);
  dy.randomize(4);
  Tensor residual(shape.dtype, {shape.rows, shape.cols}, 7);
  residual.randomize(5);
  GradReference expected = layerNormGrad(
      valuesOf(dy), valuesOf(x), valuesOf(gamma), eps, shape.zeroCentered);
  // A single column: dx is a difference of equal numbers times 1/sqrt(eps).
  double tolerance = shape.cols == 1 ? 1e-3 : 1e-5;
  for (bool withResidual : {false, true}) {
    Tensor dx(shape.dtype, {shape.rows, shape.cols}, 4);
    Tensor dgamma(shape.dtype, {shape.cols}), dbeta(TERT_F32, {shape.cols});
    EXPECT_OK(
        context,
        tert_layer_norm_grad(
            context, nullptr, dy, x, gamma, mean, rstd,
            withResidual ? static_cast<const tert_tensor *>(residual) : nullptr,
            dx, dgamma, dbeta, nullptr, nullptr, shape.zeroCentered));
    std::vector<double> dxExpected = expected.dx, sums(shape.cols, 0.0);
    if (withResidual)
      for (size_t i = 0; i < dxExpected.size(); ++i)
        dxExpected[i] += residual.at(i);
    expectClose(dx, dxExpected, tolerance, "dx");
    // Copies, their amax and the sum over rows, of dx with the residual, which
    // itself need not be written.
    for (size_t i = 0; i < dxExpected.size(); ++i)
      sums[i % shape.cols] += dxExpected[i];
    QuantizedOutputs quantized(TERT_F8E5M2, shape.rows, shape.cols);
    Tensor sameGamma = dgamma, sameBeta = dbeta, dbias(TERT_F32, {shape.cols});
    EXPECT_OK(
        context,
        tert_layer_norm_grad(
            context, nullptr, dy, x, gamma, mean, rstd,
            withResidual ? static_cast<const tert_tensor *>(residual) : nullptr,
            nullptr, sameGamma, sameBeta,
            Quantized(Tensor::scalar(300), quantized.rowwise,
                      quantized.columnwise, quantized.amax),
            dbias, shape.zeroCentered));
    EXPECT_TRUE(sameGamma.sameBits(dgamma));
    EXPECT_TRUE(sameBeta.sameBits(dbeta));
    if (shape.cols > 1)
      quantized.expect(dxExpected, 300, tolerance, "quantized");
    expectClose(dbias, sums, 10 * tolerance, "dbias");
    expectClose(dgamma, expected.dgamma, 2e-5, "dgamma");
    expectClose(dbeta, expected.dbeta, 2e-5, "dbeta");
  }
}

TEST_P(LayerNormTest, ThreadsDoNotMatter) {
  Tensor dy(shape.dtype, {shape.rows, shape.cols});
  dy.randomize(4);
  auto run = [&](int threads) {
    Context pool(threads);
    std::vector<Tensor> results = {
        Tensor(TERT_F32, {shape.rows, shape.cols}),
        Tensor(TERT_F32, {shape.rows}),
        Tensor(TERT_F32, {shape.rows}),
        Tensor(TERT_F32, {shape.rows, shape.cols}),
        Tensor(TERT_F32, {shape.cols}),
        Tensor(TERT_F32, {shape.cols}),
        Tensor(TERT_F8E4M3, {shape.rows, shape.cols})};
    EXPECT_OK(pool, tert_layer_norm(pool, nullptr, x, gamma, beta, results[0],
                                    results[1], results[2],
                                    Quantized(Tensor::scalar(3), results[6],
                                              nullptr, nullptr),
                                    eps, shape.zeroCentered));
    EXPECT_OK(pool, tert_layer_norm_grad(pool, nullptr, dy, x, gamma,
                                         results[1], results[2], nullptr,
                                         results[3], results[4], results[5],
                                         nullptr, nullptr, shape.zeroCentered));
    return results;
  };
  std::vector<Tensor> one = run(1), three = run(3);
  for (size_t i = 0; i < one.size(); ++i)
    EXPECT_TRUE(one[i].sameBits(three[i])) << i;
}

TEST(LayerNormGradTest, AgreesWithFiniteDifferences) {
  Context context;
  int64_t rows = 3, cols = 5;
  float eps = 1e-5f;
  Tensor x(TERT_F32, {rows, cols}), dy = x, dx = x, gamma(TERT_F32, {cols}),
                                    beta = gamma, dgamma = gamma, dbeta = gamma,
                                    mean(TERT_F32, {rows}), rstd = mean;
  x.randomize(1);
  dy.randomize(2);
  gamma.randomize(3);
  beta.randomize(4);
  EXPECT_OK(context, tert_layer_norm(context, nullptr, x, gamma, beta, nullptr,
                                     mean, rstd, nullptr, eps, 0));
  EXPECT_OK(context, tert_layer_norm_grad(context, nullptr, dy, x, gamma, mean,
                                          rstd, nullptr, dx, dgamma, dbeta,
                                          nullptr, nullptr, 0));
  auto loss = [&](const std::vector<double> &y) {
    double sum = 0;
    for (size_t i = 0; i < y.size(); ++i)
      sum += y[i] * dy.at(i);
    return sum;
  };
  std::vector<double> xs = valuesOf(x), gs = valuesOf(gamma),
                      bs = valuesOf(beta);
  expectClose(
      dx,
      finiteDifferences(
          xs, [&](auto &v) { return loss(layerNorm(v, gs, bs, eps, 0).y); }),
      1e-5, "dx");
  expectClose(
      dgamma,
      finiteDifferences(
          gs, [&](auto &v) { return loss(layerNorm(xs, v, bs, eps, 0).y); }),
      1e-5, "dgamma");
  expectClose(
      dbeta,
      finiteDifferences(
          bs, [&](auto &v) { return loss(layerNorm(xs, gs, v, eps, 0).y); }),
      1e-5, "dbeta");
}

TEST(LayerNormReferenceTest, EveryByteOfTransformerEngine) {
  SafetensorsFixture file(TERT_TEST_INPUTS "/transformer_engine.safetensors");
  Context context;
  Tensor x = file.get("norm.x"), beta = file.get("norm.beta");
  int64_t rows = x.size(0), cols = x.size(1);
  for (int zeroCentered : {0, 1}) {
    std::string name = "norm.layer.zc" + std::to_string(zeroCentered) + ".";
    // The zero-centred run was given gamma - 1.
    Tensor gamma = file.get("norm.gamma");
    for (int64_t j = 0; j < cols; ++j)
      gamma.set(j, gamma.at(j) - zeroCentered);
    Tensor mean(TERT_F32, {rows}), rstd = mean;
    Tensor rowwise(TERT_F8E4M3, {rows, cols}), amax = Tensor::scalar(0);
    EXPECT_OK(
        context,
        tert_layer_norm(context, nullptr, x, gamma, beta, nullptr, mean, rstd,
                        Quantized(Tensor::scalar(50), rowwise, nullptr, amax),
                        1e-5f, zeroCentered));
    EXPECT_TRUE(rowwise.sameBits(file.get(name + "rowwise", TERT_F8E4M3)))
        << name;
    EXPECT_TRUE(amax.sameBits(file.get(name + "amax"))) << name;
    Tensor mu = file.get(name + "mu"), rsigma = file.get(name + "rsigma");
    for (int64_t i = 0; i < rows; ++i) {
      EXPECT_NEAR(mean.at(i), mu.at(i), 2e-8) << i;
      EXPECT_NEAR(rstd.at(i) / rsigma.at(i), 1, 2e-7) << i;
    }
  }
}

TEST(LayerNormNonFiniteTest, NanReachesTheAmax) {
  Context context;
  Tensor x(TERT_F32, {70, 40}), gamma(TERT_F32, {40}), beta = gamma;
  x.randomize(1).set(69 * 40 + 39, NAN);
  gamma.fill([](int64_t) { return 1; });
  beta.fill([](int64_t) { return 0; });
  Tensor mean(TERT_F32, {70}), rstd = mean, amax = Tensor::scalar(0);
  EXPECT_OK(context, tert_layer_norm(
                         context, nullptr, x, gamma, beta, nullptr, mean, rstd,
                         Quantized(nullptr, nullptr, nullptr, amax), 1e-5f, 0));
  EXPECT_TRUE(std::isnan(amax.at(0)));
  EXPECT_TRUE(std::isnan(mean.at(69)));
  EXPECT_FALSE(std::isnan(mean.at(68)));
}
