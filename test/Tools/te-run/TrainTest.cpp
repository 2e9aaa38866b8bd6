// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

using namespace test;

namespace {
/// Every letter is followed by the next, so that the loss of a bigram model has
/// the limit 0 and starts at log 128.
std::string alphabet(size_t length) {
  std::string text(length, ' ');
  for (size_t i = 0; i < length; ++i)
    text[i] = static_cast<char>('a' + i % 26);
  return text;
}

class Train : public ::testing::Test {
protected:
  Train() { writeText(folder / "text", alphabet(5000)); }

  Result train(const std::string &toy, std::vector<std::string> more) {
    std::vector<std::string> all = {"train", toyPath(toy), "--data",
                                    folder / "text"};
    all.insert(all.end(), more.begin(), more.end());
    return teRun(all);
  }
  std::vector<nlohmann::json> metrics() {
    std::vector<nlohmann::json> lines;
    std::ifstream stream(folder / "log");
    for (std::string line; std::getline(stream, line);)
      lines.push_back(nlohmann::json::parse(line, nullptr, false));
    return lines;
  }
  TemporaryFolder folder;
};
} // namespace

TEST_F(Train, LossFallsAndIsRecorded) {
  Result result =
      train("toy", {"--steps", "300", "--lr", "2", "--metrics", folder / "log",
                    "--plot", folder / "plot.svg", "--amax-every", "50"});
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.out, "steps 1 to 300");
  EXPECT_CONTAINS(result.error, "step 300/300  loss");
  EXPECT_LACKS(result.error, "\r");
  EXPECT_LACKS(result.error, "\033");
  std::vector<nlohmann::json> lines = metrics();
  ASSERT_EQ(lines.size(), 300u);
  EXPECT_NEAR(lines[0]["loss"], std::log(128.0), 0.05);
  EXPECT_LT(lines[299]["loss"], 0.2);
  EXPECT_EQ(lines[299]["step"], 300);
  EXPECT_EQ(lines[7]["lr"], 2.0);
  EXPECT_GT(lines[7]["grad_norm"], 0.0);
  EXPECT_GT(lines[7]["tokens_per_second"], 0.0);
  for (size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].contains("amax"), i % 50 == 0 || i == 299) << i;
  EXPECT_EQ(lines[0]["amax"]["bigram.input"], 1.0);
  // The largest logit grows as the model learns.
  EXPECT_GT(lines[299]["amax"]["bigram.weight"], 1.0);
  std::string plot = readText(folder / "plot.svg");
  EXPECT_EQ(plot.rfind("<svg", 0), 0u);
  EXPECT_CONTAINS(plot, "polyline");
  EXPECT_CONTAINS(plot, "toy.onnx, fp8");
  EXPECT_CONTAINS(plot, "output gradients (1)");
}

TEST_F(Train, AWindowOfOneAmaxComesFromTheScale) {
  ASSERT_EQ(
      train("short_history", {"--steps", "1", "--metrics", folder / "log"})
          .code,
      0);
  nlohmann::json line = metrics().at(0);
  EXPECT_NEAR(line["amax"]["bigram.input"], 1.0, 1e-6);
  // The gradient's largest magnitude is 1/60 times what a softmax over 128
  // nearly equal logits leaves, per occurrence of a token and its successor.
  double amax = line["amax"]["bigram.grad_output"];
  EXPECT_GT(amax, 0.9 / 60);
  EXPECT_LT(amax, 1.0 / 60);
}

TEST_F(Train, SameSeedSameRunOtherSeedOtherRun) {
  auto lossesOf = [&](const char *seed, const char *threads) {
    EXPECT_EQ(train("toy", {"--steps", "5", "--seed", seed, "--threads",
                            threads, "--metrics", folder / "log"})
                  .code,
              0);
    std::vector<double> losses;
    for (const nlohmann::json &line : metrics())
      losses.push_back(line["loss"]);
    return losses;
  };
  std::vector<double> first = lossesOf("3", "1");
  EXPECT_EQ(first, lossesOf("3", "2"));
  EXPECT_NE(first, lossesOf("4", "1"));
}

TEST_F(Train, TokenStreams) {
  std::vector<uint16_t> narrow;
  std::vector<uint32_t> wide;
  for (char c : alphabet(5000)) {
    narrow.push_back(static_cast<uint16_t>(c));
    wide.push_back(static_cast<uint32_t>(c));
  }
  auto lossesOf = [&](const std::string &name, std::vector<std::string> more) {
    more.insert(more.begin(), {"train", toyPath("toy"), "--data", folder / name,
                               "--steps", "3", "--metrics", folder / "log"});
    Result result = teRun(more);
    EXPECT_EQ(result.code, 0) << result.error;
    std::vector<double> losses;
    for (const nlohmann::json &line : metrics())
      losses.push_back(line["loss"]);
    return losses;
  };
  writeText(folder / "t.bin", bytesOf(narrow));
  writeText(folder / "wide.bin", bytesOf(wide));
  std::vector<double> text = lossesOf("text", {});
  EXPECT_EQ(text.size(), 3u);
  EXPECT_EQ(lossesOf("t.bin", {}), text);
  EXPECT_EQ(lossesOf("t.bin", {"--tokens", "u16"}), text);
  EXPECT_EQ(lossesOf("wide.bin", {"--tokens", "u32"}), text);
  EXPECT_EQ(lossesOf("text", {"--tokens", "bytes"}), text);

  writeText(folder / "odd.bin", bytesOf(narrow) + "x");
  EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data", folder / "odd.bin",
                      "--steps", "3"}),
               "not a multiple of 2");
}

TEST_F(Train, SafetensorsBatches) {
  // Three batches of one repeated letter each, and the first of them alone.
  std::vector<int32_t> ids;
  for (int batch = 0; batch < 3; ++batch)
    ids.insert(ids.end(), 64, 'a' + batch);
  std::vector<int32_t> first(ids.begin(), ids.begin() + 64);
  writeText(folder / "three.safetensors",
            safetensorsOf({{"input_ids", "I32", "[3,4,16]", bytesOf(ids)}}));
  writeText(folder / "one.safetensors",
            safetensorsOf({{"input_ids", "I32", "[4,16]", bytesOf(first)}}));
  auto lossesOf = [&](const std::string &name) {
    Result result =
        teRun({"train", toyPath("toy"), "--data", folder / name, "--steps", "7",
               "--lr", "0", "--metrics", folder / "log"});
    EXPECT_EQ(result.code, 0) << result.error;
    std::vector<double> losses;
    for (const nlohmann::json &line : metrics())
      losses.push_back(line["loss"]);
    return losses;
  };
  // With a learning rate of 0 the loss tells which batch it was.
  std::vector<double> three = lossesOf("three.safetensors"),
                      one = lossesOf("one.safetensors");
  ASSERT_EQ(three.size(), 7u);
  EXPECT_EQ(three[0], three[3]);
  EXPECT_EQ(three[1], three[4]);
  EXPECT_NE(three[0], three[1]);
  EXPECT_EQ(one, std::vector<double>(7, three[0]));

  writeText(folder / "bad.safetensors",
            safetensorsOf({{"ids", "I32", "[4,16]", bytesOf(first)}}));
  EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data",
                      folder / "bad.safetensors", "--steps", "1"}),
               "input_ids: missing, i64 [4, 16] expected");
  writeText(folder / "bad.safetensors",
            safetensorsOf({{"input_ids", "I32", "[2,32]", bytesOf(first)}}));
  EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data",
                      folder / "bad.safetensors", "--steps", "1"}),
               "has shape [2, 32]");
}

TEST_F(Train, TokensOutsideTheVocabulary) {
  // Letters are above 64; one program says so beforehand, one when it runs.
  Result early = train("small_range", {"--steps", "3"});
  EXPECT_FAILS(early, "outside the model's vocabulary, 0 to 63");
  EXPECT_CONTAINS(early.error, "--tokens");
  EXPECT_FAILS(train("small_vocabulary", {"--steps", "3"}), "token id");
}

TEST_F(Train, DataThatCannotBeUsed) {
  EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data", folder / "absent",
                      "--steps", "1"}),
               "No such file");
  writeText(folder / "short", "too short");
  EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data", folder / "short",
                      "--steps", "1"}),
               "fewer than one row of the batch needs (16)");
  writeText(folder / "empty", "");
  EXPECT_FAILS(teRun({"train", toyPath("toy"), "--data", folder / "empty",
                      "--steps", "1"}),
               "has 0 tokens");
  writeText(folder / "exact", alphabet(16));
  EXPECT_EQ(teRun({"train", toyPath("toy"), "--data", folder / "exact",
                   "--steps", "1"})
                .code,
            0);
}

TEST_F(Train, FlagsThatTheProgramDoesNotKnow) {
  EXPECT_FAILS(train("toy", {"--steps", "1", "--beta1", "0.9"}),
               "no scalar 'beta1', so --beta1 has no effect");
}

TEST_F(Train, NonFiniteLossIsExplainedAndCounted) {
  // The table is NaN: every step's loss is, and every update is skipped.
  std::vector<float> weight(128 * 128, std::nanf(""));
  writeText(folder / "w", safetensorsOf({{"bigram.weight", "F32", "[128,128]",
                                          bytesOf(weight)}}));
  Result result =
      train("toy", {"--steps", "40", "--weights", folder / "w", "--metrics",
                    folder / "log", "--max-skipped-steps", "0"});
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.error, "loss is not finite");
  EXPECT_CONTAINS(result.error, "the update was skipped");
  EXPECT_CONTAINS(result.error, "bigram.weight");
  EXPECT_CONTAINS(result.error, "later ones are only counted");
  EXPECT_CONTAINS(result.out, "steps with a non-finite loss or amax: 40");
  EXPECT_CONTAINS(result.error, "neither is the amax of bigram.weight, "
                                "bigram.grad_output");
  EXPECT_TRUE(metrics().at(39)["loss"].is_null());
}

TEST_F(Train, TheMeanIsOneFigure) {
  Result result = train("toy", {"--steps", "120", "--metrics", folder / "log",
                                "--plot", folder / "plot.svg"});
  ASSERT_EQ(result.code, 0);
  std::vector<nlohmann::json> lines = metrics();
  double sum = 0;
  for (size_t i = 70; i < 120; ++i)
    sum += lines[i]["loss"].get<double>();
  EXPECT_NEAR(lines[119]["mean_loss"], sum / 50, 1e-12);
  char text[16];
  std::snprintf(text, sizeof(text), "%.4f", sum / 50);
  EXPECT_CONTAINS(result.out,
                  std::string(text) + " on average over the last 50");
  EXPECT_CONTAINS(result.error, std::string("(mean ") + text + ")");
  EXPECT_CONTAINS(readText(folder / "plot.svg"),
                  std::string(">") + text + "</text>");
}

TEST_F(Train, EvaluationOnOtherData) {
  writeText(folder / "other", alphabet(640));
  Result result = train(
      "toy", {"--steps", "20", "--lr", "2", "--eval-data", folder / "other",
              "--eval-every", "8", "--metrics", folder / "log", "--plot",
              folder / "plot.svg", "--checkpoint", folder / "run"});
  ASSERT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.out, "evaluation: 640 bytes of text, 4 windows of 16 "
                              "a batch, 10 batches");
  EXPECT_CONTAINS(result.out, "eval loss ");
  EXPECT_CONTAINS(result.out, "best checkpoint: ");
  EXPECT_CONTAINS(result.error, "  eval ");
  std::vector<nlohmann::json> lines = metrics();
  for (size_t i = 0; i < lines.size(); ++i)
    EXPECT_EQ(lines[i].contains("eval_loss"),
              i + 1 == 8 || i + 1 == 16 || i + 1 == 20);
  EXPECT_CONTAINS(readText(folder / "plot.svg"), ">evaluation</text>");

  // The command says the same of the same states.
  Result eval = teRun({"eval", toyPath("toy"), "--data", folder / "other",
                       "--checkpoint", folder / "run", "--json"});
  ASSERT_EQ(eval.code, 0) << eval.error;
  nlohmann::json json = nlohmann::json::parse(eval.out);
  EXPECT_EQ(json["loss"], lines[19]["eval_loss"]);
  EXPECT_EQ(json["labels"], 10 * 4 * 15);
  EXPECT_CONTAINS(teRun({"eval", toyPath("toy"), "--data", folder / "other",
                         "--checkpoint", folder / "run/best.safetensors"})
                      .out,
                  "over 600 labels in 10 batches");
}

TEST_F(Train, ExportsWhatItLearned) {
  ASSERT_EQ(train("toy", {"--steps", "2", "--checkpoint", folder / "run"}).code,
            0);
  Result result =
      teRun({"export", folder / "run/step-00000002.safetensors", "-o",
             folder / "model.safetensors", "--dtype", "bf16"});
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_CONTAINS(result.out, "1 parameters of step 2 under 3 names, 96.0 KiB");
  EXPECT_FAILS(teRun({"export", folder / "text", "-o", folder / "out"}),
               "not a complete safetensors file");
  EXPECT_FAILS(teRun({"export", folder / "run/step-00000002.safetensors", "-o",
                      folder / "text"}),
               "te-run did not write it");
}

TEST_F(Train, RecordsThatCannotBeWritten) {
  for (const char *flag : {"--metrics", "--plot"})
    EXPECT_FAILS(train("toy", {"--steps", "1", flag, "/proc/te-run-test"}),
                 "cannot write '/proc/te-run-test'");
  EXPECT_FAILS(
      train("toy", {"--steps", "1", "--checkpoint", folder / "text/below"}),
      "cannot make the checkpoint folder");
  EXPECT_FAILS(train("toy", {"--steps", "1", "--checkpoint", "/proc/run"}),
               "cannot make the checkpoint folder");
}

TEST_F(Train, SeveralFiles) {
  std::filesystem::create_directories(folder / "shards");
  std::vector<uint16_t> letters;
  for (int i = 0; i < 3000; ++i)
    letters.push_back(static_cast<uint16_t>('a' + i % 26));
  const std::string one = folder / "shards/1.bin",
                    two = folder / "shards/2.bin";
  writeText(one, bytesOf(letters));
  writeText(two, bytesOf(letters));
  const std::vector<std::string> settings = {"--steps", "12", "--lr", "2"};
  auto run = [&](std::vector<std::string> data, std::vector<std::string> more) {
    data.insert(data.begin(), {"train", toyPath("toy"), "--data"});
    data.insert(data.end(), settings.begin(), settings.end());
    data.insert(data.end(), more.begin(), more.end());
    return teRun(data);
  };
  auto bits = [&](const std::string &name) {
    return payloadOf(folder / (name + "/" + checkpointName(12)));
  };
  // A folder, its files as a shell expands a glob, and a glob are the same.
  Result all = run({folder / "shards"}, {"--checkpoint", folder / "folder"});
  ASSERT_EQ(all.code, 0) << all.error;
  EXPECT_CONTAINS(all.out, "6.00k tokens in 2 files, 4 windows of 16 a step");
  ASSERT_EQ(run({one, two}, {"--checkpoint", folder / "list"}).code, 0);
  ASSERT_EQ(
      run({folder / "shards/*.bin"}, {"--checkpoint", folder / "glob"}).code,
      0);
  EXPECT_EQ(bits("folder"), bits("list"));
  EXPECT_EQ(bits("folder"), bits("glob"));

  // Stopped and continued: the same bits; other files or weights: refused.
  for (std::vector<std::string> more :
       {std::vector<std::string>{}, {"--order", "epochs"}}) {
    const std::string name = more.empty() ? "random" : "epochs";
    std::vector<std::string> whole = more, cut = more, rest = more;
    whole.insert(whole.end(), {"--checkpoint", folder / (name + "-whole")});
    cut.insert(cut.end(), {"--checkpoint", folder / name, "--stop-after", "5"});
    rest.insert(rest.end(), {"--checkpoint", folder / name, "--resume"});
    ASSERT_EQ(run({one, two}, whole).code, 0);
    ASSERT_EQ(run({one, two}, cut).code, 0);
    ASSERT_EQ(run({one, two}, rest).code, 0);
    EXPECT_EQ(bits(name), bits(name + "-whole"));
  }
  EXPECT_NE(bits("random"), bits("epochs"));
  EXPECT_FAILS(run({one}, {"--checkpoint", folder / "random", "--resume"}),
               "data: \"2 files, ");
  Result weighted = run({one + ":3", two + ":1"}, {"--stop-after", "1"});
  EXPECT_EQ(weighted.code, 0) << weighted.error;
  EXPECT_FAILS(run({one + ":3", two}, {}), "give all data one");
  EXPECT_FAILS(run({one + ":3", two + ":1"}, {"--order", "epochs"}),
               "cannot have a weight");
  EXPECT_FAILS(run({folder / "none/*.bin"}, {}), "no file matches");
  // An id outside the vocabulary is found in any of them.
  letters.assign(letters.size(), 1);
  writeText(one, bytesOf(letters));
  letters[700] = 122;
  writeText(two, bytesOf(letters));
  EXPECT_FAILS(teRun({"train", toyPath("small_range"), "--data",
                      folder / "shards", "--steps", "1"}),
               "token 122 at byte 1400 of '" + two + "'");
  writeText(folder / "shards/3.safetensors", "x");
  EXPECT_FAILS(run({folder / "shards"}, {}), "give one kind of data");
}

TEST_F(Train, RecordsOfTextAreRefusedWithWhatTokenizesThem) {
  writeText(folder / "text", "{\"text\": \"a\"}\n{\"text\": \"b\"}\n");
  EXPECT_FAILS(train("toy", {"--steps", "1"}),
               "JSON lines, a record in each, no text and no stream of tokens: "
               "tokenize it with 'python3 -m temlir_data tokenize FILE");
}

TEST_F(Train, APageAndEvents) {
  writeText(folder / "page.html", "mine");
  EXPECT_FAILS(train("toy", {"--steps", "4", "--page", folder / "page.html"}),
               "--page");
  EXPECT_EQ(readText(folder / "page.html"), "mine");
  const std::vector<std::string> settings = {
      "--steps",       "4",
      "--page",        folder / "page.html",
      "--tensorboard", folder / "events",
      "--metrics",     folder / "log"};
  std::vector<std::string> forced = settings;
  forced.push_back("--force");
  ASSERT_EQ(train("toy", forced).code, 0);
  std::vector<nlohmann::json> measured = metrics();
  Result again = train("toy", settings); // It replaces its own.
  ASSERT_EQ(again.code, 0) << again.error;
  EXPECT_CONTAINS(again.out, "page: ");
  const std::string page = readText(folder / "page.html");
  EXPECT_CONTAINS(page, "The run has ended.");
  EXPECT_CONTAINS(page, "Slowest ops");
  EXPECT_CONTAINS(page, "toy.onnx, fp8");
  size_t files = 0;
  for ([[maybe_unused]] const auto &file :
       std::filesystem::directory_iterator(folder / "events"))
    ++files;
  EXPECT_EQ(files, 2u);
  // A step that is measured for the page computes what others do.
  ASSERT_EQ(train("toy", {"--steps", "4", "--metrics", folder / "log"}).code,
            0);
  std::vector<nlohmann::json> plain = metrics();
  ASSERT_EQ(plain.size(), measured.size());
  for (size_t i = 0; i < plain.size(); ++i)
    EXPECT_EQ(plain[i]["loss"], measured[i]["loss"]);
  EXPECT_FAILS(train("toy", {"--steps", "1", "--tensorboard", folder / "log"}),
               "cannot");
}
