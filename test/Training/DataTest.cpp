// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Data.h"
#include "TestIndex.h"

#include <gtest/gtest.h>
#include <numeric>
#include <set>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
struct Batch {
  std::vector<int32_t> tokens;
  std::vector<int64_t> labels;
};

/// What a step's batch holds, through an entry that gives its inputs back.
Batch batchOf(BatchSource &data, uint64_t step, EntryCall &call) {
  Batch batch{std::vector<int32_t>(21), std::vector<int64_t>(21)};
  Error error = data.fill(step, call);
  EXPECT_FALSE(error) << error.message();
  EXPECT_FALSE(call.run());
  using Role = ArgumentDescription::Role;
  const EntryDescription &entry = call.description();
  EXPECT_FALSE(call.readOutput(*entry.find(Role::Output, "tokens"),
                               batch.tokens.data()));
  EXPECT_FALSE(call.readOutput(*entry.find(Role::Output, "labels"),
                               batch.labels.data()));
  return batch;
}
} // namespace

TEST(Data, LabelsAreTheNextTokensAndEveryWindowIsInTheFile) {
  TemporaryFolder folder;
  // Token i of the file is i: a window shows where it starts.
  constexpr int32_t count = 20;
  std::vector<uint32_t> file(count);
  std::iota(file.begin(), file.end(), 0u);
  writeText(folder / "t.bin", bytesOf(file));
  Expected<Artifact> artifact = Artifact::open(toyPath("toy"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  Expected<EntryCall> call = EntryCall::create(**session, "echo");
  ASSERT_TRUE(call);
  EXPECT_EQ(tokensPerCall(call->description()), 21);
  auto open = [&](uint64_t seed) {
    auto data = openData(folder / "t.bin", DataFormat::U32, seed, *call);
    EXPECT_TRUE(data) << data.takeError().message();
    return std::move(*data);
  };
  std::unique_ptr<BatchSource> data = open(1), same = open(1), other = open(2);
  EXPECT_EQ(data->describe(), "20 tokens, 3 windows of 7 a step");
  EXPECT_EQ(data->describe(4),
            "20 tokens, 3 windows of 7 in each of 4 microbatches a step");
  std::set<int32_t> starts;
  bool differs = false;
  for (uint64_t step = 0; step < 200; ++step) {
    Batch batch = batchOf(*data, step, *call);
    for (size_t i = 0; i < 21; ++i) {
      EXPECT_EQ(batch.labels[i], batch.tokens[i] + 1);
      EXPECT_EQ(batch.tokens[i],
                batch.tokens[i / 7 * 7] + static_cast<int32_t>(i % 7));
      EXPECT_LT(batch.labels[i], count);
      if (i % 7 == 0)
        starts.insert(batch.tokens[i]);
    }
    EXPECT_EQ(batch.tokens, batchOf(*same, step, *call).tokens);
    differs |= batch.tokens != batchOf(*other, step, *call).tokens;
  }
  // Three shares, the third batch of the order being the first for them.
  for (uint64_t share = 0; share < 3; ++share) {
    std::unique_ptr<BatchSource> part = shareOf(open(1), {2, share, 3});
    for (uint64_t step = 0; step < 5; ++step)
      EXPECT_EQ(batchOf(*part, step, *call).tokens,
                batchOf(*data, 2 + step * 3 + share, *call).tokens);
    // A run that begins at step 10 with batch 2.
    part = shareOf(open(1), {uint64_t(2) - 10 * 3, share, 3});
    EXPECT_EQ(batchOf(*part, 11, *call).tokens,
              batchOf(*data, 2 + 3 + share, *call).tokens);
  }
  // Every place where 7 tokens and one more fit.
  EXPECT_EQ(starts.size(), size_t(count - 7));
  EXPECT_EQ(*starts.rbegin(), count - 8);
  EXPECT_TRUE(differs);

  writeText(folder / "short.bin", bytesOf(std::vector<uint32_t>(7)));
  EXPECT_NE(openData(folder / "short.bin", DataFormat::U32, 0, *call)
                .takeError()
                .message()
                .find("needs (8)"),
            std::string::npos);
}

TEST(Data, PositionsBeginAnewBehindTheEndOfADocument) {
  TemporaryFolder folder;
  // A batch is 3 windows of 7; 9 ends a document.
  const std::vector<uint32_t> file = {1, 2, 9, 3, 4, 5, 9,  // at both ends
                                      9, 9, 6, 7, 9, 8, 1,  // empty ones
                                      1, 2, 3, 4, 5, 6, 7}; // none
  writeText(folder / "t.bin", bytesOf(file));
  Expected<Artifact> artifact = Artifact::open(toyPath("positions"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  Expected<EntryCall> call = EntryCall::create(**session, "echo");
  ASSERT_TRUE(call);
  DataNames names(folder / "t.bin");
  EXPECT_NE(openData(names, DataFormat::U32, 0, *call)
                .takeError()
                .message()
                .find("say with --document-end which token ends a document"),
            std::string::npos);
  names.documentEnd = 9;
  auto data = openData(names, DataFormat::U32, 0, *call, DataOrder::Sequential);
  ASSERT_TRUE(data) << data.takeError().message();
  Batch batch = batchOf(**data, 0, *call);
  EXPECT_EQ(batch.tokens, std::vector<int32_t>(file.begin(), file.end()));
  EXPECT_EQ(batch.labels, (std::vector<int64_t>{0, 1, 2, 0, 1, 2, 3, //
                                                0, 0, 0, 1, 2, 0, 1, //
                                                0, 1, 2, 3, 4, 5, 6}));
}

TEST(Data, PositionsBeginAnewWithADocumentOfMegatron) {
  TemporaryFolder folder;
  // A batch is 3 windows of 7; there are two of them, with documents of 3, 4,
  // 1, 12 and 22 tokens.
  std::vector<uint16_t> file(42);
  std::iota(file.begin(), file.end(), uint16_t(100));
  writeText(folder / "t.bin", bytesOf(file));
  TestIndex index = {
      8, {3, 4, 1, 5, 7, 22}, {0, 6, 14, 16, 26, 40}, {0, 1, 2, 3, 5, 6}};
  writeText(folder / "t.idx", index.text());
  Expected<Artifact> artifact = Artifact::open(toyPath("positions"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  Expected<EntryCall> call = EntryCall::create(**session, "echo");
  ASSERT_TRUE(call);
  DataNames names(folder / "t.bin");
  auto positions = [&](uint64_t batch) {
    auto data =
        openData(names, DataFormat::Auto, 0, *call, DataOrder::Sequential);
    EXPECT_TRUE(data) << data.takeError().message();
    return batchOf(**data, batch, *call).labels;
  };
  EXPECT_EQ(positions(0), (std::vector<int64_t>{0, 1, 2, 0, 1, 2, 3, //
                                                0, 0, 1, 2, 3, 4, 5, //
                                                0, 1, 2, 3, 4, 5, 0}));
  EXPECT_EQ(positions(1), (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, //
                                                0, 1, 2, 3, 4, 5, 6, //
                                                0, 1, 2, 3, 4, 5, 6}));
  // And behind a token that ends documents.
  names.documentEnd = 109;
  EXPECT_EQ(positions(0), (std::vector<int64_t>{0, 1, 2, 0, 1, 2, 3, //
                                                0, 0, 1, 0, 1, 2, 3, //
                                                0, 1, 2, 3, 4, 5, 0}));
  // A random window, in the middle of documents.
  names.documentEnd.reset();
  const std::set<int64_t> starts = {100, 103, 107, 108, 120};
  auto data = openData(names, DataFormat::Auto, 0, *call);
  ASSERT_TRUE(data) << data.takeError().message();
  for (uint64_t step = 0; step < 20; ++step) {
    const Batch batch = batchOf(**data, step, *call);
    for (size_t i = 0; i < 21; ++i)
      EXPECT_EQ(batch.labels[i], i % 7 == 0 || starts.count(batch.tokens[i])
                                     ? 0
                                     : batch.labels[i - 1] + 1);
  }
  // A second file, without an index.
  writeText(folder / "u.bin", bytesOf(file));
  names.push_back(folder / "u.bin");
  const std::string message =
      openData(names, DataFormat::Auto, 0, *call).takeError().message();
  EXPECT_NE(message.find("u.bin' has no .idx of Megatron"), std::string::npos)
      << message;
}

TEST(Data, DocumentsNeedAProgramWithPositions) {
  TemporaryFolder folder;
  writeText(folder / "t.bin", bytesOf(std::vector<uint32_t>(40)));
  DataNames names(folder / "t.bin");
  names.documentEnd = 9;
  Expected<Artifact> artifact = Artifact::open(toyPath("toy"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  Expected<EntryCall> call = EntryCall::create(**session, "echo");
  ASSERT_TRUE(call);
  EXPECT_NE(openData(names, DataFormat::U32, 0, *call)
                .takeError()
                .message()
                .find("has no input 'position_ids'"),
            std::string::npos);
}

TEST(Data, WhatRatesCount) {
  auto unitOf = [](std::vector<std::pair<tert_dtype, Shape>> inputs,
                   bool hasLabels) {
    EntryDescription entry;
    if (hasLabels)
      entry.arguments.push_back({"labels",
                                 ArgumentDescription::Role::Input,
                                 {TERT_I64, {8}},
                                 0,
                                 {},
                                 {},
                                 {}});
    for (auto &[dtype, shape] : inputs)
      entry.arguments.push_back({"x",
                                 ArgumentDescription::Role::Input,
                                 {dtype, shape},
                                 0,
                                 {},
                                 {},
                                 {}});
    Workload work = workloadOf(entry);
    return std::to_string(work.perCall) + " " + work.unit;
  };
  EXPECT_EQ(unitOf({{TERT_I64, {8, 256}}}, false), "2048 tokens");
  // Positions beside a mask of floats, and a ViT with its labels.
  EXPECT_EQ(unitOf({{TERT_F32, {8, 256}}, {TERT_I64, {8, 256}}}, true),
            "2048 tokens");
  EXPECT_EQ(unitOf({{TERT_F32, {8, 3, 224, 224}}}, true), "8 images");
  EXPECT_EQ(unitOf({{TERT_BF16, {2, 64, 512}}}, false), "128 tokens");
  EXPECT_EQ(unitOf({{TERT_F32, {16, 20}}}, true), "16 samples");
  EXPECT_EQ(unitOf({{TERT_F32, {16}}}, false), "16 samples");
  EXPECT_EQ(unitOf({}, false), "1 samples");
}
