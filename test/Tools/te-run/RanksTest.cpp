// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run as many ranks: what they learn, and how they end.

#include "RankRuns.h"

#include "../../Launch/PortScan.h"

#include <algorithm>
#include <cmath>
#include <sys/resource.h>

using namespace test;
namespace fs = std::filesystem;

namespace {
class RanksTest : public ::testing::Test, protected RankRuns {
protected:
  RanksTest() : RankRuns(TE_RUN) {
    writeText(secret, "known to ranks that others start");
    ::chmod(secret.c_str(), 0600);
  }

  Arguments command(const std::string &toy, int steps, Arguments more = {}) {
    more.insert(more.begin(), {"--lr", "1.5"});
    return trainCommand(toyPath(toy), steps, more);
  }

  const std::string secret = folder / "secret";

  void killAtRandom(const std::string &toy, size_t ranks, int times, int steps,
                    Arguments flags) {
    flags.insert(flags.end(), {"--lr", "1.5", "--devices",
                               std::to_string(ranks), "--timeout", "20"});
    RankRuns::killAtRandom({toyPath(toy), steps, flags}, ranks, times);
  }
};

void expectNear(const std::vector<double> &a, const std::vector<double> &b) {
  ASSERT_EQ(a.size(), b.size());
  ASSERT_FALSE(a.empty());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-5 * std::abs(b[i])) << i;
}
} // namespace

TEST_F(RanksTest, TwoLearnWhatOneWithBothBatchesDoes) {
  Result two = teRun(command("ranks2", 12,
                             {"--devices", "2", "--metrics", folder / "two",
                              "--check-replicas", "3", "--eval-data",
                              folder / "text", "--eval-every", "5"}));
  ASSERT_EQ(two.code, 0) << two.error;
  EXPECT_CONTAINS(two.out, "4 windows of 16 a step, on each of 2 ranks");
  Result one = teRun(command("batch8", 12, {"--metrics", folder / "one"}));
  ASSERT_EQ(one.code, 0) << one.error;
  expectNear(losses("two"), losses("one"));
  expectNear(losses("two", "grad_norm"), losses("one", "grad_norm"));
  EXPECT_EQ(losses("two", "eval_loss").size(), 3u);
}

/// Ranks that hold parts of the states learn, to the bit, what those that hold
/// all of them do: along dp, along tp, along both, and where 128 columns over
/// three and what is left over two do not divide.
TEST_F(RanksTest, PartsLearnWhatTheWholeDoes) {
  int runs = 0;
  auto run = [&](const std::string &toy, const char *ranks) {
    const std::string log = toy + std::to_string(++runs);
    // Five batches to evaluate, so that some ranks have one more.
    Arguments more = {"--metrics",        folder / log,
                      "--check-replicas", "2",
                      "--eval-data",      folder / "text",
                      "--eval-every",     "3",
                      "--eval-batches",   "5"};
    if (*ranks != '1')
      more.insert(more.end(), {"--devices", ranks});
    Result result = teRun(command(toy, 7, more));
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_EQ(losses(log).size(), 7u);
    return std::vector{losses(log), losses(log, "grad_norm"),
                       losses(log, "eval_loss")};
  };
  auto two = run("ranks2", "2");
  EXPECT_EQ(two[2].size(), 3u);
  EXPECT_EQ(run("parts2", "2"), two);
  EXPECT_EQ(run("parts2x2", "4"), two);
  EXPECT_EQ(run("parts2x3", "6"), two);
  EXPECT_EQ(run("parts3x1", "3"), run("ranks3", "3"));
  auto one = run("toy", "1");
  EXPECT_EQ(run("parts_tp2", "2"), one);
  EXPECT_EQ(run("parts1x3", "3"), one);
}

/// An evaluation in parts has the bits of one on its own.
TEST_F(RanksTest, TheEvaluationIsThatOfOneRank) {
  Arguments more = {"--devices",    "3",           "--checkpoint",
                    folder / "run", "--eval-data", folder / "text",
                    "--metrics",    folder / "log"};
  ASSERT_EQ(teRun(command("ranks3", 5, more)).code, 0);
  Result result =
      teRun({"eval", toyPath("toy"), "--data", folder / "text", "--checkpoint",
             folder / "run/best.safetensors", "--json"});
  ASSERT_EQ(result.code, 0) << result.error;
  double alone = nlohmann::json::parse(result.out)["loss"];
  ASSERT_EQ(losses("log", "eval_loss").size(), 1u);
  EXPECT_EQ(losses("log", "eval_loss")[0], alone);
  // So has that of a job without a training, of ranks that hold all or parts.
  for (auto [toy, ranks] : {std::pair("ranks3", "3"), {"parts2x2", "4"}}) {
    Result job =
        teRun({"eval", toyPath(toy), "--devices", ranks, "--data",
               folder / "text", "--checkpoint", folder / "run", "--json"});
    EXPECT_EQ(job.code, 0) << job.error;
    EXPECT_EQ(job.out, result.out) << toy;
    EXPECT_LACKS(job.error, "[rank 1]");
  }
}

/// Of ranks that launchers start, one may have been given something else.
TEST_F(RanksTest, EvaluationsOfRanksWithOtherDataAreRefused) {
  writeText(folder / "other", sampleText().substr(400));
  const std::string port = std::to_string(12002 + ::getpid() % 8000);
  auto rank = [&](const char *number, const std::string &data) {
    return Arguments{"eval",         toyPath("ranks2"),
                     "--data",       folder / data,
                     "--rank",       number,
                     "--world-size", "2",
                     "--rendezvous", "localhost:" + port,
                     "--secret",     secret};
  };
  Tool first(rank("0", "text")), second(rank("1", "other"));
  for (Tool *tool : {&first, &second})
    EXPECT_FAILS(tool->wait(),
                 "rank 1 was started with other settings than rank 0; give all "
                 "ranks the same:\n  --data: \"4000 bytes, ");
  // Of checkpoints the same.
  for (const char *seed : {"1", "2"})
    ASSERT_EQ(
        teRun({"train", toyPath("toy"), "--data", folder / "text", "--steps",
               "1", "--seed", seed, "--checkpoint", folder / seed})
            .code,
        0);
  auto of = [&](const char *number) {
    Arguments all = rank(number, "text");
    all.insert(all.end(),
               {"--checkpoint", folder / (*number == '0' ? "1" : "2")});
    return all;
  };
  Tool third(of("0")), fourth(of("1"));
  for (Tool *tool : {&third, &fourth})
    EXPECT_FAILS(tool->wait(), "--checkpoint is another file on rank 1 (");
}

TEST_F(RanksTest, ContinuesBitForBitAndOnAnotherMesh) {
  auto run = [&](const std::string &toy, const std::string &name, int steps,
                 Arguments more) {
    Arguments all = command(
        toy, steps,
        {"--checkpoint", folder / name, "--metrics", folder / (name + ".log")});
    all.insert(all.end(), more.begin(), more.end());
    Result result = teRun(all);
    EXPECT_EQ(result.code, 0) << result.error;
    return result;
  };
  run("ranks2", "whole", 10, {"--devices", "2"});
  run("ranks2", "parts", 4, {"--devices", "2"});
  fs::copy(folder / "parts", folder / "other");
  fs::copy(folder / "parts.log", folder / "other.log");
  run("ranks2", "parts", 10, {"--devices", "2", "--resume"});
  std::string bits = payloadOf(checkpoint("whole", 10));
  EXPECT_GT(bits.size(), 100000u);
  EXPECT_TRUE(payloadOf(checkpoint("parts", 10)) == bits);
  // One rank goes on with the next batch, one a step.
  Result other = run("toy", "other", 7, {"--resume"});
  EXPECT_CONTAINS(other.error, "ranks with data: 2 before, not given now");
  EXPECT_CONTAINS(readText(checkpoint("other", 7)), "\"batches\":\"11\"");
  EXPECT_EQ(logOf("other.log").size(), 7u);
}

TEST_F(RanksTest, StatesThatDifferAreNoticed) {
  // Ranks that calibrate on their own data differ before they learn.
  Result result = teRun(command("apart3", 9, {"--devices", "3"}));
  EXPECT_FAILS(result, "before the first step the state 'fp8.scale' is not the "
                       "same on all ranks: rank 0 has other bits than ranks "
                       "1, 2");
  result = teRun(command("apart3", 9,
                         {"--devices", "3", "--no-calibrate", "--checkpoint",
                          folder / "run", "--every", "1"}));
  EXPECT_FAILS(result, "after step 1 the state 'bigram.weight' is not the same "
                       "on all ranks: rank 0 has other bits than ranks 1, 2");
  // What is known to be wrong is not kept.
  EXPECT_FALSE(fs::exists(checkpoint("run", 1)));
  result =
      teRun(command("apart3", 3, {"--devices", "3", "--check-replicas", "0"}));
  EXPECT_EQ(result.code, 0) << result.error;
}

/// Whatever one rank was given instead of what the others were is named by all,
/// before the first step.
TEST_F(RanksTest, RanksWithOtherInputsAreRefused) {
  std::string text = sampleText(), other = text;
  other[text.size() / 2] ^= 1;
  writeText(folder / "other", other);
  for (const char *seed : {"1", "2"}) {
    Result made = teRun({"train", toyPath("toy"), "--data", folder / "text",
                         "--steps", "1", "--seed", seed, "--checkpoint",
                         folder / (std::string("seed") + seed)});
    ASSERT_EQ(made.code, 0) << made.error;
  }
  auto weights = [&](const char *seed) {
    return checkpoint(std::string("seed") + seed, 1);
  };
  const std::string port = std::to_string(12003 + ::getpid() % 8000);
  auto refuses = [&](const std::string &toy, Arguments first, Arguments second,
                     const std::string &why) {
    SCOPED_TRACE(why);
    std::unique_ptr<Tool> tools[2];
    for (int rank = 0; rank < 2; ++rank) {
      Arguments all = {"train",        toyPath(toy),
                       "--steps",      "5",
                       "--rank",       std::to_string(rank),
                       "--world-size", "2",
                       "--rendezvous", "localhost:" + port,
                       "--timeout",    "20",
                       "--secret",     secret};
      const Arguments &more = rank ? second : first;
      all.insert(all.end(), more.begin(), more.end());
      if (!std::count(all.begin(), all.end(), "--data"))
        all.insert(all.end(), {"--data", folder / "text"});
      tools[rank] = std::make_unique<Tool>(all);
    }
    for (auto &tool : tools) {
      Result result = tool->wait();
      EXPECT_FAILS(result, why);
      EXPECT_LACKS(result.error, "step 1");
    }
  };
  refuses("ranks2", {}, {"--data", folder / "other"},
          "give all ranks the same:\n  --data: \"4000 bytes, ");
  refuses("ranks2", {}, {"--tokens", "u16"},
          "give all ranks the same:\n  --tokens: \"bytes\" on rank 0, \"u16\" "
          "on rank 1");
  refuses("ranks2", {}, {"--eval-data", folder / "text"},
          "give all ranks the same:\n  --eval-data: \"\" on rank 0, ");
  refuses("ranks2", {"--eval-data", folder / "other"},
          {"--eval-data", folder / "text"},
          "give all ranks the same:\n  --eval-data: ");
  refuses("ranks2", {"--weights", weights("1")}, {"--weights", weights("2")},
          "give all ranks the same:\n  --weights: ");
  // What only the second has.
  refuses("ranks2", {}, {"--momentum", "0.5"},
          "give all ranks the same:\n  --momentum: not given on rank 0, 0.5 on "
          "rank 1");
  refuses("ranks2", {"--scalar", "weight_decay=0.5"}, {},
          "give all ranks the same:\n  --scalar weight_decay=0.5: 0.5 on rank "
          "0, not given on rank 1");
  refuses("parts2", {"--checkpoint", folder / "here"},
          {"--checkpoint", folder / "there"},
          "--checkpoint is another folder on rank 1, '" + (folder / "there"));
}

/// A rank that does not know the secret is no rank, and is told why.
TEST_F(RanksTest, SecretsAreCompared) {
  const std::string port = std::to_string(12004 + ::getpid() % 8000);
  for (const char *name : {"one", "two", "open"}) {
    writeText(folder / name, std::string("a secret that is called ") + name);
    ::chmod((folder / name).c_str(),
            *name == 'o' && name[1] == 'p' ? 0644 : 0600);
  }
  auto start = [&](const char *rank, const char *secret) {
    return std::make_unique<Tool>(command(
        "ranks2", 3,
        {"--rank", rank, "--world-size", "2", "--rendezvous",
         "localhost:" + port, "--timeout", "3", "--secret", folder / secret}));
  };
  auto first = start("0", "one"), second = start("1", "one");
  for (auto *tool : {&first, &second}) {
    Result result = (*tool)->wait();
    EXPECT_EQ(result.code, 0) << result.error;
  }
  first = start("0", "one");
  second = start("1", "two");
  EXPECT_FAILS(second->wait(), "it has another secret, or is of another job");
  EXPECT_FAILS(first->wait(), "1 of 2 ranks did not come");
  EXPECT_FAILS(start("0", "open")->wait(), "is open to others");
}

/// Somebody who tries all ports, while ranks start and while they train.
TEST_F(RanksTest, APortScanEndsNoJob) {
  int connections = 0;
  // How many there are depends on how fast jobs come and go: on a busy machine
  // the first ones may be over before the scan has run.
  for (int job = 0; job < 4 || (job < 40 && connections == 0); ++job) {
    Tool tool(command(job % 2 ? "parts2x2" : "ranks3", 40,
                      {"--devices", job % 2 ? "4" : "3", "--timeout", "20"}));
    test::PortScan scan(tool.pid());
    Result result = tool.wait();
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_LACKS(result.error, "error");
    connections += scan.connections();
  }
  EXPECT_GT(connections, 0);
}

/// A rank dies, and all go on from the newest checkpoint to the bits of a run
/// that nobody disturbed.
TEST_F(RanksTest, RestartsAfterADeath) {
  const Kept kept = {
      toyPath("parts2x2"),
      60,
      {"--lr", "1.5", "--devices", "4", "--every", "5", "--timeout", "20"}};
  const Whole whole = runWhole(kept);
  Arguments restarting = keptCommand(kept, "run");
  restarting.insert(restarting.end(), {"--max-restarts", "2"});
  Tool tool(restarting);
  for (int death = 1; death <= 2; ++death) {
    const int step = 15 * death;
    ASSERT_TRUE(tool.waitFor([&] {
      return logOf("run.log").count(step) && ranksOf(tool.pid()).size() == 4;
    }));
    ::kill(ranksOf(tool.pid())[death], SIGKILL);
  }
  Result result = tool.wait();
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.error, "was killed by signal 9");
  EXPECT_CONTAINS(result.error,
                  "restart 1 of 2, from the newest complete checkpoint");
  EXPECT_CONTAINS(result.error,
                  "restart 2 of 2, from the newest complete checkpoint");
  EXPECT_CONTAINS(result.out, "continuing from step ");
  expectWhole(kept, "run", whole);
}

/// What fails before the first step, or was asked to stop, is not tried again.
TEST_F(RanksTest, RestartsHaveAReason) {
  Arguments more = {"--devices",      "2", "--checkpoint", folder / "run",
                    "--max-restarts", "5"};
  Result result = teRun(trainCommand(
      toyPath("ranks2"), 5, {"--devices", "2", "--max-restarts", "1"}));
  EXPECT_EQ(result.code, 2);
  EXPECT_CONTAINS(result.error, "--checkpoint");
  Tool tool(command("ranks2", 1000000, more));
  ASSERT_TRUE(tool.waitFor([&] { return ranksOf(tool.pid()).size() == 2; }));
  ::usleep(300000);
  tool.send(SIGTERM);
  result = tool.wait();
  EXPECT_LACKS(result.error, "restart");
  fs::remove_all(folder / "run");
  writeText(folder / "text", "short");
  result = teRun(command("ranks2", 5, more));
  EXPECT_FAILS(result, "fewer than one row");
  EXPECT_LACKS(result.error, "restart");
}

/// One command line for a job that may be started again.
TEST_F(RanksTest, ResumesWhereThereIsSomethingToResume) {
  for (auto [toy, ranks] : {std::pair("ranks2", "2"), {"parts2x2", "4"}}) {
    Arguments more = {"--devices",  ranks,      "--checkpoint",
                      folder / toy, "--resume", "--start-if-none"};
    Result result = teRun(command(toy, 3, more));
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_LACKS(result.out, "continuing");
    result = teRun(command(toy, 5, more));
    EXPECT_EQ(result.code, 0) << result.error;
    EXPECT_CONTAINS(result.out, "continuing from step 3");
  }
}

/// Which is tried where there is a GPU; anywhere it opens the GPUs of the list.
TEST_F(RanksTest, GpusMayBeShared) {
  Result result = teRun({"doctor", "--devices", "9999,9999", "--device", "cuda",
                         "--timeout", "20"});
  EXPECT_NE(result.code, 0);
  EXPECT_CONTAINS(result.error, "--devices 9999,9999 gives ranks one GPU");
  EXPECT_CONTAINS(result.error, "cannot open the device 'cuda:9999'");
  result = teRun({"doctor", "--devices", "9998,9999", "--device", "cuda",
                  "--timeout", "20"});
  EXPECT_EQ(result.error.find("gives ranks one GPU"), std::string::npos);
  EXPECT_CONTAINS(result.error, "cannot open the device 'cuda:9998'");
}

TEST_F(RanksTest, TheWrongNumberOfRanks) {
  EXPECT_FAILS(teRun(command("ranks2", 2)),
               "is for 2 ranks (dp=2), and this process is alone. Add "
               "--devices 2");
  EXPECT_FAILS(teRun(command("ranks2", 2, {"--devices", "3"})),
               "is for 2 ranks (dp=2), and --devices asks for 3 ranks");
  EXPECT_FAILS(teRun(command("toy", 2, {"--devices", "2"})),
               "compile it with te-compile --mesh dp=2");
  EXPECT_FAILS(teRun(command("ranks2", 2, {"--devices", "0,1"})),
               "is for a CPU");
  EXPECT_EQ(teRun(command("ranks2", 2, {"--devices", "x"})).code, 2);
  EXPECT_EQ(teRun(command("ranks2", 2, {"--devices", "0,"})).code, 2);
  EXPECT_FAILS(teRun(command("ranks2", 2, {"--devices", "2"}),
                     [] {
                       ::setenv("RANK", "0", 1);
                       ::setenv("WORLD_SIZE", "2", 1);
                       ::setenv("MASTER_ADDR", "localhost", 1);
                       ::setenv("MASTER_PORT", "1", 1);
                     }),
               "torchrun says rank 0 of 2");
}

TEST_F(RanksTest, BadDataOnAllEndsAllOnce) {
  writeText(folder / "text", "short");
  Result result = teRun(command("ranks3", 5, {"--devices", "3"}));
  EXPECT_FAILS(result, "fewer than one row");
}

TEST_F(RanksTest, OtherCommands) {
  Result info = teRun({"info", toyPath("ranks2"), "--json"});
  EXPECT_EQ(nlohmann::json::parse(info.out)["mesh"],
            nlohmann::json::parse(R"([{"axis": "dp", "size": 2}])"));
  EXPECT_CONTAINS(teRun({"info", toyPath("ranks2")}).out, "dp=2 (2 ranks)");
  EXPECT_LACKS(teRun({"info", toyPath("toy")}).out, "mesh");
  EXPECT_LACKS(teRun({"info", toyPath("ranks2")}).out, "of a rank");
  Result parts = teRun({"info", toyPath("parts2x2"), "--all"});
  EXPECT_CONTAINS(parts.out, "dp=2, tp=2 (4 ranks)");
  EXPECT_CONTAINS(parts.out, "memory of a rank");
  EXPECT_CONTAINS(parts.out, "f32 [4096] of [128, 128], dimension 1 over tp, "
                             "flat over dp");
  std::istringstream lines(parts.out);
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("  parameter ", 0) == 0) {
      EXPECT_CONTAINS(line, "64.0 KiB");
      EXPECT_CONTAINS(line, "16.0 KiB");
    }
  auto json =
      nlohmann::json::parse(teRun({"info", toyPath("parts2x2"), "--json"}).out);
  EXPECT_EQ(json["states"][0]["bytes"], 16384);
  EXPECT_EQ(json["states"][0]["shard"],
            nlohmann::json::parse(
                R"({"shape": [128, 128], "parts": 4, "dim": 1,
                    "dim_axes": ["tp"], "flat_axes": ["dp"]})"));
  EXPECT_FALSE(json["states"][3].contains("shard"));

  Arguments bench = {"bench", toyPath("ranks2"), "--iterations", "5"};
  EXPECT_FAILS(teRun(bench), "this process is alone");
  bench.insert(bench.end(), {"--devices", "2", "--json"});
  Result timed = teRun(bench);
  ASSERT_EQ(timed.code, 0) << timed.error;
  nlohmann::json report = nlohmann::json::parse(timed.out);
  EXPECT_EQ(report["ranks"], 2);
  EXPECT_EQ(report["tokens"], 2 * 4 * 16);

  // What runs without the others needs none of them.
  EXPECT_EQ(teRun({"eval", toyPath("ranks2"), "--data", folder / "text"}).code,
            0);

  Result doctor =
      teRun({"doctor", "--devices", "3", "--device", "cpu", "--largest", "2"});
  EXPECT_EQ(doctor.code, 0) << doctor.error;
  EXPECT_CONTAINS(doctor.out, "3 ranks of te-run");
  EXPECT_CONTAINS(doctor.out, "all_gather");
  EXPECT_FAILS(teRun({"doctor"}), "there is one rank only");
}

/// What ranks wrote in parts goes on on any mesh, with the bits of a run that
/// stayed where it was.
TEST_F(RanksTest, PartsAreContinuedOnAnyMesh) {
  auto run = [&](const std::string &toy, const char *ranks,
                 const std::string &name, int steps, Arguments more = {}) {
    more.insert(more.end(),
                {"--checkpoint", folder / name, "--devices", ranks,
                 "--eval-data", folder / "text", "--eval-batches", "3"});
    Result result = teRun(command(toy, steps, more));
    EXPECT_EQ(result.code, 0) << result.error;
    return result;
  };
  auto expectSame = [&](const std::string &a, const std::string &b) {
    Result result = teRun({"compare", a, b, "--tolerance", "0"});
    EXPECT_EQ(result.code, 0) << result.out << result.error;
    EXPECT_CONTAINS(result.out, "7 tensors, worst error 0.000e+00");
    EXPECT_LACKS(result.out, "only in");
  };
  run("ranks2", "2", "whole", 10);
  const std::string whole = checkpoint("whole", 10);
  Result first = run("parts2x2", "4", "parts", 4);
  EXPECT_CONTAINS(first.out,
                  "checkpoint: " + (folder / "parts/step-00000004\n"));
  EXPECT_CONTAINS(first.out, "best checkpoint: " + (folder / "parts/best\n"));
  EXPECT_EQ(bitsOf("parts", 4).size(), payloadOf(whole).size());
  for (const char *copy : {"other", "one"})
    fs::copy(folder / "parts", folder / copy, fs::copy_options::recursive);
  run("parts2x2", "4", "parts", 10, {"--resume"});
  expectSame(folder / "parts/step-00000010", whole);
  run("parts2x3", "6", "other", 7, {"--resume"});
  run("parts2", "2", "other", 10, {"--resume"});
  expectSame(folder / "other/step-00000010", whole);
  run("ranks2", "2", "one", 10, {"--resume"});
  EXPECT_TRUE(payloadOf(checkpoint("one", 10)) == payloadOf(whole));
  // And what ranks that hold all wrote is continued by ones that do not.
  run("ranks2", "2", "back", 4);
  run("parts2x3", "6", "back", 10, {"--resume"});
  expectSame(folder / "back/step-00000010", whole);

  // Other commands read either.
  for (const char *from :
       {"parts/step-00000010", "whole/step-00000010.safetensors"})
    EXPECT_EQ(teRun({"export", folder / from, "-o",
                     folder / (std::string(1, *from) + ".safetensors")})
                  .code,
              0);
  EXPECT_TRUE(readText(folder / "p.safetensors") ==
              readText(folder / "w.safetensors"));
  EXPECT_EQ(
      teRun({"export", folder / "parts", "-o", folder / "run.safetensors"})
          .code,
      0);
  EXPECT_TRUE(readText(folder / "run.safetensors") ==
              readText(folder / "w.safetensors"));
  std::string losses[2];
  for (int i = 0; i < 2; ++i) {
    Result result =
        teRun({"eval", toyPath("toy"), "--data", folder / "text", "--json",
               "--checkpoint", folder / (i ? "parts" : "whole")});
    EXPECT_EQ(result.code, 0) << result.error;
    losses[i] = result.out;
  }
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(teRun({"eval", toyPath("toy"), "--data", folder / "text",
                   "--weights", folder / "parts/best"})
                .code,
            0);
  // A program whose parameters are in parts does not run alone.
  EXPECT_FAILS(teRun({"eval", toyPath("parts2x2"), "--data", folder / "text"}),
               "is for 4 ranks (dp=2, tp=2), and this process is alone. Add "
               "--devices 4");
}

TEST_F(RanksTest, PartsThatAreDamagedOrCannotBeWritten) {
  auto arguments = [&](int steps, Arguments more) {
    more.insert(more.end(), {"--checkpoint", folder / "run", "--devices", "4"});
    return command("parts2x2", steps, more);
  };
  ASSERT_EQ(teRun(arguments(6, {"--every", "2"})).code, 0);
  const std::string six = bitsOf("run", 6);
  // As if the disk were full: a part needs 32 KiB.
  Result result = teRun(arguments(9, {"--every", "1", "--resume"}), [] {
    rlimit small = {20000, 20000};
    ::setrlimit(RLIMIT_FSIZE, &small);
  });
  EXPECT_FAILS(result, "file size limit");
  EXPECT_CONTAINS(result.error, "rank 0: cannot reserve space for");
  EXPECT_CONTAINS(result.error, "training continues");
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(folder / "run"))
    if (!isRecord(entry.path().filename().string()))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"step-00000002", "step-00000004",
                                             "step-00000006"}));
  EXPECT_TRUE(bitsOf("run", 6) == six);

  fs::remove(folder / "run/step-00000006/step-00000006-rank-00003.safetensors");
  EXPECT_FAILS(
      teRun(arguments(8, {"--resume"})),
      "Add --skip-damaged to continue from the one before it (step 4)");
  result = teRun(arguments(6, {"--resume", "--skip-damaged"}));
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.out, "continuing from step 4");
  EXPECT_TRUE(bitsOf("run", 6) == six);
}

/// Whether a program can be found.
static bool isInstalled(const std::string &program) {
  return std::system(("command -v " + program + " > /dev/null").c_str()) == 0;
}

TEST_F(RanksTest, LaunchedByMpirun) {
  if (!isInstalled("mpirun"))
    GTEST_SKIP() << "there is no mpirun here";
  std::string line = "mpirun -n 4 --oversubscribe --allow-run-as-root " TE_RUN;
  for (const std::string &argument :
       command("parts2x2", 4,
               {"--checkpoint", folder / "mpi", "--timeout", "30", "--secret",
                secret}))
    line += " '" + argument + "'";
  EXPECT_EQ(std::system(
                (line + " > " + (folder / "out") + " 2> " + (folder / "error"))
                    .c_str()),
            0)
      << readText(folder / "error");
  EXPECT_CONTAINS(readText(folder / "out"), "checkpoint: ");
  ASSERT_EQ(teRun(command("parts2x2", 4,
                          {"--checkpoint", folder / "own", "--devices", "4"}))
                .code,
            0);
  EXPECT_TRUE(bitsOf("mpi", 4) == bitsOf("own", 4));
  EXPECT_FALSE(bitsOf("own", 4).empty());
}

TEST_F(RanksTest, LaunchedByVariables) {
  auto start = [&](int rank, const std::string &port) {
    return std::make_unique<Tool>(
        command("ranks2", 5,
                {"--checkpoint", folder / "run", "--timeout", "20", "--secret",
                 secret}),
        [=] {
          ::setenv("RANK", std::to_string(rank).c_str(), 1);
          ::setenv("WORLD_SIZE", "2", 1);
          ::setenv("LOCAL_RANK", std::to_string(rank).c_str(), 1);
          ::setenv("MASTER_ADDR", "localhost", 1);
          ::setenv("MASTER_PORT", port.c_str(), 1);
          ::setenv("TORCHELASTIC_RUN_ID", "test", 1);
        });
  };
  std::string port = std::to_string(12000 + ::getpid() % 8000);
  auto second = start(1, port), first = start(0, port);
  Result one = first->wait(), two = second->wait();
  EXPECT_EQ(one.code, 0) << one.error;
  EXPECT_EQ(two.code, 0) << two.error;
  EXPECT_CONTAINS(one.out, "checkpoint: ");
  EXPECT_EQ(two.out, "");
  EXPECT_TRUE(fs::exists(checkpoint("run", 5)));
}

TEST_F(RanksTest, RanksThatWereAskedForOtherRuns) {
  auto start = [&](const char *rank, const std::string &toy,
                   const std::string &port, Arguments more) {
    Arguments flags = {"--rank",    rank,           "--world-size",
                       "2",         "--rendezvous", "localhost:" + port,
                       "--timeout", "20",           "--secret",
                       secret};
    flags.insert(flags.end(), more.begin(), more.end());
    return std::make_unique<Tool>(command(toy, 5, flags));
  };
  std::string port = std::to_string(12001 + ::getpid() % 8000);
  auto a = start("0", "ranks2", port, {"--every", "3"}),
       b = start("1", "ranks2", port, {"--every", "4"});
  EXPECT_FAILS(a->wait(), "--every: 3 on rank 0, 4 on rank 1");
  EXPECT_FAILS(b->wait(), "--every: 3 on rank 0, 4 on rank 1");
  a = start("0", "ranks2", port, {});
  b = start("1", "apart2", port, {});
  EXPECT_FAILS(a->wait(), "rank 1 on ");
  EXPECT_FAILS(b->wait(), "has another program than rank 0");
}

TEST_F(RanksTest, ASignalStopsAllAfterTheSameStep) {
  Arguments more = {"--devices",    "3",         "--checkpoint",
                    folder / "run", "--metrics", folder / "log"};
  Tool tool(command("ranks3", 1000000, more));
  ASSERT_TRUE(tool.waitFor([&] { return !losses("log").empty(); }));
  tool.send(SIGTERM);
  Result result = tool.wait();
  EXPECT_EQ(result.code, 130) << result.error;
  EXPECT_CONTAINS(result.out, "interrupted; continue with");
  EXPECT_LACKS(result.error, "error");
  EXPECT_TRUE(fs::exists(checkpoint("run", losses("log").size())));
}

TEST_F(RanksTest, AStoppedRankIsNoticed) {
  Tool tool(command(
      "ranks3", 1000000,
      {"--devices", "3", "--timeout", "3", "--metrics", folder / "log"}));
  ASSERT_TRUE(tool.waitFor([&] { return !losses("log").empty(); }));
  std::vector<pid_t> pids = ranksOf(tool.pid());
  ASSERT_EQ(pids.size(), 3u);
  ::kill(pids[2], SIGSTOP);
  auto began = std::chrono::steady_clock::now();
  Result result = tool.wait();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(40));
  EXPECT_EQ(result.code, 1);
  EXPECT_CONTAINS(result.error, "rank 2 (pid " + std::to_string(pids[2]));
}

/// 10 times here; --gtest_repeat makes more of them, of other moments.
TEST_F(RanksTest, AnyRankMayBeKilledAtAnyMoment) {
  killAtRandom("ranks3", 3, /*times=*/10, /*steps=*/40, {"--every", "3"});
}

/// Most of the time goes into checkpoints, of steps and of the best loss.
TEST_F(RanksTest, AnyRankMayBeKilledWhileAllWriteParts) {
  killAtRandom("parts2x2", 4, /*times=*/10, /*steps=*/20,
               {"--every", "1", "--eval-data", folder / "text", "--eval-every",
                "2", "--eval-batches", "1"});
}
