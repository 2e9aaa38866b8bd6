// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry eval beside train: the loss of a batch and what it counts, with the
// parameters, FP8 weights and scales of the training, and nothing changed.

#include "Models.h"

#include "session/Initialization.h"
#include "session/Session.h"

using namespace test;
using namespace tert::session;

namespace {
constexpr int64_t ignored = -100;

class Eval : public ::testing::Test {
protected:
  void open(const std::string &precision, const std::string &entries,
            const std::string &fp8Eval) {
    const std::string path = folder / (precision + "_" + entries + ".so");
    ASSERT_SUCCEEDS(
        teCompile({inputPath("gpt2_vocab509/model.onnx"), "--entry=" + entries,
                   "--loss=cross-entropy", "--precision=" + precision,
                   "--fp8-eval=" + fp8Eval, "-o", path}));
    Expected<Artifact> artifact = Artifact::open(path);
    ASSERT_TRUE(bool(artifact)) << artifact.takeError().message();
    auto opened = Session::create(std::move(*artifact), {});
    ASSERT_TRUE(bool(opened)) << opened.takeError().message();
    session = std::move(*opened);
    Error error = initializeStates(*session, {});
    ASSERT_FALSE(bool(error)) << error.message();
  }

  void open(const std::string &precision) {
    open(precision, "train,eval", "false");
  }

  EntryCall call(const std::string &entry) {
    Expected<EntryCall> call = EntryCall::create(*session, entry);
    if (!call)
      throw std::runtime_error(call.takeError().message());
    for (const auto &argument : call->description().arguments)
      if (argument.role == ArgumentDescription::Role::Input)
        check(call->setInput(argument, argument.name == "labels" ? labels.data()
                                                                 : ids.data()));
    return std::move(*call);
  }

  float output(EntryCall &call, const std::string &name) {
    Expected<float> value = call.readScalar(name);
    if (!value)
      throw std::runtime_error(value.takeError().message());
    return *value;
  }

  /// The bytes of every state, one after the other.
  std::vector<char> states() {
    std::vector<char> bytes;
    for (size_t i = 0; i < session->description().states.size(); ++i)
      check(session->visitState(i, [&](const char *data, size_t size) {
        bytes.insert(bytes.end(), data, data + size);
        return Error::success();
      }));
    return bytes;
  }

  static void check(Error error) {
    if (error)
      throw std::runtime_error(error.message());
  }

  static std::vector<int64_t> integers(const SafetensorsFile &file,
                                       const std::string &name) {
    std::vector<int64_t> result;
    for (double value : valuesOf(file, name))
      result.push_back(static_cast<int64_t>(value));
    return result;
  }

  SafetensorsFile reference =
      openTensors(inputPath("gpt2_vocab509/reference.safetensors"));
  std::vector<int64_t> ids = integers(reference, "input.input_ids");
  std::vector<int64_t> labels = integers(reference, "labels");
  TemporaryFolder folder;
  std::unique_ptr<Session> session;
};
} // namespace

// Of PyTorch's logits, in float64, the mean over the labels that count.
TEST_F(Eval, LossAndCountOfTheLabelsThatCount) {
  for (size_t i = 0; i < labels.size(); i += 3)
    labels[i] = ignored;
  std::vector<double> logits = valuesOf(reference, "logits");
  const size_t classes = logits.size() / labels.size();
  double sum = 0, count = 0;
  for (size_t row = 0; row < labels.size(); ++row) {
    if (labels[row] == ignored)
      continue;
    const double *scores = &logits[row * classes];
    double exponentials = 0;
    for (size_t i = 0; i < classes; ++i)
      exponentials += std::exp(scores[i]);
    sum += std::log(exponentials) - scores[labels[row]];
    ++count;
  }

  ASSERT_NO_FATAL_FAILURE(open("f32"));
  EntryCall eval = call("eval");
  check(eval.run());
  EXPECT_EQ(output(eval, "count"), count);
  EXPECT_NEAR(output(eval, "loss"), sum / count, 1e-5 * sum / count);
}

TEST_F(Eval, NoLabelCounts) {
  labels.assign(labels.size(), ignored);
  ASSERT_NO_FATAL_FAILURE(open("f32"));
  EntryCall eval = call("eval");
  check(eval.run());
  EXPECT_EQ(output(eval, "count"), 0);
  EXPECT_EQ(output(eval, "loss"), 0);
}

// A training step reports the loss before its update: what eval says, if both
// read the same parameters, FP8 weights and scales. Eval leaves all of them as
// they are.
TEST_F(Eval, SharesTheStatesOfATrainingInFp8) {
  ASSERT_NO_FATAL_FAILURE(open("fp8", "train,eval", "true"));
  EntryCall train = call("train"), eval = call("eval");
  check(train.setScalar("learning_rate", 1e-2f).takeError());
  float first = 0;
  for (int step = 0; step < 3; ++step) {
    std::vector<char> before = states();
    check(eval.run());
    EXPECT_TRUE(before == states()) << "eval changed a state";
    check(train.run());
    EXPECT_FALSE(before == states());
    float loss = output(train, "loss");
    EXPECT_NEAR(output(eval, "loss"), loss, 1e-6 * loss) << "step " << step;
    if (step == 0)
      first = loss;
    else
      EXPECT_LT(loss, 0.99 * first) << "the training does not move";
  }
}

// Without --fp8-eval, a training in FP8 is evaluated by the program that a
// training in bf16 is evaluated by.
TEST_F(Eval, ComputesInBf16ForATrainingInFp8) {
  auto losses = [&](const std::string &precision, const std::string &entries) {
    open(precision, entries, "false");
    if (HasFatalFailure())
      return 0.0f;
    EntryCall eval = call("eval");
    std::vector<char> before = states();
    check(eval.run());
    EXPECT_TRUE(before == states()) << "eval changed a state";
    return output(eval, "loss");
  };
  const float bf16 = losses("bf16", "train,eval");
  EXPECT_EQ(losses("fp8", "train,eval"), bf16);
  // Alone, it has the precision of the program.
  EXPECT_NE(losses("fp8", "eval"), bf16);
}
