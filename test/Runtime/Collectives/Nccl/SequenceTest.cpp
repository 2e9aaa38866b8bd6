// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of sequences of which each GPU has a part.

#include "GpuRanks.h"
#include "SequenceReference.h"

using namespace tert_test;

namespace {
using CudaSequenceTest = GpuMeshTest;

/// Those of the CPU, and parts that are worth a copy of each piece.
std::vector<SequenceCase> casesOnGpus() {
  std::vector<SequenceCase> cases = sequenceCases;
  cases.push_back({"copied", {1, 4096, 1024}, 1, true});
  cases.push_back({"copied batch", {2, 4096, 520}, 1, true});
  cases.push_back({"copied in order", {3, 2048, 512}, 1, false});
  // Columns of a matrix: rows of a pitch.
  cases.push_back({"columns", {1024, 520, 1}, 1, false});
  return cases;
}
} // namespace

TEST_P(CudaSequenceTest, PartsBecomeTheSequence) {
  const int64_t ranks = options.mesh[0];
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    for (const SequenceCase &c : casesOnGpus())
      for (int32_t dtype : {TERT_BF16, TERT_I64}) {
        SCOPED_TRACE(c.name);
        const Tensor part = sequencePart(c, dtype, ranks, rank.rank),
                     whole = sequenceWhole(c, dtype, ranks),
                     empty(dtype, c.wholeSizes(ranks)),
                     emptyPart(dtype, c.sizes);
        OnGpu x(rank.context, part), all(rank.context, whole);
        for (int32_t async : {0, 1}) {
          OnGpu y(rank.context, empty);
          EXPECT_EQ(tert_collective_sequence(rank.context, nullptr, x, y,
                                             TERT_ALL_GATHER, async, c.dim,
                                             c.balanced, 1),
                    TERT_OK)
              << rank.error();
          EXPECT_EQ(tert_await(rank.context, nullptr, 1, y), TERT_OK);
          EXPECT_TRUE(y.read().sameBits(whole));
        }
        if (!c.balanced) {
          const Tensor mine = sequenceOwn(c, dtype, ranks, rank.rank);
          for (int32_t async : {0, 1}) {
            OnGpu y(rank.context, mine);
            const tert_tensor *all = y;
            const PartInPlace x(c, *all, rank.rank);
            EXPECT_EQ(tert_collective_sequence(rank.context, nullptr, x, y,
                                               TERT_ALL_GATHER, async, c.dim,
                                               c.balanced, 1),
                      TERT_OK)
                << rank.error();
            EXPECT_EQ(tert_await(rank.context, nullptr, 1, y), TERT_OK);
            EXPECT_TRUE(y.read().sameBits(whole));
          }
        }
        OnGpu own(rank.context, emptyPart);
        EXPECT_EQ(tert_all_slice_sequence(rank.context, nullptr, all, own,
                                          c.dim, c.balanced, 1),
                  TERT_OK)
            << rank.error();
        EXPECT_TRUE(own.read().sameBits(part));
      }
  });
}

TEST_P(CudaSequenceTest, PartsOfSums) {
  const int64_t ranks = options.mesh[0];
  runRanks(options, [&](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    for (const SequenceCase &c : casesOnGpus())
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        SCOPED_TRACE(c.name);
        std::vector<Tensor> terms;
        for (int32_t member = 0; member < ranks; ++member)
          terms.push_back(sequenceTerm(c, dtype, ranks, member));
        const Tensor sum = sumInOrder(terms), empty(dtype, c.sizes);
        OnGpu x(rank.context, terms[rank.rank]);
        for (int32_t async : {0, 1}) {
          OnGpu y(rank.context, empty);
          EXPECT_EQ(tert_collective_sequence(rank.context, nullptr, x, y,
                                             TERT_REDUCE_SCATTER, async, c.dim,
                                             c.balanced, 1),
                    TERT_OK)
              << rank.error();
          EXPECT_EQ(tert_await(rank.context, nullptr, 1, y), TERT_OK);
          const Tensor result = y.read();
          for (int64_t i = 0; i < result.numElements(); ++i) {
            const int64_t at = c.indexOf(ranks, rank.rank, i);
            // NCCL adds more than two in an order of its own; the largest
            // addends are 2^11.
            if (ranks == 2)
              ASSERT_EQ(result.bitsAt(i), sum.bitsAt(at)) << i;
            else
              ASSERT_NEAR(result.at(i), sum.at(at),
                          ranks * (dtype == TERT_BF16 ? 0x1p-8 : 0x1p-23) *
                              0x1p11)
                  << i;
          }
        }
      }
  });
}

INSTANTIATE_TEST_SUITE_P(Meshes, CudaSequenceTest,
                         testing::Values(std::vector<int32_t>{},
                                         std::vector<int32_t>{4}),
                         nameOfMesh);
