// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

#include <nlohmann/json.hpp>
#include <sstream>
#include <tuple>

using namespace test;

TEST(CommandLine, HelpHasExamples) {
  Result general = teRun({"--help"});
  EXPECT_EQ(general.code, 0);
  EXPECT_CONTAINS(general.out, "Examples:");
  for (const char *command :
       {"info", "forward", "vjp", "grad", "train", "eval", "calibrate",
        "export", "bench", "profile", "tune", "compare"}) {
    EXPECT_CONTAINS(general.out, std::string(command));
    Result help = teRun({command, "--help"});
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_CONTAINS(help.out, "Example");
    EXPECT_CONTAINS(help.out, std::string("te-run ") + command);
    EXPECT_TRUE(help.error.empty());
  }
  EXPECT_CONTAINS(teRun({"--version"}).out, "te-run 0.");
}

TEST(CommandLine, WrongUsageIsCode2OnStderr) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"dance"},
      {"info"},
      {"info", "a.so", "--colour"},
      {"train", "a.so"},
      {"train", "a.so", "--data", "x", "--steps", "0"},
      {"train", "a.so", "--data", "x", "--steps", "-5"},
      {"train", "a.so", "--data", "x", "--steps", "many"},
      {"train", "a.so", "--data", "x", "--steps", "1", "--schedule", "up"},
      {"train", "a.so", "--data", "x", "--steps", "1", "--resume"},
      {"train", "a.so", "--data", "x", "--steps", "1", "--tokens", "u8"},
      {"forward", "a.so", "--inputs", "x"},
      {"forward", "a.so", "--inputs", "x", "--outputs", "y", "--input", "z"},
      {"compare", "a"},
      {"compare", "a", "b", "--tolerance", "-1"},
      {"compare", "a", "b", "--map", "=x"}};
  for (const std::vector<std::string> &arguments : cases) {
    Result result = teRun(arguments);
    std::string all;
    for (const std::string &argument : arguments)
      all += " " + argument;
    EXPECT_EQ(result.code, 2) << all << "\n" << result.error;
    EXPECT_CONTAINS(result.error, "te-run: error: ");
    EXPECT_CONTAINS(result.error, "--help");
    EXPECT_TRUE(result.out.empty()) << result.out;
    // Colours are for terminals.
    EXPECT_LACKS(result.error, "\033");
  }
}

TEST(CommandLine, NumbersThatAreNone) {
  const std::vector<std::string> train = {"train", "a.so", "--data", "x"};
  auto trainWith = [&](std::vector<std::string> more) {
    more.insert(more.begin(), train.begin(), train.end());
    return teRun(more);
  };
  EXPECT_CONTAINS(trainWith({"--steps", "1", "--lr", "nan"}).error,
                  "--lr: takes a finite number of float32's range, not 'nan'");
  EXPECT_CONTAINS(trainWith({"--steps", "99999999999999999999"}).error,
                  "--steps: takes an integer from 0 to");
  EXPECT_CONTAINS(trainWith({"--steps", "1", "--beta2", "1"}).error,
                  "takes a number below 1");
  EXPECT_CONTAINS(trainWith({"--steps", "1", "--scalar", "eps=inf"}).error,
                  "the number finite in float32");
}

TEST(CommandLine, NumbersOutOfRangeAreShort) {
  for (auto [flag, value, allowed] :
       std::vector<std::tuple<const char *, const char *, const char *>>{
           {"--lr", "-1", "a number from 0 on"},
           {"--min-lr", "-0.5", "a number from 0 on"},
           {"--clip", "-2", "a number from 0 on"},
           {"--accumulate", "0", "a number above 0"},
           {"--amax-every", "0", "a number above 0"}}) {
    Result result =
        teRun({"train", "a.so", "--data", "x", "--steps", "1", flag, value});
    EXPECT_EQ(result.code, 2);
    EXPECT_CONTAINS(result.error, std::string(flag) + ": takes " + allowed +
                                      ", not '" + value + "'");
    EXPECT_LT(result.error.size(), 200u) << result.error;
  }
}

TEST(CommandLine, HelpFitsTheNarrowestTerminal) {
  for (const char *command :
       {"", "info", "forward", "vjp", "grad", "train", "eval", "calibrate",
        "export", "bench", "profile", "tune", "compare"}) {
    for (const char *flag : {"--help", "--help-all"}) {
      std::vector<std::string> words = {flag};
      if (*command)
        words.insert(words.begin(), command);
      std::istringstream lines(teRun(words).out);
      size_t rows = 0;
      for (std::string line; std::getline(lines, line); ++rows) {
        size_t columns = 0;
        for (char c : line)
          columns += (c & 0xc0) != 0x80;
        EXPECT_LE(columns, 80u) << command << ": " << line;
      }
      // The short one is a screen.
      EXPECT_LE(rows, flag == std::string("--help") ? 50u : 1500u) << command;
    }
  }
}

TEST(CommandLine, NamesThatAreEmpty) {
  for (const char *flag : {"--checkpoint", "--metrics", "--plot", "--weights",
                           "--eval-data", "--device"})
    EXPECT_CONTAINS(
        teRun({"train", "a.so", "--data", "x", "--steps", "1", flag, ""}).error,
        std::string(flag) + ": is given, but empty");
}

TEST(CommandLine, ZerosInFrontAreNotOctal) {
  TemporaryFolder folder;
  writeText(folder / "text", std::string(100, 'a'));
  EXPECT_CONTAINS(teRun({"train", toyPath("toy"), "--data", folder / "text",
                         "--steps", "010"})
                      .out,
                  "steps 1 to 10 in");
}

TEST(CommandLine, NamesThatWereMistyped) {
  Result command = teRun({"trian", "a.so"});
  EXPECT_EQ(command.code, 2);
  EXPECT_CONTAINS(command.error,
                  "there is no command 'trian'; did you mean 'train'?");
  Result far = teRun({"qqqqqq"});
  EXPECT_LACKS(far.error, "did you mean");
  EXPECT_CONTAINS(far.error, "The commands are: info, forward");
  Result flag =
      teRun({"train", "a.so", "--data", "x", "--steps=1", "--chekpoint=y"});
  EXPECT_EQ(flag.code, 2);
  EXPECT_CONTAINS(flag.error, "'te-run train' has no option '--chekpoint'; did "
                              "you mean '--checkpoint'?");
  // A value that looks like a flag is not one.
  Result value = teRun({"train", "a.so", "--data", "x", "--steps", "0"});
  EXPECT_LACKS(value.error, "has no option");
}

TEST(CommandLine, ChoicesAreListed) {
  EXPECT_CONTAINS(
      teRun(
          {"train", "a.so", "--data", "x", "--steps", "1", "--schedule", "up"})
          .error,
      "takes constant, cosine, linear, wsd or inverse-sqrt, not 'up'");
  Result help = teRun({"train", "--help-all"});
  EXPECT_CONTAINS(help.out,
                  "--schedule constant|cosine|linear|wsd|inverse-sqrt");
  EXPECT_CONTAINS(help.out, "--tokens bytes|u16|u32|safetensors");
  EXPECT_LACKS(help.out, "->");
}

TEST(CommandLine, LongHelpHasEveryOption) {
  const std::string few = teRun({"train", "--help"}).out;
  const std::string all = teRun({"train", "--help-all"}).out;
  for (const char *flag : {"--data", "--steps", "--lr", "--checkpoint"}) {
    EXPECT_CONTAINS(few, flag);
    EXPECT_CONTAINS(all, flag);
  }
  for (const char *text :
       {"--beta2", "--amax-every", "--no-memory-check",
        "Many ranks:", "(default 500)", "needs --checkpoint"}) {
    EXPECT_LACKS(few, text);
    EXPECT_CONTAINS(all, text);
  }
  EXPECT_CONTAINS(few, "'te-run train --help-all' lists all options.");
}

TEST(CommandLine, FormsOfOptions) {
  const std::vector<std::string> train = {"train", "a.so", "--data", "x"};
  for (std::vector<std::string> form : std::vector<std::vector<std::string>>{
           {"--steps", "0"}, {"--steps=0"}, {"-steps", "0"}, {"-steps=0"}}) {
    form.insert(form.begin(), train.begin(), train.end());
    EXPECT_CONTAINS(teRun(form).error, "--steps: takes a number above 0");
  }
  EXPECT_CONTAINS(teRun({"train", "a.so", "--data"}).error,
                  "the option '--data' needs a value");
  EXPECT_CONTAINS(teRun({"train", "--steps", "1", "--data", "x"}).error,
                  "ARTIFACT is missing: The program that te-compile wrote");
  EXPECT_CONTAINS(teRun({"info", "a.so", "b.so"}).error,
                  "unexpected argument 'b.so'");
  EXPECT_CONTAINS(teRun({"train", "--version"}).out, "te-run 0.");
}

TEST(CommandLine, ExitCodesAreInTheHelp) {
  EXPECT_CONTAINS(teRun({"--help"}).out,
                  "0 done, 1 failure, 2 wrong usage, 3 a training stopped");
}

TEST(CommandLine, ArtifactsThatDoNotRunHere) {
  TemporaryFolder folder;
  EXPECT_FAILS(teRun({"info", folder / "absent.so"}), "No such file");
  EXPECT_FAILS(teRun({"bench", toyPath("abi")}), "version 999");
  // Which describes itself all the same: it is read, not loaded.
  EXPECT_EQ(teRun({"info", toyPath("abi")}).code, 0);
  // Loading this one ends the process with 42.
  EXPECT_EQ(teRun({"info", toyPath("startling")}).code, 0);
  EXPECT_EQ(teRun({"bench", toyPath("startling")}).code, 42);
  EXPECT_FAILS(teRun({"info", toyPath("damaged")}), "not valid JSON");
  EXPECT_FAILS(teRun({"bench", toyPath("sm90"), "--device", "cpu"}),
               "was compiled for sm_90");
  EXPECT_FAILS(teRun({"bench", toyPath("sm90"), "--device", "cuda:0"}),
               "cuda:0");
  EXPECT_FAILS(teRun({"bench", toyPath("toy"), "--device", "tpu"}), "tpu");
  EXPECT_FAILS(teRun({"bench", toyPath("toy"), "--entry", "update"}),
               "no entry 'update'; it has: init, train, forward, vjp, echo");
  writeText(folder / "text.so", "not a program");
  EXPECT_FAILS(teRun({"info", folder / "text.so"}), "not a shared library");
}

TEST(Info, ForPeople) {
  Result result = teRun({"info", toyPath("toy")});
  EXPECT_EQ(result.code, 0);
  for (const char *part :
       {"toy.onnx", "by hand", "entry train", "i64 [4, 16]", "learning_rate",
        "parameter", "FP8 slots: 2 in E4M3, 1 in E5M2", "peak"})
    EXPECT_CONTAINS(result.out, part);
  EXPECT_LACKS(result.out, "\033");
  EXPECT_LACKS(result.out, "bigram.grad_output");
  EXPECT_CONTAINS(teRun({"info", toyPath("toy"), "--all"}).out,
                  "bigram.grad_output");
}

TEST(Info, ForPrograms) {
  Result result = teRun({"info", toyPath("sm90"), "--json"});
  EXPECT_EQ(result.code, 0);
  auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_EQ(json["target"], "sm_90");
  EXPECT_EQ(json["recipe"]["history"], 4);
  EXPECT_EQ(json["slots"].size(), 3u);
  EXPECT_EQ(json["slots"][2]["format"], "e5m2");
  EXPECT_EQ(json["entries"][1]["name"], "train");
  EXPECT_EQ(json["entries"][1]["arguments"][1]["default"], 0.5);
  // Two tables of 128 x 128 floats, a float, a counter, and three slots with a
  // scale, four amaxes and a count.
  EXPECT_EQ(json["memory"]["states"],
            2 * 128 * 128 * 4 + 4 + 8 + 3 * 4 + 12 * 4 + 3 * 8);
}
