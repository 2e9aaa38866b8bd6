// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests among GPUs of this machine, one process for each rank; where there are
// more ranks than GPUs, they share them. Processes are forked before anything
// touches CUDA, the parent of all tests never does.
#ifndef TERT_TEST_RUNTIME_CUDA_GPURANKS_H
#define TERT_TEST_RUNTIME_CUDA_GPURANKS_H

#include "Gpu.h"
#include "Ranks.h"

namespace tert_test {

/// How many GPUs a process of its own can open; at most 8.
inline int32_t countGpus() {
  static const int32_t count = [] {
    const pid_t process = fork();
    if (process == 0) {
      int number = 0;
      for (tert_context *context; number < 8; ++number) {
        context = nullptr;
        char message[256];
        tert_open(("cuda:" + std::to_string(number)).c_str(), nullptr, &context,
                  message, sizeof(message));
        if (!context)
          break;
      }
      _exit(number);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  }();
  return count;
}

/// A test of a job of all GPUs, or of two ranks on the only one; skipped where
/// there is none.
class GpuRanksTest : public testing::Test {
protected:
  void SetUp() override {
    if (countGpus() == 0)
      GTEST_SKIP() << "there is no GPU that this runtime runs on";
    options.mesh = {std::max(countGpus(), 2)};
    options.device = "cuda:";
    options.numDevices = countGpus();
    options.timeoutSeconds = 60;
  }
  JobOptions options;
};

/// One of a mesh, whatever GPUs there are; of all of them where it is empty.
class GpuMeshTest : public GpuRanksTest,
                    public testing::WithParamInterface<std::vector<int32_t>> {
protected:
  void SetUp() override {
    GpuRanksTest::SetUp();
    if (!GetParam().empty())
      options.mesh = GetParam();
  }
};

/// "2x2x2", as a test's name.
inline std::string
nameOfMesh(const testing::TestParamInfo<std::vector<int32_t>> &info) {
  std::string name;
  for (int32_t size : info.param)
    name += (name.empty() ? "" : "x") + std::to_string(size);
  return name.empty() ? "all" : name;
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_CUDA_GPURANKS_H
