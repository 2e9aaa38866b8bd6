// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frequencies of drawn tokens against the probabilities by definition.

#include "generation/Sampler.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <set>

using namespace tert::generation;
using tert::session::Expected;

namespace {
const std::vector<float> logits = {0.5f, 2.0f, -1.0f, 1.5f, 2.0f, -3.0f};
constexpr int draws = 20000;

int64_t chosen(Sampler &sampler, const std::vector<float> &from,
               uint64_t index) {
  Expected<int64_t> id =
      sampler.choose(from.data(), static_cast<int64_t>(from.size()), index);
  EXPECT_TRUE(id) << id.takeError().message();
  return id ? *id : -1;
}

std::vector<double> frequencies(const SamplingOptions &options) {
  Sampler sampler(options, 0);
  std::vector<double> counts(logits.size());
  for (uint64_t i = 0; i < draws; ++i)
    counts[static_cast<size_t>(chosen(sampler, logits, i))] += 1.0 / draws;
  return counts;
}

/// The softmax of logits / temperature over the ids in `kept`.
std::vector<double> probabilities(double temperature,
                                  const std::set<size_t> &kept) {
  std::vector<double> result(logits.size());
  double sum = 0;
  for (size_t id : kept)
    sum += result[id] = std::exp(double(logits[id]) / temperature);
  for (double &each : result)
    each /= sum;
  return result;
}

/// Within five standard deviations of a binomial distribution.
void expectNear(const std::vector<double> &counts,
                const std::vector<double> &expected) {
  for (size_t i = 0; i < counts.size(); ++i)
    EXPECT_NEAR(counts[i], expected[i],
                5 * std::sqrt(expected[i] * (1 - expected[i]) / draws) + 1e-9)
        << "id " << i;
}
} // namespace

TEST(Sampler, TakesTheFirstOfTheLargestLogits) {
  Sampler sampler({}, 0);
  for (uint64_t i = 0; i < 4; ++i)
    EXPECT_EQ(chosen(sampler, logits, i), 1);
}

TEST(Sampler, DrawsFromTheSoftmaxOfLogitsByTemperature) {
  for (double temperature : {0.5, 1.0, 2.0}) {
    SamplingOptions options;
    options.temperature = temperature;
    expectNear(frequencies(options),
               probabilities(temperature, {0, 1, 2, 3, 4, 5}));
  }
}

// The softmax is 0.077, 0.346, 0.017, 0.210, 0.346, 0.002.
TEST(Sampler, TopPKeepsTheFewestTokensThatReachIt) {
  SamplingOptions options;
  options.temperature = 1.0;
  const std::vector<std::pair<double, std::set<size_t>>> cases = {
      {1e-9, {1}},
      {0.2, {1}},
      {0.5, {1, 4}},
      {0.8, {1, 3, 4}},
      {0.95, {0, 1, 3, 4}}};
  for (const auto &[topP, kept] : cases) {
    options.topP = topP;
    expectNear(frequencies(options), probabilities(1.0, kept));
  }
}

TEST(Sampler, TopKKeepsTheMostLikelyTokens) {
  SamplingOptions options;
  options.temperature = 1.0;
  options.topK = 3;
  expectNear(frequencies(options), probabilities(1.0, {1, 3, 4}));
  options.topK = 100;
  expectNear(frequencies(options), probabilities(1.0, {0, 1, 2, 3, 4, 5}));
}

TEST(Sampler, DependsOnSeedSequenceAndIndexAlone) {
  auto drawn = [](uint64_t seed, uint64_t sequence) {
    SamplingOptions options;
    options.temperature = 1.0;
    options.seed = seed;
    Sampler sampler(options, sequence);
    std::vector<int64_t> ids(32);
    for (uint64_t i = 32; i-- > 0;)
      ids[i] = chosen(sampler, logits, i);
    return ids;
  };
  EXPECT_EQ(drawn(1, 0), drawn(1, 0));
  EXPECT_NE(drawn(1, 0), drawn(2, 0));
  EXPECT_NE(drawn(1, 0), drawn(1, 1));
}

TEST(Sampler, RefusesLogitsThatAreNotNumbers) {
  const float infinity = std::numeric_limits<float>::infinity();
  Sampler sampler({}, 0);
  std::vector<float> bad = {0.0f, std::nanf("")};
  Expected<int64_t> id = sampler.choose(bad.data(), 2, 0);
  ASSERT_FALSE(id);
  EXPECT_NE(id.takeError().message().find("the logit of id 1 is nan"),
            std::string::npos);
  bad = {-infinity, -infinity};
  id = sampler.choose(bad.data(), 2, 0);
  ASSERT_FALSE(id);
  EXPECT_EQ(id.takeError().message(), "all logits are -infinity");
  // A token that is ruled out is none of these.
  bad = {-infinity, -2.0f};
  EXPECT_EQ(chosen(sampler, bad, 0), 1);
}
