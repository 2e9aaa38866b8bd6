// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges of sequences of which each rank has a part, among processes on
// CPUs: element by element at the places that tert/ops.h says.

#include "Ranks.h"
#include "SequenceReference.h"

using namespace tert_test;

namespace {
/// Calls fn(context, axes, members, place) in every rank of some meshes.
template <typename Fn> void forEachMember(const Fn &fn) {
  const std::vector<std::vector<int32_t>> meshes = {{1}, {2}, {3}, {2, 2}};
  for (const auto &mesh : meshes)
    runRanks({mesh}, [&](Rank &rank) {
      ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
      forEachAxes(mesh, [&](int32_t axes) {
        SCOPED_TRACE(testing::Message() << "rank " << rank.rank << " along "
                                        << axes << " of " << mesh.size());
        const std::vector<int32_t> members = membersOf(mesh, rank.rank, axes);
        fn(rank, axes, members, placeOf(members, rank.rank));
      });
    });
}
} // namespace

TEST(SequenceTest, PartsBecomeTheSequence) {
  forEachMember([](Rank &rank, int32_t axes,
                   const std::vector<int32_t> &members, int64_t place) {
    const auto ranks = int64_t(members.size());
    for (const SequenceCase &c : sequenceCases)
      for (int32_t dtype : {TERT_F32, TERT_BF16, TERT_I64, TERT_U8}) {
        SCOPED_TRACE(c.name);
        const Tensor part = sequencePart(c, dtype, ranks, place),
                     whole = sequenceWhole(c, dtype, ranks);
        for (int32_t async : {0, 1}) {
          Tensor y(dtype, c.wholeSizes(ranks));
          EXPECT_EQ(tert_collective_sequence(rank.context, nullptr, part, y,
                                             TERT_ALL_GATHER, async, c.dim,
                                             c.balanced, axes),
                    TERT_OK)
              << rank.error();
          EXPECT_EQ(tert_await(rank.context, nullptr, 1, y), TERT_OK);
          EXPECT_TRUE(y.sameBits(whole));
          y.checkGaps();
        }
        if (!c.balanced) {
          const Tensor y = sequenceOwn(c, dtype, ranks, place);
          const PartInPlace x(c, y.get(), place);
          EXPECT_EQ(tert_collective_sequence(rank.context, nullptr, x, y,
                                             TERT_ALL_GATHER, /*async=*/0,
                                             c.dim, c.balanced, axes),
                    TERT_OK)
              << rank.error();
          EXPECT_TRUE(y.sameBits(whole));
          y.checkGaps();
        }
        Tensor own(dtype, c.sizes);
        EXPECT_EQ(tert_all_slice_sequence(rank.context, nullptr, whole, own,
                                          c.dim, c.balanced, axes),
                  TERT_OK)
            << rank.error();
        EXPECT_TRUE(own.sameBits(part));
        own.checkGaps();
      }
  });
}

TEST(SequenceTest, PartsOfSums) {
  forEachMember([](Rank &rank, int32_t axes,
                   const std::vector<int32_t> &members, int64_t place) {
    const auto ranks = int64_t(members.size());
    for (const SequenceCase &c : sequenceCases)
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        SCOPED_TRACE(c.name);
        std::vector<Tensor> terms;
        for (int32_t member : members)
          terms.push_back(sequenceTerm(c, dtype, ranks, member));
        const Tensor sum = sumInOrder(terms);
        for (int32_t async : {0, 1}) {
          Tensor y(dtype, c.sizes);
          EXPECT_EQ(tert_collective_sequence(
                        rank.context, nullptr, terms[place], y,
                        TERT_REDUCE_SCATTER, async, c.dim, c.balanced, axes),
                    TERT_OK)
              << rank.error();
          EXPECT_EQ(tert_await(rank.context, nullptr, 1, y), TERT_OK);
          for (int64_t i = 0; i < y.numElements(); ++i)
            ASSERT_EQ(y.bitsAt(i), sum.bitsAt(c.indexOf(ranks, place, i))) << i;
          y.checkGaps();
        }
      }
  });
}

TEST(SequenceTest, ArgumentsAreChecked) {
  runRanks({{2}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    auto expectError = [&](tert_status status, const std::string &text) {
      EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
      EXPECT_NE(rank.error().find(text), std::string::npos) << rank.error();
    };
    Tensor part(TERT_F32, {2, 4}), whole(TERT_F32, {2, 8}),
        other(TERT_BF16, {2, 8}), odd(TERT_F32, {3, 4}),
        twice(TERT_F32, {6, 4});
    auto gather = [&](const Tensor &x, const Tensor &y, int32_t dim) {
      return tert_collective_sequence(rank.context, nullptr, x, y,
                                      TERT_ALL_GATHER, /*async=*/0, dim, 1, 1);
    };
    expectError(gather(part, whole, 2), "'dim' is 2, of tensors of 2");
    expectError(gather(part, whole, -1), "'dim' is -1");
    expectError(gather(part, whole, 0),
                "of 2 times 'x', [2, 4] f32, in dimension 0, for the 2 ranks "
                "along axis 0 of the mesh");
    expectError(gather(part, other, 1), "f32");
    expectError(gather(odd, twice, 0), "even in dimension 0");
    tert_layout inside = part.layout;
    const tert_tensor own = {whole.get().data, &inside};
    expectError(tert_collective_sequence(rank.context, nullptr, &own, whole,
                                         TERT_ALL_GATHER, /*async=*/0, 1, 1, 1),
                "'x' overlaps 'y'");
    expectError(tert_collective_sequence(rank.context, nullptr, part, whole,
                                         TERT_REDUCE_SCATTER, /*async=*/0, 1, 1,
                                         1),
                "of 2 times 'y'");
    Tensor numbers(TERT_I64, {4}), all(TERT_I64, {8});
    expectError(tert_collective_sequence(rank.context, nullptr, all, numbers,
                                         TERT_REDUCE_SCATTER, /*async=*/0, 0, 1,
                                         1),
                "'x'");
    expectError(
        tert_all_slice_sequence(rank.context, nullptr, part, whole, 1, 1, 1),
        "of 2 times 'y'");
    // Nobody leaves before all have joined.
    const Tensor number = Tensor::scalar(1);
    EXPECT_EQ(tert_collective(rank.context, nullptr, 0, nullptr, 1, number,
                              TERT_ALL_REDUCE, /*async=*/0, 1),
              TERT_OK)
        << rank.error();
  });
}
