// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/CheckpointFolder.h"

#include "TestFiles.h"
#include "session/Initialization.h"

#include <cmath>
#include <gtest/gtest.h>
#include <unistd.h>

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
  CheckpointInfo info{
      500, 18446744073709551615u, "{\"--lr\":\"\\\"checksum\"}", {}};
  info.batches = 1500;
  ASSERT_FALSE(saveCheckpoint(*a, folder / "c", info));
  Expected<CheckpointInfo> loaded = loadCheckpoint(*b, folder / "c");
  ASSERT_TRUE(loaded) << loaded.takeError().message();
  EXPECT_EQ(loaded->step, 500u);
  EXPECT_EQ(loaded->seed, info.seed);
  EXPECT_EQ(loaded->run, info.run);
  EXPECT_EQ(loaded->batches, 1500u);
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

namespace {
/// A state's numbers.
std::vector<double> numbers(const Session &session, const std::string &name) {
  std::vector<double> values;
  const std::vector<StateDescription> &states = session.description().states;
  for (size_t i = 0; i < states.size(); ++i) {
    if (states[i].name != name)
      continue;
    DType dtype = toFileDType(states[i].type.dtype);
    std::vector<char> bytes(states[i].type.bytes());
    EXPECT_FALSE(session.readState(i, bytes.data(), bytes.size()));
    for (size_t at = 0; at < bytes.size(); at += sizeOf(dtype))
      values.push_back(readAsDouble(dtype, &bytes[at]));
  }
  return values;
}

/// Slots of "small" are input, weight, grad_output.
void writeScales(Session &session) {
  const std::vector<float> scales = {10, 20, 30};
  std::vector<float> history;
  for (int row = 0; row < 4; ++row)
    for (int slot = 0; slot < 3; ++slot)
      history.push_back(static_cast<float>(100 * row + slot));
  const std::vector<int64_t> nonfinite = {5, 6, 7};
  EXPECT_FALSE(session.writeState(4, scales.data(), 12));
  EXPECT_FALSE(session.writeState(5, history.data(), 48));
  EXPECT_FALSE(session.writeState(6, nonfinite.data(), 24));
}
} // namespace

// Its slots are grad_output, input, weight, and its states turned round.
TEST(Checkpoint, AProgramWithAnotherOrderTakesIt) {
  TemporaryFolder folder;
  std::unique_ptr<Session> small = open("small", 1),
                           reordered = open("small_reordered", 2);
  writeScales(*small);
  ASSERT_FALSE(saveCheckpoint(*small, folder / "c", {8, 1, "", {}}));
  Expected<CheckpointInfo> info = loadCheckpoint(*reordered, folder / "c");
  ASSERT_TRUE(info) << info.takeError().message();
  EXPECT_EQ(info->step, 8u);
  EXPECT_EQ(numbers(*reordered, "fp8.scale"),
            (std::vector<double>{30, 10, 20}));
  EXPECT_EQ(numbers(*reordered, "fp8.amax_history"),
            (std::vector<double>{2, 0, 1, 102, 100, 101, 202, 200, 201, 302,
                                 300, 301}));
  EXPECT_EQ(numbers(*reordered, "fp8.nonfinite"),
            (std::vector<double>{7, 5, 6}));
  EXPECT_EQ(numbers(*reordered, "bigram.weight"),
            numbers(*small, "bigram.weight"));
  // And back.
  ASSERT_FALSE(saveCheckpoint(*reordered, folder / "r", {8, 1, "", {}}));
  std::unique_ptr<Session> again = open("small", 3);
  ASSERT_EQ(errorOf(*again, folder / "r"), "");
  EXPECT_EQ(allBytes(*again), allBytes(*small));
}

TEST(Checkpoint, AForwardPassTakesItsPart) {
  TemporaryFolder folder;
  std::unique_ptr<Session> small = open("small", 1),
                           forward = open("small_forward", 2);
  writeScales(*small);
  ASSERT_FALSE(saveCheckpoint(*small, folder / "c", {}));
  Expected<CheckpointInfo> info =
      loadCheckpoint(*forward, folder / "c", CheckpointCoverage::Needed);
  ASSERT_TRUE(info) << info.takeError().message();
  EXPECT_EQ(numbers(*forward, "fp8.scale"), (std::vector<double>{20, 10}));
  EXPECT_EQ(numbers(*forward, "bigram.weight"),
            numbers(*small, "bigram.weight"));
  // To continue a run all of it is needed, and a part does not train on.
  EXPECT_CONTAINS(errorOf(*forward, folder / "c"),
                  "this program has no slot 'bigram.grad_output:e5m2'");
  ASSERT_FALSE(saveCheckpoint(*forward, folder / "f", {}));
  EXPECT_CONTAINS(
      loadCheckpoint(*small, folder / "f", CheckpointCoverage::Needed)
          .takeError()
          .message(),
      "it has no slot 'bigram.grad_output' in e5m2");
}

// Which FP8 copies of a matrix there are depends on what ranks hold of it.
TEST(Checkpoint, ACopyOfAMatrixIsTakenFromItsTranspose) {
  TemporaryFolder folder;
  constexpr size_t copy = 7;
  const std::string rowwise = "\1\2\3\4\5\6", columnwise = "\1\4\2\5\3\6";
  std::unique_ptr<Session> rows = open("copy_rowwise", 1),
                           columns = open("copy_columnwise", 2),
                           both = open("copy_both", 3), none = open("toy", 4);
  ASSERT_FALSE(rows->writeState(copy, rowwise.data(), 6));
  ASSERT_FALSE(saveCheckpoint(*rows, folder / "rows", {}));
  auto bytes = [](const Session &session, size_t index) {
    std::string text(6, '\0');
    EXPECT_FALSE(session.readState(index, text.data(), 6));
    return text;
  };
  ASSERT_EQ(errorOf(*columns, folder / "rows"), "");
  EXPECT_EQ(bytes(*columns, copy), columnwise);
  ASSERT_EQ(errorOf(*both, folder / "rows"), "");
  EXPECT_EQ(bytes(*both, copy), rowwise);
  EXPECT_EQ(bytes(*both, copy + 1), columnwise);
  // And the other way round.
  ASSERT_FALSE(saveCheckpoint(*columns, folder / "columns", {}));
  const std::string zeros(6, '\0');
  ASSERT_FALSE(rows->writeState(copy, zeros.data(), 6));
  ASSERT_EQ(errorOf(*rows, folder / "columns"), "");
  EXPECT_EQ(bytes(*rows, copy), rowwise);
  // A program without copies takes it, too; its own checkpoint has none.
  ASSERT_EQ(errorOf(*none, folder / "columns"), "");
  ASSERT_FALSE(saveCheckpoint(*none, folder / "none", {}));
  EXPECT_CONTAINS(errorOf(*rows, folder / "none"),
                  "it has no state 'w.rowwise'");
}

// Written before checkpoints were found by name.
TEST(Checkpoint, OlderOnesKeepLoading) {
  std::string old = std::string(TE_INPUTS) + "/old_checkpoint.safetensors";
  for (const char *toy : {"small", "small_reordered"}) {
    std::unique_ptr<Session> session = open(toy);
    Expected<CheckpointInfo> info = loadCheckpoint(*session, old);
    ASSERT_TRUE(info) << info.takeError().message();
    EXPECT_EQ(info->step, 3u);
    EXPECT_EQ(numbers(*session, "sgd.step"), std::vector<double>{3});
  }
}

TEST(Checkpoint, TheBestIsBesideTheNewest) {
  TemporaryFolder folder;
  CheckpointFolder run(folder / "run");
  std::unique_ptr<Session> small = open("small");
  ASSERT_TRUE(run.prepare());
  EXPECT_FALSE(run.best());
  ASSERT_FALSE(saveCheckpoint(*small, run.bestFile(), {6, 1, "", 0.1}));
  ASSERT_FALSE(saveCheckpoint(*small, run.fileOf(8), {8, 1, "", {}}));
  EXPECT_EQ(*run.steps(), std::vector<uint64_t>{8});
  ASSERT_TRUE(run.best());
  EXPECT_EQ(run.best()->step, 6u);
  EXPECT_EQ(run.best()->evalLoss, 0.1);
  ASSERT_FALSE(run.prune(1));
  EXPECT_TRUE(run.best());
}

TEST(Checkpoint, FlippedBitsAreNoticed) {
  TemporaryFolder folder;
  std::unique_ptr<Session> toy = open("toy");
  ASSERT_FALSE(saveCheckpoint(*toy, folder / "c", {12, 34, "{}", {}}));
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
  ASSERT_TRUE(checkpoints.prepare());
  std::vector<std::string> skipped;
  EXPECT_CONTAINS(
      checkpoints.loadNewest(*toy, false, skipped).takeError().message(),
      "no checkpoint to resume from");
  for (uint64_t step : {5, 500, 50})
    ASSERT_FALSE(
        saveCheckpoint(*toy, checkpoints.fileOf(step), {step, 0, "", {}}));
  EXPECT_CONTAINS(checkpoints.fileOf(5), "/run/step-00000005.safetensors");
  // What is not a checkpoint by name does not count.
  writeText(folder / "run/step-00000600.safetensors.tmp", "half");
  writeText(folder / "run/step-700.safetensors", "unpadded");
  writeText(folder / "run/notes.txt", "hello");
  EXPECT_EQ(*checkpoints.steps(), (std::vector<uint64_t>{5, 50, 500}));
  ASSERT_TRUE(checkpoints.prepare());
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

TEST(Checkpoint, OneRunInAFolder) {
  TemporaryFolder folder;
  CheckpointFolder first(folder / "run"), second(folder / "run");
  {
    auto lock = first.prepare();
    ASSERT_TRUE(lock);
    writeText(folder / "run/step-00000600.safetensors.tmp", "half");
    std::string error = second.prepare().takeError().message();
    EXPECT_CONTAINS(error, "is in use by another training (process " +
                               std::to_string(::getpid()) + " on ");
    // What the first is writing stays.
    EXPECT_TRUE(
        std::filesystem::exists(folder / "run/step-00000600.safetensors.tmp"));
  }
  EXPECT_TRUE(second.prepare());
}

TEST(Checkpoint, StatesThatAreNotFinite) {
  TemporaryFolder folder;
  std::unique_ptr<Session> toy = open("small");
  CheckpointInfo info{1, 0, "", {}};
  ASSERT_FALSE(saveCheckpoint(*toy, folder / "c", info, StateCheck::Finite));
  std::string good = readText(folder / "c");
  for (const char *name : {"bigram.weight", "fp8.scale"})
    for (float value : {INFINITY, -INFINITY, NAN}) {
      size_t index = 0;
      while (toy->description().states[index].name != name)
        ++index;
      float before = 0;
      ASSERT_FALSE(toy->readState(index, &before, sizeof(before), 8));
      ASSERT_FALSE(toy->writeState(index, &value, sizeof(value), 8));
      EXPECT_CONTAINS(
          saveCheckpoint(*toy, folder / "c", info, StateCheck::Finite)
              .message(),
          "the state '" + std::string(name) + "' has values that are not");
      EXPECT_EQ(readText(folder / "c"), good);
      // Where nobody asks, states are written as they are.
      EXPECT_FALSE(saveCheckpoint(*toy, folder / "d", info));
      ASSERT_FALSE(toy->writeState(index, &before, sizeof(before), 8));
    }
  EXPECT_EQ(folder.count(), 2u);
}

TEST(Checkpoint, CarriesWhatTheRunIsMadeOf) {
  TemporaryFolder folder;
  std::unique_ptr<Session> toy = open("small");
  CheckpointInfo info;
  info.step = 1;
  info.run = "{}";
  info.provenance = "{\"data\":\"5 bytes\"}";
  ASSERT_FALSE(saveCheckpoint(*toy, folder / "c", info));
  EXPECT_EQ(loadCheckpoint(*toy, folder / "c")->provenance, info.provenance);
}
