// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What keeps users from losing work: runs that learn nothing any more, folders
// and data that others use, continuations of something else.

#include "Tool.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/stat.h>

using namespace test;
namespace fs = std::filesystem;

namespace {
class Guard : public ::testing::Test {
protected:
  Guard() { writeText(folder / "text", letters(4000, 7)); }

  static std::string letters(int count, int period) {
    std::string text;
    for (int i = 0; i < count; ++i)
      text += static_cast<char>('a' + (i * i + i / period) % 26);
    return text;
  }
  std::vector<std::string> command(std::vector<std::string> more,
                                   const std::string &toy = "toy") {
    std::vector<std::string> all = {"train",        toyPath(toy),
                                    "--data",       folder / "text",
                                    "--checkpoint", folder / "run"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Result train(std::vector<std::string> more, const std::string &toy = "toy") {
    return teRun(command(std::move(more), toy));
  }
  std::set<std::string> checkpoints() {
    std::set<std::string> names;
    std::error_code code;
    for (const auto &entry : fs::directory_iterator(folder / "run", code))
      if (entry.path().extension() == ".safetensors")
        names.insert(entry.path().filename().string());
    return names;
  }
  std::string newest() {
    return checkpoints().empty() ? "" : *checkpoints().rbegin();
  }
  std::vector<nlohmann::json> metrics() {
    std::vector<nlohmann::json> lines;
    std::ifstream stream(folder / "log");
    for (std::string line; std::getline(stream, line);)
      lines.push_back(nlohmann::json::parse(line, nullptr, false));
    return lines;
  }
  /// The table of a checkpoint of the toy.
  std::vector<float> table(const std::string &name) {
    std::string bytes = readText(folder / ("run/" + name));
    uint64_t length = 0;
    std::memcpy(&length, bytes.data(), 8);
    auto header = nlohmann::json::parse(bytes.substr(8, length));
    size_t begin = header["bigram.weight"]["data_offsets"][0];
    std::vector<float> values(128 * 128);
    std::memcpy(values.data(), bytes.data() + 8 + length + begin,
                values.size() * sizeof(float));
    return values;
  }
  std::string nanWeights() {
    std::vector<float> weight(128 * 128, std::nanf(""));
    writeText(folder / "w", safetensorsOf({{"bigram.weight", "F32", "[128,128]",
                                            bytesOf(weight)}}));
    return folder / "w";
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(Guard, SkippedStepsEndTheRun) {
  Result result = train({"--steps", "100", "--weights", nanWeights()});
  EXPECT_EQ(result.code, 3) << result.error;
  EXPECT_CONTAINS(result.error,
                  "stopped after step 20: 20 steps in a row were skipped");
  EXPECT_CONTAINS(result.error, "bigram.weight, bigram.grad_output");
  EXPECT_CONTAINS(result.error, "Try a smaller --lr");
  EXPECT_CONTAINS(result.error, "There is no checkpoint");
  EXPECT_CONTAINS(result.out, "steps that were skipped: 20");
  EXPECT_TRUE(checkpoints().empty());

  EXPECT_EQ(train({"--steps", "100", "--weights", folder / "w",
                   "--max-skipped-steps", "3"})
                .code,
            3);
  // Even without a limit, states that are not finite are no checkpoint.
  Result all = train(
      {"--steps", "30", "--weights", folder / "w", "--max-skipped-steps", "0"});
  EXPECT_FAILS(all, "'bigram.weight' has values that are not finite");
  EXPECT_TRUE(checkpoints().empty());
}

TEST_F(Guard, GoodCheckpointsStay) {
  // 90 of 100 steps have gradients that are not finite.
  Result result = train({"--steps", "100", "--every", "4", "--keep", "1",
                         "--metrics", folder / "log"},
                        "breaks");
  EXPECT_EQ(result.code, 3) << result.error;
  EXPECT_CONTAINS(result.error, "the parameters are those of step 10");
  EXPECT_CONTAINS(result.error, "The last good checkpoint is '" +
                                    folder / "run/step-00000008.safetensors'");
  // Ten steps after one of them would have shown that it is good: the one that
  // is next to be shown stays beside the newest.
  EXPECT_EQ(checkpoints(),
            (std::set<std::string>{"step-00000004.safetensors",
                                   "step-00000008.safetensors"}));
  std::vector<nlohmann::json> lines = metrics();
  ASSERT_EQ(lines.size(), 30u);
  EXPECT_FALSE(lines[9].contains("skipped"));
  EXPECT_EQ(lines[10]["skipped"], true);

  // Without a limit the last one is saved, and none is given up for it.
  fs::remove_all(folder / "run");
  Result whole = train({"--steps", "60", "--every", "2", "--keep", "2",
                        "--max-skipped-steps", "0"},
                       "breaks");
  EXPECT_EQ(whole.code, 0) << whole.error;
  EXPECT_CONTAINS(whole.out, "steps that were skipped: 50");
  EXPECT_EQ(checkpoints(),
            (std::set<std::string>{
                "step-00000002.safetensors", "step-00000008.safetensors",
                "step-00000010.safetensors", "step-00000060.safetensors"}));
}

TEST_F(Guard, StatesThatAreNotFiniteAreNoCheckpoint) {
  // The update of step 7 has finite gradients, and makes the table infinite.
  Result result =
      train({"--steps", "100", "--every", "1", "--keep", "2"}, "overflows");
  EXPECT_EQ(result.code, 3) << result.error;
  EXPECT_CONTAINS(result.error, "step-00000007.safetensors' was not written: "
                                "the state 'bigram.weight' has values that");
  EXPECT_EQ(checkpoints(),
            (std::set<std::string>{"step-00000001.safetensors",
                                   "step-00000005.safetensors",
                                   "step-00000006.safetensors"}));
  for (const std::string &name : checkpoints())
    for (float value : table(name))
      ASSERT_TRUE(std::isfinite(value)) << name;
}

TEST_F(Guard, ALossThatExplodesIsReported) {
  std::vector<std::string> flags = {"--steps", "60", "--lr", "1e6"};
  Result told = train(flags);
  EXPECT_EQ(told.code, 0) << told.error;
  EXPECT_CONTAINS(told.error, "the loss has exploded");
  EXPECT_CONTAINS(told.error, "--stop-on-divergence");
  fs::remove_all(folder / "run");
  flags.push_back("--stop-on-divergence");
  Result stopped = train(flags);
  EXPECT_EQ(stopped.code, 4) << stopped.error;
  EXPECT_CONTAINS(stopped.error, "try a smaller --lr");
  EXPECT_TRUE(checkpoints().empty());
  EXPECT_EQ(train({"--steps", "60", "--lr", "2", "--stop-on-divergence"}).code,
            0);
}

// A checkpoint in every step, of which the newest three stay: when the loss is
// seen to have exploded, all three are of the explosion.
TEST_F(Guard, TheCheckpointThatIsNamedIsGood) {
  ASSERT_EQ(train({"--steps", "60", "--lr", "2", "--every", "1", "--seed", "5",
                   "--metrics", folder / "log"})
                .code,
            0);
  const double before = metrics().at(59)["mean_loss"];
  auto lossOf = [&](const std::string &checkpoint) {
    Result result = teRun({"eval", toyPath("toy"), "--data", folder / "text",
                           "--checkpoint", checkpoint, "--json"});
    EXPECT_EQ(result.code, 0) << result.error;
    nlohmann::json loss = nlohmann::json::parse(result.out)["loss"];
    return loss.is_null() ? HUGE_VAL : loss.get<double>();
  };
  auto explode = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--lr", "1e6", "--every", "1", "--resume"});
    return train(more);
  };
  // Without the flag it trains on; what was good stays.
  Result told = explode({"--steps", "90"});
  EXPECT_EQ(told.code, 0) << told.error;
  EXPECT_CONTAINS(told.error, "the loss has exploded");
  EXPECT_CONTAINS(told.error, "--rollback continues from it");
  EXPECT_CONTAINS(told.out, "the last checkpoint known to be good");
  // The newest three, the good one, and one of which it is not known yet.
  EXPECT_EQ(checkpoints().size(), 5u);
  EXPECT_GT(lossOf(folder / ("run/" + newest())), 20);
  EXPECT_LT(lossOf(folder / ("run/" + *checkpoints().begin())), 1.1 * before);

  // Continuing from the explosion is told, and ends at once.
  Result stopped = explode({"--steps", "200", "--stop-on-divergence"});
  EXPECT_EQ(stopped.code, 4) << stopped.error;
  EXPECT_CONTAINS(stopped.error, "warning: the loss of this run had exploded");
  EXPECT_CONTAINS(stopped.error, "stopped after step 100: the loss has");
  const std::string begin = "The last good checkpoint is '";
  const size_t at = stopped.error.find(begin);
  ASSERT_NE(at, std::string::npos) << stopped.error;
  const std::string rest = stopped.error.substr(at + begin.size());
  const std::string named = rest.substr(0, rest.find('\''));
  EXPECT_EQ(named, folder / "run/" + *checkpoints().begin());
  EXPECT_LT(lossOf(named), 1.1 * before);

  // Back to it, with another learning rate; what is of the explosion goes.
  const std::string step =
      std::to_string(std::stoull(checkpoints().begin()->substr(5, 8)));
  Result back = train({"--steps", "80", "--lr", "1", "--every", "1",
                       "--rollback", "--metrics", folder / "log"});
  EXPECT_EQ(back.code, 0) << back.error;
  EXPECT_CONTAINS(back.out, "rolled back to step " + step +
                                "; removed the later checkpoints, of step ");
  EXPECT_CONTAINS(back.out, "continuing from step " + step);
  EXPECT_CONTAINS(back.error, "--lr: 2.0 before, 1.0 now");
  EXPECT_LT(metrics().back()["mean_loss"], 1.1 * before);
  EXPECT_LT(lossOf(folder / "run/" + newest()), before);
  EXPECT_EQ(newest(), "step-00000080.safetensors");
  EXPECT_LACKS(train({"--steps", "81", "--lr", "1", "--resume"}).error,
               "exploded");
}

TEST_F(Guard, RollbackNeedsWhatIsKnownToBeGood) {
  EXPECT_FAILS(train({"--steps", "9", "--rollback"}), "is known to be good");
  ASSERT_EQ(train({"--steps", "9", "--every", "1"}).code, 0);
  EXPECT_FAILS(train({"--steps", "12", "--rollback"}),
               "is known to be good: one is, once the 10 steps after it");
  Result both = train({"--steps", "12", "--rollback", "--resume"});
  EXPECT_EQ(both.code, 2) << both.error;
  EXPECT_EQ(train({"--steps", "12", "--skip-damaged"}).code, 2);
  ASSERT_EQ(train({"--steps", "30", "--every", "1", "--resume"}).code, 0);
  EXPECT_EQ(train({"--steps", "30", "--rollback", "--skip-damaged"}).code, 0);
}

TEST_F(Guard, DataIsLookedThroughFirst) {
  // The last byte alone is outside the vocabulary of 64.
  std::string text(4000, '!');
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = static_cast<char>('!' + i % 20);
  text.back() = 'z';
  writeText(folder / "text", text);
  Result result = train({"--steps", "100000000"}, "small_range");
  EXPECT_FAILS(result, "token 122 at byte 3999 of '" + folder / "text'");
  EXPECT_LACKS(result.error, "step ");

  writeText(folder / "text", std::string(4000, '!'));
  Result same = train({"--steps", "2", "--lr", "0"});
  EXPECT_EQ(same.code, 0) << same.error;
  EXPECT_CONTAINS(same.error, "all 4000 tokens of '");
  EXPECT_CONTAINS(same.error, "the learning rate is 0 (--lr)");

  writeText(folder / "text.jsonl", "{\"text\": \"a\"}\n{\"text\": \"b\"}\n");
  for (const char *flag : {"--data", "--eval-data"})
    EXPECT_FAILS(
        teRun({"train", toyPath("toy"), flag, folder / "text.jsonl",
               flag == std::string("--data") ? "--eval-data" : "--data",
               folder / "text", "--steps", "1"}),
        "text.jsonl' is JSON lines, a record in each, no text");
}

TEST_F(Guard, OneTrainingInAFolder) {
  Tool first(command({"--steps", "100000000", "--every", "20"}));
  ASSERT_TRUE(first.waitFor([&] { return !checkpoints().empty(); }));
  for (bool resume : {false, true}) {
    std::vector<std::string> flags = {"--steps", "9"};
    if (resume)
      flags.push_back("--resume");
    EXPECT_FAILS(train(flags), "is in use by another training (process ");
  }
  // The lock ends with its process, however that ends.
  first.send(SIGKILL);
  EXPECT_EQ(first.wait().code, -SIGKILL);
  std::string step = std::to_string(std::stoull(newest().substr(5, 8)) + 1);
  EXPECT_EQ(train({"--steps", step, "--resume"}).code, 0);
}

TEST_F(Guard, DataThatShrinksIsAnErrorAfterACheckpoint) {
  std::vector<int32_t> ids(100 * 64, 'a');
  writeText(folder / "batches.safetensors",
            safetensorsOf({{"input_ids", "I32", "[100,4,16]", bytesOf(ids)}}));
  for (const char *name : {"text", "batches.safetensors"}) {
    fs::remove_all(folder / "run");
    Tool tool({"train", toyPath("toy"), "--data", folder / name, "--steps",
               "100000000", "--every", "20", "--checkpoint", folder / "run"});
    ASSERT_TRUE(tool.waitFor([&] { return !checkpoints().empty(); }));
    ASSERT_EQ(::truncate((folder / name).c_str(), 10), 0);
    Result result = tool.wait();
    EXPECT_FAILS(result, folder / name);
    EXPECT_CONTAINS(result.error, "it was truncated while it was in use");
    // Within a step there is no state to keep but that of the last checkpoint.
    if (result.error.find("The last checkpoint is ") != std::string::npos) {
      EXPECT_CONTAINS(result.error, newest());
      continue;
    }
    EXPECT_CONTAINS(result.out, "checkpoint: ");
    // Of the last step that was run.
    std::string step = std::to_string(std::stoull(newest().substr(5, 8)));
    EXPECT_CONTAINS(result.out, "steps 1 to " + step + " in");
  }
}

TEST_F(Guard, EvaluationDataThatShrinksLosesNothing) {
  writeText(folder / "other", letters(2000, 3));
  Tool tool(command({"--steps", "100000000", "--every", "0", "--eval-data",
                     folder / "other", "--eval-every", "20", "--metrics",
                     folder / "log"}));
  ASSERT_TRUE(tool.waitFor(
      [&] { return fs::exists(folder / "run/best.safetensors"); }));
  ASSERT_EQ(::truncate((folder / "other").c_str(), 10), 0);
  Result result = tool.wait();
  EXPECT_FAILS(result, folder / "other");
  std::string step = std::to_string(std::stoull(newest().substr(5, 8)));
  EXPECT_CONTAINS(result.out, "steps 1 to " + step + " in");
}

TEST_F(Guard, DataThatIsNoFile) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  for (std::string data : {std::string("/dev/zero"), folder / "pipe"}) {
    EXPECT_FAILS(
        teRun({"train", toyPath("toy"), "--data", data, "--steps", "1"}),
        "cannot read '" + data + "': it is not a regular file");
    EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data", folder / "text",
                        "--eval-data", data, "--steps", "1"}),
                 "cannot read '" + data + "': it is not a regular file");
  }
}

TEST_F(Guard, AnotherRunIsNotContinued) {
  ASSERT_EQ(train({"--steps", "2"}).code, 0);
  for (auto [toy, difference] :
       std::vector<std::pair<const char *, const char *>>{
           {"sum", "program.loss.reduction: \"mean\" before, \"sum\" now"},
           {"margin", "program.recipe.margin: 0 before, 2 now"},
           {"most_recent",
            "program.recipe.algo: \"max\" before, \"most_recent\" now"},
           {"bf16", "program.precision: \"fp8\" before, \"bf16\" now"}})
    EXPECT_FAILS(train({"--steps", "4", "--resume"}, toy), difference);

  // Other data of the same size, and then the same in another place.
  writeText(folder / "text", letters(4000, 5));
  Result other = train({"--steps", "4", "--resume"});
  EXPECT_FAILS(other, "data: \"4000 bytes, ");
  EXPECT_CONTAINS(other.error, "--allow-changes");
  writeText(folder / "moved.txt", letters(4000, 7));
  std::vector<std::string> moved = command({"--steps", "3", "--resume"});
  moved[3] = folder / "moved.txt";
  EXPECT_EQ(teRun(moved).code, 0);

  Result allowed =
      train({"--steps", "5", "--resume", "--allow-changes"}, "sum");
  EXPECT_EQ(allowed.code, 0) << allowed.error;
  EXPECT_CONTAINS(allowed.error, "warning: --allow-changes");
  EXPECT_CONTAINS(allowed.error, "program.loss.reduction");
  EXPECT_CONTAINS(allowed.error, "data: ");
}

TEST_F(Guard, RecordsReplaceOnlyRecords) {
  auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> all = {"train", toyPath("toy"), "--steps",
                                    "2",     "--data",       folder / "text"};
    all.insert(all.end(), more.begin(), more.end());
    return teRun(all);
  };
  auto expectKept = [&](const char *flag, const std::string &text) {
    writeText(folder / "mine", text);
    Result result = run({flag, folder / "mine"});
    EXPECT_FAILS(result, "mine' is in the way of " + std::string(flag) +
                             ": te-run did not write it");
    EXPECT_EQ(readText(folder / "mine"), text);
  };
  const std::string foreign = "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                              "width=\"9\">\n</svg>\n";
  expectKept("--plot", "thesis\n");
  expectKept("--plot", foreign);
  expectKept("--plot", "{\"step\":1,\"loss\":2}\n");
  expectKept("--metrics", "thesis\n");
  expectKept("--metrics", "{\"loss\":2,\"step\":1}\n");
  expectKept("--metrics", "{\"step\":1,\"rate\":2}\n");
  EXPECT_FAILS(run({"--plot", folder / "text"}), "is read by this command");
  EXPECT_FAILS(run({"--plot", folder / "x", "--metrics", folder / "x"}),
               "would be both --metrics and --plot");

  fs::remove(folder / "mine");
  // Its own it replaces, and what is empty, and what it is told to.
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(
        run({"--plot", folder / "plot", "--metrics", folder / "log"}).code, 0);
  writeText(folder / "empty", "");
  EXPECT_EQ(run({"--plot", folder / "empty"}).code, 0);
  // What a kill left of a line.
  writeText(folder / "log", "{\"step\":1,\"lo");
  EXPECT_EQ(run({"--metrics", folder / "log"}).code, 0);
  writeText(folder / "mine", foreign);
  EXPECT_EQ(run({"--plot", folder / "mine", "--force"}).code, 0);
  EXPECT_NE(readText(folder / "mine"), foreign);
}

TEST_F(Guard, WeightsOfAContinuation) {
  std::vector<float> weight(128 * 128, 0.25f);
  auto weights = [&](const char *name) {
    writeText(folder / name, safetensorsOf({{"bigram.weight", "F32",
                                             "[128,128]", bytesOf(weight)}}));
    weight[0] += 1;
    return folder / name;
  };
  std::string first = weights("first"), second = weights("second");
  ASSERT_EQ(train({"--steps", "2", "--weights", first}).code, 0);
  // The command line that began the run continues it; so does one that says
  // nothing of weights, and none that names others.
  EXPECT_EQ(train({"--steps", "3", "--weights", first, "--resume"}).code, 0);
  EXPECT_EQ(train({"--steps", "4", "--resume"}).code, 0);
  EXPECT_FAILS(train({"--steps", "5", "--weights", second, "--resume"}),
               "weights: ");
  fs::remove_all(folder / "run");
  ASSERT_EQ(train({"--steps", "2"}).code, 0);
  EXPECT_FAILS(train({"--steps", "5", "--weights", second, "--resume"}),
               "weights: not there before");
}

TEST_F(Guard, SignalsSave) {
  for (int signal : {SIGHUP, SIGPIPE}) {
    fs::remove_all(folder / "run");
    Tool tool(command({"--steps", "100000000", "--every", "20"}));
    ASSERT_TRUE(tool.waitFor([&] { return !checkpoints().empty(); }));
    tool.send(signal);
    Result result = tool.wait();
    EXPECT_EQ(result.code, 130) << result.error;
    std::string step = std::to_string(std::stoull(newest().substr(5, 8)));
    EXPECT_CONTAINS(result.out, "steps 1 to " + step + " in");
  }
}

TEST_F(Guard, AReaderThatWentAwayEndsTheRunWithACheckpoint) {
  // Every line of output brings another SIGPIPE.
  Result result = teRun(command({"--steps", "100000000", "--every", "20"}), [] {
    int ends[2];
    if (::pipe(ends) == 0) {
      ::close(ends[0]);
      ::dup2(ends[1], STDOUT_FILENO);
      ::dup2(ends[1], STDERR_FILENO);
    }
  });
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(newest(), "step-00000001.safetensors");
}

TEST_F(Guard, IgnoredHangupsStayIgnored) {
  Tool tool(command({"--steps", "100000000", "--every", "20"}),
            [] { std::signal(SIGHUP, SIG_IGN); });
  ASSERT_TRUE(tool.waitFor([&] { return !checkpoints().empty(); }));
  std::string before = newest();
  tool.send(SIGHUP);
  EXPECT_TRUE(tool.waitFor([&] { return newest() != before; }));
  tool.send(SIGINT);
  Result result = tool.wait();
  EXPECT_EQ(result.code, 130);
  EXPECT_LACKS(result.error, "the terminal was closed");
}

TEST_F(Guard, TellsThatNothingIsKept) {
  Result result = teRun(
      {"train", toyPath("toy"), "--data", folder / "text", "--steps", "1"});
  EXPECT_EQ(result.code, 0);
  EXPECT_CONTAINS(result.out, "no --checkpoint is given");
  EXPECT_LACKS(train({"--steps", "1"}).out, "no --checkpoint");
}

TEST_F(Guard, HeadersOfLlmC) {
  std::vector<uint16_t> tokens;
  for (char c : letters(4000, 7))
    tokens.push_back(static_cast<uint16_t>(c));
  writeText(folder / "plain.bin", bytesOf(tokens));
  auto write = [&](int32_t magic, int32_t version, int32_t count,
                   const std::string &payload) {
    std::vector<int32_t> header(256);
    header[0] = magic;
    header[1] = version;
    header[2] = count;
    writeText(folder / "t.bin", bytesOf(header) + payload);
  };
  auto losses = [&](const std::string &name, std::vector<std::string> more) {
    more.insert(more.begin(), {"train", toyPath("toy"), "--data", folder / name,
                               "--steps", "30", "--metrics", folder / "log"});
    Result result = teRun(more);
    EXPECT_EQ(result.code, 0) << result.error;
    std::vector<double> values;
    for (const nlohmann::json &line : metrics())
      values.push_back(line["loss"]);
    return values;
  };
  // The same windows with and without a header: it is no data.
  std::vector<double> plain = losses("plain.bin", {});
  write(20240520, 1, 4000, bytesOf(tokens));
  EXPECT_EQ(losses("t.bin", {}), plain);
  EXPECT_EQ(losses("t.bin", {"--tokens", "u16"}), plain);
  std::vector<uint32_t> wide(tokens.begin(), tokens.end());
  write(20240801, 7, 4000, bytesOf(wide));
  EXPECT_EQ(losses("t.bin", {}), plain);

  auto refused = [&](const char *why, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"train", toyPath("toy"), "--data",
                               folder / "t.bin", "--steps", "1"});
    EXPECT_FAILS(teRun(more), why);
  };
  refused("holds tokens of 32 bits", {"--tokens", "u16"});
  write(20240520, 1, 4001, bytesOf(tokens));
  refused("says 4001 tokens, but has 8000 bytes");
  write(20240520, 2, 4000, bytesOf(tokens));
  refused("of version 2; this program reads version 1");
}

TEST_F(Guard, ThresholdsAreWatched) {
  // A table that grows from nothing jumps, and is clipped: its scale is of the
  // steps before.
  Result result =
      train({"--steps", "60", "--lr", "1e4", "--watch", "amax-jump=1.5",
             "--watch", "saturation=0.02", "--metrics", folder / "log"});
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.error, "the amax of bigram.weight is ");
  EXPECT_CONTAINS(result.error, "(--watch amax-jump=1.5)");
  EXPECT_CONTAINS(result.error, "bigram.weight was clipped in 2 %");
  EXPECT_CONTAINS(result.out, "thresholds of --watch that were crossed: ");
  size_t jumps = 0, clips = 0;
  for (const nlohmann::json &line : metrics())
    for (const nlohmann::json &event :
         line.value("watch", nlohmann::json::array())) {
      EXPECT_GE(event["value"], event["limit"]);
      EXPECT_TRUE(event["slot"].is_string());
      jumps += event["what"] == "amax-jump";
      clips += event["what"] == "saturation";
    }
  EXPECT_GT(jumps, 0u);
  EXPECT_GT(clips, 0u);

  fs::remove_all(folder / "run");
  Result skipped = train({"--steps", "5", "--weights", nanWeights(), "--watch",
                          "skipped=2", "--metrics", folder / "log"});
  EXPECT_CONTAINS(skipped.error, "step 2: 2 steps in a row were skipped "
                                 "(--watch skipped=2)");
  EXPECT_EQ(metrics().at(1)["watch"][0]["what"], "skipped");
  EXPECT_FALSE(metrics().at(2).contains("watch"));

  for (const char *bad : {"amax-jump=0.5", "saturation=2", "underflow=-1",
                          "skipped=1.5", "skipped", "loss=2", "amax-jump=nan"})
    EXPECT_EQ(train({"--steps", "5", "--watch", bad}).code, 2) << bad;
}

TEST_F(Guard, RunsThatLearnAreNotWarnedOf) {
  EXPECT_LACKS(train({"--steps", "60", "--lr", "0.01"}).error, "warning");
  // Every step's table is larger than the one that its scale is of.
  fs::remove_all(folder / "run");
  Result told =
      train({"--steps", "60", "--lr", "1e4", "--watch", "saturation=0.06"});
  EXPECT_CONTAINS(told.error, "(--watch saturation=0.06). Its amax grows");
  EXPECT_CONTAINS(told.error, "te-compile --margin 1");
}
