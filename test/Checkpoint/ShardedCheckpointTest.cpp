// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checkpoints of ranks that hold parts of the states, and those of one rank.

#include "ShardedSessions.h"
#include "checkpoint/CheckpointFolder.h"
#include "checkpoint/CheckpointIndex.h"
#include "checkpoint/Export.h"
#include "session/Initialization.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;
namespace fs = std::filesystem;

namespace {
/// Of the toys' states.
constexpr size_t weight = 0, moment = 2, counter = 3;

/// With values of their own everywhere.
Sessions openFilled(const std::string &name, uint64_t seed) {
  Sessions sessions = openRanks(toyPath(name));
  for (const auto &session : sessions) {
    EXPECT_FALSE(initializeStates(*session, {"", seed}));
    EXPECT_FALSE(
        session->fillState(moment, [&](const ShardRange &range, char *to) {
          for (int64_t i = 0; i < range.count; ++i) {
            const auto value = std::sin(static_cast<float>(range.global + i)) +
                               static_cast<float>(seed);
            std::memcpy(to + i * 4, &value, 4);
          }
          return Error::success();
        }));
    const auto count = static_cast<int64_t>(100 + seed);
    EXPECT_FALSE(session->writeState(counter, &count, sizeof(count)));
  }
  return sessions;
}

std::vector<std::string> save(const Sessions &sessions, const std::string &path,
                              const CheckpointInfo &info = {7, 3, "{}", {}},
                              StateCheck check = StateCheck::Finite) {
  return together(sessions, [&](const Session &session, const Gather &gather) {
    return saveCheckpoint(session, path, info, check, gather);
  });
}

std::vector<std::string> load(const Sessions &sessions,
                              const std::string &path) {
  return together(sessions, [&](Session &session, const Gather &gather) {
    return loadCheckpoint(session, path, CheckpointCoverage::Whole, gather)
        .takeError();
  });
}

std::vector<std::string> allStates(const Sessions &sessions) {
  std::vector<std::string> states;
  for (size_t i = 0; i < sessions[0]->description().states.size(); ++i)
    states.push_back(wholeState(sessions, i));
  return states;
}

/// All ranks say the same.
std::string oneOf(const std::vector<std::string> &messages) {
  for (const std::string &message : messages)
    EXPECT_EQ(message, messages[0]);
  return messages[0];
}

std::vector<std::string> namesIn(const std::string &folder) {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE((text).find(part), std::string::npos) << (text)
} // namespace

TEST(CheckpointParts, AnyMeshReadsWhatAnyMeshWrote) {
  TemporaryFolder folder;
  const std::vector<std::string> toys = {"still1x1", "still2x3", "still3x1",
                                         "still1x3", "still2r3"};
  const auto expected = allStates(openFilled("still1x1", 1));
  for (const std::string &writer : toys) {
    Sessions writing = openFilled(writer, 1);
    ASSERT_EQ(oneOf(save(writing, folder / writer)), "");
    ASSERT_EQ(fs::is_directory(folder / writer), writer != "still1x1");
    for (const std::string &reader : toys) {
      Sessions reading = openFilled(reader, 2);
      ASSERT_FALSE(allStates(reading) == expected);
      ASSERT_EQ(oneOf(load(reading, folder / writer)), "");
      EXPECT_TRUE(allStates(reading) == expected) << writer << " " << reader;
    }
  }
}

TEST(CheckpointParts, EachRankWritesWhatNoneBeforeItDoes) {
  TemporaryFolder folder;
  Sessions six = openFilled("still2x3", 1),
           replicas = openFilled("still2r3", 1);
  ASSERT_EQ(oneOf(save(six, folder / "c")), "");
  EXPECT_EQ(namesIn(folder / "c"),
            (std::vector<std::string>{"index.json",
                                      "step-00000007-rank-00000.safetensors",
                                      "step-00000007-rank-00001.safetensors",
                                      "step-00000007-rank-00002.safetensors",
                                      "step-00000007-rank-00003.safetensors",
                                      "step-00000007-rank-00004.safetensors",
                                      "step-00000007-rank-00005.safetensors"}));
  // Ranks 3 to 5 hold what 0 to 2 do.
  ASSERT_EQ(oneOf(save(replicas, folder / "r")), "");
  EXPECT_EQ(namesIn(folder / "r"),
            (std::vector<std::string>{"index.json",
                                      "step-00000007-rank-00000.safetensors",
                                      "step-00000007-rank-00001.safetensors",
                                      "step-00000007-rank-00002.safetensors"}));
  // A rank's file is an ordinary one, and says what it has.
  Expected<SafetensorsFile> file =
      SafetensorsFile::open(folder / "c/step-00000007-rank-00004.safetensors");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->tensors().size(), 2u);
  EXPECT_EQ(file->find("bigram.weight")->shape, (Shape{2752}));
  EXPECT_CONTAINS(
      file->metadata().at("parts"),
      R"("bigram.weight":{"shape":[128,128],"part":3,"dim":1,"dim_parts":3,"flat_parts":2})");
  EXPECT_EQ(file->metadata().at("mesh"), "dp=2, tp=3");
  Expected<TensorFiles> whole = openCheckpoint(folder / "c");
  ASSERT_TRUE(whole) << whole.takeError().message();
  EXPECT_EQ(whole->note("step"), "7");
  EXPECT_EQ(whole->find("bigram.weight")->shape(), (Shape{128, 128}));
}

TEST(CheckpointParts, AProgramOfOneRankWritesTheFileItAlwaysDid) {
  TemporaryFolder folder;
  Sessions one = openFilled("still1x1", 1);
  ASSERT_EQ(oneOf(save(one, folder / "c")), "");
  Expected<SafetensorsFile> file = SafetensorsFile::open(folder / "c");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->metadata().count("parts"), 0u);
  EXPECT_EQ(file->tensors().size(), 7u);
  // And one of many does not write alone.
  Sessions six = openFilled("still2x3", 1);
  EXPECT_CONTAINS(saveCheckpoint(*six[2], folder / "d", {}).message(),
                  "this is a single process");
}

TEST(CheckpointParts, WeightsAndExportsTakeThem) {
  TemporaryFolder folder;
  Sessions six = openFilled("still2x3", 1), one = openFilled("still1x1", 1);
  ASSERT_EQ(oneOf(save(six, folder / "parts")), "");
  ASSERT_EQ(oneOf(save(one, folder / "file")), "");
  for (const char *from : {"parts", "file"}) {
    Expected<ExportSummary> summary = exportParameters(
        {folder / from, folder / (std::string(from) + ".out"), DType::BF16},
        nullptr);
    ASSERT_TRUE(summary) << summary.takeError().message();
    EXPECT_EQ(summary->step, 7u);
    EXPECT_EQ(summary->bytes, 3u * 128 * 128 * 2);
  }
  EXPECT_TRUE(readText(folder / "parts.out") == readText(folder / "file.out"));
  Sessions other = openRanks(toyPath("still1x3"));
  for (const auto &session : other)
    ASSERT_FALSE(initializeStates(*session, {folder / "parts", 9}));
  EXPECT_TRUE(wholeState(other, weight) == wholeState(one, weight));
}

// What one rank finds is told by all, and nobody's states change.
TEST(CheckpointParts, DamageOfAnyKindIsNoticedByAll) {
  TemporaryFolder folder;
  Sessions six = openFilled("still2x3", 1);
  ASSERT_EQ(oneOf(save(six, folder / "good")), "");
  ASSERT_EQ(oneOf(save(openFilled("still2x3", 2), folder / "other")), "");
  Sessions reading = openFilled("still2x3", 3);
  const auto before = allStates(reading);
  const std::string c = folder / "c", index = c + "/index.json",
                    name = "step-00000007-rank-00004.safetensors",
                    file = c + "/" + name;
  auto expectDamage = [&](const std::string &part) {
    const std::string message = oneOf(load(reading, c));
    EXPECT_CONTAINS(message, part);
    EXPECT_CONTAINS(message, c);
    EXPECT_FALSE(openCheckpoint(c));
    EXPECT_TRUE(allStates(reading) == before);
    fs::remove_all(c);
    fs::copy(folder / "good", c);
  };
  fs::copy(folder / "good", c);
  ASSERT_EQ(oneOf(load(six, c)), "");

  const std::string whole = readText(file), text = readText(index);
  for (size_t byte : {size_t(0), size_t(9), size_t(200), whole.size() / 2,
                      whole.size() - 1}) {
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 4);
    writeText(file, damaged);
    expectDamage("");
  }
  for (size_t byte = 0; byte < text.size(); byte += 31) {
    std::string damaged = text;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 1);
    writeText(index, damaged);
    EXPECT_FALSE(openCheckpoint(c)) << byte;
  }
  writeText(index, text.substr(0, text.size() / 2));
  expectDamage("index");
  writeText(index, "");
  expectDamage("index");
  writeText(file, whole.substr(0, whole.size() - 4));
  expectDamage(name);
  fs::remove(file);
  expectDamage(name);
  // Files of two saves of the same step, each of them whole.
  fs::copy_file(folder / ("other/" + name), file,
                fs::copy_options::overwrite_existing);
  expectDamage("is of another checkpoint");
  fs::copy_file(folder / "good/step-00000007-rank-00003.safetensors", file,
                fs::copy_options::overwrite_existing);
  expectDamage("is of another checkpoint");
}

/// An index that is whole, and says what it must not.
TEST(CheckpointParts, HostileIndices) {
  TemporaryFolder folder;
  ASSERT_EQ(oneOf(save(openFilled("still2x3", 1), folder / "c")), "");
  const std::string c = folder / "c";
  Expected<CheckpointIndex> good = CheckpointIndex::read(c);
  ASSERT_TRUE(good) << good.takeError().message();
  ASSERT_EQ(good->files.size(), 6u);
  auto errorWith = [&](const std::function<void(CheckpointIndex &)> &change) {
    CheckpointIndex index = *good;
    change(index);
    EXPECT_FALSE(index.write(c));
    Expected<TensorFiles> files = TensorFiles::open(c);
    return files ? std::string() : files.takeError().message();
  };
  EXPECT_EQ(errorWith([](CheckpointIndex &) {}), "");
  fs::copy_file(c + "/" + good->files[0].name, folder / "outside.safetensors");
  for (const std::string &name :
       {std::string("../outside.safetensors"), folder / "outside.safetensors",
        std::string("a/b"), std::string(""), std::string("."),
        std::string(".."), std::string("/dev/zero"), std::string("x\0y", 3)})
    EXPECT_CONTAINS(
        errorWith([&](CheckpointIndex &i) { i.files[0].name = name; }),
        "not one of its folder");
  EXPECT_CONTAINS(errorWith([](CheckpointIndex &i) { i.files[0].bytes++; }),
                  "not the file that its index names");
  EXPECT_CONTAINS(
      errorWith([](CheckpointIndex &i) { i.files[0].checksum = ""; }),
      "not the file that its index names");
  EXPECT_CONTAINS(errorWith([](CheckpointIndex &i) { i.files.pop_back(); }),
                  "5 of the 6 shards of tensor 'bigram.weight'");
  EXPECT_CONTAINS(
      errorWith([](CheckpointIndex &i) { i.files.push_back(i.files[1]); }),
      "does not go with those of other files");
  EXPECT_CONTAINS(
      errorWith([](CheckpointIndex &i) { i.files.push_back(i.files[0]); }),
      "damaged");
  fs::create_directory(c + "/folder.safetensors");
  EXPECT_NE(errorWith([](CheckpointIndex &i) {
              i.files[0].name = "folder.safetensors";
            }),
            "");

  // Parts that cannot be, in a file that is whole.
  auto errorOfParts = [&](const std::string &parts) {
    Expected<SafetensorsWriter> writer = SafetensorsWriter::create(
        c + "/p.safetensors", {{"t", DType::F32, {4}}},
        {{"parts", parts},
         {SafetensorsWriter::checksumKey, Digest::placeholder()}});
    EXPECT_TRUE(writer);
    const uint64_t bytes = writer->header().size() + 16;
    EXPECT_FALSE(writer->append("0123456789abcdef", 16));
    const std::string checksum = writer->checksum();
    EXPECT_FALSE(writer->commit());
    return errorWith([&](CheckpointIndex &i) {
      i.files = {{"p.safetensors", bytes, checksum}};
    });
  };
  EXPECT_EQ(errorOfParts(R"({"t": {"shape": [4], "part": 0}})"), "");
  EXPECT_EQ(errorOfParts("{}"), "");
  EXPECT_CONTAINS(errorOfParts("no JSON"), "does not list its shards");
  EXPECT_CONTAINS(errorOfParts("[]"), "does not list");
  EXPECT_CONTAINS(errorOfParts(R"({"t": {"shape": [8]}})"), "does not list");
  EXPECT_CONTAINS(errorOfParts(R"({"t": {"shape": [-8], "part": 0}})"),
                  "does not list");
  EXPECT_CONTAINS(errorOfParts(R"({"t": {"shape": [8], "part": 1.5}})"),
                  "does not list");
  EXPECT_CONTAINS(errorOfParts(R"({"t": {"shape": [8], "part": 0}})"),
                  "does not exist");
  EXPECT_CONTAINS(
      errorOfParts(R"({"t": {"shape": [8], "part": 2, "flat_parts": 2}})"),
      "does not exist");
  EXPECT_CONTAINS(
      errorOfParts(
          R"({"t": {"shape": [8], "part": 0, "flat_parts": 9000000000000}})"),
      "parts");
  EXPECT_CONTAINS(
      errorOfParts(
          R"({"t": {"shape": [8], "part": 0, "dim": 7, "dim_parts": 2}})"),
      "cuts dimension 7");
  EXPECT_CONTAINS(
      errorOfParts(
          R"({"t": {"shape": [9223372036854775807], "part": 0, "flat_parts": 2}})"),
      "more elements");
  EXPECT_CONTAINS(
      errorOfParts(R"({"t": {"shape": [8], "part": 0, "flat_parts": 2}})"),
      "1 of the 2 shards");
}

TEST(CheckpointParts, WhatOneRankCannotWriteNoneDoes) {
  TemporaryFolder folder;
  Sessions six = openFilled("still2x3", 1);
  ASSERT_EQ(oneOf(save(six, folder / "c")), "");
  const auto before = allStates(six);
  const float nan = std::nanf("");
  ASSERT_FALSE(six[4]->writeState(moment, &nan, sizeof(nan), 400));
  EXPECT_EQ(oneOf(save(six, folder / "c")),
            "rank 4: '" + (folder / "c") +
                "' was not written: the state 'sgd.exp_avg.bigram.weight' has "
                "values that are not finite");
  EXPECT_EQ(namesIn(folder / "c").size(), 7u);
  Sessions one = openFilled("still1x1", 2);
  ASSERT_EQ(oneOf(load(one, folder / "c")), "");
  EXPECT_TRUE(allStates(one) == before);
  // A folder that cannot be made.
  writeText(folder / "file", "");
  EXPECT_CONTAINS(oneOf(save(six, folder / "file/c")), "rank 0: cannot make");
}

/// The one that is there stays until the new one is whole, also of one step.
TEST(CheckpointParts, ReplacesAnother) {
  TemporaryFolder folder;
  Sessions six = openFilled("still2x3", 1), other = openFilled("still2x3", 2);
  ASSERT_EQ(oneOf(save(six, folder / "c")), "");
  const auto old = namesIn(folder / "c");
  ASSERT_EQ(oneOf(save(other, folder / "c")), "");
  const auto names = namesIn(folder / "c");
  EXPECT_EQ(names.size(), 7u);
  for (const std::string &name : names)
    if (name != "index.json")
      EXPECT_EQ(std::count(old.begin(), old.end(), name), 0) << name;
  ASSERT_EQ(oneOf(load(six, folder / "c")), "");
  EXPECT_TRUE(allStates(six) == allStates(other));
}

TEST(CheckpointParts, AFolderOfBothKinds) {
  TemporaryFolder folder;
  CheckpointFolder run(folder / "run");
  ASSERT_TRUE(run.prepare());
  Sessions six = openFilled("still2x3", 1), one = openFilled("still1x1", 2);
  auto saveStep = [&](const Sessions &sessions, uint64_t step) {
    return oneOf(
        together(sessions, [&](const Session &session, const Gather &gather) {
          return run.save(session, {step, 3, "{}", {}}, gather);
        }));
  };
  auto saveBest = [&](const Sessions &sessions, uint64_t step, double loss) {
    return oneOf(
        together(sessions, [&](const Session &session, const Gather &gather) {
          return run.saveBest(session, {step, 3, "{}", loss}, gather);
        }));
  };
  ASSERT_EQ(saveStep(six, 3), "");
  ASSERT_EQ(saveStep(one, 6), "");
  ASSERT_EQ(saveStep(six, 9), "");
  EXPECT_EQ(*run.steps(), (std::vector<uint64_t>{3, 6, 9}));
  EXPECT_EQ(run.fileOf(3), folder / "run/step-00000003");
  EXPECT_EQ(run.fileOf(6), folder / "run/step-00000006.safetensors");
  ASSERT_EQ(saveBest(six, 3, 0.5), "");
  EXPECT_EQ(run.bestFile(), folder / "run/best");
  ASSERT_EQ(saveBest(one, 6, 0.25), "");
  EXPECT_EQ(run.bestFile(), folder / "run/best.safetensors");
  EXPECT_FALSE(fs::exists(folder / "run/best"));
  ASSERT_EQ(saveBest(six, 9, 0.125), "");
  EXPECT_FALSE(fs::exists(folder / "run/best.safetensors"));
  EXPECT_EQ(run.best()->evalLoss, 0.125);

  // What killed runs leave; what is not ours stays.
  fs::create_directory(folder / "run/step-00000012");
  writeText(folder / "run/step-00000012/step-00000012-rank-00001.safetensors",
            "half");
  fs::create_directory(folder / "run/step-00000015");
  writeText(folder / "run/step-00000015/step-00000015-rank-00000.safetensors",
            "whole, without an index");
  writeText(folder / "run/step-00000015/notes.txt", "mine");
  writeText(folder / "run/step-00000009/step-00000009.2-rank-00000.safetensors",
            "of a save that was killed");
  EXPECT_EQ(*run.steps(), (std::vector<uint64_t>{3, 6, 9}));
  ASSERT_TRUE(run.prepare());
  EXPECT_FALSE(fs::exists(folder / "run/step-00000012"));
  EXPECT_EQ(namesIn(folder / "run/step-00000015"),
            std::vector<std::string>{"notes.txt"});
  EXPECT_EQ(namesIn(folder / "run/step-00000009").size(), 7u);

  // The newest that is whole, for one rank and for six.
  fs::remove(folder / "run/step-00000009/step-00000009-rank-00005.safetensors");
  std::vector<std::string> skipped;
  auto newest = [&](const Sessions &sessions, bool skip) {
    return together(sessions, [&](Session &session, const Gather &gather) {
      std::vector<std::string> own;
      Expected<CheckpointInfo> info =
          run.loadNewest(session, skip, own, gather);
      if (info)
        EXPECT_EQ(info->step, 6u);
      if (info && session.rank() == 0)
        skipped = own;
      return info.takeError();
    });
  };
  EXPECT_CONTAINS(newest(one, false)[0], "Add --skip-damaged");
  auto messages = newest(six, false);
  EXPECT_CONTAINS(messages[0], "Add --skip-damaged to continue from the one "
                               "before it (step 6)");
  EXPECT_CONTAINS(messages[0], messages[5]);
  EXPECT_EQ(oneOf(newest(six, true)), "");
  ASSERT_EQ(skipped.size(), 1u);
  EXPECT_CONTAINS(skipped[0], "rank-00005");
  EXPECT_TRUE(allStates(six) == allStates(one));
  // Written again, by whichever.
  ASSERT_EQ(saveStep(one, 9), "");
  EXPECT_EQ(run.fileOf(9), folder / "run/step-00000009.safetensors");
  ASSERT_EQ(saveStep(six, 9), "");
  EXPECT_EQ(run.fileOf(9), folder / "run/step-00000009");
  EXPECT_FALSE(fs::exists(folder / "run/step-00000009.safetensors"));

  ASSERT_FALSE(run.prune(1));
  EXPECT_EQ(*run.steps(), std::vector<uint64_t>{9});
  EXPECT_FALSE(fs::exists(folder / "run/step-00000003"));
  EXPECT_TRUE(run.best());
}
