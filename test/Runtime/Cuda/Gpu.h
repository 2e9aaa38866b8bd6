// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What tests of the CUDA backend share: the same call on the GPU and on the
// CPU, over the same bytes.
#ifndef TERT_TEST_RUNTIME_CUDA_GPU_H
#define TERT_TEST_RUNTIME_CUDA_GPU_H

#include "TestTensor.h"

#include <filesystem>
#include <list>
#include <string>
#include <utility>

namespace tert_test {

/// A test that is skipped, saying why, where there is no GPU.
class GpuTest : public testing::Test {
protected:
  void SetUp() override {
    char message[1024] = "";
    tert_open("cuda:0", nullptr, &gpu, message, sizeof(message));
    if (!gpu)
      GTEST_SKIP() << message;
  }
  void TearDown() override { tert_close(gpu); }

  std::string gpuError() const { return tert_last_error(gpu); }

  tert_context *gpu = nullptr;
  Context cpu{0};
};

/// A file of test/Runtime/Inputs: beside the tests, where scripts/gpu-bundle
/// puts it, or in the source tree.
inline std::string inputPath(const std::string &name) {
  std::error_code error;
  std::filesystem::path beside =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path() /
      "inputs" / name;
  return !error && std::filesystem::exists(beside, error)
             ? beside.string()
             : TERT_TEST_INPUTS "/" + name;
}

/// A copy of a tensor, gaps included, in the GPU's memory.
class OnGpu {
public:
  OnGpu(tert_context *gpu, const Tensor &host) : gpu(gpu), host(host) {
    EXPECT_EQ(tert_allocate(gpu, host.memoryBytes(), &memory), TERT_OK);
    EXPECT_EQ(
        tert_copy_to_device(gpu, memory, host.memoryData(), host.memoryBytes()),
        TERT_OK);
    handle = {static_cast<unsigned char *>(memory) + host.dataOffset(),
              &host.layout};
  }
  ~OnGpu() { tert_release(gpu, memory); }
  OnGpu(const OnGpu &) = delete;
  OnGpu &operator=(const OnGpu &) = delete;

  operator const tert_tensor *() const { return &handle; }

  /// What is there now.
  Tensor read() const {
    Tensor result = host;
    EXPECT_EQ(tert_copy_to_host(gpu, result.memoryData(), memory,
                                result.memoryBytes()),
              TERT_OK)
        << tert_last_error(gpu);
    return result;
  }

private:
  tert_context *gpu;
  const Tensor &host;
  void *memory = nullptr;
  tert_tensor handle;
};

/// ‖a - b‖ / ‖b‖; a NaN on one side alone makes it NaN.
inline double relativeError(const Tensor &a, const Tensor &b) {
  double difference = 0, norm = 0;
  for (int64_t i = 0, e = a.numElements(); i < e; ++i) {
    double x = a.at(i), y = b.at(i);
    if (x == y || (std::isnan(x) && std::isnan(y)))
      x = y = std::isfinite(y) ? y : 0.0;
    difference += (x - y) * (x - y);
    norm += y * y;
  }
  return norm == 0 ? std::sqrt(difference) : std::sqrt(difference / norm);
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_CUDA_GPU_H
