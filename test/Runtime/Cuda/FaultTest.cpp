// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that faults ends the process's use of the GPU, so each of these
// tests runs in a process of its own.

#include "Gpu.h"

#include <regex>

using namespace tert_test;

namespace {
const tert_site site = {"tert.add", "h.0.mlp (model.py:12)", 0, 0, 0};
const tert_layout layout = {TERT_F32, 1, {1024}, {1}};

tert_context *openGpu() {
  tert_context *gpu = nullptr;
  if (tert_open("cuda:0", nullptr, &gpu, nullptr, 0) != TERT_OK)
    std::exit(2);
  return gpu;
}

/// An address where the device has no memory.
tert_tensor lost() { return {reinterpret_cast<void *>(0x10000), &layout}; }

void expect(bool condition, const char *what) {
  if (condition)
    return;
  std::fprintf(stderr, "not so: %s\n", what);
  std::exit(3);
}

class FaultTest : public GpuTest {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    GpuTest::SetUp();
  }
};
using FaultDeathTest = FaultTest;
} // namespace

TEST_F(FaultDeathTest, SynchronousOpsNameWhoseItWas) {
  EXPECT_EXIT(
      {
        tert_context *context = openGpu();
        tert_set_synchronous(context, 1);
        tert_tensor x = lost();
        tert_status status = tert_add(context, &site, &x, &x, &x);
        expect(status == TERT_DEVICE_ERROR, "the op itself fails");
        std::fprintf(stderr, "%s\n", tert_last_error(context));
        tert_close(context);
        std::exit(0);
      },
      testing::ExitedWithCode(0),
      "tert.add at h.0.mlp .model.py:12.: .*illegal memory access");
}

TEST_F(FaultDeathTest, OtherwiseItShowsWhenWaitedFor) {
  EXPECT_EXIT(
      {
        tert_context *context = openGpu();
        tert_tensor x = lost();
        expect(tert_add(context, &site, &x, &x, &x) == TERT_OK, "it starts");
        expect(tert_synchronize(context) == TERT_DEVICE_ERROR, "waiting fails");
        std::fprintf(stderr, "%s\n", tert_last_error(context));
        // Whatever comes later fails too, and none of it hangs.
        float value = 0;
        void *memory = nullptr;
        expect(tert_copy_to_host(context, &value, x.data, 4) != TERT_OK,
               "copying fails");
        expect(tert_allocate(context, 4, &memory) != TERT_OK,
               "allocating fails");
        expect(tert_add(context, &site, &x, &x, &x) != TERT_OK, "ops fail");
        tert_close(context);
        std::exit(0);
      },
      testing::ExitedWithCode(0), "illegal memory access");
}
