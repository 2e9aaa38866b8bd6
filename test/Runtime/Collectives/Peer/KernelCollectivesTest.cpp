// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives that are one kernel, among members that are streams of one GPU:
// what they add up and copy, again and again, and that an abort ends them.

#include "collectives/peer/KernelCollectives.h"
#include "HasGpu.h"
#include "TestTensor.h"
#include "collectives/peer/AbortFlag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>
#include <thread>

using namespace tert::peer;
using tert_test::bf16Bits;
using tert_test::bf16Value;

namespace {

/// Memory of the GPU.
class Bytes {
public:
  explicit Bytes(size_t size) : size(size) {
    EXPECT_EQ(cudaMalloc(reinterpret_cast<void **>(&data), size), cudaSuccess);
    EXPECT_EQ(cudaMemset(data, 0xee, size), cudaSuccess);
  }
  ~Bytes() { cudaFree(data); }
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;

  void set(const std::vector<char> &from) {
    ASSERT_EQ(cudaMemcpy(data, from.data(), size, cudaMemcpyHostToDevice),
              cudaSuccess);
  }
  std::vector<char> get() const {
    std::vector<char> to(size);
    EXPECT_EQ(cudaMemcpy(to.data(), data, size, cudaMemcpyDeviceToHost),
              cudaSuccess);
    return to;
  }

  const size_t size;
  char *data = nullptr;
};

/// Whether what is enqueued has not ended a while later.
bool isBusy(cudaStream_t stream) {
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const bool isBusy = cudaStreamQuery(stream) == cudaErrorNotReady;
  // It is kept as the last error.
  cudaGetLastError();
  return isBusy;
}

class KernelCollectivesTest : public testing::TestWithParam<int32_t> {
protected:
  void SetUp() override {
    if (!tert_test::hasGpu())
      GTEST_SKIP() << "no GPU";
    over = std::make_unique<AbortFlag>();
    const size_t bytes = KernelCollectives::bytesFor(ranks());
    ASSERT_EQ(cudaMalloc(reinterpret_cast<void **>(&words), bytes * ranks()),
              cudaSuccess);
    ASSERT_EQ(cudaMemset(words, 0, bytes * ranks()), cudaSuccess);
    std::vector<char *> all;
    for (int32_t member = 0; member < ranks(); ++member)
      all.push_back(words + member * bytes);
    for (int32_t member = 0; member < ranks(); ++member) {
      members.push_back(std::make_unique<KernelCollectives>(
          Members(member, all, over->get())));
      ASSERT_EQ(cudaStreamCreateWithFlags(&streams.emplace_back(),
                                          cudaStreamNonBlocking),
                cudaSuccess);
    }
    // The driver loads a kernel when it is first launched, and may wait for
    // those that run: all have to be there before one waits for another.
    KernelCollectives alone(Members(0, {words}, over->get()));
    for (tert_dtype dtype : {TERT_F32, TERT_BF16})
      alone.add(nullptr, {{dtype, {words}, words, 1}}, 1);
    alone.copy(nullptr, {{words, words, 1}}, 1);
    ASSERT_EQ(cudaMemset(words, 0, bytes * ranks()), cudaSuccess);
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  }
  void TearDown() override {
    for (cudaStream_t stream : streams)
      cudaStreamDestroy(stream);
    cudaFree(words);
  }

  int32_t ranks() const { return GetParam(); }

  std::unique_ptr<AbortFlag> over;
  char *words = nullptr;
  std::vector<std::unique_ptr<KernelCollectives>> members;
  std::vector<cudaStream_t> streams;
};

/// Fewer thread blocks than work, so that each takes some in turn; few enough
/// that those of all members are on a GPU at once.
constexpr int32_t maxBlocks = 5;

/// Element `i` of a tensor, as a float.
float elementOf(const char *tensor, bool isHalf, int64_t i) {
  return isHalf ? bf16Value(reinterpret_cast<const uint16_t *>(tensor)[i])
                : reinterpret_cast<const float *>(tensor)[i];
}

/// Each member adds up its part of float and bfloat16 tensors, more than a
/// kernel's table holds, at odd places; as soon as its kernel has ended it
/// destroys what the others have read.
TEST_P(KernelCollectivesTest, AddsInTheOrderOfTheMembers) {
  constexpr int32_t numSums = 90, rounds = 4;
  constexpr int64_t count = 30001, pitch = count * 4;
  const int32_t n = ranks();
  std::mt19937 random(11);
  std::normal_distribution<float> normal;
  auto isHalf = [](int32_t k) { return k % 3 == 0; };
  std::vector<std::unique_ptr<Bytes>> x, y;
  for (int32_t member = 0; member < n; ++member) {
    x.push_back(std::make_unique<Bytes>(numSums * pitch));
    y.push_back(std::make_unique<Bytes>(numSums * pitch));
  }
  const int64_t size = (count + n - 1) / n;
  auto countOf = [&](int32_t member) {
    return std::min(size, count - member * size);
  };
  for (int32_t round = 0; round < rounds; ++round) {
    std::vector<std::vector<char>> drawn;
    for (int32_t member = 0; member < n; ++member) {
      std::vector<char> &bytes = drawn.emplace_back(numSums * pitch);
      for (int32_t k = 0; k < numSums; ++k)
        for (int64_t i = 0; i < count; ++i) {
          const float value =
              std::ldexp(normal(random), int(random() % 24) - 12);
          char *tensor = bytes.data() + k * pitch;
          if (isHalf(k))
            reinterpret_cast<uint16_t *>(tensor)[i] = bf16Bits(value);
          else
            reinterpret_cast<float *>(tensor)[i] = value;
        }
      x[member]->set(bytes);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int32_t member = 0; member < n; ++member) {
      std::vector<Summed> sums;
      for (int32_t k = 0; k < numSums; ++k) {
        const int64_t at = k * pitch + member * size * (isHalf(k) ? 2 : 4);
        Summed &sum = sums.emplace_back();
        sum.dtype = isHalf(k) ? TERT_BF16 : TERT_F32;
        for (int32_t other = 0; other < n; ++other)
          sum.x.push_back(x[other]->data + at);
        sum.y = y[member]->data + at;
        sum.count = countOf(member);
      }
      members[member]->add(streams[member], sums, maxBlocks);
      ASSERT_EQ(cudaMemsetAsync(x[member]->data, 0xff, x[member]->size,
                                streams[member]),
                cudaSuccess);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int32_t member = 0; member < n; ++member) {
      const std::vector<char> sums = y[member]->get();
      for (int32_t k = 0; k < numSums; ++k)
        for (int64_t i = member * size; i < member * size + countOf(member);
             ++i) {
          float total = 0;
          for (int32_t other = 0; other < n; ++other) {
            const float addend =
                elementOf(drawn[other].data() + k * pitch, isHalf(k), i);
            total = other == 0 ? addend : total + addend;
          }
          if (isHalf(k))
            total = bf16Value(bf16Bits(total));
          ASSERT_EQ(elementOf(sums.data() + k * pitch, isHalf(k), i), total)
              << "element " << i << " of sum " << k << " of member " << member
              << " in round " << round;
        }
    }
  }
}

/// Each member fetches what all have, of odd sizes at odd places and more than
/// a kernel's table holds, and destroys its own part as soon as it may.
TEST_P(KernelCollectivesTest, CopiesWhatAllHave) {
  constexpr int32_t numParts = 150, rounds = 4;
  const int32_t n = ranks();
  std::mt19937 random(12);
  std::vector<int64_t> places = {0};
  for (int32_t k = 0; k < numParts; ++k)
    places.push_back(places.back() + (k % 50 == 0 ? 200003 : 1 + 37 * k));
  const int64_t bytes = places.back();
  std::vector<std::unique_ptr<Bytes>> parts, wholes;
  for (int32_t member = 0; member < n; ++member) {
    parts.push_back(std::make_unique<Bytes>(bytes));
    wholes.push_back(std::make_unique<Bytes>(n * bytes));
  }
  for (int32_t round = 0; round < rounds; ++round) {
    std::vector<char> expected;
    for (int32_t member = 0; member < n; ++member) {
      std::vector<char> drawn(bytes);
      for (char &byte : drawn)
        byte = char(random());
      parts[member]->set(drawn);
      expected.insert(expected.end(), drawn.begin(), drawn.end());
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int32_t member = 0; member < n; ++member) {
      std::vector<Copied> copies;
      for (int32_t other = 0; other < n; ++other)
        for (int32_t k = 0; k < numParts; ++k)
          copies.push_back({parts[other]->data + places[k],
                            wholes[member]->data + other * bytes + places[k],
                            places[k + 1] - places[k]});
      members[member]->copy(streams[member], copies, maxBlocks);
      ASSERT_EQ(
          cudaMemsetAsync(parts[member]->data, 0xff, bytes, streams[member]),
          cudaSuccess);
    }
    ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    for (int32_t member = 0; member < n; ++member)
      ASSERT_EQ(wholes[member]->get(), expected)
          << "member " << member << " in round " << round;
  }
}

/// One that fetches nothing is waited for, and waits, like the others.
TEST_P(KernelCollectivesTest, AMemberMayNeedNothing) {
  Bytes part(1000), whole(1000);
  part.set(std::vector<char>(1000, 'a'));
  for (int32_t member = 0; member < ranks(); ++member) {
    if (member == 0)
      members[member]->copy(streams[member], {{part.data, whole.data, 1000}},
                            maxBlocks);
    else
      members[member]->add(streams[member], {}, maxBlocks);
    // Nobody is done before all have come.
    if (member + 1 < ranks())
      EXPECT_TRUE(isBusy(streams[member]));
  }
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(whole.get(), std::vector<char>(1000, 'a'));
}

TEST_P(KernelCollectivesTest, AnAbortEndsTheWait) {
  members[0]->copy(streams[0], {}, maxBlocks);
  EXPECT_TRUE(isBusy(streams[0]));
  over->abort();
  EXPECT_EQ(cudaStreamSynchronize(streams[0]), cudaSuccess);
}

INSTANTIATE_TEST_SUITE_P(Members, KernelCollectivesTest,
                         testing::Values(2, 3, 5), [](const auto &of) {
                           return "of" + std::to_string(of.param);
                         });

} // namespace
