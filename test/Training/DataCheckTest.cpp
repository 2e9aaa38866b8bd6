// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found in data before it is learned from.

#include "training/DataCheck.h"
#include "TestFiles.h"
#include "session/Program.h"
#include "training/DataSources.h"
#include "training/Loss.h"

#include <gtest/gtest.h>
#include <thread>

using namespace tert::session;
using namespace tert::training;
using namespace test;

namespace {
using Role = ArgumentDescription::Role;

/// An entry with tokens [2, 4] of a vocabulary of 1,000, and labels likewise.
EntryDescription entryWith(bool hasLabels) {
  EntryDescription entry;
  entry.name = "train";
  ArgumentDescription ids;
  ids.name = "input_ids";
  ids.type = {TERT_I64, {2, 4}};
  ids.range = {0, 1000};
  entry.arguments.push_back(ids);
  if (hasLabels) {
    ids.name = "labels";
    ids.range.reset();
    entry.arguments.push_back(ids);
  }
  return entry;
}

Loss ignoring(int64_t index, const char *kind = "causal-lm") {
  Loss loss;
  loss.kind = kind;
  loss.ignoreIndex = index;
  return loss;
}

class Check : public ::testing::Test {
protected:
  template <typename T>
  std::unique_ptr<BatchSource>
  openTokens(const std::vector<T> &tokens, const Loss &loss = ignoring(-100),
             bool guessed = false, DataFormat format = DataFormat::U16,
             bool hasLabels = false) {
    entry = entryWith(hasLabels);
    writeText(folder / "t.bin", bytesOf(tokens));
    auto source = openTokenWindows(folder / "t.bin", format, guessed, 1,
                                   DataOrder::Sequential, entry, loss);
    EXPECT_TRUE(source) << source.takeError().message();
    return source ? std::move(*source) : nullptr;
  }
  /// Batches of input_ids, and labels where there are some.
  std::unique_ptr<BatchSource> openTensors(const std::vector<int64_t> &ids,
                                           const std::vector<int64_t> &labels,
                                           const Loss &loss) {
    entry = entryWith(!labels.empty());
    const std::string batches = std::to_string(ids.size() / 8);
    const std::string bytes = std::to_string(ids.size() * 8);
    std::string header = R"({"input_ids":{"dtype":"I64","shape":[)" + batches +
                         R"(,2,4],"data_offsets":[0,)" + bytes + "]}";
    if (!labels.empty())
      header += R"(,"labels":{"dtype":"I64","shape":[)" + batches +
                R"(,2,4],"data_offsets":[)" + bytes + "," +
                std::to_string(ids.size() * 16) + "]}";
    writeText(folder / "b.safetensors",
              safetensors(header + "}", bytesOf(ids) + bytesOf(labels)));
    auto source = openTensorBatches({folder / "b.safetensors"}, entry, loss);
    EXPECT_TRUE(source) << source.takeError().message();
    return source ? std::move(*source) : nullptr;
  }

  /// What a look through the data says: the failure, or the warnings.
  static std::string lookThrough(const BatchSource &source) {
    DataCheck check(source);
    DataCheck::Findings found = check.take();
    if (!found)
      return "error: " + found.takeError().message();
    std::string all;
    for (const std::string &warning : *found)
      all += warning + "\n";
    return all;
  }

  TemporaryFolder folder;
  EntryDescription entry;
};

void expectSays(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}
} // namespace

TEST_F(Check, TheFirstTokenOutsideTheVocabularyIsNamed) {
  std::vector<uint16_t> tokens(300000, 7);
  for (size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<uint16_t>(5 + i % 900);
  EXPECT_EQ(lookThrough(*openTokens(tokens)), "");
  tokens[299998] = 1000;
  tokens[299999] = 2000;
  expectSays(lookThrough(*openTokens(tokens)),
             "error: token 1000 at byte 599996 of '" + folder.path());
}

TEST_F(Check, LargeDataIsLookedThroughBesideTheSteps) {
  std::vector<uint16_t> tokens(300000, 9);
  auto source = openTokens(tokens);
  DataCheck check(*source, /*atOnce=*/1000);
  std::vector<std::string> warnings;
  for (int i = 0; i < 3000 && warnings.empty(); ++i) {
    DataCheck::Findings found = check.take();
    ASSERT_TRUE(found);
    warnings = *found;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_EQ(warnings.size(), 1u);
  expectSays(warnings[0], "all 300000 tokens of '");
  expectSays(warnings[0], "are 9: there is nothing to learn");
  // Told once.
  EXPECT_TRUE((*check.take()).empty());
  // One that is not awaited ends at once.
  DataCheck dropped(*source, 1000);
}

TEST_F(Check, TokensOfAnotherWidth) {
  std::vector<uint32_t> wide(1000);
  for (size_t i = 0; i < wide.size(); ++i)
    wide[i] = static_cast<uint32_t>(i * 37 % 1000);
  expectSays(lookThrough(*openTokens(wide, ignoring(-100), /*guessed=*/true)),
             "error: the tokens of '");
  expectSays(lookThrough(*openTokens(wide, ignoring(-100), true)),
             "Give --tokens u32");
  // Whoever says 16 bits gets them, and is told.
  expectSays(lookThrough(*openTokens(wide)), "--tokens u32 reads them so");
  EXPECT_EQ(
      lookThrough(*openTokens(wide, ignoring(-100), false, DataFormat::U32)),
      "");
  // Ids above 65,535: the lower halves are outside the vocabulary as well.
  for (uint32_t &token : wide)
    token = token * 131 + 65536;
  expectSays(lookThrough(*openTokens(wide, ignoring(-100), true)),
             "Give --tokens u32");
  expectSays(lookThrough(*openTokens(wide)), "error: token ");
}

TEST_F(Check, LabelsOfTokens) {
  std::vector<uint16_t> tokens = {5, 5, 0, 5, 0, 0, 0, 0, 5, 5, 5, 5,
                                  5, 5, 5, 5, 0, 0, 0, 0, 5, 0, 0, 0};
  // Batches of two rows of four, whose first token is no label.
  auto source = openTokens(tokens, ignoring(-100));
  EXPECT_EQ(**source->labels(0), 6u);
  source = openTokens(tokens, ignoring(0));
  EXPECT_EQ(**source->labels(0), 2u);
  EXPECT_EQ(**source->labels(1), 6u);
  EXPECT_EQ(**source->labels(2), 0u);
  // Of ranks that take a batch each all count: batches 0 and 1, then 2 and 3.
  auto share = shareOf(openTokens(tokens, ignoring(0)), {0, 1, 2});
  EXPECT_EQ(**share->labels(0), 8u);
  // An input of labels has the next tokens.
  source = openTokens(tokens, ignoring(0), false, DataFormat::U16, true);
  EXPECT_EQ(**source->labels(0), 3u);
  // Losses that count something else.
  Loss loss;
  loss.kind = "mse";
  EXPECT_FALSE(openTokens(tokens, loss)->labels(0)->has_value());

  expectSays(lookThrough(*openTokens(std::vector<uint16_t>(64), ignoring(0))),
             "error: every token of '");
}

TEST_F(Check, LabelsOfBatches) {
  std::vector<int64_t> ids(3 * 8, 5);
  std::vector<int64_t> labels(3 * 8, -100);
  const Loss loss = ignoring(-100, "masked-lm");
  std::string told = lookThrough(*openTensors(ids, labels, loss));
  expectSays(told, "error: every label in 'labels' of '");
  expectSays(told, "is -100, which the loss does not count");
  labels[0] = 3;
  labels[9] = labels[15] = 7;
  auto source = openTensors(ids, labels, loss);
  EXPECT_EQ(**source->labels(0), 1u);
  EXPECT_EQ(**source->labels(1), 2u);
  EXPECT_EQ(**source->labels(5), 0u);
  expectSays(lookThrough(*source), "1 of 3 batches have no label that counts");
  // A model's own loss ignores what PyTorch does; what it counts only it knows.
  Loss own;
  own.kind = "output";
  own.counts = "batches";
  source = openTensors(ids, labels, own);
  EXPECT_FALSE(source->labels(0)->has_value());
  EXPECT_EQ(**source->labels(2), 0u);
  // The tokens are the labels.
  source = openTensors(ids, {}, ignoring(-100));
  EXPECT_EQ(**source->labels(0), 6u);

  // Ids of a later batch.
  ids[20] = 1000;
  expectSays(lookThrough(*openTensors(ids, {}, ignoring(-100))),
             "error: the value 1000 of input 'input_ids', batch 2");
}
