// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TestTensor.h"

#include "support/Philox.h"

using namespace tert_test;

namespace {

tert_status dropout(Context &context, const Tensor &x, const Tensor &y,
                    double ratio, int64_t seed = 1, int64_t stream = 2) {
  Tensor key(TERT_I64, {});
  key.setBits(0, uint64_t(seed));
  return tert_dropout(context, nullptr, x, key, y, float(ratio), stream);
}

Tensor ones(int32_t dtype, std::vector<int64_t> sizes) {
  return Tensor(dtype, std::move(sizes)).fill([](int64_t) { return 1; });
}

} // namespace

TEST(DropoutTest, PhiloxHasItsKnownAnswers) {
  // kat_vectors of the Random123 distribution, "philox4x32 10".
  struct Answer {
    uint64_t key, low, high;
    uint32_t words[4];
  };
  for (const Answer &answer :
       {Answer{0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        Answer{~uint64_t(0),
               ~uint64_t(0),
               ~uint64_t(0),
               {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        Answer{0x299f31d0a4093822,
               0x85a308d3243f6a88,
               0x0370734413198a2e,
               {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}}) {
    const tert::RandomWords random =
        tert::philox(answer.key, answer.low, answer.high);
    for (int k = 0; k < 4; ++k)
      EXPECT_EQ(random.words[k], answer.words[k]) << k;
  }
}

TEST(DropoutTest, AWordDecidesItsElement) {
  // The first four elements for seed and stream 0 are those of the first known
  // answer: kept up to a ratio of word / 2^32, dropped above it.
  Context context;
  const uint32_t words[] = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  for (int k = 0; k < 4; ++k) {
    const Tensor x = ones(TERT_F32, {4});
    Tensor y(TERT_F32, {4});
    const double below = (words[k] >> 8) * 0x1p-24;
    EXPECT_OK(context, dropout(context, x, y, below, 0, 0));
    EXPECT_NE(y.at(k), 0) << k;
    EXPECT_OK(context, dropout(context, x, y, below + 0x1p-24, 0, 0));
    EXPECT_EQ(y.at(k), 0) << k;
  }
}

TEST(DropoutTest, KeepsItsShareAndScalesIt) {
  Context context;
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (double ratio : {0.0, 0.1, 0.5, 0.9}) {
      const int64_t count = 300007;
      Tensor x(dtype, {count}), y(dtype, {count}), other(dtype, {count});
      x.fill([](int64_t i) { return double(i % 13 - 6) + 0.5; });
      EXPECT_OK(context, dropout(context, x, y, ratio));
      EXPECT_OK(context, dropout(context, x, other, ratio, 1, 3));
      int64_t dropped = 0, both = 0;
      for (int64_t i = 0; i < count; ++i) {
        dropped += y.at(i) == 0;
        both += y.at(i) == 0 && other.at(i) == 0;
        if (y.at(i) != 0)
          ASSERT_NEAR(y.at(i), x.at(i) / (1 - ratio),
                      (dtype == TERT_BF16 ? 0x1p-8 : 1e-6) *
                          std::fabs(y.at(i)));
      }
      // Five standard deviations; streams are independent.
      const auto n = double(count);
      EXPECT_NEAR(double(dropped), n * ratio,
                  5 * std::sqrt(n * ratio * (1 - ratio)));
      const double two = ratio * ratio;
      EXPECT_NEAR(double(both), n * two, 5 * std::sqrt(n * two * (1 - two)));
    }
}

TEST(DropoutTest, IsAFunctionOfSeedStreamAndPlace) {
  Context one(1), four(4);
  for (int64_t count : {1, 2, 3, 5, 63, 16384, 16385, 50003}) {
    const Tensor x = ones(TERT_F32, {count});
    Tensor y(TERT_F32, {count}), again = y, alias = x, half(TERT_BF16, {count});
    EXPECT_OK(one, dropout(one, x, y, 0.3));
    EXPECT_OK(four, dropout(four, x, again, 0.3));
    EXPECT_TRUE(again.sameBits(y)) << count;
    EXPECT_OK(four, dropout(four, alias, alias, 0.3));
    EXPECT_TRUE(alias.sameBits(y)) << count;
    EXPECT_OK(four, dropout(four, x, half, 0.3));
    for (int64_t i = 0; i < count; ++i)
      ASSERT_EQ(half.at(i) == 0, y.at(i) == 0) << i;
    y.checkGaps();
    half.checkGaps();
    if (count < 1000)
      continue;
    // High words of the seed count, too.
    for (auto [seed, stream] : {std::pair<int64_t, int64_t>(2, 2),
                                {1, 3},
                                {int64_t(1) << 40 | 1, 2},
                                {1, int64_t(1) << 40 | 2},
                                {-1, 2}}) {
      EXPECT_OK(one, dropout(one, x, again, 0.3, seed, stream));
      EXPECT_FALSE(again.sameBits(y)) << seed << " " << stream;
    }
  }
  Tensor none(TERT_F32, {0, 4});
  EXPECT_OK(one, dropout(one, none, none, 0.3));
}

TEST(DropoutTest, BadArgumentsAreRefused) {
  Context context;
  const Tensor x = ones(TERT_F32, {4, 4});
  Tensor y(TERT_F32, {4, 4}), gap(TERT_F32, {4, 4}, 1), odd(TERT_F32, {16});
  for (double ratio : {-0.1, 1.0, double(NAN)})
    EXPECT_EQ(dropout(context, x, y, ratio), TERT_INVALID_ARGUMENT) << ratio;
  EXPECT_NE(context.error().find("'ratio' is nan"), std::string::npos)
      << context.error();
  EXPECT_EQ(dropout(context, x, gap, 0.5), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(dropout(context, x, odd, 0.5), TERT_INVALID_ARGUMENT);
  Tensor seed = Tensor::scalar(1);
  EXPECT_EQ(tert_dropout(context, nullptr, x, seed, y, 0.5, 0),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'seed'"), std::string::npos);
}
