// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Compare.h"

using namespace tert_test;

namespace {

struct Case {
  int64_t tokens, repeat, places, cols;
  int32_t xType, yType;
  bool weighted;
};

class PermuteTest : public testing::TestWithParam<Case> {
protected:
  Case c = GetParam();
  int64_t rows = c.tokens * c.repeat;
  Context context;
  Tensor source{TERT_I32, {c.places}}, slot{TERT_I32, {rows}};
  Tensor weights{TERT_F32, {rows}};

  void SetUp() override {
    // Any order, with empty places between, and rows without one.
    std::vector<int64_t> places(c.places);
    for (int64_t p = 0; p < c.places; ++p)
      places[p] = p;
    std::shuffle(places.begin(), places.end(), std::mt19937(7));
    source.fill([](int64_t) { return -1.0; });
    for (int64_t row = 0; row < rows; ++row) {
      slot.set(row, row % 7 == 5 ? -1.0 : double(places[row]));
      if (row % 7 != 5)
        source.set(places[row], double(row));
    }
    weights.randomize(8);
  }
  const tert_tensor *given() const {
    return c.weighted ? static_cast<const tert_tensor *>(weights) : nullptr;
  }
  double weightOf(int64_t row) const {
    return c.weighted ? weights.at(row) : 1.0;
  }
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int32_t xType : {TERT_F32, TERT_BF16})
    for (int32_t yType : {TERT_F32, TERT_BF16})
      for (bool weighted : {false, true}) {
        result.push_back({1, 1, 1, 1, xType, yType, weighted});
        result.push_back({40, 2, 128, 70, xType, yType, weighted});
        result.push_back({9, 8, 80, 300, xType, yType, weighted});
        result.push_back({0, 2, 4, 5, xType, yType, weighted});
      }
  return result;
}

std::string caseName(const testing::TestParamInfo<Case> &info) {
  const Case &c = info.param;
  return std::to_string(c.tokens) + "x" + std::to_string(c.repeat) + "_in_" +
         std::to_string(c.places) + "x" + std::to_string(c.cols) + "_x_" +
         dtypeName(c.xType) + "_y_" + dtypeName(c.yType) +
         (c.weighted ? "_weighted" : "");
}

/// The bound of a sum of this many float32 products, rounded to a type.
double errorOf(int64_t terms, int32_t dtype) {
  return double(terms) * 0x1p-23 + (dtype == TERT_BF16 ? 0x1p-8 : 0);
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Shapes, PermuteTest, testing::ValuesIn(cases()),
                         caseName);

TEST_P(PermuteTest, PutsRowsInPlaces) {
  Tensor x(c.xType, {c.tokens, c.cols}, 3), y(c.yType, {c.places, c.cols}, 1);
  x.randomize(2);
  EXPECT_OK(context, tert_permute(context, nullptr, x, source, given(), y,
                                  nullptr, c.repeat));
  for (int64_t p = 0; p < c.places; ++p)
    for (int64_t j = 0; j < c.cols; ++j) {
      const auto row = int64_t(source.at(p));
      const double value =
          row < 0 ? 0 : x.at(row / c.repeat, j) * weightOf(row);
      ASSERT_NEAR(y.at(p, j), value, errorOf(1, c.yType) * std::abs(value));
    }
  y.checkGaps();
}

/// Copies are those of the rows, permuted in float32 and quantized apart.
TEST_P(PermuteTest, QuantizesRows) {
  Tensor x(c.xType, {c.tokens, c.cols}, 3), y(TERT_F32, {c.places, c.cols});
  x.randomize(2);
  const Tensor scale = Tensor::scalar(20);
  auto makeCopies = [&] {
    return std::vector<Tensor>{Tensor(TERT_F8E4M3, {c.places, c.cols}),
                               Tensor(TERT_F8E4M3, {c.cols, c.places}),
                               Tensor(TERT_F32, {})};
  };
  std::vector<Tensor> expected = makeCopies(), copies = makeCopies();
  EXPECT_OK(context, tert_permute(context, nullptr, x, source, given(), y,
                                  nullptr, c.repeat));
  EXPECT_OK(context, tert_quantize(context, nullptr, y,
                                   Quantized(scale, expected[0], expected[1],
                                             expected[2]),
                                   nullptr));
  EXPECT_OK(context,
            tert_permute(context, nullptr, x, source, given(), nullptr,
                         Quantized(scale, copies[0], copies[1], copies[2]),
                         c.repeat));
  for (size_t i = 0; i < copies.size(); ++i)
    EXPECT_TRUE(copies[i].sameBits(expected[i])) << i;
}

TEST_P(PermuteTest, TakesRowsOfCodes) {
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
    Tensor x(format, {rows, c.cols}, 3), y(format, {c.places, c.cols}, 1);
    for (int64_t i = 0; i < rows * c.cols; ++i)
      x.setBits(i, uint64_t(i * 37 % 256));
    EXPECT_OK(context, tert_take_rows(context, nullptr, x, source, y));
    for (int64_t p = 0; p < c.places; ++p)
      for (int64_t j = 0; j < c.cols; ++j) {
        const auto row = int64_t(source.at(p));
        ASSERT_EQ(y.bitsAt(p, j), row < 0 ? 0 : x.bitsAt(row, j));
      }
    y.checkGaps();
  }
}

TEST_P(PermuteTest, SumsRowsOfTokens) {
  Tensor x(c.xType, {c.places, c.cols}, 3), y(c.yType, {c.tokens, c.cols}, 1);
  x.randomize(2);
  EXPECT_OK(context,
            tert_unpermute(context, nullptr, x, slot, given(), y, c.repeat));
  for (int64_t t = 0; t < c.tokens; ++t)
    for (int64_t j = 0; j < c.cols; ++j) {
      double value = 0, size = 0;
      for (int64_t row = t * c.repeat; row < (t + 1) * c.repeat; ++row) {
        if (slot.at(row) < 0)
          continue;
        const double term = x.at(int64_t(slot.at(row)), j) * weightOf(row);
        value += term;
        size += std::abs(term);
      }
      ASSERT_NEAR(y.at(t, j), value, errorOf(c.repeat, c.yType) * size);
    }
  y.checkGaps();
  Tensor again(c.yType, {c.tokens, c.cols}, 1);
  Context three(3);
  EXPECT_OK(three,
            tert_unpermute(three, nullptr, x, slot, given(), again, c.repeat));
  EXPECT_TRUE(again.sameBits(y));
}

TEST_P(PermuteTest, GradOfWeightsMultipliesRows) {
  Tensor permuted(c.xType, {c.places, c.cols}, 3),
      tokens(c.yType, {c.tokens, c.cols}, 2), dweights(TERT_F32, {rows});
  permuted.randomize(2);
  tokens.randomize(3);
  EXPECT_OK(context, tert_permute_weights_grad(context, nullptr, permuted, slot,
                                               tokens, dweights, c.repeat));
  for (int64_t row = 0; row < rows; ++row) {
    double value = 0, size = 0;
    for (int64_t j = 0; slot.at(row) >= 0 && j < c.cols; ++j) {
      const double term =
          permuted.at(int64_t(slot.at(row)), j) * tokens.at(row / c.repeat, j);
      value += term;
      size += std::abs(term);
    }
    ASSERT_NEAR(dweights.at(row), value, errorOf(c.cols, TERT_F32) * size);
  }
}

TEST(PermuteErrorTest, NamesNumbersOutOfRange) {
  Context context;
  Tensor tokens(TERT_F32, {3, 4}), places(TERT_F32, {8, 4});
  Tensor source(TERT_I32, {8}), slot(TERT_I32, {6}), dweights(TERT_F32, {6});
  source.fill([](int64_t p) { return p == 5 ? 6.0 : -1.0; });
  EXPECT_EQ(tert_permute(context, nullptr, tokens, source, nullptr, places,
                         nullptr, 2),
            TERT_INVALID_DATA);
  EXPECT_NE(context.error().find("source 6 at 5 is outside of [0, 6)"),
            std::string::npos)
      << context.error();
  Tensor codes(TERT_F8E4M3, {6, 4}), moved(TERT_F8E4M3, {8, 4});
  EXPECT_EQ(tert_take_rows(context, nullptr, codes, source, moved),
            TERT_INVALID_DATA);
  EXPECT_NE(context.error().find("source 6 at 5 is outside of [0, 6)"),
            std::string::npos)
      << context.error();
  for (double bad : {8.0, -2.0}) {
    slot.fill([&](int64_t row) { return row == 2 ? bad : 0.0; });
    const std::string message =
        "slot " + std::to_string(int64_t(bad)) + " at 2 is outside of [0, 8)";
    EXPECT_EQ(
        tert_unpermute(context, nullptr, places, slot, nullptr, tokens, 2),
        TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(message), std::string::npos)
        << context.error();
    EXPECT_EQ(tert_permute_weights_grad(context, nullptr, places, slot, tokens,
                                        dweights, 2),
              TERT_INVALID_DATA);
    EXPECT_NE(context.error().find(message), std::string::npos)
        << context.error();
  }
}

TEST(PermuteErrorTest, RefusesShapes) {
  Context context;
  Tensor tokens(TERT_F32, {3, 4}), places(TERT_F32, {8, 4});
  Tensor wide(TERT_F32, {8, 5}), source(TERT_I32, {8}), slot(TERT_I32, {6});
  Tensor few(TERT_F32, {5}), longs(TERT_I64, {8});
  auto refuses = [&](tert_status status, const char *message) {
    EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
    EXPECT_NE(context.error().find(message), std::string::npos)
        << context.error();
  };
  refuses(
      tert_permute(context, nullptr, tokens, source, nullptr, wide, nullptr, 2),
      "'y'");
  refuses(tert_permute(context, nullptr, tokens, longs, nullptr, places,
                       nullptr, 2),
          "'source'");
  refuses(
      tert_permute(context, nullptr, tokens, source, few, places, nullptr, 2),
      "'weights'");
  refuses(tert_permute(context, nullptr, tokens, source, nullptr, places,
                       nullptr, 0),
          "'repeat'");
  refuses(tert_permute(context, nullptr, tokens, source, nullptr, places,
                       nullptr, int64_t(1) << 31),
          "'repeat'");
  Tensor codes(TERT_F8E4M3, {6, 4}), gradients(TERT_F8E5M2, {8, 4});
  refuses(tert_take_rows(context, nullptr, codes, source, gradients), "'y'");
  refuses(tert_take_rows(context, nullptr, tokens, source, gradients), "'x'");
  refuses(tert_unpermute(context, nullptr, places, slot, nullptr, tokens, 1),
          "'slot'");
  refuses(tert_unpermute(context, nullptr, wide, slot, nullptr, tokens, 2),
          "'y'");
  refuses(
      tert_permute_weights_grad(context, nullptr, places, slot, tokens, few, 2),
      "'dweights'");
}
