// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models that read one weight in several ways, or stand in several functions:
// their FP8 gradients beside the float32 ones, and training.

#include "Models.h"

#include <fstream>
#include <nlohmann/json.hpp>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;

namespace {
class Layers : public ::testing::Test {
protected:
  using Input = SafetensorsWriter::Entry;

  /// Numbers in [-1, 1), or token ids below `classes`, from a counter.
  void writeInputs(const std::vector<Input> &inputs, int64_t classes = 0) {
    auto writer =
        SafetensorsWriter::create(folder / "in.safetensors", inputs, {});
    ASSERT_TRUE(writer) << writer.takeError().message();
    uint64_t state = 1;
    auto next = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return double(state >> 33) / double(uint64_t(1) << 31);
    };
    for (size_t i : writer->order()) {
      int64_t size = 1;
      for (int64_t extent : inputs[i].shape)
        size *= extent;
      std::vector<float> floats(size);
      std::vector<int64_t> ids(size);
      for (int64_t j = 0; j < size; ++j) {
        double number = next();
        floats[j] = float(2 * number - 1);
        ids[j] = int64_t(number * double(classes));
      }
      bool isFloat = inputs[i].dtype == DType::F32;
      ASSERT_FALSE(isFloat ? writer->append(floats.data(), size * 4)
                           : writer->append(ids.data(), size * 8));
    }
    ASSERT_FALSE(writer->commit());
  }

  /// The results of an entry, in one precision, after three calls with one
  /// scaling state.
  SafetensorsFile results(const std::string &model, const std::string &entry,
                          const std::string &precision, int64_t slots) {
    std::string program = folder / (precision + ".so");
    std::vector<std::string> options = {
        inputPath("layers/" + model + ".mlir"), "--entry=" + entry,
        "--precision=" + precision, "-o", program};
    options.push_back(entry == "vjp" ? "--loss=none" : "--loss=cross-entropy");
    Result compiled = teCompile(options);
    EXPECT_EQ(compiled.code, 0) << compiled.error;
    Result info = teRun({"info", program, "--json"});
    EXPECT_EQ(info.code, 0) << info.error;
    auto description = nlohmann::json::parse(info.out);
    EXPECT_EQ(int64_t(description["slots"].size()),
              precision == "fp8" ? slots : 0);
    for (int call = 0; call < 3; ++call) {
      Result run = teRun({entry, program, "--inputs", folder / "in.safetensors",
                          "--outputs", folder / (precision + ".out"), "--state",
                          folder / (precision + ".state")});
      EXPECT_EQ(run.code, 0) << run.error;
    }
    return openTensors(folder / (precision + ".out"));
  }

  void compare(const std::string &model, const std::string &entry,
               int64_t slots, double bar) {
    SafetensorsFile exact = results(model, entry, "f32", slots);
    SafetensorsFile ours = results(model, entry, "fp8", slots);
    int compared = 0;
    for (const auto &[name, view] : exact.tensors()) {
      double error = relativeError(valuesOf(ours, name), valuesOf(exact, name));
      std::fprintf(stderr, "%-12s %.2e\n", name.c_str(), error);
      EXPECT_LE(error, bar) << name;
      // Rounding to eight bits shows: a step in high precision would not.
      if (name.rfind("grad.", 0) == 0)
        EXPECT_GE(error, 5e-3) << name;
      ++compared;
    }
    EXPECT_GE(compared, 2);
  }

  TemporaryFolder folder;
};
} // namespace

// Two layers: an input and a gradient each, and one weight for both.
TEST_F(Layers, TiedAutoencoderInFp8) {
  writeInputs(
      {{"x", DType::F32, {32, 64}}, {"cotangent.y", DType::F32, {32, 64}}});
  compare("autoencoder", "vjp", 5, 0.2);
}

// Three layers on two slices; the first two read one input.
TEST_F(Layers, SlicesOfAWeightInFp8) {
  writeInputs(
      {{"x", DType::F32, {32, 32}}, {"cotangent.y", DType::F32, {32, 32}}});
  compare("sliced_weight", "vjp", 6, 0.2);
}

TEST_F(Layers, AWeightBothWaysInFp8) {
  writeInputs(
      {{"input_ids", DType::I64, {2, 16}}, {"labels", DType::I64, {2, 16}}},
      61);
  compare("weight_both_ways", "grad", 5, 0.2);
}

// The called function is part of the model: two layers of one module.
TEST_F(Layers, CalledFunctionsInFp8) {
  writeInputs(
      {{"x", DType::F32, {64, 64}}, {"cotangent.y", DType::F32, {64, 64}}});
  compare("call", "vjp", 6, 0.2);
}

// The same two sequences again and again.
TEST_F(Layers, AWeightBothWaysLearnsInFp8) {
  writeInputs(
      {{"input_ids", DType::I64, {2, 16}}, {"labels", DType::I64, {2, 16}}},
      61);
  ASSERT_SUCCEEDS(
      teCompile({inputPath("layers/weight_both_ways.mlir"),
                 "--loss=cross-entropy", "-o", folder / "model.so"}));
  ASSERT_SUCCEEDS(
      teRun({"train", folder / "model.so", "--data", folder / "in.safetensors",
             "--steps", "80", "--lr", "0.03", "--metrics", folder / "log"}));
  std::vector<double> losses;
  std::ifstream stream(folder / "log");
  for (std::string line; std::getline(stream, line);)
    losses.push_back(nlohmann::json::parse(line)["loss"]);
  ASSERT_EQ(losses.size(), 80u);
  std::fprintf(stderr, "loss %.3f, then %.3f\n", losses.front(), losses.back());
  EXPECT_LE(losses.back(), 0.5 * losses.front());
}
