// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

using namespace tert_test;

namespace {

struct Case {
  int64_t batches, positions, heads, dim, pairs;
  int32_t interleaved, layout, dtype;
  bool tablePerToken;
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int32_t layout : {TERT_BSHD, TERT_BHSD, TERT_SBHD})
    for (int32_t interleaved : {0, 1})
      for (int32_t dtype : {TERT_F32, TERT_BF16})
        for (auto [dim, pairs] : std::vector<std::pair<int64_t, int64_t>>{
                 {32, 16}, {2, 1}, {80, 10}, {21, 7}, {128, 64}, {8, 0}})
          result.push_back({2, 5, 3, dim, pairs, interleaved, layout, dtype,
                            layout == TERT_BSHD});
  return result;
}

/// Sizes or strides of batch, positions and heads in the order of a layout.
std::vector<int64_t> ordered(int32_t layout, int64_t b, int64_t s, int64_t h,
                             int64_t d) {
  switch (layout) {
  case TERT_BSHD:
    return {b, s, h, d};
  case TERT_BHSD:
    return {b, h, s, d};
  default:
    return {s, b, h, d};
  }
}

class RopeTest : public testing::TestWithParam<Case> {
protected:
  Case shape = GetParam();
  Context context;
  int64_t tableRows =
      (shape.tablePerToken ? shape.batches : 1) * shape.positions;
  Tensor cos{TERT_F32, {tableRows, shape.pairs}, 2};
  Tensor sin{TERT_F32, {tableRows, shape.pairs}, 2};

  void SetUp() override {
    cos.randomize(2);
    sin.randomize(3);
  }
  /// Heads between others, as pieces of a joined projection are.
  Tensor makeHeads() const {
    int64_t gap = 3 * shape.dim + 5, token = shape.heads * shape.dim + gap;
    std::vector<int64_t> strides =
        ordered(shape.layout, shape.positions * token, token, shape.dim, 1);
    if (shape.layout == TERT_SBHD)
      strides = {shape.batches * token, token, shape.dim, 1};
    return Tensor(shape.dtype,
                  ordered(shape.layout, shape.batches, shape.positions,
                          shape.heads, shape.dim),
                  strides);
  }
  int64_t indexOf(int64_t b, int64_t s, int64_t h, int64_t d) const {
    std::vector<int64_t> sizes =
                             ordered(shape.layout, shape.batches,
                                     shape.positions, shape.heads, shape.dim),
                         at = ordered(shape.layout, b, s, h, d);
    return ((at[0] * sizes[1] + at[1]) * sizes[2] + at[2]) * sizes[3] + at[3];
  }
  std::vector<double> expected(const std::vector<double> &x, double sign) {
    std::vector<double> y = x;
    for (int64_t b = 0; b < shape.batches; ++b)
      for (int64_t s = 0; s < shape.positions; ++s)
        for (int64_t h = 0; h < shape.heads; ++h)
          for (int64_t i = 0; i < shape.pairs; ++i) {
            int64_t row = shape.tablePerToken ? b * shape.positions + s : s;
            size_t first =
                size_t(indexOf(b, s, h, shape.interleaved ? 2 * i : i));
            size_t second = size_t(indexOf(
                b, s, h, shape.interleaved ? 2 * i + 1 : i + shape.pairs));
            double c = cos.at(row, i), n = sign * sin.at(row, i);
            y[first] = x[first] * c - x[second] * n;
            y[second] = x[second] * c + x[first] * n;
          }
    return y;
  }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(Cases, RopeTest, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case> &info) {
                           const Case &c = info.param;
                           return "dim" + std::to_string(c.dim) + "_pairs" +
                                  std::to_string(c.pairs) + "_layout" +
                                  std::to_string(c.layout) +
                                  (c.interleaved ? "_interleaved_" : "_half_") +
                                  dtypeName(c.dtype);
                         });

TEST_P(RopeTest, AgreesWithFormula) {
  Tensor x = makeHeads();
  x.randomize(1);
  for (int32_t inverse : {0, 1}) {
    Tensor y = makeHeads();
    EXPECT_OK(context, tert_rope(context, nullptr, x, cos, sin, y,
                                 shape.interleaved, inverse, shape.layout));
    expectClose(y, expected(valuesOf(x), inverse ? -1 : 1), 1e-6, "y");
  }
}

TEST_P(RopeTest, WritesOverItsInput) {
  for (int32_t inverse : {0, 1}) {
    Tensor x = makeHeads(), y = makeHeads();
    x.randomize(1);
    EXPECT_OK(context, tert_rope(context, nullptr, x, cos, sin, y,
                                 shape.interleaved, inverse, shape.layout));
    EXPECT_OK(context, tert_rope(context, nullptr, x, cos, sin, x,
                                 shape.interleaved, inverse, shape.layout));
    EXPECT_TRUE(x.sameBits(y));
  }
}

// <rope(x), c> = <x, rope⁻¹(c)>: the transpose of the forward rotation.
TEST_P(RopeTest, InverseIsTheGradient) {
  if (shape.dtype != TERT_F32)
    return;
  Tensor x = makeHeads(), c = makeHeads(), y = makeHeads(), dx = makeHeads();
  x.randomize(4);
  c.randomize(5);
  EXPECT_OK(context, tert_rope(context, nullptr, x, cos, sin, y,
                               shape.interleaved, 0, shape.layout));
  EXPECT_OK(context, tert_rope(context, nullptr, c, cos, sin, dx,
                               shape.interleaved, 1, shape.layout));
  double left = 0, right = 0, scale = 0;
  for (int64_t i = 0; i < x.numElements(); ++i) {
    left += y.at(i) * c.at(i);
    right += x.at(i) * dx.at(i);
    scale += std::fabs(y.at(i) * c.at(i));
  }
  EXPECT_NEAR(left, right, 1e-6 * scale);
}

TEST(RopeErrorsTest, NamesWhatDoesNotFit) {
  Context context;
  Tensor x(TERT_F32, {2, 5, 3, 8}), y = x, rows(TERT_F32, {7, 4}),
                                    wide(TERT_F32, {5, 5}),
                                    table(TERT_F32, {5, 4});
  auto expectError = [&](tert_status status, const std::string &what) {
    EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
    EXPECT_NE(std::string(context.error()).find(what), std::string::npos)
        << context.error();
  };
  expectError(tert_rope(context, nullptr, x, rows, rows, y, 0, 0, TERT_BSHD),
              "a row per position");
  expectError(tert_rope(context, nullptr, x, wide, wide, y, 0, 0, TERT_BSHD),
              "half as many columns");
  expectError(tert_rope(context, nullptr, x, table, wide, y, 0, 0, TERT_BSHD),
              "'sin'");
}
