// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

#include <nlohmann/json.hpp>
#include <set>
#include <sys/resource.h>

using namespace test;
namespace fs = std::filesystem;

namespace {
class Resume : public ::testing::Test {
protected:
  Resume() { writeText(folder / "text", sampleText()); }
  std::vector<std::string> command(const std::string &run,
                                   std::vector<std::string> more,
                                   const std::string &toy = "toy") {
    std::vector<std::string> all = {"train",        toyPath(toy),
                                    "--data",       folder / "text",
                                    "--checkpoint", folder / run};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Result train(const std::string &run, std::vector<std::string> more,
               const std::string &toy = "toy") {
    return teRun(command(run, std::move(more), toy));
  }
  std::string checkpoint(const std::string &run, uint64_t step) {
    return folder / (run + "/" + checkpointName(step));
  }
  std::set<std::string> files(const std::string &run) {
    std::set<std::string> names;
    std::error_code code; // The folder may not be there yet.
    for (const auto &entry : fs::directory_iterator(folder / run, code))
      if (!isRecord(entry.path().filename().string()))
        names.insert(entry.path().filename().string());
    return names;
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(Resume, ContinuesBitForBit) {
  const std::vector<std::string> schedule = {
      "--lr",       "1.5",          "--warmup", "3",
      "--schedule", "cosine",       "--min-lr", "0.1",
      "--metrics",  folder / "log", "--every",  "5"};
  std::vector<std::string> whole = schedule, second = schedule;
  whole.insert(whole.end(), {"--steps", "10", "--seed", "9"});
  ASSERT_EQ(train("whole", whole).code, 0);
  std::string wholeLog = readText(folder / "log");

  // The first half of the same run: as if it had been stopped at step 5.
  ASSERT_EQ(train("half", whole).code, 0);
  fs::remove(checkpoint("half", 10));
  second.insert(second.end(), {"--steps", "10", "--resume"});
  Result result = train("half", second);
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.out, "continuing from step 5");
  EXPECT_LACKS(result.error, "warning");
  std::string tensors = payloadOf(checkpoint("whole", 10));
  ASSERT_GT(tensors.size(), 100000u);
  EXPECT_EQ(payloadOf(checkpoint("half", 10)), tensors);
  EXPECT_NE(payloadOf(checkpoint("half", 5)), tensors);
  // The log has every step once, and the same losses.
  auto losses = [](const std::string &log) {
    std::vector<nlohmann::json> values;
    std::istringstream stream(log);
    for (std::string line; std::getline(stream, line);) {
      auto object = nlohmann::json::parse(line, nullptr, false);
      values.push_back({object["step"], object["loss"], object["lr"]});
    }
    return values;
  };
  EXPECT_EQ(losses(wholeLog).size(), 10u);
  EXPECT_EQ(losses(readText(folder / "log")), losses(wholeLog));
}

TEST_F(Resume, FiveAndFiveAreTen) {
  ASSERT_EQ(train("ten", {"--steps", "10"}).code, 0);
  ASSERT_EQ(train("five", {"--steps", "5"}).code, 0);
  Result result = train("five", {"--steps", "10", "--resume"});
  ASSERT_EQ(result.code, 0);
  // More steps at a constant rate are not another run.
  EXPECT_LACKS(result.error, "warning");
  EXPECT_EQ(readText(checkpoint("five", 10)).size(),
            readText(checkpoint("ten", 10)).size());
  EXPECT_EQ(payloadOf(checkpoint("five", 10)),
            payloadOf(checkpoint("ten", 10)));
  EXPECT_CONTAINS(train("five", {"--steps", "10", "--resume"}).out,
                  "all 10 steps are done");
}

TEST_F(Resume, DifferencesAreToldAndSeedsRefused) {
  ASSERT_EQ(train("run", {"--steps", "2", "--lr", "1", "--seed", "1"}).code, 0);
  Result other = train("run", {"--steps", "3", "--lr", "2", "--resume"});
  EXPECT_EQ(other.code, 0);
  EXPECT_CONTAINS(other.error, "--lr: 1.0 before, 2.0 now");
  EXPECT_FAILS(train("run", {"--steps", "9", "--seed", "2", "--resume"}),
               "made with --seed 1");
}

TEST_F(Resume, AnExistingRunIsNotOverwritten) {
  ASSERT_EQ(train("run", {"--steps", "2"}).code, 0);
  std::string before = readText(checkpoint("run", 2));
  EXPECT_FAILS(train("run", {"--steps", "2"}), "Add --resume");
  EXPECT_EQ(readText(checkpoint("run", 2)), before);
  EXPECT_FAILS(train("empty", {"--steps", "2", "--resume"}),
               "no checkpoint to resume from");
}

TEST_F(Resume, KeepsTheNewest) {
  ASSERT_EQ(train("run", {"--steps", "10", "--every", "2", "--keep", "2"}).code,
            0);
  // The first is the next that ten more steps would show to be good.
  EXPECT_EQ(files("run"), (std::set<std::string>{"step-00000002.safetensors",
                                                 "step-00000008.safetensors",
                                                 "step-00000010.safetensors"}));
  ASSERT_EQ(train("run",
                  {"--steps", "40", "--every", "10", "--keep", "2", "--resume"})
                .code,
            0);
  // The steps after the one of step 30 have, so that none but it is kept.
  EXPECT_EQ(files("run"),
            (std::set<std::string>{"health.json", "step-00000030.safetensors",
                                   "step-00000040.safetensors"}));
}

TEST_F(Resume, CheckpointsOfOtherModelsAreRefused) {
  ASSERT_EQ(train("run", {"--steps", "2"}).code, 0);
  EXPECT_FAILS(train("run", {"--steps", "4", "--resume"}, "other_model"),
               "of another model");
  EXPECT_FAILS(train("run", {"--steps", "4", "--resume"}, "other_slots"),
               "its FP8 slots are others");
  std::string text = readText(checkpoint("run", 2));
  size_t at = text.find("\"version\":\"1\"");
  ASSERT_NE(at, std::string::npos);
  text[at + 11] = '2';
  writeText(checkpoint("run", 2), text);
  EXPECT_FAILS(train("run", {"--steps", "4", "--resume"}), "has version '2'");
}

TEST_F(Resume, ADamagedNewestIsReported) {
  ASSERT_EQ(train("run", {"--steps", "4", "--every", "2"}).code, 0);
  std::string newest = readText(checkpoint("run", 4));
  newest[newest.size() / 2] ^= 4;
  writeText(checkpoint("run", 4), newest);
  Result refused = train("run", {"--steps", "6", "--resume"});
  EXPECT_FAILS(refused, "do not match its checksum");
  EXPECT_CONTAINS(refused.error, "--skip-damaged");
  Result told = train("run", {"--steps", "6", "--resume", "--skip-damaged"});
  EXPECT_EQ(told.code, 0) << told.error;
  EXPECT_CONTAINS(told.error, "warning: skipped");
  EXPECT_CONTAINS(told.out, "continuing from step 2");
}

TEST_F(Resume, CtrlCSavesAndSaysHowToGoOn) {
  for (int signal : {SIGINT, SIGTERM}) {
    std::string run = "run" + std::to_string(signal);
    Tool tool(command(run, {"--steps", "100000000", "--every", "50"}));
    ASSERT_TRUE(tool.waitFor([&] { return fs::exists(checkpoint(run, 50)); }));
    tool.send(signal);
    Result result = tool.wait();
    EXPECT_EQ(result.code, 130) << result.error;
    EXPECT_CONTAINS(result.error, "finishing the step");
    EXPECT_CONTAINS(result.out, "interrupted; continue with:");
    EXPECT_CONTAINS(result.out, "--resume");
    // The newest checkpoint is of the last step it ran.
    std::string newest = *files(run).rbegin();
    EXPECT_CONTAINS(result.out, newest);
    std::string step = std::to_string(std::stoull(newest.substr(5, 8)));
    EXPECT_CONTAINS(result.out, "steps 1 to " + step + " in");
    std::string total = std::to_string(std::stoull(step) + 1);
    EXPECT_CONTAINS(train(run, {"--steps", total, "--resume"}).out,
                    "continuing from step " + step);
  }
}

TEST_F(Resume, CtrlCWithoutAFolderSavesNothing) {
  Tool tool({"train", toyPath("toy"), "--data", folder / "text", "--steps",
             "100000000", "--metrics", folder / "log"});
  ASSERT_TRUE(tool.waitFor([&] {
    return fs::exists(folder / "log") && fs::file_size(folder / "log") > 0;
  }));
  tool.send(SIGINT);
  Result result = tool.wait();
  EXPECT_EQ(result.code, 130);
  EXPECT_CONTAINS(result.out, "nothing was saved");
}

TEST_F(Resume, AKillLosesNoCheckpoint) {
  for (int round = 0; round < 5; ++round) {
    std::string run = "run" + std::to_string(round);
    Tool tool(command(run, {"--steps", "100000000", "--every", "1"}));
    ASSERT_TRUE(tool.waitFor([&] { return files(run).size() >= 3; }));
    ::usleep(static_cast<useconds_t>(round * 777));
    tool.send(SIGKILL);
    EXPECT_EQ(tool.wait().code, -SIGKILL);
    // A kill may come while this is written.
    writeText(folder / (run + "/health.json.tmp"), "{");
    // Whatever is there under a checkpoint's name is whole.
    std::set<std::string> present = files(run);
    uint64_t newest = 0;
    for (const std::string &name : present)
      if (name.size() == 25)
        newest = std::max<uint64_t>(newest, std::stoull(name.substr(5, 8)));
    std::string total = std::to_string(newest + 1);
    Result result = train(run, {"--steps", total, "--resume"});
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_CONTAINS(result.out,
                    "continuing from step " + std::to_string(newest));
    for (const std::string &name : files(run))
      EXPECT_EQ(name.find(".tmp"), std::string::npos) << name;
  }
}

TEST_F(Resume, AFullDiskKeepsThePreviousCheckpoint) {
  ASSERT_EQ(train("run", {"--steps", "3"}).code, 0);
  std::string before = readText(checkpoint("run", 3));
  // Less than a checkpoint needs, as when the disk is full.
  auto limit = [] {
    rlimit small = {65536, 65536};
    ::setrlimit(RLIMIT_FSIZE, &small);
  };
  Result result = teRun(
      command("run", {"--steps", "9", "--every", "2", "--resume"}), limit);
  EXPECT_FAILS(result, "file size limit");
  EXPECT_CONTAINS(result.error, "training continues");
  EXPECT_EQ(files("run"), (std::set<std::string>{"step-00000003.safetensors"}));
  EXPECT_EQ(readText(checkpoint("run", 3)), before);
  EXPECT_EQ(train("run", {"--steps", "4", "--resume"}).code, 0);
}

TEST_F(Resume, BadDataInTheMiddleKeepsWhatWasDone) {
  // Letters outside the range of the model, which were not there in the
  // beginning.
  writeText(folder / "text", std::string(20000, '\1'));
  Tool tool(
      command("run", {"--steps", "100000000", "--every", "20"}, "small_range"));
  ASSERT_TRUE(tool.waitFor([&] { return !files("run").empty(); }));
  std::fstream(folder / "text", std::ios::in | std::ios::out | std::ios::binary)
      << std::string(20000, 'z');
  Result result = tool.wait();
  EXPECT_FAILS(result, "token 122 at byte ");
  EXPECT_CONTAINS(result.out, "checkpoint: ");
  EXPECT_CONTAINS(result.out, "steps 1 to ");
}
