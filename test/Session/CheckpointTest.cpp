// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Checkpoint.h"

#include "TestFiles.h"
#include "session/Initialization.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

namespace {
std::unique_ptr<Session> open(const std::string &name, uint64_t seed = 0) {
  Expected<Artifact> artifact = Artifact::open(toyPath(name));
  EXPECT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  EXPECT_TRUE(session) << session.takeError().message();
  EXPECT_FALSE(initializeStates(**session, {"", seed}));
  return std::move(*session);
}

std::string allBytes(const Session &session) {
  std::string bytes;
  for (size_t i = 0; i < session.description().states.size(); ++i)
    EXPECT_FALSE(session.visitState(i, [&](const char *data, size_t size) {
      bytes.append(data, size);
      return Error::success();
    }));
  return bytes;
}

std::string errorOf(Session &session, const std::string &path) {
  Expected<CheckpointInfo> info = loadCheckpoint(session, path);
  return info ? "" : info.takeError().message();
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST(Checkpoint, KeepsEveryStateBitForBit) {
  TemporaryFolder folder;
  std::unique_ptr<Session> a = open("toy", 1), b = open("toy", 2);
  ASSERT_NE(allBytes(*a), allBytes(*b));
  CheckpointInfo info{500, 18446744073709551615u,
                      "{\"--lr\":\"\\\"checksum\"}"};
  ASSERT_FALSE(saveCheckpoint(*a, folder / "c", info));
  Expected<CheckpointInfo> loaded = loadCheckpoint(*b, folder / "c");
  ASSERT_TRUE(loaded) << loaded.takeError().message();
  EXPECT_EQ(loaded->step, 500u);
  EXPECT_EQ(loaded->seed, info.seed);
  EXPECT_EQ(loaded->run, info.run);
  EXPECT_EQ(allBytes(*a), allBytes(*b));
}

TEST(Checkpoint, OfAnotherModelOrVersionIsRefusedWithTheReason) {
  TemporaryFolder folder;
  std::unique_ptr<Session> toy = open("toy");
  ASSERT_FALSE(saveCheckpoint(*toy, folder / "c", {}));
  std::unique_ptr<Session> model = open("other_model"),
                           slots = open("other_slots");
  std::string before = allBytes(*model);
  EXPECT_CONTAINS(errorOf(*model, folder / "c"), "of another model");
  EXPECT_CONTAINS(errorOf(*model, folder / "c"),
                  "'bigram.weight' is F32 [128, 128], this model's is f32 "
                  "[96, 96]");
  EXPECT_EQ(allBytes(*model), before);
  EXPECT_CONTAINS(errorOf(*slots, folder / "c"), "FP8 slots");

  std::string text = readText(folder / "c");
  size_t at = text.find("\"version\":\"1\"");
  ASSERT_NE(at, std::string::npos);
  text[at + 11] = '7';
  writeText(folder / "v", text);
  EXPECT_CONTAINS(errorOf(*toy, folder / "v"), "version '7'");
  writeText(folder / "n", safetensors("{}", ""));
  EXPECT_CONTAINS(errorOf(*toy, folder / "n"), "not a checkpoint");
}

TEST(Checkpoint, FlippedBitsAreNoticed) {
  TemporaryFolder folder;
  std::unique_ptr<Session> toy = open("toy");
  ASSERT_FALSE(saveCheckpoint(*toy, folder / "c", {12, 34, "{}"}));
  std::string whole = readText(folder / "c"), before = allBytes(*toy);
  ASSERT_GT(whole.size(), 100000u);
  // A sample of the header, and of the tensors.
  for (size_t byte = 0; byte < whole.size(); byte += byte < 1500 ? 7 : 9973) {
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << (byte % 8)));
    writeText(folder / "d", damaged);
    EXPECT_NE(errorOf(*toy, folder / "d"), "") << byte;
  }
  EXPECT_EQ(allBytes(*toy), before);
}

TEST(Checkpoint, AFolderFindsItsNewest) {
  TemporaryFolder folder;
  CheckpointFolder checkpoints(folder / "run");
  std::unique_ptr<Session> toy = open("toy");
  ASSERT_FALSE(checkpoints.prepare());
  std::vector<std::string> skipped;
  EXPECT_CONTAINS(
      checkpoints.loadNewest(*toy, false, skipped).takeError().message(),
      "no checkpoint to resume from");
  for (uint64_t step : {5, 500, 50})
    ASSERT_FALSE(saveCheckpoint(*toy, checkpoints.fileOf(step), {step, 0, ""}));
  EXPECT_CONTAINS(checkpoints.fileOf(5), "/run/step-00000005.safetensors");
  // What is not a checkpoint by name does not count.
  writeText(folder / "run/step-00000600.safetensors.tmp", "half");
  writeText(folder / "run/step-700.safetensors", "unpadded");
  writeText(folder / "run/notes.txt", "hello");
  EXPECT_EQ(*checkpoints.steps(), (std::vector<uint64_t>{5, 50, 500}));
  ASSERT_FALSE(checkpoints.prepare());
  EXPECT_FALSE(
      std::filesystem::exists(folder / "run/step-00000600.safetensors.tmp"));
  EXPECT_EQ(checkpoints.loadNewest(*toy, false, skipped)->step, 500u);

  std::string newest = readText(checkpoints.fileOf(500));
  writeText(checkpoints.fileOf(500), newest.substr(0, newest.size() / 2));
  std::string error =
      checkpoints.loadNewest(*toy, false, skipped).takeError().message();
  EXPECT_CONTAINS(error, "step-00000500");
  EXPECT_CONTAINS(error, "--skip-damaged");
  EXPECT_CONTAINS(error, "step 50)");
  EXPECT_TRUE(skipped.empty());
  EXPECT_EQ(checkpoints.loadNewest(*toy, true, skipped)->step, 50u);
  EXPECT_EQ(skipped.size(), 1u);

  ASSERT_FALSE(checkpoints.prune(0));
  EXPECT_EQ(checkpoints.steps()->size(), 3u);
  ASSERT_FALSE(checkpoints.prune(2));
  EXPECT_EQ(*checkpoints.steps(), (std::vector<uint64_t>{50, 500}));
}
