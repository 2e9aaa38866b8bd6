// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that come with a program, here written by hand.

#include "TestTensor.h"

using namespace tert_test;

namespace {

constexpr int64_t kTasks = 37, kSize = 100;
constexpr int32_t kFloats[] = {4, 4};

/// y = 2 x, a hundred elements a task.
void twice(void *const *operands, int64_t task) {
  const float *x = static_cast<const float *>(operands[0]);
  float *y = static_cast<float *>(operands[1]);
  for (int64_t i = task * kSize; i < (task + 1) * kSize; ++i)
    y[i] = 2 * x[i];
}

/// The same, and a mark that it was this one.
bool wideRan = false;
void twiceWide(void *const *operands, int64_t task) {
  if (task == 0)
    wideRan = true;
  twice(operands, task);
}

tert_kernel makeKernel() {
  tert_kernel kernel = {};
  kernel.name = "twice";
  kernel.body = twice;
  kernel.tasks = kTasks;
  kernel.alignments = kFloats;
  return kernel;
}

const tert_site site = {"tert.launch", "h.0.act", 3, 0, 0};

} // namespace

TEST(LaunchTest, EveryTaskRunsOnce) {
  Tensor x(TERT_F32, {kTasks, kSize}), expected(TERT_F32, {kTasks, kSize});
  for (int64_t i = 0; i < kTasks * kSize; ++i) {
    x.set(i, double(i));
    expected.set(i, 2.0 * double(i));
  }
  tert_kernel kernel = makeKernel();
  for (int32_t threads : {1, 2, 5}) {
    Context context(threads);
    Tensor y(TERT_F32, {kTasks, kSize});
    EXPECT_OK(context, tert_launch(context, &site, 1, x, 1, y, &kernel));
    for (int64_t i = 0; i < kTasks * kSize; ++i)
      ASSERT_EQ(y.at(i), expected.at(i)) << i;
    y.checkGaps();
  }
}

TEST(LaunchTest, TakesTheVersionForThisProcessor) {
  Context context;
  Tensor x(TERT_F32, {kTasks, kSize}), y(TERT_F32, {kTasks, kSize});
  x.set(7, 3.0);
  tert_kernel kernel = makeKernel();
  kernel.body_v3 = twiceWide;
  EXPECT_OK(context, tert_launch(context, &site, 1, x, 1, y, &kernel));
  EXPECT_EQ(y.at(7), 6.0);
#ifdef __x86_64__
  EXPECT_EQ(wideRan, bool(__builtin_cpu_supports("x86-64-v3")));
#else
  EXPECT_FALSE(wideRan);
#endif
}

TEST(LaunchTest, OperandsHaveAlignmentsOfTheirOwn) {
  // A float32 output beside an input of two-byte elements that starts between
  // two of four bytes.
  Context context;
  Tensor x(TERT_BF16, {kTasks, kSize}), y(TERT_F32, {kTasks, kSize});
  tert_tensor shifted = {static_cast<char *>(x.data()) + 2, x.get().layout};
  const int32_t alignments[] = {2, 4};
  tert_kernel kernel = makeKernel();
  kernel.body = [](void *const *, int64_t) {};
  kernel.body_v3 = nullptr;
  kernel.alignments = alignments;
  EXPECT_OK(context, tert_launch(context, &site, 1, &shifted, 1, y, &kernel));
  tert_tensor between = {static_cast<char *>(y.data()) + 2, y.get().layout};
  EXPECT_EQ(tert_launch(context, &site, 1, x, 1, &between, &kernel),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'outputs'"), std::string::npos)
      << context.error();
  // Nothing is said, nothing is asked for.
  kernel.alignments = nullptr;
  EXPECT_OK(context, tert_launch(context, &site, 1, x, 1, &between, &kernel));
}

TEST(LaunchTest, RefusesWhatCannotRun) {
  Context context;
  Tensor x(TERT_F32, {kTasks, kSize}), y(TERT_F32, {kTasks, kSize});
  tert_kernel kernel = makeKernel();
  EXPECT_EQ(tert_launch(context, &site, 1, x, 1, y, nullptr),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("'kernel' is missing"), std::string::npos)
      << context.error();
  EXPECT_NE(context.error().find("h.0.act"), std::string::npos);
  EXPECT_EQ(tert_launch(context, &site, 1, nullptr, 1, y, &kernel),
            TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_launch(context, &site, -1, x, 1, y, &kernel),
            TERT_INVALID_ARGUMENT);

  const int32_t wide[] = {16, 4};
  kernel.alignments = wide;
  tert_tensor shifted = {static_cast<float *>(x.data()) + 1, x.get().layout};
  EXPECT_EQ(tert_launch(context, &site, 1, &shifted, 1, y, &kernel),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(context.error().find("a multiple of 16 bytes"), std::string::npos)
      << context.error();

  kernel.body = nullptr;
  kernel.image = ".version 7.8";
  EXPECT_EQ(tert_launch(context, &site, 1, x, 1, y, &kernel), TERT_UNSUPPORTED);
  EXPECT_NE(context.error().find("was generated for a GPU"), std::string::npos)
      << context.error();
}
