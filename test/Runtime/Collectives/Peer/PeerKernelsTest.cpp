// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of what GPUs have, on one GPU that has it all: of any number of members,
// against float32 sums in their order on the host, bit for bit.

#include "collectives/peer/PeerKernels.h"
#include "HasGpu.h"
#include "TestTensor.h"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace tert::peer;
using tert_test::bf16Bits;
using tert_test::bf16Value;

namespace {

/// Memory that host and GPU see.
class Bytes {
public:
  explicit Bytes(size_t size) {
    EXPECT_EQ(cudaHostAlloc(&memory, size, cudaHostAllocDefault), cudaSuccess);
    std::memset(memory, 0xee, size);
  }
  ~Bytes() { cudaFreeHost(memory); }
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;

  char *at(int64_t offset) const {
    return static_cast<char *>(memory) + offset;
  }

private:
  void *memory = nullptr;
};

class PeerKernelsTest
    : public testing::TestWithParam<std::tuple<tert_dtype, int32_t>> {
protected:
  void SetUp() override {
    if (!tert_test::hasGpu())
      GTEST_SKIP() << "no GPU";
  }

  tert_dtype dtype() const { return std::get<0>(GetParam()); }
  int32_t ranks() const { return std::get<1>(GetParam()); }
  int64_t size() const { return dtype() == TERT_BF16 ? 2 : 4; }

  float get(const char *from, int64_t i) const {
    if (dtype() == TERT_BF16)
      return bf16Value(reinterpret_cast<const uint16_t *>(from)[i]);
    return reinterpret_cast<const float *>(from)[i];
  }
  /// What a sum is stored as.
  float rounded(float x) const {
    return dtype() == TERT_BF16 ? bf16Value(bf16Bits(x)) : x;
  }
  void fill(char *to, int64_t count) {
    std::normal_distribution<float> normal;
    for (int64_t i = 0; i < count; ++i) {
      const float value = std::ldexp(normal(random), int(random() % 24) - 12);
      if (dtype() == TERT_BF16)
        reinterpret_cast<uint16_t *>(to)[i] = bf16Bits(value);
      else
        reinterpret_cast<float *>(to)[i] = value;
    }
  }

  std::mt19937 random{7};
};

/// More entries than a table has, of odd sizes and places, some in place.
TEST_P(PeerKernelsTest, AddsInTheOrderOfTheMembers) {
  const int32_t rank = ranks() / 2;
  std::vector<int64_t> counts = {1, 3, 4, 1023, 4096, 4097, 8192, 100003};
  for (int64_t i = 0; i < 70; ++i)
    counts.push_back(1 + i * 37);
  // Places in what was fetched are multiples of 16 bytes, others of elements.
  struct Entry {
    int64_t own, sum, offset, count;
  };
  std::vector<Entry> entries;
  int64_t owns = 0, sums = 0, fetched = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (i % 3 != 0) {
      owns = (owns + 15) / 16 * 16;
      sums = (sums + 15) / 16 * 16;
    }
    entries.push_back({owns, sums, fetched, counts[i]});
    owns += (counts[i] + 1) * size();
    sums += (counts[i] + 1) * size();
    fetched = (fetched + counts[i] * size() + 15) / 16 * 16;
  }
  Bytes own(owns), sum(sums), copies(fetched * (ranks() - 1));
  fill(own.at(0), owns / size());
  fill(copies.at(0), fetched * (ranks() - 1) / size());
  std::vector<Summed> summed;
  std::vector<std::vector<float>> expected;
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry &of = entries[i];
    const bool isInPlace = i % 5 == 0;
    Summed &one = summed.emplace_back();
    one = {dtype(), {}, isInPlace ? own.at(of.own) : sum.at(of.sum), of.count};
    for (int32_t member = 0; member < ranks(); ++member)
      one.x.push_back(
          member == rank
              ? own.at(of.own)
              : copies.at((member - (member > rank)) * fetched + of.offset));
    std::vector<float> &result = expected.emplace_back();
    for (int64_t k = 0; k < of.count; ++k) {
      float total = get(one.x[0], k);
      for (int32_t member = 1; member < ranks(); ++member)
        total += get(one.x[member], k);
      result.push_back(rounded(total));
    }
  }
  addAll(nullptr, summed);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  for (size_t i = 0; i < summed.size(); ++i) {
    const auto *result = static_cast<const char *>(summed[i].y);
    for (int64_t k = 0; k < summed[i].count; ++k)
      ASSERT_EQ(get(result, k), expected[i][k])
          << "element " << k << " of entry " << i;
    // What lies behind is another's.
    if (summed[i].y == sum.at(entries[i].sum)) {
      const uint8_t behind = uint8_t(result[summed[i].count * size()]);
      EXPECT_EQ(behind, 0xee) << "behind entry " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Members, PeerKernelsTest,
                         testing::Combine(testing::Values(TERT_F32, TERT_BF16),
                                          testing::Values(2, 3, 8, 11)),
                         [](const auto &of) {
                           return std::string(std::get<0>(of.param) == TERT_BF16
                                                  ? "bf16"
                                                  : "f32") +
                                  "of" + std::to_string(std::get<1>(of.param));
                         });

} // namespace
