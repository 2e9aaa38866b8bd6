// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ExpertReference.h"

using namespace tert_test;

namespace {

/// Experts of S rows, of which some are chosen often and some never.
Tensor chooseExperts(int64_t rows, int64_t count) {
  std::mt19937 generator(1);
  return Tensor(TERT_I32, {rows}).fill([&](int64_t) {
    const int64_t expert = generator() % count;
    return double(expert % 3 == 1 ? expert / 2 : expert);
  });
}

int64_t placesFor(int64_t rows, int64_t count, int64_t alignment) {
  return (rows + std::min(count, rows) * (alignment - 1)) / alignment *
         alignment;
}

/// Every layout of b, with and without wgrad, of some numbers of rows.
std::vector<ExpertCase> productCases(int32_t aType, int32_t bType,
                                     int32_t dType) {
  std::vector<ExpertCase> cases;
  const std::vector<std::vector<int64_t>> rows = {
      {3, 0, 17, 1}, {0, 40}, {130, 5, 0, 0, 64}, {0}};
  for (bool wgrad : {false, true})
    for (bool transposeB : {false, true})
      for (int64_t alignment : {1, 8})
        for (const std::vector<int64_t> &rowsOfExperts : rows)
          cases.push_back({rowsOfExperts, alignment, 33, 70, transposeB, wgrad,
                           aType, bType, dType});
  return cases;
}

tert_status multiply(Context &context, const ExpertCase &c,
                     const ExpertOperands &x, const Tensor &groups,
                     const Tensor &d, const Tensor &aScale = Tensor::scalar(1),
                     const Tensor &bScale = Tensor::scalar(1)) {
  if (c.isScaled())
    return tert_scaled_expert_matmul(context, nullptr, Scaled(x.a, aScale),
                                     Scaled(x.b, bScale), groups, d,
                                     c.transposeB, c.wgrad, c.alignment, 0);
  return tert_expert_matmul(context, nullptr, x.a, x.b, groups, d, c.transposeB,
                            c.wgrad, c.alignment);
}

/// The bound of a sum of float32 products.
double errorOf(const ExpertCase &c, const Tensor &groups) {
  return double(c.wgrad ? groups.size(0) : c.mOrK) * 0x1p-24;
}

} // namespace

TEST(GroupRowsTest, SortsRowsAndAligns) {
  Context context;
  for (int64_t rows : {0, 1, 7, 500})
    for (int64_t count : {1, 3, 64})
      for (int64_t alignment : {1, 8, 128})
        for (int64_t spare : {0, 2}) {
          const int64_t places =
              placesFor(rows, count, alignment) + spare * alignment;
          Tensor experts = chooseExperts(rows, count), slot(TERT_I32, {rows});
          Tensor source(TERT_I32, {places}), groups(TERT_I32, {places});
          EXPECT_OK(context, tert_group_rows(context, nullptr, experts, source,
                                             slot, groups, count, alignment,
                                             /*ranks=*/1));
          int64_t place = 0;
          for (int64_t e = 0; e < count; ++e) {
            for (int64_t row = 0; row < rows; ++row)
              if (experts.at(row) == e) {
                ASSERT_EQ(slot.at(row), place);
                ASSERT_EQ(source.at(place), row);
                ASSERT_EQ(groups.at(place++), e);
              }
            for (; place % alignment; ++place) {
              ASSERT_EQ(source.at(place), -1);
              ASSERT_EQ(groups.at(place), -1);
            }
          }
          for (; place < places; ++place) {
            ASSERT_EQ(source.at(place), -1);
            ASSERT_EQ(groups.at(place), -1);
          }
          for (const Tensor *x : {&source, &slot, &groups})
            x->checkGaps();
        }
}

/// Each rank has places for its experts, as many as there are, and rows that
/// have no expert, or find no space, have none.
TEST(GroupRowsTest, SharesPlacesAmongRanks) {
  Context context;
  for (int64_t ranks : {1, 2, 4})
    for (int64_t placesOfRank : {0, 8, 40, 200})
      for (int64_t alignment : {1, 8}) {
        const int64_t rows = 100, count = 8, places = ranks * placesOfRank;
        if (ranks == 1 && places < placesFor(rows, count, alignment))
          continue;
        Tensor experts(TERT_I32, {rows}), slot(TERT_I32, {rows});
        std::mt19937 generator(3);
        experts.fill([&](int64_t) { return double(generator() % 9) - 1; });
        Tensor source(TERT_I32, {places}), groups(TERT_I32, {places});
        EXPECT_OK(context,
                  tert_group_rows(context, nullptr, experts, source, slot,
                                  groups, count, alignment, ranks));
        Tensor expected(TERT_I32, {rows});
        expected.fill([](int64_t) { return -1.0; });
        int64_t filled = 0;
        for (int64_t rank = 0; rank < ranks; ++rank) {
          int64_t place = rank * placesOfRank;
          for (int64_t e = 0; e < count / ranks; ++e) {
            while (place % alignment)
              ++place;
            for (int64_t row = 0; row < rows; ++row)
              if (experts.at(row) == rank * count / ranks + e &&
                  place < (rank + 1) * placesOfRank) {
                ASSERT_EQ(source.at(place), row);
                ASSERT_EQ(groups.at(place), e);
                expected.set(row, double(place++));
                ++filled;
              }
          }
        }
        EXPECT_TRUE(slot.sameBits(expected));
        for (int64_t place = 0; place < places; ++place)
          filled -= source.at(place) >= 0;
        EXPECT_EQ(filled, 0);
      }
}

TEST(GroupRowsTest, NamesAnExpertThatDoesNotExist) {
  Context context;
  tert_site site = {"tert.group_rows", "h.0.mlp (model.py:5)", 2, 0, 0};
  Tensor source(TERT_I32, {16}), slot(TERT_I32, {3}), groups(TERT_I32, {16});
  for (int32_t bad : {4, -2}) {
    Tensor experts(TERT_I32, {3});
    experts.fill([&](int64_t i) { return i == 2 ? bad : 0; });
    EXPECT_EQ(
        tert_group_rows(context, &site, experts, source, slot, groups, 4, 4, 1),
        TERT_INVALID_DATA);
    EXPECT_EQ(context.error(),
              "tert.group_rows at h.0.mlp (model.py:5): expert " +
                  std::to_string(bad) +
                  " of row 2 is outside of [0, 4), and not -1 for none");
  }
}

TEST(GroupRowsTest, RefusesBadArguments) {
  Context context;
  Tensor experts(TERT_I32, {3}), source(TERT_I32, {12}), slot(TERT_I32, {3}),
      groups(TERT_I32, {12});
  experts.fill([](int64_t) { return 0; });
  auto call = [&](const Tensor &e, const Tensor &places, const Tensor &g,
                  int64_t count, int64_t alignment, int64_t ranks = 1) {
    return tert_group_rows(context, nullptr, e, places, slot, g, count,
                           alignment, ranks);
  };
  EXPECT_OK(context, call(experts, source, groups, 3, 4));
  Tensor few(TERT_I32, {8}), wide(TERT_I64, {3});
  EXPECT_EQ(call(experts, few, few, 3, 4), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.group_rows: 'source' is [8] i32, but must be of at least 12 "
            "elements, which 3 rows of 3 experts may need with alignment 4");
  EXPECT_EQ(call(experts, source, few, 3, 4), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(wide, source, groups, 3, 4), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(experts, source, groups, 0, 4), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(experts, source, groups, 3, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(experts, source, groups, 1, 5), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(), "tert.group_rows: 'source' is [12] i32, but must "
                             "be of a multiple of 5 elements, the alignment");
  EXPECT_EQ(call(experts, source, groups, 3, 4, 2), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.group_rows: 'ranks' is 2, but must divide 'count', 3");
  EXPECT_EQ(call(experts, source, groups, 4, 4, 2), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.group_rows: 'source' is [12] i32, but must be of equal "
            "shards for 'ranks', 2, of whole groups of 'alignment', 4");
}

TEST(ExpertMatmulTest, LayoutsTypesAndGroups) {
  Context context;
  for (int types = 0; types < 8; ++types)
    for (const ExpertCase &c : productCases(types & 1 ? TERT_BF16 : TERT_F32,
                                            types & 2 ? TERT_BF16 : TERT_F32,
                                            types & 4 ? TERT_BF16 : TERT_F32)) {
      Tensor groups = expertGroups(c);
      ExpertOperands x(c, groups, /*gap=*/3);
      x.randomize(c, groups);
      EXPECT_OK(context, multiply(context, c, x, groups, x.d));
      ExpertSums(c, groups, x.a, x.b, std::vector<double>(c.experts(), 1.0))
          .expect(x.d, errorOf(c, groups), "d");
    }
}

TEST(ScaledExpertMatmulTest, FormatsLayoutsAndScales) {
  Context context;
  const std::pair<int32_t, int32_t> formats[] = {{TERT_F8E4M3, TERT_F8E4M3},
                                                 {TERT_F8E5M2, TERT_F8E4M3},
                                                 {TERT_F8E4M3, TERT_F8E5M2}};
  int combination = 0;
  for (auto [aFormat, bFormat] : formats)
    for (ExpertCase c : productCases(aFormat, bFormat, TERT_F32)) {
      c.dType = combination % 2 ? TERT_BF16 : TERT_F32;
      Tensor groups = expertGroups(c);
      ExpertOperands x(c, groups, /*gap=*/2);
      x.randomize(c, groups);
      const bool perExpert = combination % 3 != 0;
      Tensor aScale = Tensor::scalar(0.0173f), bScale(TERT_F32, {c.experts()});
      std::vector<double> scales;
      for (int64_t e = 0; e < c.experts(); ++e) {
        bScale.set(e, 0.5 + double(e));
        scales.push_back(aScale.at(0) * (perExpert ? bScale.at(e) : 0.25));
      }
      Tensor both = perExpert ? bScale : Tensor::scalar(0.25f);
      EXPECT_OK(context, multiply(context, c, x, groups, x.d, aScale, both));
      ExpertSums(c, groups, x.a, x.b, scales)
          .expect(x.d, errorOf(c, groups), "d");
      // Exchanged, so that `a` is the one with a scale for each expert.
      EXPECT_OK(context, multiply(context, c, x, groups, x.d, both, aScale));
      ExpertSums(c, groups, x.a, x.b, scales)
          .expect(x.d, errorOf(c, groups), "d, scales of a");
      ++combination;
    }
}

TEST(ExpertMatmulTest, RowsWithoutAnExpertAreNotRead) {
  Context context;
  for (bool wgrad : {false, true}) {
    ExpertCase c = {{3, 5}, 1,        6,        10,      false,
                    wgrad,  TERT_F32, TERT_F32, TERT_F32};
    Tensor groups = expertGroups(c, /*tailBlocks=*/4);
    ExpertOperands x(c, groups);
    x.randomize(c, groups);
    Tensor expected = x.d;
    EXPECT_OK(context, multiply(context, c, x, groups, expected));
    for (int64_t row = 0; row < groups.size(0); ++row)
      for (int64_t i = 0; groups.at(row) < 0 && i < c.mOrK; ++i)
        x.a.set(row * c.mOrK + i, NAN);
    EXPECT_OK(context, multiply(context, c, x, groups, x.d));
    EXPECT_TRUE(x.d.sameBits(expected));
  }
}

TEST(ExpertMatmulTest, ThreadsDoNotMatter) {
  Context one(1), three(3);
  for (int32_t type : {TERT_F32, TERT_F8E4M3})
    for (const ExpertCase &c : productCases(type, type, TERT_F32)) {
      Tensor groups = expertGroups(c);
      ExpertOperands x(c, groups);
      x.randomize(c, groups);
      Tensor d1 = x.d, d3 = x.d;
      EXPECT_OK(one, multiply(one, c, x, groups, d1));
      EXPECT_OK(three, multiply(three, c, x, groups, d3));
      EXPECT_TRUE(d1.sameBits(d3));
    }
}

TEST(ExpertMatmulTest, NothingToSumOrToWrite) {
  Context context;
  for (int32_t type : {TERT_BF16, TERT_F8E4M3})
    for (auto [n, size] : {std::pair(0, 8), std::pair(8, 0)})
      for (bool wgrad : {false, true})
        for (bool transposeB : {false, true}) {
          ExpertCase c = {{2, 3}, 1,    n,    size,    transposeB,
                          wgrad,  type, type, TERT_F32};
          Tensor groups = expertGroups(c);
          ExpertOperands x(c, groups);
          x.randomize(c, groups);
          x.d.randomize(1);
          EXPECT_OK(context, multiply(context, c, x, groups, x.d));
          for (int64_t i = 0; i < x.d.numElements(); ++i)
            ASSERT_EQ(x.d.at(i), 0);
        }
}

TEST(ExpertMatmulTest, RefusesBadArguments) {
  Context context;
  tert_site site = {"tert.expert_matmul", "h.0.mlp (model.py:9)", 2, 0, 0};
  Tensor a(TERT_F32, {6, 8}), b(TERT_F32, {24, 4}), groups(TERT_I32, {6}),
      d(TERT_F32, {6, 4}), weights(TERT_F32, {24, 4}), dy(TERT_F32, {6, 4});
  groups.fill([](int64_t i) { return double(i % 3); });
  auto call = [&](const Tensor &a, const Tensor &b, const Tensor &groups,
                  const Tensor &d, bool transposeB, bool wgrad,
                  int64_t alignment) {
    return tert_expert_matmul(context, &site, a, b, groups, d, transposeB,
                              wgrad, alignment);
  };
  EXPECT_OK(context, call(a, b, groups, d, false, false, 1));
  EXPECT_OK(context, call(a, dy, groups, weights, false, true, 1));
  Tensor other(TERT_F32, {25, 4}), five(TERT_I32, {5}), wide(TERT_I64, {6});
  EXPECT_EQ(call(a, other, groups, d, false, false, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.expert_matmul at h.0.mlp (model.py:9): 'b' is [25, 4] f32, "
            "but must be of a multiple of 8 in dimension 0, the columns of 'a' "
            "for each expert");
  EXPECT_EQ(call(a, dy, groups, other, false, true, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.expert_matmul at h.0.mlp (model.py:9): 'd' is [25, 4] f32, "
            "but must be of a multiple of 8 in dimension 0, the columns of 'a' "
            "for each expert");
  EXPECT_EQ(call(a, b, five, d, false, false, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.expert_matmul at h.0.mlp (model.py:9): 'a' is [6, 8] f32, "
            "but must be of 5 in dimension 0, the elements of 'groups'");
  EXPECT_EQ(call(a, b, wide, d, false, false, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(a, b, groups, d, true, false, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(a, b, groups, dy, false, true, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(a, b, groups, d, false, false, 4), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(a, b, groups, d, false, false, 0), TERT_INVALID_ARGUMENT);
  groups.set(4, 3);
  EXPECT_EQ(call(a, b, groups, d, false, false, 1), TERT_INVALID_DATA);
  EXPECT_EQ(context.error(),
            "tert.expert_matmul at h.0.mlp (model.py:9): expert 3 of row 4 is "
            "not below 3, the number of experts");
}

TEST(ScaledExpertMatmulTest, RefusesBadArguments) {
  Context context;
  Tensor a(TERT_F8E4M3, {6, 8}), b(TERT_F8E4M3, {4, 24}), groups(TERT_I32, {6}),
      d(TERT_F32, {6, 4}), one = Tensor::scalar(1), each(TERT_F32, {3}),
                           two(TERT_F32, {2});
  Tensor a5(TERT_F8E5M2, {6, 8}), b5(TERT_F8E5M2, {4, 24});
  groups.fill([](int64_t i) { return double(i % 3); });
  each.fill([](int64_t) { return 1; });
  auto call = [&](const Tensor &a, const tert_tensor *aScale, const Tensor &b,
                  const tert_tensor *bScale, int32_t accumulate) {
    return tert_scaled_expert_matmul(context, nullptr, Scaled(a, aScale),
                                     Scaled(b, bScale), groups, d, 0, 0, 1,
                                     accumulate);
  };
  EXPECT_OK(context, call(a, one, b, each, 0));
  EXPECT_OK(context, call(a5, each, b, one, 1));
  EXPECT_EQ(call(a5, one, b5, one, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(a, two, b, one, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(context.error(),
            "tert.scaled_expert_matmul: 'a.scale_inv' is [2] f32, but must be "
            "[3], one for each expert, or a scalar");
  EXPECT_EQ(call(a, one, b, nullptr, 0), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(call(a, one, b, one, 2), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_scaled_expert_matmul(context, nullptr, nullptr, nullptr,
                                      groups, d, 0, 0, 1, 0),
            TERT_INVALID_ARGUMENT);
}
