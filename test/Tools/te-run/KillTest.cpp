// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trainings that are killed and stopped at random moments end with the bits of
// one that never was. 50 of each here; --gtest_repeat makes more of them.

#include "Tool.h"

#include <map>
#include <nlohmann/json.hpp>
#include <random>

using namespace test;
namespace fs = std::filesystem;

namespace {
class Interruptions : public ::testing::Test {
protected:
  static constexpr int steps = 40;

  Interruptions() {
    writeText(folder / "text", sampleText());
    std::string whole = "whole";
    auto begin = std::chrono::steady_clock::now();
    Result result = Tool(command(whole)).wait();
    microseconds = std::chrono::duration_cast<std::chrono::microseconds>(
                       std::chrono::steady_clock::now() - begin)
                       .count();
    EXPECT_EQ(result.code, 0) << result.error;
    expectedTensors = tensorsOf(whole);
    expectedLosses = lossesOf(whole);
    EXPECT_EQ(expectedLosses.size(), size_t(steps));
    EXPECT_GT(expectedTensors.size(), 100000u);
  }

  std::string last(const std::string &run) {
    return folder /
           (run + "/step-000000" + std::to_string(steps) + ".safetensors");
  }

  /// What begins the run, or continues it where it has a checkpoint.
  std::vector<std::string> command(const std::string &run) {
    std::vector<std::string> all = {"train",        toyPath("toy"),
                                    "--data",       folder / "text",
                                    "--steps",      std::to_string(steps),
                                    "--checkpoint", folder / run,
                                    "--every",      "3",
                                    "--metrics",    folder / (run + ".log"),
                                    "--lr",         "1.5",
                                    "--schedule",   "cosine",
                                    "--warmup",     "3",
                                    "--threads",    "1"};
    std::error_code code;
    for (const auto &entry : fs::directory_iterator(folder / run, code))
      if (entry.path().extension() == ".safetensors")
        return all.push_back("--resume"), all;
    return all;
  }

  /// Parameters, moments, scales, histories, counters: everything.
  std::string tensorsOf(const std::string &run) { return payloadOf(last(run)); }

  std::map<int, nlohmann::json> lossesOf(const std::string &run) {
    std::map<int, nlohmann::json> losses;
    std::istringstream stream(readText(folder / (run + ".log")));
    for (std::string line; std::getline(stream, line);) {
      auto object = nlohmann::json::parse(line, nullptr, false);
      losses[object["step"]] = {object["loss"], object["grad_norm"]};
    }
    return losses;
  }

  /// Interrupts trainings `times` times, and compares each that got to its end.
  void interrupt(const std::vector<int> &signals, int times) {
    std::mt19937 random(7);
    int sent = 0, runs = 0;
    while (sent < times ||
           fs::exists(folder / ("run" + std::to_string(runs)))) {
      std::string run = "run" + std::to_string(runs);
      Tool tool(command(run));
      if (sent < times) {
        ::usleep(static_cast<useconds_t>(random() % microseconds));
        int signal = signals[random() % signals.size()];
        tool.send(signal);
        Result result = tool.wait();
        // One that came before the handler, or after the work, counts too.
        if (result.code != 0)
          ++sent;
        if (result.code != -signal)
          EXPECT_TRUE(result.code == 0 || result.code == 130)
              << result.code << result.error;
      } else {
        Result result = tool.wait();
        EXPECT_EQ(result.code, 0) << result.error;
      }
      if (::testing::Test::HasFailure())
        return;
      if (!fs::exists(last(run)))
        continue;
      EXPECT_TRUE(tensorsOf(run) == expectedTensors) << run;
      EXPECT_EQ(lossesOf(run), expectedLosses) << run;
      ++runs;
    }
    EXPECT_GT(runs, 0);
  }

  TemporaryFolder folder;
  std::string expectedTensors;
  std::map<int, nlohmann::json> expectedLosses;
  int64_t microseconds = 0; ///< What the whole run takes.
};
} // namespace

TEST_F(Interruptions, FiftyKills) { interrupt({SIGKILL}, 50); }

TEST_F(Interruptions, FiftySignals) {
  interrupt({SIGINT, SIGTERM, SIGHUP, SIGPIPE}, 50);
}
