// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the collectives give among GPUs of this machine, along every set of a
// mesh's axes: the bits of the CPU's, with the computation and beside it.

#include "DeviceList.h"
#include "GpuRanks.h"
#include "Members.h"

using namespace tert_test;

namespace {

/// Lists of sizes. The `large` ones go beside the computation in several
/// rounds, lie at places of any alignment, and among tensors that others do not
/// see.
std::vector<std::vector<int64_t>> sizeListsWith(int64_t large) {
  return {{},
          {1},
          {7},
          {1 << 20},
          {0},
          {5, 0, 130, 100003, 1},
          {64, 64},
          {large, 1 << 20},
          {1 << 19, 0, 700001, large, 3}};
}

/// A mesh of many ranks has many groups, and the tests' own sums take long.
class CudaConcurrentCollectivesTest : public GpuMeshTest {
protected:
  bool isLarge() const { return options.mesh.size() > 1; }
  std::vector<std::vector<int64_t>> sizesOfSums() const {
    return sizeListsWith(isLarge() ? 1200007 : 9000001);
  }
  std::vector<std::vector<int64_t>> sizesOfParts() const {
    return sizeListsWith(isLarge() ? 300007 : 9000001);
  }
};

std::vector<Tensor> gradientsOf(const Member &self,
                                const std::vector<int64_t> &sizes,
                                int64_t times = 1) {
  std::vector<Tensor> tensors;
  for (size_t k = 0; k < sizes.size(); ++k)
    tensors.push_back(gradientOf(self.rank, k, times * sizes[k]));
  return tensors;
}

Tensor sumOfMembers(const Member &self, size_t k, int64_t size) {
  std::vector<Tensor> all;
  for (int32_t member : self.members)
    all.push_back(gradientOf(member, k, size));
  return sumInOrder(all);
}

tert_status awaitAll(const Member &self, const DeviceList &tensors) {
  return tert_await(self.context, nullptr, tensors.count(), tensors.data());
}

} // namespace

TEST_P(CudaConcurrentCollectivesTest, AllReduce) {
  forEachMemberOf(options, [this](const Member &self) {
    for (const auto &sizes : sizesOfSums()) {
      std::vector<Tensor> expected;
      for (size_t k = 0; k < sizes.size(); ++k)
        expected.push_back(sumOfMembers(self, k, sizes[k]));
      for (int32_t async : {0, 1}) {
        DeviceList tensors(self.context, gradientsOf(self, sizes));
        ASSERT_EQ(tert_collective(self.context, nullptr, 0, nullptr,
                                  tensors.count(), tensors.data(),
                                  TERT_ALL_REDUCE, async, self.axes),
                  TERT_OK)
            << self.error();
        ASSERT_EQ(awaitAll(self, tensors), TERT_OK) << self.error();
        const std::vector<Tensor> actual = tensors.read();
        for (size_t k = 0; k < sizes.size(); ++k) {
          EXPECT_TRUE(actual[k].sameBits(expected[k])) << k;
          actual[k].checkGaps();
        }
      }
    }
  });
}

TEST_P(CudaConcurrentCollectivesTest, ReduceScatter) {
  forEachMemberOf(options, [this](const Member &self) {
    const auto ranks = int64_t(self.members.size());
    const int64_t place = placeOf(self.members, self.rank);
    for (const auto &sizes : sizesOfSums()) {
      std::vector<Tensor> parts;
      for (size_t k = 0; k < sizes.size(); ++k) {
        const Tensor sum = sumOfMembers(self, k, ranks * sizes[k]);
        parts.push_back(Tensor(sum.layout.dtype, {sizes[k]}));
        for (int64_t i = 0; i < sizes[k]; ++i)
          parts[k].setBits(i, sum.bitsAt(place * sizes[k] + i));
      }
      std::vector<Tensor> empty;
      for (const Tensor &part : parts)
        empty.push_back(Tensor(part.layout.dtype, {part.numElements()}));
      DeviceList x(self.context, gradientsOf(self, sizes, ranks));
      for (int32_t async : {0, 1}) {
        DeviceList y(self.context, empty);
        ASSERT_EQ(tert_collective(self.context, nullptr, x.count(), x.data(),
                                  y.count(), y.data(), TERT_REDUCE_SCATTER,
                                  async, self.axes),
                  TERT_OK)
            << self.error();
        ASSERT_EQ(awaitAll(self, y), TERT_OK) << self.error();
        const std::vector<Tensor> actual = y.read();
        for (size_t k = 0; k < sizes.size(); ++k) {
          EXPECT_TRUE(actual[k].sameBits(parts[k])) << k;
          actual[k].checkGaps();
        }
      }
    }
  });
}

TEST_P(CudaConcurrentCollectivesTest, AllGatherTakesAnyTypeAndWorksInPlace) {
  forEachMemberOf(options, [this](const Member &self) {
    for (const auto &sizes : sizesOfParts())
      for (bool inPlace : {false, true}) {
        const Gathered gathered(self.members, self.rank, sizes, inPlace);
        for (int32_t async : {0, 1}) {
          DeviceList x(self.context, gathered.own),
              y(self.context, gathered.all);
          for (size_t k = 0; inPlace && k < sizes.size(); ++k)
            x[k].data = static_cast<char *>(y[k].data) + gathered.offset(k);
          ASSERT_EQ(tert_collective(self.context, nullptr, x.count(), x.data(),
                                    y.count(), y.data(), TERT_ALL_GATHER, async,
                                    self.axes),
                    TERT_OK)
              << self.error();
          ASSERT_EQ(awaitAll(self, y), TERT_OK) << self.error();
          const std::vector<Tensor> actual = y.read();
          for (size_t k = 0; k < sizes.size(); ++k) {
            EXPECT_TRUE(actual[k].sameBits(gathered.expected[k])) << k;
            actual[k].checkGaps();
          }
        }
      }
  });
}

TEST_P(CudaConcurrentCollectivesTest, AllSliceTakesTheRanksPartOfWhatAllHave) {
  forEachMemberOf(options, [this](const Member &self) {
    for (const auto &sizes : sizesOfParts()) {
      const Gathered gathered(self.members, self.rank, sizes,
                              /*inPlace=*/false);
      std::vector<Tensor> parts;
      for (size_t k = 0; k < sizes.size(); ++k)
        parts.emplace_back(gathered.own[k].layout.dtype,
                           std::vector<int64_t>{sizes[k]});
      DeviceList x(self.context, gathered.expected), y(self.context, parts);
      for (size_t k = 0; k < sizes.size(); ++k)
        ASSERT_EQ(tert_all_slice(self.context, nullptr, &x.data()[k],
                                 &y.data()[k], self.axes),
                  TERT_OK)
            << self.error();
      const std::vector<Tensor> actual = y.read();
      for (size_t k = 0; k < sizes.size(); ++k) {
        EXPECT_TRUE(actual[k].sameBits(gathered.own[k])) << k;
        actual[k].checkGaps();
      }
    }
  });
}

TEST_P(CudaConcurrentCollectivesTest, RowsAreAddedToTheRanksPartOfATable) {
  forEachMemberOf(options, [](const Member &self) {
    for (auto [rows, cols, count] : tableSizes)
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        const TableOfRanks table(self.members, self.rank, rows, cols, count,
                                 dtype);
        DeviceList list(self.context,
                        {table.ids, table.dy, table.whole, table.part});
        ASSERT_EQ(tert_add_embedding_grad(self.context, nullptr, &list[0],
                                          &list[1], &list[2]),
                  TERT_OK)
            << self.error();
        ASSERT_EQ(tert_add_embedding_grad_part(self.context, nullptr, &list[0],
                                               &list[1], &list[3], rows,
                                               self.axes),
                  TERT_OK)
            << self.error();
        const std::vector<Tensor> after = list.read();
        table.expectPartOf(after[2], after[3]);
        Tensor expected(dtype, {count, cols});
        DeviceList lookups(self.context, {table.ids, table.whole, table.part,
                                          expected, expected});
        ASSERT_EQ(tert_embedding(self.context, nullptr, &lookups[0],
                                 &lookups[1], &lookups[3]),
                  TERT_OK)
            << self.error();
        ASSERT_EQ(tert_embedding_part(self.context, nullptr, &lookups[0],
                                      &lookups[2], &lookups[4], rows,
                                      self.axes),
                  TERT_OK)
            << self.error();
        const std::vector<Tensor> rowsOf = lookups.read();
        table.expectRowsOf(rowsOf[3], rowsOf[4]);
      }
  });
}

TEST_P(CudaConcurrentCollectivesTest, Scalars) {
  constexpr int32_t numMaxima = 200, numSums = 3;
  forEachMemberOf(options, [](const Member &self) {
    auto scalars = [&](int32_t count, float (*value)(int32_t, int32_t)) {
      std::vector<Tensor> all;
      for (int32_t i = 0; i < count; ++i)
        all.push_back(Tensor::scalar(value(self.rank, i)));
      return all;
    };
    DeviceList maxima(self.context, scalars(numMaxima, amaxOf)),
        sums(self.context, scalars(numSums, addendOf)),
        results(self.context,
                {Tensor(TERT_F32, {numMaxima}), Tensor(TERT_F32, {numSums})});
    // Sets of words take turns.
    for (int times = 0; times < 5; ++times) {
      ASSERT_EQ(tert_reduce_scalars(self.context, nullptr, maxima.count(),
                                    maxima.data(), sums.count(), sums.data(),
                                    &results[0], &results[1], self.axes),
                TERT_OK)
          << self.error();
      const std::vector<Tensor> actual = results.read();
      expectScalars(self.members, actual[0], actual[1]);
    }
  });
}

// Also of more ranks than there are GPUs.
INSTANTIATE_TEST_SUITE_P(Meshes, CudaConcurrentCollectivesTest,
                         testing::Values(std::vector<int32_t>{},
                                         std::vector<int32_t>{3},
                                         std::vector<int32_t>{2, 2, 2}),
                         nameOfMesh);
