// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8 heads in slices of rows: a step measures the amaxes of a step without
// slices, bit by bit, and learns what it learns but for the order of sums.

#include "Models.h"

#include "te/Driver/Compilation.h"

#include <nlohmann/json.hpp>
#include <sstream>

using namespace test;
using namespace mlir::te;

namespace {
constexpr size_t rows = 384, width = 64, classes = 50, batches = 4;

const char perceptron[] = R"(
func.func @forward(%x: tensor<384x64xf32> {te.input = "x"},
    %w1: tensor<64x64xf32> {te.param = "fc.weight"},
    %w2: tensor<50x64xf32> {te.param = "head.weight"}) -> (tensor<384x50xf32> {te.output = "logits"}) {
  %u = te.matmul %x, %w1 {transpose_b} : tensor<384x64xf32>, tensor<64x64xf32> -> tensor<384x64xf32> loc("fc")
  %h = te.activation relu %u : tensor<384x64xf32> -> y tensor<384x64xf32>
  %y = te.matmul %h, %w2 {transpose_b} : tensor<384x64xf32>, tensor<50x64xf32> -> tensor<384x50xf32> loc("head")
  return %y : tensor<384x50xf32>
}
)";

/// Batches whose labels count in two of three rows; one element of the last
/// rows of the second is `odd`.
std::string dataWith(float odd) {
  std::vector<float> x(batches * rows * width);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] =
        static_cast<float>(std::sin(0.37 * static_cast<double>(i * i % 997)));
  x[2 * rows * width - 5 * width] = odd;
  std::vector<int64_t> labels(batches * rows);
  for (size_t i = 0; i < labels.size(); ++i)
    labels[i] = i % 3 ? static_cast<int64_t>(i * 7 % classes) : -100;
  return safetensorsOf({{"x", "F32", "[4,384,64]", bytesOf(x)},
                        {"labels", "I64", "[4,384]", bytesOf(labels)}});
}

using Settings = std::vector<std::pair<std::string, std::string>>;

class SlicedHead : public ::testing::Test {
protected:
  SlicedHead() : context(createCompilationContext()) {
    writeText(folder / "perceptron.mlir", perceptron);
    writeText(folder / "x.safetensors", dataWith(1));
    writeText(folder / "text", sampleText());
  }

  /// Expects `slices` in each entry.
  void compile(const std::string &model, const Settings &settings,
               std::optional<int64_t> logitsBytes, size_t slices,
               const std::string &output) {
    CompileOptions options;
    options.graph.policy = "*=fp8";
    options.init = "normal:0.1";
    for (const auto &[name, value] : settings)
      ASSERT_FALSE(setOption(options, name, value)) << name;
    options.graph.logitsBytes = logitsBytes;
    options.force = true;
    for (EmitKind emit : {EmitKind::TE, EmitKind::SharedLibrary}) {
      options.emit = emit;
      options.output = output;
      Compilation compilation(*context, options);
      ASSERT_TRUE(succeeded(compilation.checkOptions()));
      ASSERT_TRUE(succeeded(compilation.load(model)));
      ASSERT_TRUE(succeeded(compilation.run()));
      if (emit == EmitKind::SharedLibrary) {
        ASSERT_TRUE(succeeded(compilation.emit()));
        continue;
      }
      // Of a step, or of a microbatch and the last one.
      std::map<mlir::Operation *, size_t> found;
      compilation.getModule().walk([&](ScaledMatmulOp op) {
        if (op.getRole() == MatmulRole::Fprop &&
            op.getLayerAttr().getValue().ends_with("head"))
          ++found[op->getParentOp()];
      });
      ASSERT_FALSE(found.empty());
      for (const auto &[function, count] : found)
        ASSERT_EQ(count, slices);
    }
  }

  Result train(const std::string &program, const std::string &run,
               std::vector<std::string> flags) {
    std::vector<std::string> arguments = {
        "train",        folder / program,
        "--lr",         "0.01",
        "--clip",       "0",
        "--checkpoint", folder / run,
        "--metrics",    folder / (run + ".log"),
        "--every",      "1"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    return teRun(arguments);
  }

  /// The first step changes what it changes without slices, bit by bit; but the
  /// gradient of the head's weight is a sum over the rows in another order.
  void compareFirstSteps() {
    const std::string paths[] = {folder / "sliced/step-00000001",
                                 folder / "whole/step-00000001"};
    // Of several ranks, each has parts of states.
    if (std::filesystem::exists(paths[0])) {
      ASSERT_SUCCEEDS(teRun({"compare", paths[0], paths[1], "--tolerance",
                             "1e-6", "--rows", "1"}));
      return;
    }
    auto sliced = openTensors(paths[0] + ".safetensors");
    auto whole = openTensors(paths[1] + ".safetensors");
    bool hasHead = false, hasAmaxes = false;
    for (const auto &[name, tensor] : whole.tensors()) {
      const auto *other = sliced.find(name);
      ASSERT_NE(other, nullptr) << name;
      hasAmaxes |= name == "fp8.amax_history";
      const bool isHead = name.find("head.weight") != std::string::npos;
      hasHead |= isHead;
      if (isHead && tensor.dtype == tert::session::DType::F32)
        EXPECT_LE(relativeError(valuesOf(sliced, name), valuesOf(whole, name)),
                  1e-6)
            << name;
      else if (!isHead)
        EXPECT_TRUE(std::string_view(other->data, other->bytes) ==
                    std::string_view(tensor.data, tensor.bytes))
            << name;
    }
    EXPECT_TRUE(hasHead && hasAmaxes);
  }

  std::vector<nlohmann::json> logOf(const std::string &run) {
    std::istringstream log(readText(folder / (run + ".log")));
    std::vector<nlohmann::json> lines;
    for (std::string line; std::getline(log, line);)
      lines.push_back(nlohmann::json::parse(line, nullptr, false));
    return lines;
  }

  std::unique_ptr<mlir::MLIRContext> context;
  TemporaryFolder folder;
};
} // namespace

/// What a training is compiled with, and what te-run is told.
struct Case {
  std::string model;
  Settings settings;
  std::vector<std::string> flags;
  int64_t logitsBytes;
  size_t slices;
};

TEST_F(SlicedHead, LearnsWhatAWholeOneDoes) {
  const std::string gpt =
      std::string(TE_SOURCE_DIR) + "/examples/gpt_bytes/model.onnx";
  const std::string mlp = folder / "perceptron.mlir";
  const std::vector<std::string> x = {"--data", folder / "x.safetensors",
                                      "--tokens", "safetensors"};
  const std::vector<std::string> text = {"--data", folder / "text"};
  auto with = [](std::vector<std::string> flags,
                 const std::vector<std::string> &more) {
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
  };
  for (const Case &tried : std::vector<Case>{
           {mlp, {{"loss", "cross-entropy"}}, x, 20000, 3},
           {mlp,
            {{"loss", "cross-entropy"},
             {"label-smoothing", "0.1"},
             {"z-loss", "0.01"},
             {"reduction", "sum"}},
            x,
            20000,
            3},
           {mlp,
            {{"loss", "cross-entropy"},
             {"recipe", "#te.delayed_scaling<history = 1, margin = 2>"}},
            x,
            20000,
            3},
           {mlp,
            {{"loss", "cross-entropy"}, {"microbatches", "2"}},
            x,
            20000,
            3},
           {mlp,
            {{"loss", "cross-entropy"}, {"mesh", "dp=2"}},
            with(x, {"--devices", "2"}),
            20000,
            3},
           // A token table that is the head as well.
           {gpt, {{"recompute", "layers"}}, text, 1 << 18, 8},
           {gpt,
            {{"mesh", "tp=2"}},
            with(text, {"--devices", "2"}),
            1 << 17,
            8},
       }) {
    std::string name = tried.model;
    for (const auto &[option, value] : tried.settings)
      name += " --" + option + "=" + value;
    SCOPED_TRACE(name);
    ASSERT_NO_FATAL_FAILURE(compile(tried.model, tried.settings, std::nullopt,
                                    1, folder / "whole.so"));
    ASSERT_NO_FATAL_FAILURE(compile(tried.model, tried.settings,
                                    tried.logitsBytes, tried.slices,
                                    folder / "sliced.so"));
    for (const char *run : {"whole", "sliced"}) {
      std::filesystem::remove_all(folder / run);
      ASSERT_SUCCEEDS(train(std::string(run) + ".so", run,
                            with(tried.flags, {"--steps", "2"})));
    }
    std::vector<nlohmann::json> whole = logOf("whole"),
                                sliced = logOf("sliced");
    ASSERT_EQ(whole.size(), 2u);
    ASSERT_EQ(sliced.size(), 2u);
    for (size_t step = 0; step < 2; ++step)
      for (const char *value : {"loss", "grad_norm"}) {
        const double expected = whole[step].at(value);
        EXPECT_NEAR(sliced[step].at(value), expected, 1e-6 * expected);
      }
    compareFirstSteps();
  }
}

// The amax of one slice tells of what its cast hides.
TEST_F(SlicedHead, SkipsStepsThatAreNotFinite) {
  ASSERT_NO_FATAL_FAILURE(compile(folder / "perceptron.mlir",
                                  {{"loss", "cross-entropy"}}, 20000, 3,
                                  folder / "sliced.so"));
  for (float odd : {1.0f, INFINITY, std::nanf("")}) {
    SCOPED_TRACE(odd);
    writeText(folder / "x.safetensors", dataWith(odd));
    std::filesystem::remove_all(folder / "sliced");
    ASSERT_SUCCEEDS(train("sliced.so", "sliced",
                          {"--data", folder / "x.safetensors", "--tokens",
                           "safetensors", "--steps", "2"}));
    const bool isFinite = std::isfinite(odd);
    std::vector<nlohmann::json> log = logOf("sliced");
    ASSERT_EQ(log.size(), 2u);
    EXPECT_FALSE(log[0].contains("skipped"));
    EXPECT_EQ(log[1].contains("skipped"), !isFinite);
    auto before = openTensors(folder / "sliced/step-00000001.safetensors");
    auto after = openTensors(folder / "sliced/step-00000002.safetensors");
    EXPECT_EQ(valuesOf(before, "head.weight") == valuesOf(after, "head.weight"),
              !isFinite);
  }
}
