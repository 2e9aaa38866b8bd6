// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Random.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

using namespace tert::session;

/// The known answers that the authors of Random123 publish (kat_vectors).
TEST(Random, PhiloxKnownAnswers) {
  auto words = [](uint64_t key, uint64_t low, uint64_t high) {
    const tert::RandomWords random = tert::philox(key, low, high);
    return std::vector<uint32_t>(std::begin(random.words),
                                 std::end(random.words));
  };
  using Words = std::vector<uint32_t>;
  EXPECT_EQ(words(0, 0, 0),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(words(~uint64_t(0), ~uint64_t(0), ~uint64_t(0)),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(words(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// Published test values of FNV-1a.
TEST(Random, HashKnownAnswers) {
  EXPECT_EQ(tert::fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(tert::fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(tert::fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(Random, NormalHasItsMoments) {
  RandomStream stream(7, "weight");
  constexpr size_t count = 1 << 20;
  std::vector<float> values(count);
  stream.normal(0, values.data(), count);
  double sum = 0, squares = 0, fourth = 0;
  size_t within = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
    within += std::fabs(value) < 1;
  }
  // Five standard errors of each estimate.
  double root = std::sqrt(double(count));
  EXPECT_NEAR(sum / count, 0, 5 / root);
  EXPECT_NEAR(squares / count, 1, 5 * std::sqrt(2.0) / root);
  EXPECT_NEAR(fourth / count, 3, 5 * std::sqrt(96.0) / root);
  EXPECT_NEAR(double(within) / count, std::erf(std::sqrt(0.5)),
              5 * 0.47 / root);
}

TEST(Random, PartsOfASequenceAgreeWithTheWhole) {
  RandomStream stream(7, "weight");
  std::vector<float> whole(103), part(51);
  stream.normal(0, whole.data(), whole.size());
  stream.normal(52, part.data(), part.size());
  for (size_t i = 0; i < part.size(); ++i)
    EXPECT_EQ(part[i], whole[52 + i]) << i;
  for (uint64_t first = 0; first < 9; ++first)
    for (uint64_t count = 0; count < 9; ++count) {
      part.assign(count + 1, -1);
      stream.normal(first, part.data(), count);
      for (uint64_t i = 0; i < count; ++i)
        EXPECT_EQ(part[i], whole[first + i]) << first << " " << i;
      EXPECT_EQ(part[count], -1);
    }
}

TEST(Random, StreamsDiffer) {
  EXPECT_NE(RandomStream(1, "a").block(0).low(),
            RandomStream(1, "b").block(0).low());
  EXPECT_NE(RandomStream(1, "a").block(0).low(),
            RandomStream(2, "a").block(0).low());
  EXPECT_NE(RandomStream(1, "a").block(0).low(),
            RandomStream(1, "a").block(1).low());
}

TEST(Random, BelowAndUniformFillTheirRange) {
  RandomStream stream(3, "windows");
  std::vector<int> seen(10);
  double sum = 0;
  for (uint64_t i = 0; i < 10000; ++i) {
    uint64_t value = stream.below(10, i);
    ASSERT_LT(value, 10u);
    ++seen[value];
    float uniform = stream.uniform(i);
    ASSERT_GE(uniform, 0.0f);
    ASSERT_LT(uniform, 1.0f);
    sum += uniform;
  }
  for (int count : seen)
    EXPECT_NEAR(count, 1000, 5 * 30);
  EXPECT_NEAR(sum / 10000, 0.5, 5 * 0.289 / 100);
  EXPECT_EQ(stream.below(1, 5), 0u);
}
