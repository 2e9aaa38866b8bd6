// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries forward_saving and backward compute, bit for bit, what vjp does.

#include "Models.h"

#include "session/Initialization.h"

#include <map>
#include <optional>

using namespace test;
using namespace tert::session;

namespace {
constexpr const char *kDelayed = "--precision=fp8";
using Bytes = std::map<std::string, std::string>;
using Role = ArgumentDescription::Role;

void check(Error error) {
  if (error)
    throw std::runtime_error(error.message());
}
template <typename T> T take(Expected<T> value) {
  if (!value)
    check(value.takeError());
  return std::move(*value);
}

/// A layer's program, with parameters from its file.
class Layer {
public:
  explicit Layer(const std::string &path) {
    SessionOptions options;
    options.numThreads = 2;
    session = take(Session::create(take(Artifact::open(path)), options));
    check(initializeStates(*session, {}));
  }

  Bytes call(const std::string &entry, const Bytes &inputs) {
    auto call = take(EntryCall::create(*session, entry));
    for (const ArgumentDescription &argument : call.description().arguments)
      if (argument.role == Role::Input)
        check(call.setInput(argument, inputs.at(argument.name).data()));
    check(call.run());
    Bytes outputs;
    for (const ArgumentDescription &argument : call.description().arguments)
      if (argument.role == Role::Output) {
        std::string &bytes = outputs[argument.name];
        bytes.resize(argument.type.bytes());
        check(call.readOutput(argument, bytes.data()));
      }
    return outputs;
  }

  /// Scales, amaxes and all else.
  Bytes states() {
    Bytes all;
    for (size_t i = 0; i < session->description().states.size(); ++i) {
      const StateDescription &state = session->description().states[i];
      all[state.name].resize(state.type.bytes());
      check(session->readState(i, all[state.name].data(), state.type.bytes()));
    }
    return all;
  }

  /// Multiplies the scales of what is no gradient; returns how many.
  size_t changeForwardScales(float factor) {
    const Description &description = session->description();
    size_t changed = 0;
    for (size_t i = 0; i < description.states.size(); ++i) {
      const StateDescription &state = description.states[i];
      if (state.kind != "fp8_scale" && state.kind != "fp8_scale_inv")
        continue;
      std::vector<float> values(description.slots.size());
      check(session->readState(i, values.data(), state.type.bytes()));
      for (size_t slot = 0; slot < values.size(); ++slot)
        if (description.slots[slot].format == TERT_F8E4M3) {
          values[slot] *= factor;
          ++changed;
        }
      check(session->writeState(i, values.data(), state.type.bytes()));
    }
    return changed;
  }

private:
  std::unique_ptr<Session> session;
};

/// The inputs and cotangents of a step of Transformer Engine's reference.
Bytes inputsOf(const SafetensorsFile &file, const std::string &layer,
               int step) {
  Bytes inputs;
  for (auto [name, source] : {std::pair("x", "x"), {"cotangent.y", "dy"}}) {
    std::vector<double> values = valuesOf(
        file, "layer." + layer + "." + source + "." + std::to_string(step));
    inputs[name] = bytesOf(std::vector<float>(values.begin(), values.end()));
  }
  return inputs;
}

void merge(Bytes &into, const Bytes &from) {
  for (const auto &[name, bytes] : from)
    into[name] = bytes;
}

class SeparateBackward
    : public ::testing::TestWithParam<std::tuple<const char *, const char *>> {
protected:
  void SetUp() override {
    auto [layer, options] = GetParam();
    const std::string model = inputPath("te_layer_" + std::string(layer));
    std::vector<std::string> arguments = {model + "/model.onnx",
                                          "--entry=vjp,forward_saving", "-o",
                                          folder / "layer.so"};
    std::istringstream words(options);
    for (std::string word; words >> word;)
      arguments.push_back(word);
    ASSERT_SUCCEEDS(teCompile(arguments));
    SafetensorsFile file = openTensors(model + "/reference.safetensors");
    for (int step = 0; step < 3; ++step)
      steps.push_back(inputsOf(file, layer, step));
  }

  TemporaryFolder folder;
  std::vector<Bytes> steps;
};
} // namespace

TEST_P(SeparateBackward, EqualsVjpBitForBit) {
  Layer whole(folder / "layer.so"), separate(folder / "layer.so");
  Bytes before = whole.states();
  for (const Bytes &inputs : steps) {
    Bytes expected = whole.call("vjp", inputs);
    Bytes saved = separate.call("forward_saving", inputs);
    if (&inputs == &steps.front())
      EXPECT_EQ(separate.states(), before)
          << "the forward pass changed a state";
    Bytes all = saved, given = inputs;
    merge(given, saved);
    merge(all, separate.call("backward", given));
    for (const auto &[name, bytes] : expected)
      EXPECT_EQ(all.at(name), bytes) << name;
    EXPECT_EQ(separate.states(), whole.states());
  }
}

/// Other calls in between may change the scales: a backward pass reads those
/// that its copies were made with, and for gradients those of the moment.
TEST_P(SeparateBackward, SavesTheScalesOfItsCopies) {
  Layer layer(folder / "layer.so"), plain(folder / "layer.so");
  Bytes given = steps[0];
  merge(given, layer.call("forward_saving", given));
  const Bytes expected = layer.call("backward", given);
  given = steps[0];
  merge(given, plain.call("forward_saving", given));
  const size_t changed = plain.changeForwardScales(8.0f);
  EXPECT_EQ(plain.call("backward", given), expected);
  const std::string options = std::get<1>(GetParam());
  const bool isDelayed = options.rfind(kDelayed, 0) == 0 &&
                         options.find("--recipe") == std::string::npos;
  EXPECT_EQ(changed > 0, isDelayed);
}

INSTANTIATE_TEST_SUITE_P(
    Layers, SeparateBackward,
    ::testing::Values(
        std::make_tuple("gpt", kDelayed), std::make_tuple("llama", kDelayed),
        std::make_tuple("llama", "--precision=fp8 --recipe=current_scaling"),
        std::make_tuple("llama", "--precision=fp8 --recipe=row_scaling"),
        std::make_tuple("llama", "--precision=fp8 --recipe=block_scaling"),
        std::make_tuple("llama", "--precision=fp8 --recipe=mxfp8_scaling"),
        std::make_tuple("gpt", "--precision=bf16 --recompute=copies"),
        std::make_tuple("gpt", "--precision=fp8 --recompute=layers"),
        std::make_tuple("llama", "--precision=bf16 --recompute=layers"),
        std::make_tuple("llama", "--precision=f32")),
    [](const auto &test) {
      std::string name = std::get<0>(test.param);
      for (char c : std::string(std::get<1>(test.param)))
        if (std::isalnum(static_cast<unsigned char>(c)))
          name += c;
      return name;
    });
