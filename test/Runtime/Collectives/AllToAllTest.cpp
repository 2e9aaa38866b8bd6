// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks on CPUs exchange shards. What a rank gets is compared with what the
// others have, made anew here.

#include "Members.h"
#include "RankReference.h"
#include "TestTensor.h"

using namespace tert_test;

TEST(AllToAllTest, EveryRankGetsItsShardOfAllTensors) {
  const std::vector<std::vector<int64_t>> sizeLists = {
      {}, {1}, {7}, {17001}, {0}, {5, 0, 130, 20011, 1}, {64, 64}};
  for (const std::vector<int32_t> &mesh :
       {std::vector<int32_t>{}, {1}, {2}, {3}, {8}, {2, 2}, {2, 1, 3}})
    forEachMemberOf({mesh}, [&](const Member &self) {
      const auto ranks = int64_t(self.members.size());
      const int64_t place = placeOf(self.members, self.rank);
      for (const auto &sizes : sizeLists) {
        std::vector<Tensor> x, y;
        for (size_t k = 0; k < sizes.size(); ++k) {
          x.push_back(gradientOf(self.rank, k, ranks * sizes[k]));
          y.push_back(Tensor(x[k].layout.dtype, {ranks * sizes[k]}));
        }
        Handles inputs(x), outputs(y);
        ASSERT_EQ(tert_collective(self.context, nullptr, inputs.count(),
                                  inputs.data(), outputs.count(),
                                  outputs.data(), TERT_ALL_TO_ALL,
                                  /*async=*/0, self.axes),
                  TERT_OK)
            << self.error();
        for (size_t k = 0; k < sizes.size(); ++k) {
          for (int64_t from = 0; from < ranks; ++from) {
            const Tensor other =
                gradientOf(self.members[from], k, ranks * sizes[k]);
            for (int64_t i = 0; i < sizes[k]; ++i)
              ASSERT_EQ(y[k].bitsAt(from * sizes[k] + i),
                        other.bitsAt(place * sizes[k] + i))
                  << k << " from " << from << " at " << i;
          }
          EXPECT_TRUE(x[k].sameBits(gradientOf(self.rank, k, ranks * sizes[k])))
              << "x has changed";
          y[k].checkGaps();
        }
      }
    });
}

TEST(AllToAllTest, AnyTypeTwiceIsTheSame) {
  runRanks({{4}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    Tensor x(TERT_I64, {4, 3}), y(TERT_I64, {4, 3}), z(TERT_I64, {4, 3});
    for (int64_t i = 0; i < 12; ++i)
      static_cast<int64_t *>(x.data())[i] = 100 * rank.rank + i;
    auto exchange = [&](const tert_tensor *from, const tert_tensor *to) {
      EXPECT_EQ(tert_collective(rank.context, nullptr, 1, from, 1, to,
                                TERT_ALL_TO_ALL, /*async=*/0, 1),
                TERT_OK)
          << rank.error();
    };
    exchange(x, y);
    EXPECT_EQ(static_cast<int64_t *>(y.data())[3 * 2 + 1],
              200 + 3 * rank.rank + 1);
    exchange(y, z);
    EXPECT_TRUE(z.sameBits(x));
  });
}

TEST(AllToAllTest, ArgumentsAreChecked) {
  runRanks({{2}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    Tensor x(TERT_F32, {6}), y(TERT_F32, {6}), odd(TERT_F32, {3}),
        other(TERT_F32, {3}), half(TERT_BF16, {6});
    auto refuses = [&](const tert_tensor *from, const tert_tensor *to,
                       const std::string &text) {
      EXPECT_EQ(tert_collective(rank.context, nullptr, 1, from, 1, to,
                                TERT_ALL_TO_ALL, /*async=*/0, 1),
                TERT_INVALID_ARGUMENT);
      EXPECT_NE(rank.error().find(text), std::string::npos) << rank.error();
    };
    refuses(x, odd,
            "'y[0]' is [3] f32, but must be of as many elements as 'x[0]', "
            "[6] f32");
    refuses(x, half, "'y[0]' is [6] bf16, but must be f32");
    refuses(odd, other,
            "'x[0]' is [3] f32, which is no multiple of the 2 ranks along "
            "axis 0 of the mesh");
    refuses(x, x, "'x[0]' overlaps 'y[0]'");
  });
}
