// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/DataFiles.h"
#include "TestIndex.h"
#include "training/Data.h"
#include "training/TokenCorpus.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
class Files : public ::testing::Test {
protected:
  /// Writes `count` tokens of 16 bits, from `first` on.
  std::string tokens(const std::string &name, uint16_t first, size_t count) {
    std::filesystem::create_directories(
        std::filesystem::path(folder / name).parent_path());
    std::vector<uint16_t> values(count);
    std::iota(values.begin(), values.end(), first);
    writeText(folder / name, bytesOf(values));
    return folder / name;
  }
  /// The names of the files within the folder, or the error.
  std::string found(const DataNames &names,
                    DataFormat format = DataFormat::Auto) {
    auto files = filesOf(names, format);
    if (!files)
      return files.takeError().message();
    std::string all;
    for (const std::string &file : *files)
      all += std::filesystem::relative(file, folder / "").string() + " ";
    return all;
  }
  Expected<TokenCorpus> open(const DataNames &names, uint64_t seed = 1) {
    return TokenCorpus::open(names, DataFormat::U16, /*guessed=*/true, seed,
                             /*window=*/5, /*length=*/4);
  }
  /// Where a window begins, as the token there.
  static uint32_t at(const TokenCorpus::Place &place) {
    std::vector<uint32_t> token;
    EXPECT_FALSE(place.file->read(place.start, 1, token));
    return token.at(0);
  }
  void expectSays(Error error, const char *part) {
    EXPECT_NE(error.message().find(part), std::string::npos) << error.message();
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(Files, FoldersGlobsAndSeveral) {
  tokens("b/2.bin", 0, 9);
  tokens("b/1.bin", 0, 9);
  tokens("b/deep/3.bin", 0, 9);
  tokens("b/.hidden/4.bin", 0, 9);
  writeText(folder / "b/1.idx", "x");
  writeText(folder / "b/notes.md", "x");
  tokens("a.bin", 0, 9);
  EXPECT_EQ(found(folder / "b"), "b/1.bin b/2.bin b/deep/3.bin ");
  EXPECT_EQ(found(folder / "b", DataFormat::Bytes),
            "b/1.bin b/2.bin b/deep/3.bin b/notes.md ");
  EXPECT_EQ(found({folder / "b/[12].bin", folder / "a.bin"}),
            "b/1.bin b/2.bin a.bin ");
  // A file whose name has such characters is that file.
  tokens("odd[1]:2.bin", 0, 9);
  EXPECT_EQ(found(folder / "odd[1]:2.bin"), "odd[1]:2.bin ");

  std::filesystem::create_directories(folder / "empty");
  EXPECT_NE(found(folder / "empty").find("no file is called .bin"),
            std::string::npos);
  EXPECT_NE(found(folder / "*.none").find("no file matches"),
            std::string::npos);
  EXPECT_NE(found({folder / "a.bin:0.5", folder / "b"}).find("give all data"),
            std::string::npos);
  EXPECT_NE(found(folder / "a.bin:-1").find("number above 0"),
            std::string::npos);
}

TEST_F(Files, ADigestIsThatOfAllBytesAndWeights) {
  DataNames one = tokens("one.bin", 0, 9);
  DataNames two = {one[0], tokens("two.bin", 9, 9)};
  auto of = [&](const DataNames &names) {
    return *digestOfData(names, DataFormat::Auto);
  };
  EXPECT_EQ(of(one).rfind("18 bytes, ", 0), 0u);
  EXPECT_EQ(of(two).rfind("2 files, ", 0), 0u);
  EXPECT_NE(of(two), of({two[1], two[0]}));
  EXPECT_NE(of({two[0] + ":1", two[1] + ":1"}),
            of({two[0] + ":1", two[1] + ":2"}));
  EXPECT_EQ(bytesOfData(two, DataFormat::Auto), 36u);
}

TEST_F(Files, EveryPositionIsAsLikelyAndNoWindowCrossesAnEnd) {
  // 6 and 16 positions of windows of 5.
  auto corpus = open({tokens("a.bin", 0, 10), tokens("b.bin", 100, 20)});
  ASSERT_TRUE(corpus);
  std::map<uint32_t, int> counts;
  constexpr int draws = 22000;
  for (uint64_t i = 0; i < draws; ++i)
    ++counts[at(corpus->random(i))];
  EXPECT_EQ(counts.size(), 22u);
  EXPECT_EQ(counts.rbegin()->first, 115u);
  EXPECT_EQ(counts.count(5), 1u);
  EXPECT_EQ(counts.count(6), 0u);
  // A binomial distribution: 1000 expected, with a deviation of 31.
  for (auto [start, count] : counts)
    EXPECT_NEAR(count, 1000, 5 * 31) << start;
  EXPECT_EQ(corpus->count(), 30u);
  // One file is read as it always was.
  auto alone = open(folder / "a.bin");
  const RandomStream stream(1, "data.windows");
  for (uint64_t i = 0; i < 50; ++i)
    EXPECT_EQ(at(alone->random(i)), stream.below(6, i));
}

TEST_F(Files, WeightsAreSharesOfTheRows) {
  tokens("c/1.bin", 200, 10);
  tokens("c/2.bin", 300, 10);
  auto corpus =
      open({tokens("a.bin", 0, 10) + ":1", tokens("b.bin", 100, 20) + ":2.5",
            (folder / "c") + ":0.5"});
  ASSERT_TRUE(corpus);
  std::map<uint32_t, int> counts;
  constexpr int draws = 16000;
  for (uint64_t i = 0; i < draws; ++i)
    ++counts[at(corpus->random(i)) / 100];
  for (auto [source, share] :
       {std::pair(0u, 0.25), {1u, 0.625}, {2u, 0.0625}, {3u, 0.0625}}) {
    const double deviation = std::sqrt(draws * share * (1 - share));
    EXPECT_NEAR(counts[source], draws * share, 5 * deviation) << source;
  }
}

TEST_F(Files, EpochsHaveEveryWindowOnceInOtherOrders) {
  // 2 windows of 4 and a label, and 4.
  auto corpus = open({tokens("a.bin", 0, 10), tokens("b.bin", 100, 20)});
  ASSERT_TRUE(corpus);
  ASSERT_EQ(corpus->windows(), 6u);
  std::set<std::vector<uint32_t>> orders;
  for (uint64_t epoch = 0; epoch < 40; ++epoch) {
    std::vector<uint32_t> order;
    for (uint64_t i = 0; i < 6; ++i)
      order.push_back(at(corpus->inEpochs(epoch * 6 + i)));
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<uint32_t>{0, 4, 100, 104, 108, 112}));
  }
  EXPECT_GT(orders.size(), 30u); // of 720
  auto other = open({folder / "a.bin", folder / "b.bin"}, 2);
  std::vector<uint32_t> one, two;
  for (uint64_t i = 0; i < 12; ++i) {
    one.push_back(at(corpus->inEpochs(i)));
    two.push_back(at(other->inEpochs(i)));
  }
  EXPECT_NE(one, two);
  // Many windows: a permutation, too.
  auto large = open(tokens("large.bin", 0, 40005));
  std::set<uint64_t> starts;
  for (uint64_t i = 0; i < large->windows(); ++i)
    starts.insert(large->inEpochs(i).start);
  EXPECT_EQ(starts.size(), 10001u);
}

TEST_F(Files, AllHaveIndicesOfMegatron) {
  DataNames names = {tokens("a.bin", 0, 10), tokens("b.bin", 0, 10)};
  EXPECT_FALSE(haveMegatronIndices(names, DataFormat::Auto));
  writeText(folder / "a.idx", TestIndex().text());
  writeText(folder / "b.idx", "mine");
  EXPECT_FALSE(haveMegatronIndices(names, DataFormat::Auto));
  writeText(folder / "b.idx", TestIndex().text());
  EXPECT_TRUE(haveMegatronIndices(names, DataFormat::Auto));
  names.push_back(folder / "missing.bin");
  EXPECT_FALSE(haveMegatronIndices(names, DataFormat::Auto));
}

TEST_F(Files, FilesThatAreTooShort) {
  auto corpus = open({tokens("a.bin", 0, 10), tokens("b.bin", 0, 4)});
  ASSERT_FALSE(corpus);
  expectSays(corpus.takeError(), "b.bin' has 4 tokens, fewer than one row");
}
