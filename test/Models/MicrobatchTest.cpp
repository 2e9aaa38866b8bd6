// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of several microbatches (te-compile --microbatches, te-run train
// --accumulate): the gradients are those of the whole batch, by formulas in
// float64, however it is cut and however unevenly its labels count.

#include "Models.h"

#include "session/Initialization.h"
#include "session/StateSnapshot.h"

#include <nlohmann/json.hpp>
#include <regex>

using namespace test;
using namespace tert::session;

namespace {
constexpr size_t width = 32, hidden = 48, classes = 16;
constexpr int64_t ignored = -100;

using Values = std::map<std::string, std::vector<float>>;
using Gradients = std::map<std::string, std::vector<double>>;

/// A perceptron over `rows` rows.
std::string modelOf(size_t rows) {
  const std::string r = std::to_string(rows);
  const std::string x = "tensor<" + r + "x32xf32>",
                    h = "tensor<" + r + "x48xf32>",
                    y = "tensor<" + r + "x16xf32>";
  return "func.func @forward(%x: " + x + R"( {te.input = "x"},
    %w1: tensor<48x32xf32> {te.param = "fc1.weight"}, %b1: tensor<48xf32> {te.param = "fc1.bias"},
    %w2: tensor<16x48xf32> {te.param = "fc2.weight"}) -> ()" +
         y + R"( {te.output = "logits"}) {
  %u = te.matmul %x, %w1 bias(%b1 : tensor<48xf32>) {transpose_b} : )" +
         x + ", tensor<48x32xf32> -> " + h + R"( loc("fc1")
  %h = te.activation relu %u : )" +
         h + " -> y " + h + R"(
  %y = te.matmul %h, %w2 {transpose_b} : )" +
         h + ", tensor<16x48xf32> -> " + y + R"( loc("fc2")
  return %y : )" +
         y + "\n}\n";
}

/// Numbers without a pattern that a layer could hide.
std::vector<float> noise(size_t count, double seed, double scale) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(
        scale * std::sin(seed + 12.9898 * static_cast<double>(i * i % 1009)));
  return values;
}

Values weights() {
  return {{"fc1.weight", noise(hidden * width, 0.3, 0.2)},
          {"fc1.bias", noise(hidden, 0.7, 0.1)},
          {"fc2.weight", noise(classes * hidden, 1.1, 0.2)}};
}

std::string weightsFile() {
  Values all = weights();
  return safetensorsOf(
      {{"fc1.weight", "F32", "[48,32]", bytesOf(all["fc1.weight"])},
       {"fc1.bias", "F32", "[48]", bytesOf(all["fc1.bias"])},
       {"fc2.weight", "F32", "[16,48]", bytesOf(all["fc2.weight"])}});
}

/// Rows with labels of which few count in one half of every eight rows, none in
/// one quarter, and most in the other half.
struct Batch {
  explicit Batch(size_t rows)
      : rows(rows), x(noise(rows * width, 2.3, 1.0)),
        targets(noise(rows * classes, 3.1, 1.0)), labels(rows, ignored) {
    for (size_t row = 0; row < rows; ++row)
      if (row % 8 == 0 || row % 8 > 3)
        labels[row] = static_cast<int64_t>(row * 7 % classes);
  }

  /// As `count` batches one behind the other.
  std::string file(size_t count, bool hasTargets = false) const {
    const std::string shape =
        std::to_string(count) + "," + std::to_string(rows / count);
    return safetensorsOf(
        {{"x", "F32", "[" + shape + ",32]", bytesOf(x)},
         hasTargets ? NamedTensor{"labels", "F32", "[" + shape + ",16]",
                                  bytesOf(targets)}
                    : NamedTensor{"labels", "I64", "[" + shape + "]",
                                  bytesOf(labels)}});
  }

  size_t rows;
  std::vector<float> x, targets;
  std::vector<int64_t> labels;
};

enum class LossKind { Mean, Sum, SquaredError };

struct Reference {
  double loss = 0;
  Gradients gradients;

  double norm() const {
    double sum = 0;
    for (const auto &[name, values] : gradients)
      for (double value : values)
        sum += value * value;
    return std::sqrt(sum);
  }
};

/// The formulas, in float64, of rows [0, rows) of a batch.
Reference referenceOf(const Batch &batch, LossKind kind) {
  Values all = weights();
  const std::vector<float> &w1 = all["fc1.weight"], &b1 = all["fc1.bias"],
                           &w2 = all["fc2.weight"];
  Reference result;
  result.gradients = {{"fc1.weight", std::vector<double>(w1.size())},
                      {"fc1.bias", std::vector<double>(b1.size())},
                      {"fc2.weight", std::vector<double>(w2.size())}};
  Gradients &gradients = result.gradients;
  double count = 0;
  for (size_t row = 0; row < batch.rows; ++row) {
    const float *x = &batch.x[row * width];
    double h[hidden], y[classes], dy[classes] = {};
    for (size_t i = 0; i < hidden; ++i) {
      h[i] = b1[i];
      for (size_t j = 0; j < width; ++j)
        h[i] += double(w1[i * width + j]) * x[j];
      h[i] = std::max(h[i], 0.0);
    }
    double exponentials = 0;
    for (size_t i = 0; i < classes; ++i) {
      y[i] = 0;
      for (size_t j = 0; j < hidden; ++j)
        y[i] += double(w2[i * hidden + j]) * h[j];
      exponentials += std::exp(y[i]);
    }
    const int64_t label = batch.labels[row];
    if (kind == LossKind::SquaredError) {
      for (size_t i = 0; i < classes; ++i) {
        const double difference = y[i] - batch.targets[row * classes + i];
        result.loss += difference * difference;
        dy[i] = 2 * difference;
      }
      count += classes;
    } else if (label != ignored) {
      result.loss += std::log(exponentials) - y[label];
      for (size_t i = 0; i < classes; ++i)
        dy[i] = std::exp(y[i]) / exponentials - (int64_t(i) == label);
      count += 1;
    }
    for (size_t j = 0; j < hidden; ++j) {
      double dh = 0;
      for (size_t i = 0; i < classes; ++i) {
        gradients["fc2.weight"][i * hidden + j] += dy[i] * h[j];
        dh += dy[i] * w2[i * hidden + j];
      }
      if (h[j] <= 0)
        continue;
      gradients["fc1.bias"][j] += dh;
      for (size_t k = 0; k < width; ++k)
        gradients["fc1.weight"][j * width + k] += dh * x[k];
    }
  }
  if (kind == LossKind::Sum)
    return result;
  result.loss /= count;
  for (auto &[name, values] : gradients)
    for (double &value : values)
      value /= count;
  return result;
}

class Microbatches : public ::testing::Test {
protected:
  Microbatches() { writeText(folder / "weights", weightsFile()); }

  void compile(size_t rows, const std::vector<std::string> &more) {
    writeText(folder / "model.mlir", modelOf(rows));
    std::vector<std::string> arguments = {folder / "model.mlir",
                                          "--init=zeros",
                                          "-o",
                                          folder / "model.so",
                                          "--force",
                                          "--optimizer=sgd<momentum = 0.9>"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ASSERT_SUCCEEDS(teCompile(arguments));
  }

  std::vector<std::string> training(const std::vector<std::string> &more) {
    std::vector<std::string> arguments = {
        "train",         folder / "model.so", "--data",
        folder / "data", "--tokens",          "safetensors",
        "--weights",     folder / "weights",  "--lr",
        "0.1",           "--metrics",         folder / "log"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  Result train(const std::vector<std::string> &more) {
    return teRun(training(more));
  }

  nlohmann::json logged(size_t step) {
    std::istringstream log(readText(folder / "log"));
    std::string line;
    for (size_t i = 0; i < step; ++i)
      std::getline(log, line);
    return nlohmann::json::parse(line);
  }

  TemporaryFolder folder;
};
} // namespace

// After the first step the momentum is the gradient.
TEST_F(Microbatches, GradientsAreThoseOfTheWholeBatch) {
  struct Case {
    LossKind kind;
    std::vector<std::string> flags;
  };
  for (const Case &tried :
       {Case{LossKind::Mean, {"--loss=cross-entropy"}},
        {LossKind::Sum, {"--loss=cross-entropy", "--reduction=sum"}},
        {LossKind::SquaredError, {"--loss=mse"}}}) {
    const Batch batch(8);
    const Reference reference = referenceOf(batch, tried.kind);
    for (size_t count : {1, 2, 4}) {
      SCOPED_TRACE(tried.flags.back() + ", " + std::to_string(count));
      std::vector<std::string> flags = tried.flags;
      flags.insert(flags.end(), {"--precision=f32", "--microbatches=4"});
      ASSERT_NO_FATAL_FAILURE(compile(8 / count, flags));
      writeText(folder / "data",
                batch.file(count, tried.kind == LossKind::SquaredError));
      std::filesystem::remove_all(folder / "run");
      ASSERT_SUCCEEDS(train({"--steps", "1", "--accumulate",
                             std::to_string(count), "--weight-decay", "0",
                             "--clip", "0", "--checkpoint", folder / "run"}));
      SafetensorsFile after =
          openTensors(folder / "run/step-00000001.safetensors");
      for (const auto &[name, gradient] : reference.gradients)
        EXPECT_LE(relativeError(valuesOf(after, "sgd.momentum_buffer." + name),
                                gradient),
                  1e-6)
            << name;
      EXPECT_NEAR(logged(1).at("loss"), reference.loss, 1e-6 * reference.loss);
      EXPECT_NEAR(logged(1).at("grad_norm"), reference.norm(),
                  1e-6 * reference.norm());
      // Sums over microbatches are no state of a run.
      EXPECT_EQ(after.find("grad.fc1.weight"), nullptr);
      EXPECT_EQ(after.find("loss.sum"), nullptr);
    }
  }
}

// Several steps, clipped, the sums empty again after each.
TEST_F(Microbatches, StepsAreThoseOfOneBatch) {
  const Batch batch(48);
  Gradients parameters[2];
  for (size_t count : {1, 2}) {
    ASSERT_NO_FATAL_FAILURE(
        compile(8 / count,
                {"--loss=cross-entropy", "--precision=f32",
                 count == 1 ? "--entry=train" : "--entry=train,accumulate"}));
    writeText(folder / "data", batch.file(6 * count));
    std::filesystem::remove_all(folder / "run");
    ASSERT_SUCCEEDS(
        train({"--steps", "6", "--accumulate", std::to_string(count), "--clip",
               "0.5", "--checkpoint", folder / "run"}));
    SafetensorsFile after =
        openTensors(folder / "run/step-00000006.safetensors");
    for (const auto &[name, values] : weights())
      parameters[count - 1][name] = valuesOf(after, name);
  }
  for (const auto &[name, values] : parameters[0])
    EXPECT_LE(relativeError(parameters[1][name], values), 1e-6) << name;
}

// Of no label that counts there is nothing to learn: refused before a step.
TEST_F(Microbatches, NothingCounts) {
  Batch batch(8);
  std::fill(batch.labels.begin(), batch.labels.end(), ignored);
  ASSERT_NO_FATAL_FAILURE(compile(
      4, {"--loss=cross-entropy", "--precision=f32", "--microbatches=2"}));
  writeText(folder / "data", batch.file(2));
  Result result = train({"--steps", "1", "--checkpoint", folder / "run"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.error.find("every label in 'labels' of '"),
            std::string::npos)
      << result.error;
  EXPECT_FALSE(
      std::filesystem::exists(folder / "run/step-00000001.safetensors"));
}

// One microbatch that is not finite skips its step and leaves nothing behind.
TEST_F(Microbatches, NonfiniteMicrobatchSkipsTheStep) {
  for (std::vector<std::string> precision :
       {std::vector<std::string>{"--precision=bf16"},
        {"--precision=fp8", "--policy=*=fp8"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=current_scaling"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=row_scaling"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=block_scaling"},
        {"--precision=fp8", "--policy=*=fp8", "--recipe=mxfp8_scaling"}}) {
    const bool carriesScales = precision.size() == 2;
    std::vector<std::string> flags = precision;
    flags.insert(flags.end(), {"--loss=cross-entropy", "--microbatches=2"});
    ASSERT_NO_FATAL_FAILURE(compile(16, flags));
    Batch bad(96), good(64);
    // The third of six microbatches; a good run is one without its step.
    bad.x[2 * 16 * width + 5] = INFINITY;
    std::copy(bad.x.begin(), bad.x.begin() + 32 * width, good.x.begin());
    std::copy(bad.x.begin() + 64 * width, bad.x.end(),
              good.x.begin() + 32 * width);
    std::string states[2];
    for (bool isBad : {false, true}) {
      SCOPED_TRACE(precision.back() + (isBad ? ", bad" : ", good"));
      writeText(folder / "data", isBad ? bad.file(6) : good.file(4));
      std::filesystem::remove_all(folder / "run");
      ASSERT_SUCCEEDS(train({"--steps", isBad ? "3" : "2", "--checkpoint",
                             folder / "run", "--no-calibrate"}));
      for (size_t step = 1; step <= (isBad ? 3 : 2); ++step)
        EXPECT_EQ(logged(step).contains("skipped"), isBad && step == 2);
      SafetensorsFile after =
          openTensors(folder / (isBad ? "run/step-00000003.safetensors"
                                      : "run/step-00000002.safetensors"));
      for (const auto &[name, tensor] : after.tensors())
        if (name.rfind("fp8.", 0) != 0)
          states[isBad] += std::string(tensor.data, tensor.bytes);
    }
    // Scales take in the finite amaxes of the step that was skipped.
    if (!carriesScales) {
      EXPECT_EQ(states[0], states[1]);
    }
  }
}

TEST_F(Microbatches, ResumeBitForBit) {
  ASSERT_NO_FATAL_FAILURE(compile(
      16, {"--loss=cross-entropy", "--policy=*=fp8", "--microbatches=3"}));
  writeText(folder / "data", Batch(160).file(10));
  Result whole = train({"--steps", "4", "--checkpoint", folder / "whole"});
  ASSERT_SUCCEEDS(whole);
  EXPECT_NE(whole.out.find("10 batches in turn, 3 microbatches a step"),
            std::string::npos)
      << whole.out;
  ASSERT_SUCCEEDS(train({"--steps", "2", "--checkpoint", folder / "parts"}));
  Result rest =
      train({"--steps", "4", "--checkpoint", folder / "parts", "--resume"});
  ASSERT_SUCCEEDS(rest);
  EXPECT_EQ(rest.error.find("warning"), std::string::npos) << rest.error;
  EXPECT_EQ(readText(folder / "whole/step-00000004.safetensors"),
            readText(folder / "parts/step-00000004.safetensors"));
  // Another number is another run.
  rest = train({"--steps", "5", "--checkpoint", folder / "parts", "--resume",
                "--accumulate", "2"});
  EXPECT_NE(rest.error.find("--accumulate: 3 before, 2 now"), std::string::npos)
      << rest.error;
  // One batch a step: the same states, so that the run goes on.
  ASSERT_NO_FATAL_FAILURE(
      compile(16, {"--loss=cross-entropy", "--policy=*=fp8"}));
  ASSERT_SUCCEEDS(
      train({"--steps", "6", "--checkpoint", folder / "parts", "--resume"}));
}

// Whenever the signal comes, most likely between microbatches, a whole step is
// saved: what a run of so many steps has.
TEST_F(Microbatches, InterruptWaitsForTheStep) {
  ASSERT_NO_FATAL_FAILURE(compile(
      16, {"--loss=cross-entropy", "--policy=*=fp8", "--microbatches=16"}));
  writeText(folder / "data", Batch(160).file(10));
  Tool tool(training(
      {"--steps", "100000", "--checkpoint", folder / "cut", "--every", "0"}));
  EXPECT_TRUE(tool.waitFor([&] {
    const std::string log = readText(folder / "log");
    return std::count(log.begin(), log.end(), '\n') >= 3;
  }));
  tool.send(SIGINT);
  EXPECT_EQ(tool.wait().code, 130);
  std::string last;
  for (const auto &file : std::filesystem::directory_iterator(folder / "cut"))
    if (file.path().extension() == ".safetensors")
      last = file.path().filename().string();
  ASSERT_EQ(last.rfind("step-", 0), 0u) << last;
  ASSERT_SUCCEEDS(train({"--steps", std::to_string(std::stoi(last.substr(5))),
                         "--checkpoint", folder / "whole"}));
  SafetensorsFile cut = openTensors(folder / ("cut/" + last)),
                  whole = openTensors(folder / ("whole/" + last));
  for (const auto &[name, tensor] : whole.tensors()) {
    const TensorView *other = cut.find(name);
    ASSERT_TRUE(other) << name;
    EXPECT_EQ(std::string(tensor.data, tensor.bytes),
              std::string(other->data, other->bytes))
        << name;
  }
}

TEST_F(Microbatches, ProgramWithoutThem) {
  ASSERT_NO_FATAL_FAILURE(
      compile(8, {"--loss=cross-entropy", "--precision=f32"}));
  writeText(folder / "data", Batch(16).file(2));
  Result result = train({"--steps", "1", "--accumulate", "2"});
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.error.find("te-compile --microbatches 2"), std::string::npos)
      << result.error;
  result = teCompile({folder / "model.mlir", "--entry=eval", "--init=zeros",
                      "--loss=cross-entropy", "--microbatches=2", "-o",
                      folder / "other.so"});
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.error.find("--microbatches goes with the entry train"),
            std::string::npos)
      << result.error;
}

// The sums are in what a program says that it needs.
TEST_F(Microbatches, MemoryIsReported) {
  auto memory = [&](const std::vector<std::string> &more) {
    std::vector<std::string> flags = {"--loss=cross-entropy", "--precision=f32",
                                      "--report", folder / "report.md"};
    flags.insert(flags.end(), more.begin(), more.end());
    compile(8, flags);
    return nlohmann::json::parse(
        teRun({"info", folder / "model.so", "--json"}).out);
  };
  nlohmann::json without = memory({}), with = memory({"--microbatches=2"});
  const size_t gradients = 4 * (hidden * width + hidden + classes * hidden),
               scalars = 3 * 4;
  EXPECT_EQ(with["memory"]["states"].get<size_t>(),
            without["memory"]["states"].get<size_t>() + gradients + scalars);
  EXPECT_EQ(with["options"]["microbatches"], 2);
  EXPECT_TRUE(std::regex_search(readText(folder / "report.md"),
                                std::regex("\\| gradient +\\| +3 \\|")))
      << readText(folder / "report.md");
}

namespace {
/// A session in this process, to look at what a microbatch leaves.
class MicrobatchStates : public Microbatches {
protected:
  void open() {
    Expected<Artifact> artifact = Artifact::open(folder / "model.so");
    ASSERT_TRUE(bool(artifact)) << artifact.takeError().message();
    auto opened = Session::create(std::move(*artifact), {});
    ASSERT_TRUE(bool(opened)) << opened.takeError().message();
    session = std::move(*opened);
    InitializationOptions options;
    options.weights = folder / "weights";
    check(initializeStates(*session, options));
  }

  static void check(Error error) {
    if (error)
      throw std::runtime_error(error.message());
  }
  template <typename T> static T valueOf(Expected<T> value) {
    if (!value)
      throw std::runtime_error(value.takeError().message());
    return std::move(*value);
  }

  void run(EntryCall &call, const Batch &batch, size_t first) {
    for (const ArgumentDescription &argument : call.description().arguments)
      if (argument.role == ArgumentDescription::Role::Input)
        check(call.setInput(
            argument, argument.name == "labels"
                          ? static_cast<const void *>(&batch.labels[first])
                          : &batch.x[first * width]));
    check(call.run());
  }

  std::vector<float> state(const std::string &name) {
    const auto &states = session->description().states;
    for (size_t i = 0; i < states.size(); ++i)
      if (states[i].name == name) {
        std::vector<float> values(
            static_cast<size_t>(states[i].type.elements()));
        check(session->readState(i, values.data(), states[i].type.bytes()));
        return values;
      }
    throw std::runtime_error("no state " + name);
  }

  std::unique_ptr<Session> session;
};
} // namespace

// Two microbatches by hand, in FP8: gradients with the scales that the step
// began with, their sum in order, and one update of the scales by the larger
// amaxes.
TEST_F(MicrobatchStates, Fp8SumsAndAmaxes) {
  constexpr size_t rows = 16;
  ASSERT_NO_FATAL_FAILURE(compile(
      rows, {"--loss=cross-entropy", "--policy=*=fp8", "--microbatches=2"}));
  ASSERT_NO_FATAL_FAILURE(open());
  Batch batch(4 * rows);
  // The first microbatch has the larger activations.
  for (size_t i = 0; i < rows * width; ++i)
    batch.x[2 * rows * width + i] *= 3;
  SharedArena arena = valueOf(session->allocateArena({"train", "accumulate"}));
  EntryCall accumulate =
      valueOf(EntryCall::create(*session, "accumulate", arena));
  EntryCall train = valueOf(EntryCall::create(*session, "train", arena));
  check(train.setScalar("max_grad_norm", 0).takeError());
  // A step of one batch, so that scales are no longer 1.
  run(train, batch, 0);
  StateSnapshot before = valueOf(StateSnapshot::take(*session));
  auto isAny = [](const StateDescription &) { return true; };

  struct Left {
    Values gradients;
    std::vector<float> amaxes;
    float sum, count;
  } left[2];
  for (size_t i = 0; i < 2; ++i) {
    run(accumulate, batch, (2 + i) * rows);
    for (const auto &[name, values] : weights())
      left[i].gradients[name] = state("grad." + name);
    left[i].amaxes = state("fp8.amax_history");
    left[i].sum = state("loss.sum")[0];
    left[i].count = state("loss.count")[0];
    check(before.restore(*session, isAny));
  }
  Values momentum;
  for (const auto &[name, values] : weights())
    momentum[name] = state("sgd.momentum_buffer." + name);

  // The product that adds to the sum gives the bits of an addition.
  run(accumulate, batch, 2 * rows);
  run(accumulate, batch, 3 * rows);
  for (const auto &[name, values] : weights()) {
    std::vector<float> sum = state("grad." + name);
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(sum[i], left[0].gradients[name][i] + left[1].gradients[name][i])
          << name << " " << i;
  }
  check(before.restore(*session, isAny));

  run(accumulate, batch, 2 * rows);
  run(train, batch, 3 * rows);
  const float count = left[0].count + left[1].count;
  EXPECT_FLOAT_EQ(valueOf(train.readScalar("loss")),
                  (left[0].sum + left[1].sum) / count);
  for (const auto &[name, values] : weights()) {
    std::vector<float> after = state("sgd.momentum_buffer." + name);
    std::vector<float> cleared = state("grad." + name);
    size_t different = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      const float g =
          (left[0].gradients[name][i] + left[1].gradients[name][i]) *
          (1 / count);
      const float expected = 0.9f * momentum[name][i] + g;
      different += std::abs(after[i] - expected) >
                   1e-6f * (std::abs(expected) + std::abs(g));
      EXPECT_EQ(cleared[i], 0.0f);
    }
    EXPECT_EQ(different, 0u) << name;
  }
  const std::vector<float> history = state("fp8.amax_history");
  const auto &slots = session->description().slots;
  size_t larger[2] = {};
  for (size_t slot = 0; slot < slots.size(); ++slot) {
    EXPECT_EQ(history[slot], 0.0f) << slots[slot].name;
    if (slots[slot].name.find(".weight") != std::string::npos)
      continue;
    const float a = left[0].amaxes[slot], b = left[1].amaxes[slot];
    ++larger[b > a];
    EXPECT_EQ(history[history.size() - slots.size() + slot], std::max(a, b))
        << slots[slot].name;
  }
  EXPECT_GT(larger[0], 0u);
}
