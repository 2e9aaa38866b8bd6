// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "artifact/StateShard.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

using namespace tert::session;

namespace {
constexpr int64_t beyond = -1;

int64_t ceilOf(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The tensor's elements, numbered in row-major order, as part `part` of the
/// rule holds them, one element at a time.
std::vector<int64_t> partByDefinition(const ShardSplit &cut, int64_t part) {
  const int64_t dimPart = part / cut.flatParts, flatPart = part % cut.flatParts;
  int64_t outer = 1, inner = 1;
  for (size_t i = 0; i < cut.shape.size(); ++i)
    (static_cast<int64_t>(i) < cut.dim ? outer : inner) *= cut.shape[i];
  const int64_t size =
      cut.shape.empty() ? 1 : cut.shape[static_cast<size_t>(cut.dim)];
  if (size)
    inner /= size;
  else
    inner = 0;
  // Indices of the dimension, in the order of the part.
  std::vector<int64_t> indices;
  int64_t begin = 0;
  for (int64_t block :
       cut.blocks.empty() ? std::vector<int64_t>{size} : cut.blocks) {
    const int64_t each = ceilOf(block, cut.dimParts);
    for (int64_t i = dimPart * each; i < (dimPart + 1) * each; ++i)
      indices.push_back(i < block ? begin + i : beyond);
    begin += block;
  }
  std::vector<int64_t> elements;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t index : indices)
      for (int64_t y = 0; y < inner; ++y)
        elements.push_back(index == beyond ? beyond
                                           : (o * size + index) * inner + y);
  const auto count = static_cast<int64_t>(elements.size());
  const int64_t each = ceilOf(count, cut.flatParts);
  std::vector<int64_t> buffer;
  for (int64_t i = flatPart * each; i < (flatPart + 1) * each; ++i)
    buffer.push_back(i < count ? elements[static_cast<size_t>(i)] : beyond);
  return buffer;
}

/// What visit() says of a piece of a part's buffer.
std::vector<int64_t> partByRanges(const ShardLayout &layout, int64_t part,
                                  int64_t first, int64_t count) {
  std::vector<int64_t> buffer(static_cast<size_t>(count), beyond);
  ShardRange before = {-1, first, 0};
  EXPECT_FALSE(
      layout.visit(part, first, count, [&](const ShardRange &range) -> Error {
        EXPECT_GT(range.count, 0);
        EXPECT_GT(range.global, before.global);
        EXPECT_GE(range.local, before.local + before.count);
        EXPECT_LE(range.local + range.count, first + count);
        for (int64_t i = 0; i < range.count; ++i)
          buffer[static_cast<size_t>(range.local - first + i)] =
              range.global + i;
        before = range;
        return Error::success();
      }));
  return buffer;
}

std::string errorOf(ShardSplit cut) {
  Expected<ShardLayout> layout = ShardLayout::create(std::move(cut));
  return layout ? "" : layout.takeError().message();
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST(StateShard, AnExampleByHand) {
  // Queries, keys and values of 4, 2 and 2 rows, over two ranks; then the 4
  // rows of 3 that each has over three.
  Expected<ShardLayout> layout =
      ShardLayout::create({{8, 3}, 0, 2, {4, 2, 2}, 3});
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->parts(), 6);
  EXPECT_EQ(layout->shardElements(), 4);
  // Rank 1 of the dimension has rows 2, 3, 5 and 7.
  EXPECT_EQ(partByRanges(*layout, 3, 0, 4), (std::vector<int64_t>{6, 7, 8, 9}));
  EXPECT_EQ(partByRanges(*layout, 4, 0, 4),
            (std::vector<int64_t>{10, 11, 15, 16}));
  EXPECT_EQ(partByRanges(*layout, 5, 0, 4),
            (std::vector<int64_t>{17, 21, 22, 23}));
  // Columns 2 to 3 of 5 over two ranks: the second has one that is not there.
  layout = ShardLayout::create({{2, 5}, 1, 2});
  ASSERT_TRUE(layout);
  EXPECT_EQ(partByRanges(*layout, 1, 0, 6),
            (std::vector<int64_t>{3, 4, beyond, 8, 9, beyond}));
}

TEST(StateShard, PartsCoverEveryElementOnceAsTheRuleSays) {
  std::mt19937 random(5);
  auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
  };
  int padded = 0, inBlocks = 0;
  for (int round = 0; round < 3000; ++round) {
    ShardSplit cut;
    for (int64_t rank = below(4); rank > 0; --rank)
      cut.shape.push_back(below(40) == 0 ? 0 : 1 + below(9));
    cut.flatParts = 1 + below(5);
    if (!cut.shape.empty() && below(3)) {
      cut.dim = below(static_cast<int64_t>(cut.shape.size()));
      cut.dimParts = 1 + below(4);
      if (below(2)) {
        for (int64_t blocks = 1 + below(3); blocks > 0; --blocks)
          cut.blocks.push_back(cut.dimParts * (1 + below(3)));
        cut.shape[static_cast<size_t>(cut.dim)] =
            std::accumulate(cut.blocks.begin(), cut.blocks.end(), int64_t(0));
        ++inBlocks;
      }
    }
    Expected<ShardLayout> layout = ShardLayout::create(cut);
    ASSERT_TRUE(layout) << layout.takeError().message();
    const int64_t elements = *elementCount(cut.shape);
    std::vector<int> seen(static_cast<size_t>(elements), 0);
    for (int64_t part = 0; part < layout->parts(); ++part) {
      const std::vector<int64_t> expected = partByDefinition(cut, part);
      const auto count = static_cast<int64_t>(expected.size());
      ASSERT_EQ(layout->shardElements(), count);
      ASSERT_EQ(partByRanges(*layout, part, 0, count), expected);
      // A piece of it, as it is read in pieces.
      const int64_t first = below(count + 1), size = below(count - first + 1);
      ASSERT_EQ(partByRanges(*layout, part, first, size),
                std::vector<int64_t>(expected.begin() + first,
                                     expected.begin() + first + size));
      for (int64_t i = 0; i < count; ++i) {
        const int64_t element = expected[static_cast<size_t>(i)];
        if (element == beyond) {
          ++padded;
          continue;
        }
        ++seen[static_cast<size_t>(element)];
        const ShardLayout::Place place = layout->find(element);
        ASSERT_EQ(place.part, part);
        ASSERT_EQ(place.local, i);
        ASSERT_GE(place.run, 1);
        for (int64_t next = 0; next < place.run; ++next)
          ASSERT_EQ(expected[static_cast<size_t>(i + next)], element + next);
      }
    }
    ASSERT_EQ(seen, std::vector<int>(seen.size(), 1));
  }
  EXPECT_GT(padded, 1000);
  EXPECT_GT(inBlocks, 500);
}

TEST(StateShard, LongRangesAreOne) {
  Expected<ShardLayout> layout = ShardLayout::create({{64, 32}, 0, 4});
  ASSERT_TRUE(layout);
  int ranges = 0;
  auto count = [&](const ShardRange &) {
    ++ranges;
    return Error::success();
  };
  ASSERT_FALSE(layout->visit(2, 0, 512, count));
  EXPECT_EQ(ranges, 1);
  EXPECT_EQ(layout->find(16 * 32 * 2).run, 512);
}

TEST(StateShard, CutsThatCannotBe) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_EQ(errorOf({{4, 4}, 1, 2, {2, 2}, 2}), "");
  EXPECT_CONTAINS(errorOf({{4, 4}, 2, 2}), "cuts dimension 2");
  EXPECT_CONTAINS(errorOf({{4, 4}, -1, 2}), "cuts dimension -1");
  EXPECT_CONTAINS(errorOf({{}, 0, 2}), "cuts dimension 0, which is none of 0");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 2, {2, 4}}), "do not add up to the 4");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 2, {2}}), "do not add up to the 4");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 2, {6, -2}}), "do not add up");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 2, {most, most, 6}}), "do not add up");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 2, {1, 3}}), "do not divide");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 0}), "parts");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, -3}), "parts");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 1, {}, most}), "parts");
  EXPECT_CONTAINS(errorOf({{4, 4}, 0, 2048, {}, 2048}), "parts");
  EXPECT_CONTAINS(errorOf({{most, most}, 0, 2}), "more elements");
  EXPECT_CONTAINS(errorOf({{-4, 4}, 0, 2}), "more elements");
  // Only what is filled up is too much.
  EXPECT_CONTAINS(errorOf({{most}, 0, 1, {}, 3 * 1024}), "more elements");
}

TEST(StateShard, WhoHoldsWhat) {
  Mesh mesh;
  mesh.axes = {{"dp", 2}, {"cp", 3}, {"tp", 4}};
  Expected<ShardLayout> layout = ShardLayout::create({{16, 6}, 0, 4, {}, 2});
  ASSERT_TRUE(layout);
  StateShard shard = {*layout, {"tp"}, {"dp"}};
  for (int32_t rank = 0; rank < mesh.ranks(); ++rank) {
    const int32_t dp = rank / 12, tp = rank % 4;
    EXPECT_EQ(shard.partOf(mesh, rank), tp * 2 + dp);
    EXPECT_EQ(shard.firstHolder(mesh, rank), dp * 12 + tp);
  }
  // Along several axes, in whatever order they are named: the last of the mesh
  // is the fastest.
  layout = ShardLayout::create({{16, 6}, 0, 1, {}, 8});
  for (const std::vector<std::string> &axes :
       {std::vector<std::string>{"tp", "dp"}, {"dp", "tp"}}) {
    shard = {*layout, {}, axes};
    EXPECT_EQ(shard.partOf(mesh, 0), 0);
    EXPECT_EQ(shard.partOf(mesh, 3), 3);
    EXPECT_EQ(shard.partOf(mesh, 4 + 3), 3);
    EXPECT_EQ(shard.partOf(mesh, 12 + 8 + 1), 5);
    EXPECT_EQ(shard.firstHolder(mesh, 12 + 8 + 1), 13);
  }
}
