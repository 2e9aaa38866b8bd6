// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of GPUs that this machine need not have.

#include "cuda/Device.h"
#include "program/Error.h"

#include <gtest/gtest.h>

using namespace tert;
using namespace tert::cuda;

TEST(DeviceTest, OtherArchitecturesAreRefused) {
  Device device;
  device.ordinal = 1;
  for (auto [name, major, minor] : {std::tuple("NVIDIA A100-SXM4-80GB", 8, 0),
                                    {"NVIDIA L40S", 8, 9},
                                    {"NVIDIA B200", 10, 0}}) {
    device.name = name;
    device.major = major;
    device.minor = minor;
    try {
      device.requireHopper();
      ADD_FAILURE() << name;
    } catch (const Error &error) {
      EXPECT_EQ(error.getStatus(), TERT_UNSUPPORTED);
      std::string message = error.what();
      for (const std::string &part :
           {std::string("GPU 1, ") + name,
            std::to_string(major) + "." + std::to_string(minor),
            std::string("9.0 (Hopper")})
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
  }
  device.name = "NVIDIA H200";
  device.major = 9;
  device.minor = 0;
  EXPECT_NO_THROW(device.requireHopper());
}
