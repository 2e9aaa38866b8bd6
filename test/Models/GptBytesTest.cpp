// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The example's byte-level GPT learns, in FP8 as well as in bfloat16.

#include "Models.h"

#include <nlohmann/json.hpp>
#include <numeric>
#include <random>

using namespace test;
using tert::session::SafetensorsFile;

namespace {
/// Some 200 KB of sentences about a kitchen, the same everywhere: the generator
/// and what is done with its numbers are defined to the bit.
std::string makeText() {
  const std::vector<const char *> who = {
      "the cook", "an old baker", "my sister",     "the guest", "nobody",
      "a child",  "the waiter",   "our neighbour", "the cat"};
  const std::vector<const char *> does = {
      "cuts",   "washes", "remembers", "forgets", "carries",
      "weighs", "smells", "counts",    "drops",   "sells"};
  const std::vector<const char *> how = {
      "quickly",  "at dawn",    "with care",   "again",
      "for once", "in silence", "before lunch"};
  const std::vector<const char *> what = {
      "bread", "three onions", "the long knife", "a pot of soup", "butter",
      "salt",  "the last egg", "green apples",   "a copper pan",  "water"};
  const std::vector<const char *> link = {". ", ", and ", ", but ",
                                          "; ", ".\n",    " because "};
  std::mt19937 generator(1);
  auto pick = [&](const std::vector<const char *> &words) {
    return words[generator() % words.size()];
  };
  std::string text;
  while (text.size() < 200000) {
    text += pick(who);
    text += std::string(" ") + pick(does) + " " + pick(what);
    if (generator() % 2)
      text += std::string(" ") + pick(how);
    text += pick(link);
  }
  return text;
}

class GptBytes : public ::testing::Test {
protected:
  void SetUp() override { writeText(folder / "text", makeText()); }

  void compile(const std::string &precision) {
    ASSERT_SUCCEEDS(teCompile(
        {std::string(TE_SOURCE_DIR) + "/examples/gpt_bytes/model.onnx",
         "--init=normal:0.02", "--precision=" + precision, "-o",
         program(precision)}));
  }
  std::string program(const std::string &precision) {
    return folder / precision + ".so";
  }

  /// The loss of every step.
  std::vector<double> train(const std::string &precision, int steps,
                            const std::vector<std::string> &more = {}) {
    std::vector<std::string> arguments = {"train",     program(precision),
                                          "--data",    folder / "text",
                                          "--steps",   std::to_string(steps),
                                          "--lr",      "3e-4",
                                          "--seed",    "7",
                                          "--metrics", folder / "log"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::filesystem::remove(folder / "log");
    Result result = teRun(arguments);
    EXPECT_EQ(result.code, 0) << result.error;
    std::vector<double> losses;
    std::ifstream stream(folder / "log");
    for (std::string line; std::getline(stream, line);) {
      auto json = nlohmann::json::parse(line, nullptr, false);
      // A loss that is not finite is not written as a number.
      losses.push_back(json.is_object() && json["loss"].is_number()
                           ? double(json["loss"])
                           : std::nan(""));
    }
    EXPECT_EQ(losses.size(), static_cast<size_t>(steps));
    losses.resize(static_cast<size_t>(steps), std::nan(""));
    return losses;
  }

  TemporaryFolder folder;
};
} // namespace

TEST_F(GptBytes, Fp8LearnsLikeBFloat16) {
  // Ten times slower under sanitizers, which are after other things.
#ifdef TE_SANITIZED
  constexpr int steps = 6;
  constexpr double fall = 1.0;
#else
  constexpr int steps = 30;
  constexpr double fall = 2.5;
#endif
  std::vector<double> last;
  for (const char *precision : {"fp8", "bf16"}) {
    ASSERT_NO_FATAL_FAILURE(compile(precision));
    std::vector<double> losses = train(precision, steps);
    for (double loss : losses)
      EXPECT_TRUE(std::isfinite(loss)) << precision;
    std::fprintf(stderr, "%-5s loss %.4f at step 1, %.4f at step %d\n",
                 precision, losses.front(), losses.back(), steps);
    // With small weights every byte is about as likely as any other.
    EXPECT_NEAR(losses.front(), std::log(256.0), 0.2) << precision;
    EXPECT_GT(losses.front() - losses.back(), fall) << precision;
    // One step is one batch: several smooth its luck.
    last.push_back(std::accumulate(losses.end() - 5, losses.end(), 0.0) / 5);
  }
  EXPECT_LE(std::abs(last[0] - last[1]), 0.03 * last[1]);
}

TEST_F(GptBytes, ThreadsDoNotChangeABit) {
  ASSERT_NO_FATAL_FAILURE(compile("fp8"));
  for (const char *threads : {"1", "2"})
    train("fp8", 2, {"--threads", threads, "--checkpoint", folder / threads});
  SafetensorsFile one = openTensors(folder / "1/step-00000002.safetensors");
  SafetensorsFile two = openTensors(folder / "2/step-00000002.safetensors");
  ASSERT_EQ(one.tensors().size(), two.tensors().size());
  // Weights and two moments of 52 parameters, and more.
  EXPECT_GT(one.tensors().size(), size_t(3 * 52));
  for (const auto &[name, view] : one.tensors()) {
    const tert::session::TensorView *other = two.find(name);
    ASSERT_NE(other, nullptr) << name;
    ASSERT_EQ(view.dtype, other->dtype) << name;
    ASSERT_EQ(view.shape, other->shape) << name;
    EXPECT_EQ(std::memcmp(view.data, other->data, view.bytes), 0) << name;
  }
}
