// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose matrices enter and leave in bfloat16.

#include "Models.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

using namespace test;
using tert::session::DType;
using tert::session::SafetensorsFile;
using tert::session::SafetensorsWriter;
using tert::session::TensorView;

namespace {
/// What rounding to bfloat16's eight bits changes a value by, relative: at most
/// this much.
constexpr double roundoff = 0x1p-8;

DType boundaryType(const TensorView &view) {
  return view.shape.size() >= 2 ? DType::BF16 : DType::F32;
}

class Boundary : public ::testing::Test {
protected:
  Result compile(const std::string &model, const std::string &output,
                 std::vector<std::string> options) {
    options.insert(options.begin(), {inputPath(model), "-o", folder / output});
    return teCompile(options);
  }

  /// The layer's inputs of a step as they are, or in float32 and changed.
  void writeInputs(
      const std::string &file,
      const std::function<double(double value, size_t index)> &change = {}) {
    DType dtype = change ? DType::F32 : DType::BF16;
    SafetensorsFile reference =
        openTensors(inputPath("te_layer_gpt/reference.safetensors"));
    std::vector<SafetensorsWriter::Entry> entries;
    std::vector<std::string> bytes;
    for (auto [name, source] : {std::pair("x", "layer.gpt.x.0"),
                                std::pair("cotangent.y", "layer.gpt.dy.0")}) {
      const TensorView *view = reference.find(source);
      ASSERT_NE(view, nullptr);
      entries.push_back({name, dtype, view->shape});
      std::vector<float> values;
      if (change)
        for (double value : valuesOf(reference, source))
          values.push_back(static_cast<float>(change(value, values.size())));
      bytes.push_back(change ? bytesOf(values)
                             : std::string(view->data, view->bytes));
    }
    auto writer = SafetensorsWriter::create(folder / file, entries, {});
    ASSERT_TRUE(writer) << writer.takeError().message();
    for (size_t i : writer->order())
      ASSERT_FALSE(writer->append(bytes[i].data(), bytes[i].size()));
    ASSERT_FALSE(writer->commit());
  }

  Result vjp(const std::string &artifact, const std::string &inputs,
             const std::string &outputs,
             const std::vector<std::string> &options = {}) {
    std::vector<std::string> arguments = {"vjp",       folder / artifact,
                                          "--inputs",  folder / inputs,
                                          "--outputs", folder / outputs};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return teRun(arguments);
  }

  TemporaryFolder folder;
};
} // namespace

TEST_F(Boundary, LayersTakeAndGiveBFloat16) {
  ASSERT_SUCCEEDS(compile("te_layer_gpt/model.onnx", "layer.so",
                          {"--entry=vjp", "--boundary=bf16"}));
  auto info = nlohmann::json::parse(
      teRun({"info", folder / "layer.so", "--json"}).out, nullptr, false);
  ASSERT_TRUE(info.is_object());
  int matrices = 0;
  for (const auto &state : info["states"])
    if (state["kind"] == "parameter") {
      bool matrix = state["shape"].size() >= 2;
      matrices += matrix;
      EXPECT_EQ(state["dtype"], matrix ? "bf16" : "f32") << state["name"];
    } else {
      EXPECT_NE(state["dtype"], "bf16") << state["name"];
    }
  EXPECT_EQ(matrices, 6);

  ASSERT_NO_FATAL_FAILURE(writeInputs("in"));
  ASSERT_SUCCEEDS(vjp("layer.so", "in", "out"));
  SafetensorsFile out = openTensors(folder / "out");
  EXPECT_EQ(out.tensors().size(), 18u);
  for (const auto &[name, view] : out.tensors())
    EXPECT_EQ(view.dtype, boundaryType(view)) << name;
}

// Whoever has no bfloat16, as NumPy, gives float32.
TEST_F(Boundary, Float32InputsAreRounded) {
  ASSERT_SUCCEEDS(compile("te_layer_gpt/model.onnx", "layer.so",
                          {"--entry=vjp", "--boundary=bf16"}));
  ASSERT_NO_FATAL_FAILURE(writeInputs("narrow"));
  auto offBy = [](double error) {
    return [=](double value, size_t index) {
      return value * (1 + (index % 2 ? error : -error));
    };
  };
  // Whatever is nearer than half the roundoff is rounded to the same number.
  ASSERT_NO_FATAL_FAILURE(writeInputs("wide", offBy(0.4 * roundoff)));
  ASSERT_SUCCEEDS(vjp("layer.so", "narrow", "out.narrow"));
  ASSERT_SUCCEEDS(vjp("layer.so", "wide", "out.wide"));
  EXPECT_EQ(readText(folder / "out.narrow"), readText(folder / "out.wide"));
  ASSERT_SUCCEEDS(teRun({"compare", folder / "out.narrow", folder / "out.wide",
                         "--tolerance", "0"}));
  // Two units away it is another number, so the above has compared something.
  ASSERT_NO_FATAL_FAILURE(writeInputs("other", offBy(4 * roundoff)));
  ASSERT_SUCCEEDS(vjp("layer.so", "other", "out.other"));
  EXPECT_NE(readText(folder / "out.narrow"), readText(folder / "out.other"));

  ASSERT_NO_FATAL_FAILURE(writeInputs("huge", [](double value, size_t index) {
    return index == 7 ? 0x1.ffffp127 : value;
  }));
  Result huge = vjp("layer.so", "huge", "out.huge");
  EXPECT_EQ(huge.code, 1);
  EXPECT_CONTAINS(huge.error,
                  "x: element 7 is 3.40279771e+38, beyond what BF16 holds");
}

// The file beside the artifact has the parameters as the program holds them;
// float32 ones do as well.
TEST_F(Boundary, ParametersAreRounded) {
  ASSERT_SUCCEEDS(compile("gpt2_vocab509/model.onnx", "wide.so",
                          {"--entry=forward", "--precision=bf16"}));
  ASSERT_SUCCEEDS(
      compile("gpt2_vocab509/model.onnx", "narrow.so",
              {"--entry=forward", "--precision=bf16", "--boundary=bf16"}));
  SafetensorsFile wide = openTensors(folder / "wide.so.weights.safetensors");
  SafetensorsFile narrow =
      openTensors(folder / "narrow.so.weights.safetensors");
  ASSERT_EQ(narrow.tensors().size(), wide.tensors().size());
  int matrices = 0;
  for (const auto &[name, view] : narrow.tensors()) {
    ASSERT_EQ(view.dtype, boundaryType(view)) << name;
    bool matrix = view.shape.size() >= 2;
    matrices += matrix;
    std::vector<double> ours = valuesOf(narrow, name),
                        exact = valuesOf(wide, name);
    ASSERT_EQ(ours.size(), exact.size());
    double largest = 0;
    for (size_t i = 0; i < ours.size(); ++i) {
      double error = std::abs(ours[i] - exact[i]);
      largest = std::max(largest, error);
      ASSERT_LE(error, matrix ? roundoff * std::abs(exact[i]) : 0.0)
          << name << " " << i;
    }
    // Random float32 weights are not bfloat16 numbers already.
    EXPECT_EQ(largest > 0, matrix) << name;
  }
  EXPECT_GE(matrices, 10);

  const std::string inputs = inputPath("gpt2_vocab509/reference.safetensors");
  ASSERT_SUCCEEDS(teRun({"forward", folder / "narrow.so", "--inputs", inputs,
                         "--outputs", folder / "own"}));
  ASSERT_SUCCEEDS(teRun({"forward", folder / "narrow.so", "--inputs", inputs,
                         "--outputs", folder / "given", "--weights",
                         folder / "wide.so.weights.safetensors"}));
  EXPECT_EQ(readText(folder / "own"), readText(folder / "given"));
}

// The ops read and write bfloat16 themselves: no kernel does nothing else.
TEST_F(Boundary, NothingIsConvertedApart) {
  for (const auto &[model, options] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"te_layer_gpt", {"--entry=vjp", "--precision=fp8"}},
           {"te_layer_gpt", {"--entry=vjp", "--precision=bf16"}},
           {"gpt2_vocab509", {"--entry=grad", "--precision=fp8"}},
           {"custom", {"--entry=grad", "--precision=bf16"}}}) {
    auto conversions = [&, &model = model,
                        &options = options](const std::string &boundary) {
      std::vector<std::string> all = options;
      all.insert(all.end(), {"--emit=tert", "--boundary=" + boundary});
      Result result = compile(model + "/model.onnx", "program.mlir", all);
      EXPECT_EQ(result.code, 0) << result.error;
      std::istringstream program(readText(folder / "program.mlir"));
      int count = 0;
      for (std::string line; std::getline(program, line);)
        count += line.find("tert.copy") != std::string::npos &&
                 line.find("xf32") != std::string::npos &&
                 line.find("xbf16") != std::string::npos;
      return count;
    };
    EXPECT_EQ(conversions("bf16"), 0) << model;
    EXPECT_GT(conversions("f32"), 0) << model;
  }
}

// Weights were rounded for their products anyway; what is new is the rounding
// of positions, and of every result as it leaves: an error that is uniform up
// to the roundoff, whose root mean square is 1/√3 of it.
TEST_F(Boundary, GradientsOfAModel) {
  const std::string referencePath =
      inputPath("gpt2_vocab509/reference.safetensors");
  std::vector<std::string> options = {"--entry=grad", "--loss=cross-entropy",
                                      "--precision=bf16"};
  ASSERT_SUCCEEDS(compile("gpt2_vocab509/model.onnx", "wide.so", options));
  options.push_back("--boundary=bf16");
  ASSERT_SUCCEEDS(compile("gpt2_vocab509/model.onnx", "narrow.so", options));
  for (const char *name : {"wide", "narrow"})
    ASSERT_SUCCEEDS(
        teRun({"grad", folder / (std::string(name) + ".so"), "--inputs",
               referencePath, "--outputs", folder / name}));
  SafetensorsFile wide = openTensors(folder / "wide");
  SafetensorsFile narrow = openTensors(folder / "narrow");
  SafetensorsFile reference = openTensors(referencePath);
  int compared = 0;
  std::fprintf(stderr, "%-42s %9s %9s\n", "error to float32", "bf16", "f32");
  for (const auto &[name, view] : narrow.tensors()) {
    EXPECT_EQ(view.dtype, boundaryType(view)) << name;
    std::vector<double> exact = valuesOf(reference, name);
    double ours = relativeError(valuesOf(narrow, name), exact);
    double theirs = relativeError(valuesOf(wide, name), exact);
    std::fprintf(stderr, "%-42s %9.2e %9.2e\n", name.c_str(), ours, theirs);
    // The rest is chance: all roundings after the positions' are others. A
    // vector of 64 elements averages over few of them.
    double chance = view.shape.size() >= 2 ? 1.05 : 1.3;
    EXPECT_LE(ours, std::hypot(chance * theirs, roundoff / std::sqrt(3)))
        << name;
    ++compared;
  }
  EXPECT_EQ(compared, 30); // 28 parameters, logits and loss.
}

TEST_F(Boundary, MastersAndFloat32AreRefused) {
  const std::vector<std::string> boundary = {"--boundary=bf16"};
  Result train = compile("te_layer_gpt/model.onnx", "layer.so", boundary);
  EXPECT_EQ(train.code, 2); // wrong usage
  EXPECT_CONTAINS(train.error,
                  "--boundary=bf16 does not go with --entry=train");
  EXPECT_CONTAINS(train.error, "compile --entry=grad, vjp or forward");
  Result exact = compile("te_layer_gpt/model.onnx", "layer.so",
                         {"--boundary=bf16", "--entry=vjp", "--precision=f32"});
  EXPECT_EQ(exact.code, 2);
  EXPECT_CONTAINS(exact.error, "does not go with --precision=f32");
  EXPECT_FALSE(std::filesystem::exists(folder / "layer.so"));
}
