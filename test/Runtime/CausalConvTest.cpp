// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CausalConvReference.h"

#include <limits>

using namespace tert_test;

namespace {

class CausalConvTest : public testing::TestWithParam<ConvCase> {};

std::vector<ConvCase> cases() {
  std::vector<ConvCase> result;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (bool silu : {false, true}) {
      // Vectors of channels that are whole and not; fewer tokens than taps.
      result.push_back({2, 7, 5, 4, true, silu, dtype, 3});
      result.push_back({1, 2, 16, 4, false, silu, dtype});
      result.push_back({3, 5, 3, 1, true, silu, dtype});
      result.push_back({1, 9, 4, 8, true, silu, dtype});
      // Several tasks.
      result.push_back({2, 150, 20, 3, true, silu, dtype});
    }
  return result;
}

std::string caseName(const testing::TestParamInfo<ConvCase> &info) {
  return info.param.name();
}

double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, CausalConvTest, testing::ValuesIn(cases()),
                         caseName);

TEST_P(CausalConvTest, AgreesWithFormula) {
  const ConvCase c = GetParam();
  Context context;
  ConvTensors t(c);
  EXPECT_OK(context, runConv(context, c, t));
  expectClose(
      t.y,
      convReference(c, valuesOf(t.x), valuesOf(t.weight), valuesOf(t.bias)),
      2e-6, "y");
}

TEST_P(CausalConvTest, GradientAgreesWithFiniteDifferences) {
  const ConvCase c = GetParam();
  Context context;
  ConvTensors t(c);
  EXPECT_OK(context, runConvGrad(context, c, t));
  const std::vector<std::vector<double>> operands = {
      valuesOf(t.x), valuesOf(t.weight), valuesOf(t.bias)};
  const std::vector<double> dy = valuesOf(t.dy);
  const Tensor *gradients[] = {&t.dx, &t.dweight, &t.dbias};
  const char *names[] = {"dx", "dweight", "dbias"};
  for (size_t number = 0; number < (c.hasBias ? 3 : 2); ++number) {
    if (number == 0 && c.tokens > 100)
      continue; // Too many numbers; those of weights see every token.
    auto loss = [&](const std::vector<double> &values) {
      auto at = [&](size_t i) -> const std::vector<double> & {
        return i == number ? values : operands[i];
      };
      return dot(convReference(c, at(0), at(1), at(2)), dy);
    };
    expectClose(*gradients[number], finiteDifferences(operands[number], loss),
                2e-5, names[number]);
  }
}

/// <dx, v> is the derivative along v also where tasks meet.
TEST_P(CausalConvTest, GradientOfXAlongADirection) {
  const ConvCase c = GetParam();
  Context context;
  ConvTensors t(c);
  EXPECT_OK(context, runConvGrad(context, c, t));
  Tensor direction(TERT_F32, {t.x.numElements()});
  direction.randomize(9);
  const std::vector<double> along = valuesOf(direction), dy = valuesOf(t.dy),
                            x = valuesOf(t.x), dx = valuesOf(t.dx);
  const std::vector<double> slope =
      finiteDifferences({0}, [&](const std::vector<double> &step) {
        std::vector<double> values = x;
        for (size_t i = 0; i < values.size(); ++i)
          values[i] += step[0] * along[i];
        return dot(
            convReference(c, values, valuesOf(t.weight), valuesOf(t.bias)), dy);
      });
  EXPECT_NEAR(dot(dx, along), slope[0],
              (c.dtype == TERT_BF16 ? 4e-3 : 2e-5) *
                  std::sqrt(dot(dx, dx) * dot(along, along)));
}

TEST_P(CausalConvTest, SameBitsWithAnyNumberOfThreads) {
  const ConvCase c = GetParam();
  Context context;
  ConvTensors t(c);
  EXPECT_OK(context, runConv(context, c, t));
  EXPECT_OK(context, runConvGrad(context, c, t));
  for (int threads : {1, 3}) {
    Context pool(threads);
    ConvTensors again(c);
    EXPECT_OK(pool, runConv(pool, c, again));
    EXPECT_OK(pool, runConvGrad(pool, c, again));
    EXPECT_TRUE(again.y.sameBits(t.y));
    EXPECT_TRUE(again.dx.sameBits(t.dx));
    EXPECT_TRUE(again.dweight.sameBits(t.dweight));
    EXPECT_TRUE(again.dbias.sameBits(t.dbias));
  }
}

TEST(CausalConvEdgeTest, Nothing) {
  Context context;
  for (ConvCase c :
       {ConvCase{0, 4, 3, 2, true, true}, ConvCase{2, 0, 3, 2, true, true}}) {
    ConvTensors t(c);
    EXPECT_OK(context, runConv(context, c, t));
    EXPECT_OK(context, runConvGrad(context, c, t));
    expectClose(t.dweight, std::vector<double>(6, 0.0), 0, "dweight");
    expectClose(t.dbias, std::vector<double>(3, 0.0), 0, "dbias");
  }
}

/// A token's infinity reaches those that read it, and no others.
TEST(CausalConvEdgeTest, Infinity) {
  Context context;
  const ConvCase c{1, 80, 2, 3, false, false};
  ConvTensors t(c);
  t.x.set(2 * 70, std::numeric_limits<double>::infinity());
  EXPECT_OK(context, runConv(context, c, t));
  EXPECT_OK(context, runConvGrad(context, c, t));
  for (int64_t token = 0; token < c.tokens; ++token) {
    EXPECT_EQ(std::isfinite(t.y.at(2 * token)), token < 70 || token > 72);
    EXPECT_TRUE(std::isfinite(t.y.at(2 * token + 1)));
    EXPECT_TRUE(std::isfinite(t.dx.at(2 * token)));
  }
}

TEST(CausalConvErrorTest, NamesTheTensor) {
  Context context;
  const ConvCase c{2, 6, 4, 3, true, true};
  auto expect = [&](tert_status status, const char *message) {
    EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(context.error()).find(message), std::string::npos)
        << context.error();
  };
  {
    ConvTensors t(c);
    t.weight = Tensor(TERT_F32, {3, 5});
    expect(runConv(context, c, t), "'weight'");
  }
  for (int64_t taps : {0, 9}) {
    ConvTensors t(c);
    t.weight = Tensor(TERT_F32, {taps, 4});
    expect(runConv(context, c, t), "of 1 to 8 rows");
  }
  {
    ConvTensors t(c);
    t.bias = Tensor(TERT_F32, {3});
    expect(runConv(context, c, t), "'bias'");
  }
  {
    ConvTensors t(c);
    t.y = Tensor(TERT_F32, {2, 6, 3});
    expect(runConv(context, c, t), "'y'");
  }
  {
    ConvTensors t(c);
    t.dweight = Tensor(TERT_F32, {4, 4});
    expect(runConvGrad(context, c, t), "'dweight'");
  }
  {
    ConvTensors t(c);
    expect(tert_causal_conv_grad(context, nullptr, t.dy, t.x, t.weight, nullptr,
                                 t.dx, t.dweight, t.dbias, 0),
           "'dbias' needs 'bias'");
  }
}
