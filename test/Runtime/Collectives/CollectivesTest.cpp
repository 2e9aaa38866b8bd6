// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The collectives, among processes on CPUs. What they give is compared bit for
// bit with sums that are added here, one rank after another.

#include "Members.h"
#include "RankReference.h"
#include "TestTensor.h"

#include <cmath>

using namespace tert_test;

namespace {

/// Meshes whose ranks are 1, 2, 3, 4 and 8.
const std::vector<std::vector<int32_t>> meshes = {
    {}, {1}, {2}, {3}, {4}, {8}, {2, 2}, {2, 2, 2}, {2, 1, 3}};

/// Lists of sizes: nothing, one, several, fewer elements than ranks, more than
/// one task of a thread.
const std::vector<std::vector<int64_t>> sizeLists = {
    {}, {1}, {7}, {17001}, {0}, {5, 0, 130, 20011, 1}, {64, 64}};

/// Calls fn(Member) in every rank of every mesh, for every set of its axes.
template <typename Fn> void forEachMember(const Fn &fn) {
  for (const auto &mesh : meshes)
    forEachMemberOf({mesh}, fn);
}

} // namespace

TEST(CollectivesTest, AllReduceAddsInTheRanksOrder) {
  forEachMember([](const Member &self) {
    for (const auto &sizes : sizeLists) {
      std::vector<Tensor> own, expected;
      for (size_t k = 0; k < sizes.size(); ++k) {
        std::vector<Tensor> all;
        for (int32_t member : self.members)
          all.push_back(gradientOf(member, k, sizes[k]));
        own.push_back(gradientOf(self.rank, k, sizes[k]));
        expected.push_back(sumInOrder(all));
      }
      Handles handles(own);
      ASSERT_EQ(tert_collective(self.context, nullptr, 0, nullptr,
                                handles.count(), handles.data(),
                                TERT_ALL_REDUCE, /*async=*/0, self.axes),
                TERT_OK)
          << self.error();
      for (size_t k = 0; k < sizes.size(); ++k) {
        EXPECT_TRUE(own[k].sameBits(expected[k])) << k;
        own[k].checkGaps();
      }
    }
  });
}

TEST(CollectivesTest, ReduceScatterGivesEveryRankItsPart) {
  forEachMember([](const Member &self) {
    const auto ranks = int64_t(self.members.size());
    const int64_t place = placeOf(self.members, self.rank);
    for (const auto &sizes : sizeLists) {
      std::vector<Tensor> x, y;
      for (size_t k = 0; k < sizes.size(); ++k) {
        x.push_back(gradientOf(self.rank, k, ranks * sizes[k]));
        y.push_back(Tensor(x[k].layout.dtype, {sizes[k]}));
      }
      Handles inputs(x), outputs(y);
      ASSERT_EQ(tert_collective(self.context, nullptr, inputs.count(),
                                inputs.data(), outputs.count(), outputs.data(),
                                TERT_REDUCE_SCATTER, /*async=*/0, self.axes),
                TERT_OK)
          << self.error();
      for (size_t k = 0; k < sizes.size(); ++k) {
        std::vector<Tensor> all;
        for (int32_t member : self.members)
          all.push_back(gradientOf(member, k, ranks * sizes[k]));
        const Tensor sum = sumInOrder(all);
        for (int64_t i = 0; i < sizes[k]; ++i)
          ASSERT_EQ(y[k].bitsAt(i), sum.bitsAt(place * sizes[k] + i))
              << k << " at " << i;
        EXPECT_TRUE(x[k].sameBits(all[place])) << "x has changed";
        y[k].checkGaps();
      }
    }
  });
}

TEST(CollectivesTest, AllGatherTakesAnyTypeAndWorksInPlace) {
  forEachMember([](const Member &self) {
    for (const auto &sizes : sizeLists)
      for (bool inPlace : {false, true}) {
        Gathered gathered(self.members, self.rank, sizes, inPlace);
        Handles x(gathered.own), y(gathered.all);
        for (size_t k = 0; inPlace && k < sizes.size(); ++k)
          x[k].data = static_cast<char *>(y[k].data) + gathered.offset(k);
        ASSERT_EQ(tert_collective(self.context, nullptr, x.count(), x.data(),
                                  y.count(), y.data(), TERT_ALL_GATHER,
                                  /*async=*/0, self.axes),
                  TERT_OK)
            << self.error();
        for (size_t k = 0; k < sizes.size(); ++k) {
          EXPECT_TRUE(gathered.all[k].sameBits(gathered.expected[k])) << k;
          gathered.all[k].checkGaps();
        }
      }
  });
}

TEST(CollectivesTest, AllSliceTakesTheRanksPartOfWhatAllHave) {
  forEachMember([](const Member &self) {
    for (const auto &sizes : sizeLists) {
      Gathered gathered(self.members, self.rank, sizes, /*inPlace=*/false);
      for (size_t k = 0; k < sizes.size(); ++k) {
        Tensor part(gathered.own[k].layout.dtype, {sizes[k]});
        ASSERT_EQ(tert_all_slice(self.context, nullptr, gathered.expected[k],
                                 part, self.axes),
                  TERT_OK)
            << self.error();
        EXPECT_TRUE(part.sameBits(gathered.own[k])) << k;
        part.checkGaps();
      }
    }
  });
}

TEST(CollectivesTest, TheRanksPartIsLocatedInWhatAllHave) {
  forEachMember([](const Member &self) {
    const auto ranks = int32_t(self.members.size());
    // Nobody leaves before all are there.
    std::vector<Tensor> sum;
    sum.push_back(gradientOf(self.rank, 0, 1));
    Handles tensors(sum);
    ASSERT_EQ(tert_collective(self.context, nullptr, 0, nullptr,
                              tensors.count(), tensors.data(), TERT_ALL_REDUCE,
                              /*async=*/0, self.axes),
              TERT_OK)
        << self.error();
    char whole = 0;
    void *part = nullptr;
    ASSERT_EQ(
        tert_locate_part(self.context, &whole, 96, ranks, self.axes, &part),
        TERT_OK)
        << self.error();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(part),
              reinterpret_cast<uintptr_t>(&whole) +
                  96 * placeOf(self.members, self.rank));
    EXPECT_EQ(
        tert_locate_part(self.context, &whole, 96, ranks + 1, self.axes, &part),
        TERT_INVALID_ARGUMENT);
    EXPECT_NE(self.error().find("there are shards of " +
                                std::to_string(ranks + 1) + " ranks, for the " +
                                std::to_string(ranks) + " ranks along "),
              std::string::npos)
        << self.error();
    EXPECT_EQ(
        tert_locate_part(self.context, &whole, -1, ranks, self.axes, &part),
        TERT_INVALID_ARGUMENT);
    EXPECT_EQ(
        tert_locate_part(self.context, nullptr, 96, ranks, self.axes, &part),
        TERT_INVALID_ARGUMENT);
  });
}

TEST(CollectivesTest, RowsAreAddedToTheRanksPartOfATable) {
  forEachMember([](const Member &self) {
    for (auto [rows, cols, count] : tableSizes)
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        TableOfRanks table(self.members, self.rank, rows, cols, count, dtype);
        ASSERT_EQ(tert_add_embedding_grad(self.context, nullptr, table.ids,
                                          table.dy, table.whole),
                  TERT_OK)
            << self.error();
        ASSERT_EQ(tert_add_embedding_grad_part(self.context, nullptr, table.ids,
                                               table.dy, table.part, rows,
                                               self.axes),
                  TERT_OK)
            << self.error();
        table.expectPartOf(table.whole, table.part);
      }
  });
}

TEST(CollectivesTest, LookupsInPartsAddUpToThoseInTheWhole) {
  for (const auto &mesh : meshes) {
    const std::vector<int32_t> members =
        membersOf(mesh, 0, (1 << mesh.size()) - 1);
    runRanks({mesh}, [&](Rank &rank) {
      ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
      for (auto [rows, cols, count] : tableSizes)
        for (int32_t dtype : {TERT_F32, TERT_BF16}) {
          TableOfRanks table(members, rank.rank, rows, cols, count, dtype);
          Tensor expected(dtype, {count, cols}), own(dtype, {count, cols});
          EXPECT_EQ(tert_embedding(rank.context, nullptr, table.ids,
                                   table.whole, expected),
                    TERT_OK)
              << rank.error();
          ASSERT_EQ(tert_embedding_part(rank.context, nullptr, table.ids,
                                        table.part, own, rows,
                                        (1 << mesh.size()) - 1),
                    TERT_OK)
              << rank.error();
          table.expectRowsOf(expected, own);
        }
    });
  }
}

TEST(CollectivesTest, ARowOrAPartThatIsNoneIsNamed) {
  Context context(1);
  Tensor ids(TERT_I64, {2}), dy(TERT_F32, {2, 4}), part(TERT_F32, {20});
  ids.fill([](int64_t i) { return 5 * i; });
  dy.randomize(1);
  EXPECT_EQ(tert_add_embedding_grad_part(context, nullptr, ids, dy, part, 5, 1),
            TERT_INVALID_DATA);
  EXPECT_EQ(tert_add_embedding_grad_part(context, nullptr, ids, dy, part, 6, 1),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.add_embedding_grad_part: 'dtable' is [20] f32, but must be "
            "the shard of one of 1 ranks of a table [6, 4]");
}

TEST(CollectivesTest, ScalarsAreReducedInOneCollective) {
  forEachMember([](const Member &self) {
    for (int32_t numMaxima : {0, 1, 200})
      for (int32_t numSums : {0, 3}) {
        std::vector<Tensor> maxima, sums;
        for (int32_t i = 0; i < numMaxima; ++i)
          maxima.push_back(Tensor::scalar(amaxOf(self.rank, i)));
        for (int32_t i = 0; i < numSums; ++i)
          sums.push_back(Tensor::scalar(addendOf(self.rank, i)));
        Tensor max(TERT_F32, {numMaxima}), sum(TERT_F32, {numSums});
        Handles larger(maxima), added(sums);
        const tert_tensor *maxResult = max, *sumResult = sum;
        ASSERT_EQ(tert_reduce_scalars(self.context, nullptr, numMaxima,
                                      larger.data(), numSums, added.data(),
                                      numMaxima ? maxResult : nullptr,
                                      numSums ? sumResult : nullptr, self.axes),
                  TERT_OK)
            << self.error();
        expectScalars(self.members, max, sum);
      }
  });
}

TEST(CollectivesTest, StartedCollectivesAreThereWhenAwaited) {
  forEachMember([](const Member &self) {
    auto sumOf = [&](size_t k, int64_t size) {
      std::vector<Tensor> all;
      for (int32_t member : self.members)
        all.push_back(gradientOf(member, k, size));
      return sumInOrder(all);
    };
    std::vector<Tensor> first = {gradientOf(self.rank, 0, 5000),
                                 gradientOf(self.rank, 1, 7)},
                        second = {gradientOf(self.rank, 2, 300)};
    Tensor between = gradientOf(self.rank, 4, 64);
    Handles one(first), two(second);
    auto start = [&](Handles &handles) {
      EXPECT_EQ(tert_collective(self.context, nullptr, 0, nullptr,
                                handles.count(), handles.data(),
                                TERT_ALL_REDUCE, /*async=*/1, self.axes),
                TERT_OK)
          << self.error();
    };
    start(one);
    start(two);
    // What runs meanwhile exchanges as well.
    EXPECT_EQ(tert_collective(self.context, nullptr, 0, nullptr, 1, between,
                              TERT_ALL_REDUCE, /*async=*/0, self.axes),
              TERT_OK)
        << self.error();
    EXPECT_TRUE(between.sameBits(sumOf(4, 64)));
    EXPECT_EQ(tert_await(self.context, nullptr, 1, one.data()), TERT_OK)
        << self.error();
    EXPECT_TRUE(first[0].sameBits(sumOf(0, 5000)));
    EXPECT_TRUE(first[1].sameBits(sumOf(1, 7)));
    EXPECT_EQ(tert_await(self.context, nullptr, 1, two.data()), TERT_OK)
        << self.error();
    EXPECT_TRUE(second[0].sameBits(sumOf(2, 300)));
    // What nobody has begun is not waited for.
    EXPECT_EQ(tert_await(self.context, nullptr, 1, between), TERT_OK)
        << self.error();
  });
}

TEST(CollectivesTest, WithoutAJobARankIsAlone) {
  Context context(1);
  Tensor x = gradientOf(0, 1, 100), y(TERT_BF16, {10, 10}),
         sum = gradientOf(0, 0, 9);
  EXPECT_OK(context, tert_collective(context, nullptr, 0, nullptr, 1, sum,
                                     TERT_ALL_REDUCE, /*async=*/0, 1));
  EXPECT_TRUE(sum.sameBits(gradientOf(0, 0, 9)));
  EXPECT_OK(context, tert_collective(context, nullptr, 1, x, 1, y,
                                     TERT_REDUCE_SCATTER, /*async=*/0, 1));
  EXPECT_TRUE(y.sameBits(x));
  Tensor z(TERT_BF16, {100});
  EXPECT_OK(context, tert_collective(context, nullptr, 1, y, 1, z,
                                     TERT_ALL_GATHER, /*async=*/0, 2));
  EXPECT_TRUE(z.sameBits(x));
  Tensor part(TERT_BF16, {100});
  EXPECT_OK(context, tert_all_slice(context, nullptr, x, part, 1));
  EXPECT_TRUE(part.sameBits(x));
  Tensor half(TERT_BF16, {50});
  EXPECT_EQ(tert_all_slice(context, nullptr, x, half, 1),
            TERT_INVALID_ARGUMENT);
  Tensor amax = Tensor::scalar(NAN), count = Tensor::scalar(3),
         max(TERT_F32, {1}), total(TERT_F32, {1});
  EXPECT_OK(context, tert_reduce_scalars(context, nullptr, 1, amax, 1, count,
                                         max, total, 5));
  EXPECT_TRUE(std::isnan(max.at(0)));
  EXPECT_EQ(total.at(0), 3);
}

//===-- Norms
//----------------------------------------------------------------===//

TEST(CollectivesTest, NormsAreTheSameOfPartsAndOfTheWhole) {
  forEachMember([](const Member &self) {
    const auto ranks = int64_t(self.members.size());
    const int64_t place = placeOf(self.members, self.rank);
    for (const auto &sizes : sizeLists) {
      double squares = 0;
      std::vector<Tensor> wholes, parts;
      std::vector<int32_t> no(sizes.size(), 0), yes(sizes.size(), 1);
      for (size_t k = 0; k < sizes.size(); ++k) {
        // The same on all ranks, and what each has of it, zeros behind the end.
        wholes.push_back(gradientOf(7, k, sizes[k]));
        const int64_t size = (sizes[k] + ranks - 1) / ranks;
        parts.push_back(Tensor(wholes[k].layout.dtype, {size}));
        for (int64_t i = 0; i < size; ++i) {
          const int64_t at = place * size + i;
          parts[k].set(i, at < sizes[k] ? wholes[k].at(at) : 0);
        }
        for (int64_t i = 0; i < sizes[k]; ++i)
          squares += double(wholes[k].at(i)) * wholes[k].at(i);
      }
      Handles whole(wholes), part(parts);
      Tensor norm(TERT_F32, {}), other(TERT_F32, {});
      ASSERT_EQ(tert_reduce_norm(self.context, nullptr, whole.count(),
                                 whole.data(), norm, no.data(), self.axes),
                TERT_OK)
          << self.error();
      ASSERT_EQ(tert_reduce_norm(self.context, nullptr, part.count(),
                                 part.data(), other, yes.data(), self.axes),
                TERT_OK)
          << self.error();
      EXPECT_TRUE(norm.sameBits(other)) << norm.at(0) << " " << other.at(0);
      EXPECT_NEAR(norm.at(0), std::sqrt(squares), 1e-7 * std::sqrt(squares));
    }
    // Not finite on one rank is so on all.
    Tensor own(TERT_F32, {3}), norm(TERT_F32, {});
    own.set(1, place == 0 ? INFINITY : 1);
    const int32_t isPart = 1;
    EXPECT_EQ(tert_reduce_norm(self.context, nullptr, 1, own, norm, &isPart,
                               self.axes),
              TERT_OK)
        << self.error();
    EXPECT_FALSE(std::isfinite(norm.at(0)));
  });
}

//===-- Exchanges that are begun
//----------------------------------------------===//

TEST(CollectivesTest, WhatIsBegunIsThereWhenItIsAwaited) {
  runRanks({{3}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    Tensor x(TERT_F32, {6}), sum(TERT_F32, {2}), all(TERT_F32, {6});
    x.fill([&](int64_t i) { return float(i + 10 * rank.rank); });
    ASSERT_EQ(tert_collective(rank.context, nullptr, 1, x, 1, sum,
                              TERT_REDUCE_SCATTER, /*async=*/1, 1),
              TERT_OK)
        << rank.error();
    ASSERT_EQ(tert_await(rank.context, nullptr, 1, sum), TERT_OK);
    for (int64_t i = 0; i < 2; ++i)
      EXPECT_EQ(sum.at(i), 3 * (2 * rank.rank + i) + 30);
    ASSERT_EQ(tert_collective(rank.context, nullptr, 1, sum, 1, all,
                              TERT_ALL_GATHER, /*async=*/1, 1),
              TERT_OK)
        << rank.error();
    ASSERT_EQ(tert_await(rank.context, nullptr, 1, all), TERT_OK);
    for (int64_t i = 0; i < 6; ++i)
      EXPECT_EQ(all.at(i), 3 * i + 30);
  });
}

//===-- What is refused ---------------------------------------------------===//

TEST(CollectivesTest, ArgumentsAreChecked) {
  runRanks({{2, 1}}, [](Rank &rank) {
    ASSERT_EQ(rank.joined, TERT_OK) << rank.error();
    const tert_site site = {"tert.reduce_scatter", "h.3.mlp", 0, 0, 0};
    Tensor x(TERT_F32, {6}), y(TERT_F32, {3}), odd(TERT_F32, {4});
    Tensor half(TERT_BF16, {3}), strided(TERT_F32, {3, 2}, 1),
        ids(TERT_I64, {6});
    auto refuses = [&](tert_status status, const std::string &text) {
      EXPECT_EQ(status, TERT_INVALID_ARGUMENT);
      EXPECT_NE(rank.error().find(text), std::string::npos) << rank.error();
    };
    auto scatter = [&](const tert_tensor *from, const tert_tensor *to) {
      return tert_collective(rank.context, &site, 1, from, 1, to,
                             TERT_REDUCE_SCATTER, /*async=*/0, 1);
    };
    refuses(scatter(x, odd),
            "tert.reduce_scatter at h.3.mlp: 'x[0]' is [6] f32, but must be of "
            "2 times the elements of 'y[0]', [4] f32, for the 2 ranks along "
            "axis 0 of the mesh");
    refuses(scatter(x, half), "'x[0]' is [6] f32, but must be bf16");
    refuses(scatter(ids, y), "'x[0]' is [6] i64, but must be f32 or bf16");
    refuses(tert_collective(rank.context, &site, 1, x, 1, y, /*kind=*/4,
                            /*async=*/0, 1),
            "'kind' is 4, and no tert_collective_kind");
    refuses(tert_collective(rank.context, &site, 1, x, 1, x, TERT_ALL_REDUCE,
                            /*async=*/0, 1),
            "'x' has 1 tensors, but an all-reduce has only 'y'");
    refuses(tert_collective_sequence(rank.context, &site, x, y, TERT_ALL_REDUCE,
                                     /*async=*/0, /*dim=*/0,
                                     /*balanced=*/0, 1),
            "'kind' is 0, and no collective of sequences");
    refuses(scatter(strided, y), "'x[0]' is [3, 2] f32 with strides [3, 1], "
                                 "but must be contiguous");
    refuses(tert_collective(rank.context, &site, 1, x, 0, nullptr,
                            TERT_REDUCE_SCATTER, /*async=*/0, 1),
            "there are 1 'x' for 0 'y'");
    refuses(tert_collective(rank.context, &site, 1, y, 1, odd, TERT_ALL_GATHER,
                            /*async=*/0, 1),
            "'y[0]' is [4] f32, but must be of 2 times the elements of 'x[0]'");
    refuses(tert_collective(rank.context, &site, -1, y, 1, x, TERT_ALL_GATHER,
                            /*async=*/0, 1),
            "'num_x' is negative");
    refuses(tert_collective(rank.context, &site, 0, nullptr, 2, nullptr,
                            TERT_ALL_REDUCE, /*async=*/0, 1),
            "'y' is null");
    refuses(tert_collective(rank.context, &site, 0, nullptr, 1, ids,
                            TERT_ALL_REDUCE, /*async=*/1, 1),
            "'y[0]' is [6] i64, but must be f32 or bf16");
    refuses(tert_await(rank.context, &site, 1, nullptr), "'tensors' is null");
    refuses(tert_collective(rank.context, &site, 0, nullptr, 1, x,
                            TERT_ALL_REDUCE, /*async=*/0, 4),
            "collectives along axis 2, but the job's mesh, 2 x 1, has 2 axes");
    refuses(tert_collective(rank.context, &site, 0, nullptr, 1, x,
                            TERT_ALL_REDUCE, /*async=*/0, -1),
            "'axes' is negative");
    Tensor scalar = Tensor::scalar(1), two(TERT_F32, {2});
    refuses(tert_reduce_scalars(rank.context, &site, 1, scalar, 0, nullptr, two,
                                nullptr, 1),
            "'max' is [2] f32, but must be [1]");
    refuses(tert_reduce_scalars(rank.context, &site, 0, nullptr, 1, scalar,
                                nullptr, nullptr, 1),
            "'sum' is missing");
    // An x that lies in its y, and not where its copy goes.
    tert_layout layout = y.layout;
    tert_tensor shifted = {static_cast<char *>(x.data()) + 4, &layout};
    refuses(tert_collective(rank.context, &site, 1, &shifted, 1, x,
                            TERT_ALL_GATHER, /*async=*/0, 1),
            "'x[0]' overlaps 'y[0]'");
    // None of it has reached the other rank.
    EXPECT_EQ(tert_collective(rank.context, &site, 0, nullptr, 1, y,
                              TERT_ALL_REDUCE, /*async=*/0, 1),
              TERT_OK)
        << rank.error();
  });
}
