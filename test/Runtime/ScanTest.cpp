// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ScanReference.h"

using namespace tert_test;

namespace {

class ScanTest : public testing::TestWithParam<ScanCase> {};

std::vector<ScanCase> cases() {
  std::vector<ScanCase> result;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (bool hasInitial : {false, true}) {
      // One number for each channel, whole chunks and not, blocks of channels
      // that are whole and not.
      result.push_back({2, 12, 5, 1, 1, 4, false, false, hasInitial, dtype, 3});
      result.push_back({1, 7, 64, 1, 1, 3, false, false, hasInitial, dtype});
      for (bool hasRates : {false, true}) {
        result.push_back({2, 9, 6, 4, 1, 4, hasRates, true, hasInitial, dtype});
        result.push_back(
            {3, 5, 12, 3, 2, 32, hasRates, true, hasInitial, dtype, 5});
        result.push_back(
            {1, 33, 130, 16, 1, 8, hasRates, true, hasInitial, dtype});
      }
    }
  result.push_back({1, 1, 1, 1, 1, 1, true, true, true});
  return result;
}

std::string caseName(const testing::TestParamInfo<ScanCase> &info) {
  return info.param.name();
}

ScanResults reference(const ScanCase &c, const ScanTensors &t) {
  return scanReference(c, valuesOf(t.decay), valuesOf(t.x), valuesOf(t.rates),
                       valuesOf(t.keys), valuesOf(t.queries),
                       valuesOf(t.initial));
}

double dot(const std::vector<double> &a, const std::vector<double> &b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i)
    sum += a[i] * b[i];
  return sum;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, ScanTest, testing::ValuesIn(cases()),
                         caseName);

TEST_P(ScanTest, AgreesWithFormula) {
  const ScanCase c = GetParam();
  Context context;
  ScanTensors t(c);
  const ScanResults expected = reference(c, t);
  EXPECT_OK(context, runScan(context, c, t));
  expectClose(t.y, expected.y, 5e-6, "y");
  expectClose(t.states, expected.states, 5e-6, "states");
  expectClose(t.final, expected.final, 5e-6, "final");
}

/// The gradient of Σ y·dy + Σ final·dfinal: each number of small operands, and
/// of large ones the slope along a random direction.
TEST_P(ScanTest, GradientAgreesWithFiniteDifferences) {
  const ScanCase c = GetParam();
  Context context;
  ScanTensors t(c);
  EXPECT_OK(context, runScan(context, c, t));
  EXPECT_OK(context, runScanGrad(context, c, t));
  const std::vector<std::vector<double>> operands = {
      valuesOf(t.decay), valuesOf(t.x),       valuesOf(t.rates),
      valuesOf(t.keys),  valuesOf(t.queries), valuesOf(t.initial)};
  const std::vector<double> dy = valuesOf(t.dy), dfinal = valuesOf(t.dfinal);
  auto expect = [&](size_t number, const Tensor &gradient, const char *what) {
    auto loss = [&](const std::vector<double> &values) {
      auto at = [&](size_t i) -> const std::vector<double> & {
        return i == number ? values : operands[i];
      };
      const ScanResults r =
          scanReference(c, at(0), at(1), at(2), at(3), at(4), at(5));
      return dot(r.y, dy) + (c.hasInitial ? dot(r.final, dfinal) : 0);
    };
    if (c.channels <= 12) {
      expectClose(gradient, finiteDifferences(operands[number], loss), 2e-5,
                  what);
      return;
    }
    Tensor direction(TERT_F32, {gradient.numElements()});
    direction.randomize(9);
    const std::vector<double> along = valuesOf(direction);
    const std::vector<double> slope =
        finiteDifferences({0}, [&](const std::vector<double> &step) {
          std::vector<double> values = operands[number];
          for (size_t i = 0; i < values.size(); ++i)
            values[i] += step[0] * along[i];
          return loss(values);
        });
    const std::vector<double> computed = valuesOf(gradient);
    EXPECT_NEAR(dot(computed, along), slope[0],
                (c.dtype == TERT_BF16 ? 4e-3 : 2e-5) *
                    std::sqrt(dot(computed, computed) * dot(along, along)))
        << what;
  };
  expect(0, t.ddecay, "ddecay");
  expect(1, t.dx, "dx");
  if (c.hasRates)
    expect(2, t.drates, "drates");
  if (c.hasKeys) {
    expect(3, t.dkeys, "dkeys");
    expect(4, t.dqueries, "dqueries");
  }
  if (c.hasInitial)
    expect(5, t.dinitial, "dinitial");
}

TEST_P(ScanTest, SameBitsWithAnyNumberOfThreads) {
  const ScanCase c = GetParam();
  Context context;
  ScanTensors t(c);
  EXPECT_OK(context, runScan(context, c, t));
  EXPECT_OK(context, runScanGrad(context, c, t));
  for (int threads : {1, 3}) {
    Context pool(threads);
    ScanTensors again(c);
    EXPECT_OK(pool, runScan(pool, c, again));
    EXPECT_OK(pool, runScanGrad(pool, c, again));
    EXPECT_TRUE(again.y.sameBits(t.y));
    EXPECT_TRUE(again.final.sameBits(t.final));
    EXPECT_TRUE(again.ddecay.sameBits(t.ddecay));
    EXPECT_TRUE(again.dx.sameBits(t.dx));
    EXPECT_TRUE(again.drates.sameBits(t.drates));
    EXPECT_TRUE(again.dkeys.sameBits(t.dkeys));
    EXPECT_TRUE(again.dqueries.sameBits(t.dqueries));
    EXPECT_TRUE(again.dinitial.sameBits(t.dinitial));
  }
}

/// The length of chunks decides what is kept, not what is computed.
TEST(ScanChunkTest, SameGradientWithAnyChunk) {
  Context context;
  const ScanCase whole{2, 21, 70, 5, 2, 21, true, true, true};
  ScanTensors expected(whole);
  EXPECT_OK(context, runScan(context, whole, expected));
  EXPECT_OK(context, runScanGrad(context, whole, expected));
  for (int64_t chunk : {1, 2, 8, 100}) {
    ScanCase c = whole;
    c.chunk = chunk;
    ScanTensors t(c);
    EXPECT_OK(context, runScan(context, c, t));
    EXPECT_OK(context, runScanGrad(context, c, t));
    EXPECT_TRUE(t.y.sameBits(expected.y));
    EXPECT_TRUE(t.dx.sameBits(expected.dx));
    EXPECT_TRUE(t.drates.sameBits(expected.drates));
    EXPECT_TRUE(t.dkeys.sameBits(expected.dkeys));
  }
}

TEST(ScanEdgeTest, Nothing) {
  Context context;
  for (ScanCase c : {ScanCase{0, 4, 3, 2, 1, 2, true, true, false},
                     ScanCase{2, 0, 3, 2, 1, 2, true, true, true}}) {
    ScanTensors t(c);
    EXPECT_OK(context, runScan(context, c, t));
    EXPECT_OK(context, runScanGrad(context, c, t));
    expectClose(t.drates, std::vector<double>(6, 0.0), 0, "drates");
    if (c.batch) {
      EXPECT_TRUE(t.final.sameBits(t.initial));
    }
  }
}

TEST(ScanErrorTest, NamesTheTensor) {
  Context context;
  const ScanCase good{2, 6, 4, 3, 2, 2, true, true, true};
  auto expect = [&](const ScanCase &c, ScanTensors &t, const char *message) {
    EXPECT_EQ(runScan(context, c, t), TERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(context.error()).find(message), std::string::npos)
        << context.error();
  };
  {
    ScanCase c = good;
    ScanTensors t(c);
    c.chunk = 0;
    expect(c, t, "'chunk' is 0, but must be at least 1");
  }
  {
    ScanTensors t(good);
    t.states = Tensor(TERT_F32, {2, 2, 4, 3});
    expect(good, t, "'states'");
  }
  {
    ScanTensors t(good);
    t.keys = Tensor(TERT_F32, {2, 6, 9});
    expect(good, t, "'keys'");
  }
  {
    ScanTensors t(good);
    t.rates = Tensor(TERT_F32, {4, 2});
    expect(good, t, "'rates'");
  }
  {
    ScanTensors t(good);
    t.initial = Tensor(TERT_F32, {2, 4, 4});
    expect(good, t, "'initial'");
  }
  {
    ScanCase c = good;
    c.hasKeys = false;
    ScanTensors t(c);
    t.states = Tensor(TERT_F32, {2, 3, 4, 1});
    expect(c, t, "'rates' needs 'keys' and 'queries'");
  }
  {
    ScanTensors t(good);
    EXPECT_EQ(tert_scan(context, nullptr, t.decay, t.x, nullptr, t.keys,
                        nullptr, nullptr, t.y, t.states, t.final, good.chunk),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(context.error())
                  .find("'keys' and 'queries' must both be given, or neither"),
              std::string::npos)
        << context.error();
    EXPECT_EQ(tert_scan_grad(context, nullptr, t.dy, t.decay, t.x, t.states,
                             nullptr, t.keys, t.queries, nullptr, t.ddecay,
                             t.dx, t.drates, nullptr, nullptr, t.dinitial,
                             good.chunk),
              TERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(context.error()).find("'drates' needs 'rates'"),
              std::string::npos)
        << context.error();
  }
}
