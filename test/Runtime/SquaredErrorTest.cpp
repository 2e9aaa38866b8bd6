// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

using namespace tert_test;

namespace {

double squaredError(const std::vector<double> &x,
                    const std::vector<double> &target, int32_t reduction) {
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += (x[i] - target[i]) * (x[i] - target[i]);
  return reduction == TERT_MEAN ? sum / double(x.size()) : sum;
}

struct Case {
  int64_t rows, cols;
  int32_t xType, targetType, reduction;
};

class SquaredErrorTest : public testing::TestWithParam<Case> {};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int32_t xType : {TERT_F32, TERT_BF16})
    for (int32_t targetType : {TERT_F32, TERT_BF16})
      for (int32_t reduction : {TERT_MEAN, TERT_SUM})
        for (auto [rows, cols] : std::vector<std::pair<int64_t, int64_t>>{
                 {1, 1}, {8, 1}, {3, 7}, {70, 256}, {2, 20001}})
          result.push_back({rows, cols, xType, targetType, reduction});
  return result;
}

std::string caseName(const testing::TestParamInfo<Case> &info) {
  const Case &c = info.param;
  return std::to_string(c.rows) + "x" + std::to_string(c.cols) + "_" +
         dtypeName(c.xType) + "_target_" + dtypeName(c.targetType) +
         (c.reduction == TERT_MEAN ? "_mean" : "_sum");
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, SquaredErrorTest, testing::ValuesIn(cases()),
                         caseName);

TEST_P(SquaredErrorTest, AgreesWithFormula) {
  const Case c = GetParam();
  Context context;
  // Rows have gaps behind them, each tensor its own.
  Tensor x(c.xType, {c.rows, c.cols}, 11);
  Tensor target(c.targetType, {c.rows, c.cols}, 3);
  Tensor loss = Tensor::scalar(-1);
  x.randomize(1, 4.0);
  target.randomize(2);
  const std::vector<double> values = valuesOf(x), targets = valuesOf(target);
  const double expected = squaredError(values, targets, c.reduction);
  EXPECT_OK(context,
            tert_squared_error(context, nullptr, x, target, loss, c.reduction));
  EXPECT_NEAR(loss.at(0), expected, 1e-6 * expected);

  const double dloss = 0.75;
  std::vector<double> gradient;
  for (size_t i = 0; i < values.size(); ++i)
    gradient.push_back(
        dloss * 2 * (values[i] - targets[i]) /
        (c.reduction == TERT_MEAN ? double(values.size()) : 1.0));
  Tensor dx(c.xType, {c.rows, c.cols}, 5);
  EXPECT_OK(context, tert_squared_error_grad(context, nullptr,
                                             Tensor::scalar(float(dloss)), x,
                                             target, dx, c.reduction));
  expectClose(dx, gradient, 1e-6, "dx");

  // In place, and with other numbers of threads.
  for (int threads : {1, 3}) {
    Context pool(threads);
    Tensor inPlace = x, again = loss;
    EXPECT_OK(pool, tert_squared_error(pool, nullptr, inPlace, target, again,
                                       c.reduction));
    EXPECT_TRUE(again.sameBits(loss));
    EXPECT_OK(pool, tert_squared_error_grad(
                        pool, nullptr, Tensor::scalar(float(dloss)), inPlace,
                        target, inPlace, c.reduction));
    EXPECT_TRUE(inPlace.sameBits(dx));
    inPlace.checkGaps();
  }
}

TEST(SquaredErrorGradTest, AgreesWithFiniteDifferences) {
  Context context;
  for (int32_t reduction : {TERT_MEAN, TERT_SUM}) {
    Tensor x(TERT_F32, {3, 4}), target = x, dx = x;
    x.randomize(1);
    target.randomize(2);
    EXPECT_OK(context,
              tert_squared_error_grad(context, nullptr, Tensor::scalar(1), x,
                                      target, dx, reduction));
    expectClose(dx,
                finiteDifferences(valuesOf(x),
                                  [&](const std::vector<double> &values) {
                                    return squaredError(
                                        values, valuesOf(target), reduction);
                                  }),
                1e-6, "dx");
  }
}

TEST(SquaredErrorEdgeTest, NothingAndNaN) {
  Context context;
  Tensor none(TERT_F32, {0, 4}), loss = Tensor::scalar(-1);
  EXPECT_OK(context,
            tert_squared_error(context, nullptr, none, none, loss, TERT_MEAN));
  EXPECT_EQ(loss.at(0), 0);
  Tensor x(TERT_F32, {2, 3}), target = x;
  x.randomize(1);
  target.randomize(2);
  target.set(4, NAN);
  EXPECT_OK(context,
            tert_squared_error(context, nullptr, x, target, loss, TERT_SUM));
  EXPECT_TRUE(std::isnan(loss.at(0)));
}

TEST(SquaredErrorErrorTest, NamesTheTargetsShape) {
  Context context;
  Tensor x(TERT_F32, {2, 3}), target(TERT_F32, {3, 2});
  Tensor loss = Tensor::scalar(0);
  EXPECT_EQ(tert_squared_error(context, nullptr, x, target, loss, TERT_MEAN),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'target'"), std::string::npos)
      << context.error();
  EXPECT_EQ(
      tert_squared_error_grad(context, nullptr, loss, x, x, target, TERT_MEAN),
      TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'dx'"), std::string::npos) << context.error();
  EXPECT_EQ(tert_squared_error(context, nullptr, x, x, loss, 7),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'reduction'"), std::string::npos)
      << context.error();
}
