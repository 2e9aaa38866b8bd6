// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/MegatronIndex.h"
#include "TestIndex.h"
#include "training/TokenFile.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
using Documents = std::vector<uint64_t>;

class Indices : public ::testing::Test {
protected:
  Indices() {
    std::vector<uint16_t> tokens(10);
    std::iota(tokens.begin(), tokens.end(), uint16_t(7));
    writeText(folder / "m.bin", bytesOf(tokens));
  }
  Expected<TokenFile> open(const TestIndex &index) {
    writeText(folder / "m.idx", index.text());
    return TokenFile::open(folder / "m.bin", DataFormat::U16, /*guessed=*/true);
  }
  /// Why the file is refused with this index, or where its documents begin.
  Expected<Documents> documentsOf(const TestIndex &index) {
    Expected<TokenFile> file = open(index);
    if (!file)
      return file.takeError();
    if (Error error = file->readDocuments())
      return error;
    return file->documentStarts();
  }
  void expectRefused(const TestIndex &index, const std::string &part) {
    Expected<Documents> documents = documentsOf(index);
    ASSERT_FALSE(documents) << part;
    const std::string message = documents.takeError().message();
    EXPECT_NE(message.find(part), std::string::npos) << message;
    EXPECT_NE(message.find(folder / "m.idx"), std::string::npos) << message;
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(Indices, SayTheWidth) {
  auto file = open({});
  ASSERT_TRUE(file) << file.takeError().message();
  EXPECT_EQ(file->width(), 2u);
  EXPECT_EQ(file->count(), 10u);
  EXPECT_TRUE(hasMegatronIndex(folder / "m.bin"));
  // Tokens of 32 bits, in a file that would be read as 16.
  writeText(folder / "w.bin", bytesOf(std::vector<int32_t>(10, 70000)));
  TestIndex index;
  index.type = 4;
  index.offsets = {0, 8, 20};
  writeText(folder / "w.idx", index.text());
  auto wide = TokenFile::open(folder / "w.bin", DataFormat::U16, true);
  ASSERT_TRUE(wide) << wide.takeError().message();
  std::vector<uint32_t> tokens;
  EXPECT_FALSE(wide->read(9, 1, tokens));
  EXPECT_EQ(tokens, std::vector<uint32_t>{70000});
  auto asNarrow = TokenFile::open(folder / "w.bin", DataFormat::U16, false);
  ASSERT_FALSE(asNarrow);
  EXPECT_NE(asNarrow.takeError().message().find("has tokens of 32 bits"),
            std::string::npos);
}

TEST_F(Indices, SayWhereDocumentsBegin) {
  EXPECT_EQ(*documentsOf({}), (Documents{0, 2, 5}));
  // Of several sequences, of none, and of empty ones.
  TestIndex index;
  index.documents = {0, 2, 2, 3};
  EXPECT_EQ(*documentsOf(index), (Documents{0, 5}));
  index.documents = {0, 0, 3, 3};
  EXPECT_EQ(*documentsOf(index), (Documents{0}));
  index = {8, {0, 4, 0, 6, 0}, {0, 0, 8, 8, 20}, {0, 1, 2, 3, 4, 5}};
  EXPECT_EQ(*documentsOf(index), (Documents{0, 4}));
  // More of them than are read at once.
  const size_t many = 200000;
  writeText(folder / "m.bin", std::string(2 * many, '\0'));
  Documents all(many);
  std::iota(all.begin(), all.end(), 0u);
  index = {8, std::vector<int32_t>(many, 1), {}, {}};
  for (size_t i = 0; i <= many; ++i) {
    index.documents.push_back(static_cast<int64_t>(i));
    if (i < many)
      index.offsets.push_back(static_cast<int64_t>(2 * i));
  }
  EXPECT_EQ(*documentsOf(index), all);
}

TEST_F(Indices, DamagedOnes) {
  auto expect = [this](const std::string &part, auto change) {
    TestIndex index;
    change(index);
    expectRefused(index, part);
  };
  expect("elements of type 5", [](TestIndex &i) { i.type = 5; });
  expect("has version 2", [](TestIndex &i) { i.version = 2; });
  expect("10 tokens of 32 bits, but", [](TestIndex &i) { i.type = 4; });
  for (uint64_t number : {uint64_t(100), uint64_t(1) << 61, UINT64_MAX}) {
    expect("sequences, but is too short",
           [&](TestIndex &i) { i.sequences = number; });
    expect("boundaries of documents, but is too short",
           [&](TestIndex &i) { i.boundaries = number; });
  }
  expect("has 5 tokens of 16 bits", [](TestIndex &i) { i.sequences = 2; });
  expect("negative length", [](TestIndex &i) { i.lengths = {2, -3, 11}; });
  expect("document 0 begins with sequence 1 of 3",
         [](TestIndex &i) { i.documents = {1, 2, 3}; });
  expect("document 2 begins with sequence 1 of 3, and the one before with 2",
         [](TestIndex &i) { i.documents = {0, 2, 1, 3}; });
  for (int64_t place : {int64_t(-1), int64_t(4), INT64_MAX, INT64_MIN})
    expect("document 1 begins with sequence " + std::to_string(place),
           [&](TestIndex &i) { i.documents = {0, place, 3}; });
  expect("documents of 2 sequences, and 3 sequences",
         [](TestIndex &i) { i.documents = {0, 1, 2}; });
  expect("documents of 0 sequences", [](TestIndex &i) { i.documents = {}; });
  for (int64_t offset : {int64_t(6), int64_t(-4), INT64_MAX})
    expect("sequence 1 begins at byte " + std::to_string(offset) +
               ", but those before it have 4 bytes",
           [&](TestIndex &i) { i.offsets[1] = offset; });
}

TEST_F(Indices, TruncatedOnes) {
  // Every beginning of a valid one, after the first word; without it, the file
  // is something else that has this name.
  const std::string text = TestIndex().text();
  for (size_t size = 0; size < text.size(); ++size) {
    writeText(folder / "m.idx", text.substr(0, size));
    auto file = TokenFile::open(folder / "m.bin", DataFormat::U16, true);
    EXPECT_EQ(bool(file), size < 9) << size;
    EXPECT_EQ(hasMegatronIndex(folder / "m.bin"), size >= 9) << size;
    if (!file) {
      const std::string message = file.takeError().message();
      EXPECT_NE(message.find("truncated, or damaged"), std::string::npos)
          << message;
    }
  }
  // While it is in use.
  auto file = open({});
  ASSERT_TRUE(file);
  std::filesystem::resize_file(folder / "m.idx", 50);
  EXPECT_TRUE(file->readDocuments());
}
