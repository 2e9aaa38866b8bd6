// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transformer layer's outputs and gradients on a GPU against the CPU's, with
// float32 and with bfloat16 where values enter and leave.

#include "Programs.h"

#include "training/RandomInputs.h"

#include <cmath>
#include <cstdio>
#include <map>

using namespace tert;
using namespace tert::session;
using namespace test;

namespace {
class LayerTest : public ProgramTest {
protected:
  using Outputs = std::map<std::string, std::vector<char>>;

  /// The outputs of the last of some steps: FP8 scales start at one, which
  /// sends most gradients to zero.
  Outputs outputsOf(Program &program) {
    constexpr int steps = 4;
    for (int step = 0; step < steps; ++step) {
      Error error = training::setRandomInputs(*program.call, step);
      EXPECT_FALSE(error) << error.message();
      error = program.call->run();
      EXPECT_FALSE(error) << error.message();
    }
    Outputs outputs;
    for (const ArgumentDescription &argument :
         program.call->description().arguments)
      if (argument.role == ArgumentDescription::Role::Output) {
        std::vector<char> &bytes = outputs[argument.name];
        bytes.resize(argument.type.bytes());
        Error error = program.call->readOutput(argument, bytes.data());
        EXPECT_FALSE(error) << error.message();
      }
    return outputs;
  }

  /// Roundings to bfloat16 that tip the other way, and to FP8, where a tipped
  /// value moves by an eighth or a quarter.
  static double bar() {
    bool isFp8 = std::string(GetParam()).find("_fp8") != std::string::npos;
    return isFp8 ? 0.15 : 2e-2;
  }
};

double relativeError(DType dtype, const std::vector<char> &a,
                     const std::vector<char> &b) {
  double difference = 0, norm = 0;
  for (size_t i = 0; i < a.size(); i += sizeOf(dtype)) {
    double x = readAsDouble(dtype, a.data() + i);
    double y = readAsDouble(dtype, b.data() + i);
    difference += (x - y) * (x - y);
    norm += y * y;
  }
  return std::sqrt(difference / norm);
}
} // namespace

TEST_P(LayerTest, GpuAgainstCpu) {
  Program gpu, cpu;
  ASSERT_NO_FATAL_FAILURE(open(gpu, "sm_90", "vjp"));
  ASSERT_NO_FATAL_FAILURE(open(cpu, "cpu", "vjp"));
  Outputs ours = outputsOf(gpu), reference = outputsOf(cpu);
  ASSERT_FALSE(HasFailure());
  double worst = 0;
  for (const auto &[name, expected] : reference) {
    // Keys' biases have no gradient but rounding errors.
    if (name == "grad.k.bias")
      continue;
    const ArgumentDescription *output =
        cpu.call->description().find(ArgumentDescription::Role::Output, name);
    double error =
        relativeError(toFileDType(output->type.dtype), ours[name], expected);
    EXPECT_LE(error, bar()) << name;
    worst = std::max(worst, error);
  }
  EXPECT_EQ(reference.size(), 18u);
  std::printf("%s: worst error %.2g\n", GetParam(), worst);
}

TEST_P(LayerTest, TwoRunsAreBitEqual) {
  Program first, second;
  ASSERT_NO_FATAL_FAILURE(open(first, "sm_90", "vjp"));
  ASSERT_NO_FATAL_FAILURE(open(second, "sm_90", "vjp"));
  EXPECT_EQ(outputsOf(first), outputsOf(second));
}

INSTANTIATE_TEST_SUITE_P(
    Models, LayerTest,
    testing::Values("layer_bf16", "layer_fp8", "layer_bf16_boundary",
                    "layer_fp8_boundary", "layer_fp8_current", "layer_fp8_row",
                    "layer_fp8_block"),
    [](const auto &info) { return std::string(info.param); });
