// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Early stop, which checkpoints stay, and settings in files.

#include "Tool.h"

#include <filesystem>
#include <nlohmann/json.hpp>

using namespace test;

namespace {
class Settings : public ::testing::Test {
protected:
  Settings() {
    writeText(folder / "text", sampleText());
    // What is learned from the text is wrong for the other one, so that the
    // loss there rises after a while.
    std::string other(640, 'a');
    for (size_t i = 0; i < other.size(); ++i)
      other[i] = static_cast<char>('a' + (i % 3 ? i * i % 26 : i % 26));
    writeText(folder / "other", other);
  }

  Result train(const std::string &run, std::vector<std::string> more) {
    std::vector<std::string> all = {"train",        toyPath("toy"),
                                    "--data",       folder / "text",
                                    "--checkpoint", folder / run};
    all.insert(all.end(), more.begin(), more.end());
    return teRun(all);
  }
  /// The steps whose checkpoints are there.
  std::vector<uint64_t> stepsIn(const std::string &run) {
    std::vector<uint64_t> steps;
    for (uint64_t step = 1; step <= 300; ++step)
      if (std::filesystem::exists(folder / (run + "/" + checkpointName(step))))
        steps.push_back(step);
    return steps;
  }
  bool hasBest(const std::string &run) {
    return std::filesystem::exists(folder / (run + "/best.safetensors"));
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(Settings, MilestonesStay) {
  ASSERT_EQ(train("run", {"--steps", "20", "--every", "3", "--keep", "1",
                          "--milestones", "5"})
                .code,
            0);
  std::vector<uint64_t> steps = stepsIn("run");
  for (uint64_t step : {5, 10, 15, 20})
    EXPECT_EQ(std::count(steps.begin(), steps.end(), step), 1) << step;
  // Of the others one may wait to be found good.
  EXPECT_LE(steps.size(), 5u);
}

TEST_F(Settings, PatienceEndsARunWhereItWouldHaveEndedWithoutAStop) {
  const std::vector<std::string> settings = {
      "--steps",      "200", "--lr",       "4", "--eval-data", folder / "other",
      "--eval-every", "4",   "--patience", "3", "--keep",      "0"};
  Result whole = train("whole", settings);
  ASSERT_EQ(whole.code, 0) << whole.error;
  EXPECT_CONTAINS(whole.error, ": no lower evaluation loss in 3 evaluations "
                               "(--patience), since ");
  std::vector<uint64_t> steps = stepsIn("whole");
  ASSERT_EQ(steps.size(), 1u);
  ASSERT_LT(steps[0], 200u);
  EXPECT_TRUE(hasBest("whole"));

  // Stopped two steps before it, without the best checkpoint.
  std::vector<std::string> cut = settings;
  cut.insert(cut.end(),
             {"--no-best", "--stop-after", std::to_string(steps[0] - 2)});
  ASSERT_EQ(train("cut", cut).code, 0);
  EXPECT_FALSE(hasBest("cut"));
  std::vector<std::string> rest = settings;
  rest.push_back("--resume");
  ASSERT_EQ(train("cut", rest).code, 0);
  EXPECT_EQ(stepsIn("cut").back(), steps[0]);
  const std::string name = "/" + checkpointName(steps[0]);
  EXPECT_EQ(payloadOf(folder / ("whole" + name)),
            payloadOf(folder / ("cut" + name)));
}

TEST_F(Settings, AFileOfARunRepeatsIt) {
  ASSERT_EQ(train("run", {"--steps", "6", "--lr", "2", "--schedule", "wsd",
                          "--watch", "amax-jump=8", "--watch", "zero=0.25",
                          "--no-calibrate", "--quiet"})
                .code,
            0);
  const std::string record = readText(folder / "run/run.toml");
  EXPECT_CONTAINS(record, "\nsteps = 6\n");
  EXPECT_CONTAINS(record, "\nschedule = \"wsd\"\n");
  EXPECT_CONTAINS(record, "\nwatch = [\"amax-jump=8\", \"zero=0.25\"]\n");
  EXPECT_CONTAINS(record, "\n# keep = 3\n");
  Result again = teRun({"train", "--config", folder / "run/run.toml",
                        "--checkpoint", folder / "again"});
  ASSERT_EQ(again.code, 0) << again.error;
  EXPECT_EQ(again.error, "");
  const std::string name = "/" + checkpointName(6);
  EXPECT_EQ(payloadOf(folder / ("run" + name)),
            payloadOf(folder / ("again" + name)));
  // It continues, too, with what the command line changes.
  Result on = teRun({"train", "--config", folder / "run/run.toml", "--resume",
                     "--steps", "8", "--quiet=false"});
  ASSERT_EQ(on.code, 0) << on.error;
  EXPECT_CONTAINS(on.error, "step 8/8");
  EXPECT_CONTAINS(on.error, "--steps: 6 before, 8 now");
  EXPECT_CONTAINS(readText(folder / "run/run.toml"), "\nsteps = 8\n");
  EXPECT_LACKS(readText(folder / "run/run.toml"), "resume");

  // A file of somebody else stays.
  writeText(folder / "run/run.toml", "steps = 9\n");
  ASSERT_EQ(train("run", {"--steps", "9", "--lr", "2", "--resume"}).code, 0);
  EXPECT_EQ(readText(folder / "run/run.toml"), "steps = 9\n");
}

TEST_F(Settings, FilesThatAreWrong) {
  auto say = [&](const std::string &text) {
    writeText(folder / "run.toml", text);
    Result result = train("run", {"--config", folder / "run.toml"});
    EXPECT_EQ(result.code, 2) << text;
    return result.error;
  };
  EXPECT_CONTAINS(say("stepz = 3\n"), "run.toml': 'te-run train' has no option "
                                      "'--stepz'; did you mean '--steps'?");
  EXPECT_CONTAINS(say("[train]\nsteps = 3\n"), "has a section, [train]");
  EXPECT_CONTAINS(say("steps = 3\nmetrics = \"a#b\"\n"), "not closed");
  EXPECT_CONTAINS(say("steps = \"many\"\n"), "--steps: takes an integer");
  EXPECT_CONTAINS(say("config = \"x\"\n"), "has no option '--config'");
  EXPECT_CONTAINS(say("lr = 3\n"), "--steps is missing");
  Result none = train("run", {"--config", folder / "none"});
  EXPECT_EQ(none.code, 2);
  EXPECT_CONTAINS(none.error, "cannot read '");
}
