// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings of many ranks: their logs and checkpoints, and what becomes of them
// when a rank is killed.

#ifndef TE_TEST_TOOLS_TERUN_RANKRUNS_H
#define TE_TEST_TOOLS_TERUN_RANKRUNS_H

#include "Tool.h"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

namespace test {

using Arguments = std::vector<std::string>;

class RankRuns {
protected:
  using Clock = std::chrono::steady_clock;

  explicit RankRuns(std::string program) : program(std::move(program)) {
    writeText(folder / "text", sampleText());
  }

  Arguments trainCommand(const std::string &artifact, int steps,
                         const Arguments &more) const {
    Arguments all = {"train",         artifact,  "--data",
                     folder / "text", "--steps", std::to_string(steps)};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// Steps of a log, each once, as they came last.
  std::map<int, nlohmann::json> logOf(const std::string &file) const {
    std::map<int, nlohmann::json> log;
    std::istringstream stream(readText(folder / file));
    for (std::string line; std::getline(stream, line);) {
      auto object = nlohmann::json::parse(line, nullptr, false);
      if (object.is_object()) // The last line may be under way.
        log[object["step"]] = object;
    }
    return log;
  }
  std::vector<double> losses(const std::string &file,
                             const std::string &key = "loss") const {
    std::vector<double> values;
    for (const auto &[step, line] : logOf(file))
      if (line.contains(key) && line[key].is_number())
        values.push_back(line[key]);
    return values;
  }
  std::string checkpoint(const std::string &run, uint64_t step) const {
    return folder / (run + "/" + checkpointName(step));
  }

  /// All states of a checkpoint, in one file or in parts; empty if it is not
  /// there.
  std::string bitsOf(const std::string &run, uint64_t step) const {
    namespace fs = std::filesystem;
    if (fs::exists(checkpoint(run, step)))
      return payloadOf(checkpoint(run, step));
    const fs::path parts = fs::path(checkpoint(run, step)).replace_extension();
    auto index = nlohmann::json::parse(readText(parts / "index.json"), nullptr,
                                       /*allow_exceptions=*/false);
    std::string bits;
    if (index.is_object())
      for (const auto &file : index["files"])
        bits += payloadOf(parts / file["name"].get<std::string>());
    return bits;
  }

  /// The processes that a supervisor forked, by rank.
  static std::vector<pid_t> ranksOf(pid_t supervisor) {
    std::string list =
        readText("/proc/" + std::to_string(supervisor) + "/task/" +
                 std::to_string(supervisor) + "/children");
    std::istringstream stream(list);
    std::vector<pid_t> pids;
    for (pid_t pid = 0; stream >> pid;)
      pids.push_back(pid);
    return pids;
  }

  /// A run that leaves checkpoints and a log under its name, and goes on from
  /// them where there are some.
  struct Kept {
    std::string artifact;
    int steps;
    Arguments flags;
  };
  Arguments keptCommand(const Kept &kept, const std::string &run) const {
    namespace fs = std::filesystem;
    Arguments more = {"--checkpoint", folder / run, "--metrics",
                      folder / (run + ".log")};
    more.insert(more.end(), kept.flags.begin(), kept.flags.end());
    std::error_code code;
    for (const auto &entry : fs::directory_iterator(folder / run, code))
      if (entry.path().filename().string().rfind("step-", 0) == 0 &&
          (entry.path().extension() == ".safetensors" ||
           fs::exists(entry.path() / "index.json"))) {
        more.push_back("--resume");
        break;
      }
    return trainCommand(kept.artifact, kept.steps, more);
  }

  /// The end of a run that nobody disturbed, and of what it was.
  struct Whole {
    std::string bits;
    std::vector<double> losses;
    Clock::duration time;
  };
  Whole runWhole(const Kept &kept) {
    const auto begin = Clock::now();
    Result result = Tool(program, keptCommand(kept, "whole")).wait();
    EXPECT_EQ(result.code, 0) << result.error;
    Whole whole = {bitsOf("whole", kept.steps), losses("whole.log"),
                   Clock::now() - begin};
    EXPECT_GT(whole.bits.size(), 100000u);
    return whole;
  }
  void expectWhole(const Kept &kept, const std::string &run,
                   const Whole &whole) const {
    EXPECT_TRUE(bitsOf(run, kept.steps) == whole.bits) << run;
    EXPECT_EQ(losses(run + ".log"), whole.losses) << run;
  }

  /// Some rank of `ranks` is killed at any moment, `times` times: the others
  /// say which and end; what they leave is continued to the bits of a run that
  /// nobody disturbed.
  void killAtRandom(const Kept &kept, size_t ranks, int times) {
    const Whole whole = runWhole(kept);
    if (::testing::Test::HasFailure())
      return;
    const auto microseconds = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(whole.time)
            .count());
    std::mt19937 random(std::random_device{}());
    int killed = 0, runs = 0;
    while (killed < times ||
           std::filesystem::exists(folder / ("run" + std::to_string(runs)))) {
      std::string run = "run" + std::to_string(runs);
      Tool tool(program, keptCommand(kept, run));
      pid_t victim = -1;
      size_t rank = random() % ranks;
      if (killed < times) {
        ::usleep(static_cast<useconds_t>(random() % microseconds));
        std::vector<pid_t> pids = ranksOf(tool.pid());
        if (rank < pids.size()) {
          victim = pids[rank];
          ::kill(victim, SIGKILL);
        }
      }
      auto began = Clock::now();
      Result result = tool.wait();
      EXPECT_LT(Clock::now() - began, 2 * whole.time + endsWithin);
      // One that came before the ranks or after their work changes nothing.
      if (result.code != 0) {
        ASSERT_GT(victim, 0) << result.error;
        ++killed;
        EXPECT_EQ(result.code, 1) << result.error;
        EXPECT_CONTAINS(result.error, "(pid " + std::to_string(victim) +
                                          ") was killed by signal 9");
      }
      if (::testing::Test::HasFailure())
        return;
      if (bitsOf(run, kept.steps).empty())
        continue;
      expectWhole(kept, run, whole);
      ++runs;
    }
    EXPECT_GT(runs, 0);
  }

  static constexpr std::chrono::seconds endsWithin{30};

  const std::string program; ///< te-run
  TemporaryFolder folder;
};

} // namespace test

#endif // TE_TEST_TOOLS_TERUN_RANKRUNS_H
