// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run train of eight ranks in a mesh of three axes, which share one GPU: the
// losses of eight ranks on CPUs, and the same states on all ranks.

#include "OpenGpu.h"
#include "RankRuns.h"
#include "StepPrograms.h"

using namespace test;

namespace {
struct Case {
  const char *program;
  /// Relative, of a loss: float32 sums in another order; roundings to bf16 that
  /// tip the other way; to FP8 as well.
  double bar;

  friend void PrintTo(const Case &params, std::ostream *out) {
    *out << params.program;
  }
};

class MeshTest : public ::testing::TestWithParam<Case>, protected RankRuns {
protected:
  MeshTest() : RankRuns(teRunPath()) {}

  std::vector<double> train(const std::string &target,
                            const std::string &devices, int steps) {
    Result result =
        Tool(program,
             trainCommand(programPath(GetParam().program, target), steps,
                          {"--devices", devices, "--lr", "1e-3",
                           "--check-replicas", "1", "--metrics",
                           folder / (target + ".log")}))
            .wait();
    EXPECT_EQ(result.code, 0) << result.error;
    return losses(target + ".log");
  }
};
} // namespace

TEST_P(MeshTest, GpusAgainstCpus) {
  if (!canOpen("cuda:0"))
    GTEST_SKIP() << "there is no GPU that this runtime runs on";
  constexpr int steps = 6;
  const std::vector<double> cpus = train("cpu", "8", steps),
                            gpus = train("sm_90", "0,0,0,0,0,0,0,0", steps);
  ASSERT_EQ(cpus.size(), size_t(steps));
  ASSERT_EQ(gpus.size(), size_t(steps));
  double worst = 0;
  for (int step = 0; step < steps; ++step) {
    const double error = std::abs(gpus[step] - cpus[step]) / cpus[step];
    worst = std::max(worst, error);
    EXPECT_LE(error, GetParam().bar)
        << "step " << step << ": " << gpus[step] << ", " << cpus[step];
  }
  std::printf("%s: worst error of a loss %.1e, from %.4f to %.4f\n",
              GetParam().program, worst, gpus.front(), gpus.back());
}

INSTANTIATE_TEST_SUITE_P(Models, MeshTest,
                         testing::Values(Case{"gpt2_mesh_f32", 2e-6},
                                         Case{"gpt2_mesh_bf16", 1e-3},
                                         Case{"gpt2_mesh_fp8", 2e-3}),
                         [](const auto &info) {
                           return std::string(info.param.program);
                         });
