// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of GPUs that this machine need not have.

#include "cuda/Device.h"
#include "program/Error.h"

#include <gtest/gtest.h>

using namespace tert;
using namespace tert::cuda;

namespace {
Device deviceOf(const char *name, int major, int minor) {
  Device device;
  device.ordinal = 1;
  device.name = name;
  device.major = major;
  device.minor = minor;
  return device;
}
} // namespace

TEST(DeviceTest, OtherArchitecturesAreRefused) {
  for (auto [name, major, minor] : {std::tuple("NVIDIA A100-SXM4-80GB", 8, 0),
                                    {"NVIDIA L40S", 8, 9},
                                    {"NVIDIA B200", 10, 0}}) {
    try {
      deviceOf(name, major, minor).requireKernels("90a-real");
      ADD_FAILURE() << name;
    } catch (const Error &error) {
      EXPECT_EQ(error.getStatus(), TERT_UNSUPPORTED);
      std::string message = error.what();
      const std::string number = std::to_string(10 * major + minor);
      for (const std::string &part :
           {std::string("GPU 1, ") + name,
            std::to_string(major) + "." + std::to_string(minor),
            std::string("built for 90a-real"),
            "-DTE_CUDA_ARCHITECTURES=" + number + "-real"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
}

TEST(DeviceTest, RunsWhatIsBuiltForIt) {
  const Device h200 = deviceOf("NVIDIA H200", 9, 0);
  const Device a10 = deviceOf("NVIDIA A10", 8, 6);
  const Device rtx = deviceOf("NVIDIA GeForce RTX 5090", 12, 0);
  EXPECT_NO_THROW(h200.requireKernels("90a-real"));
  EXPECT_NO_THROW(h200.requireKernels("80-real,90a-real"));
  // Machine code runs on later minor versions, PTX on all later ones.
  EXPECT_NO_THROW(a10.requireKernels("80-real"));
  EXPECT_THROW(a10.requireKernels("89-real"), Error);
  EXPECT_THROW(h200.requireKernels("80-real,89-real"), Error);
  EXPECT_NO_THROW(h200.requireKernels("80-virtual"));
  EXPECT_NO_THROW(rtx.requireKernels("90a-real,120-real"));
  EXPECT_THROW(rtx.requireKernels("90a-real"), Error);
}
