// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that come with a program as PTX, here written by hand.

#include "Gpu.h"

#include "tert/graph.h"

using namespace tert_test;

namespace {

/// y = x + x, a float a thread, for 1024 of them.
constexpr char doubling[] = R"(
.version 7.8
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 x, .param .u64 y)
{
  .reg .u64 %a<5>;
  .reg .u32 %r<4>;
  .reg .f32 %f;
  ld.param.u64 %a0, [x];
  ld.param.u64 %a1, [y];
  cvta.to.global.u64 %a0, %a0;
  cvta.to.global.u64 %a1, %a1;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  mad.lo.u32 %r2, %r0, 256, %r1;
  mul.wide.u32 %a2, %r2, 4;
  add.u64 %a3, %a0, %a2;
  add.u64 %a4, %a1, %a2;
  ld.global.f32 %f, [%a3];
  add.f32 %f, %f, %f;
  st.global.f32 [%a4], %f;
  ret;
}
)";

tert_kernel makeKernel(const char *image, uint64_t id) {
  tert_kernel kernel = {};
  kernel.name = "twice";
  kernel.image = image;
  kernel.image_id = id;
  kernel.blocks = 4;
  kernel.threads = 256;
  static constexpr int32_t kAlignments[] = {16, 16};
  kernel.alignments = kAlignments;
  return kernel;
}

const tert_kernel twice = makeKernel(doubling, 1);
const tert_site site = {"tert.launch", "h.0.act", 0, 0, 0};
const tert_layout layout = {TERT_F32, 1, {1024}, {1}};

/// An entry of two buffers.
tert_status entry(tert_context *context, void *const *buffers) {
  tert_tensor x = {buffers[0], &layout}, y = {buffers[1], &layout};
  return tert_launch(context, &site, 1, &x, 1, &y, &twice);
}

class LaunchTest : public GpuTest {
protected:
  void SetUp() override {
    GpuTest::SetUp();
    for (int64_t i = 0; i < 1024; ++i)
      x.set(i, double(i));
  }

  void expectDoubled(const OnGpu &y, double factor) {
    Tensor result = y.read();
    for (int64_t i = 0; i < 1024; ++i)
      ASSERT_EQ(result.at(i), factor * double(i)) << i;
    result.checkGaps();
  }

  Tensor x{TERT_F32, {1024}}, zeros{TERT_F32, {1024}};
};

} // namespace

TEST_F(LaunchTest, RunsAndReplays) {
  OnGpu from(gpu, x), to(gpu, zeros);
  const tert_tensor *a = from, *b = to;
  void *buffers[] = {a->data, b->data};
  ASSERT_EQ(entry(gpu, buffers), TERT_OK) << gpuError();
  expectDoubled(to, 2);

  tert_graph *graph = nullptr;
  ASSERT_EQ(tert_graph_capture(gpu, entry, buffers, &graph), TERT_OK)
      << gpuError();
  for (int64_t i = 0; i < 1024; ++i)
    x.set(i, 10.0 * double(i));
  ASSERT_EQ(tert_copy_to_device(gpu, a->data, x.data(), 1024 * sizeof(float)),
            TERT_OK);
  ASSERT_EQ(tert_graph_launch(graph), TERT_OK) << gpuError();
  expectDoubled(to, 20);
  tert_graph_release(graph);
}

TEST_F(LaunchTest, IsNotLoadedWhileAGraphIsRecorded) {
  OnGpu from(gpu, x), to(gpu, zeros);
  const tert_tensor *a = from, *b = to;
  void *buffers[] = {a->data, b->data};
  tert_graph *graph = nullptr;
  EXPECT_EQ(tert_graph_capture(gpu, entry, buffers, &graph),
            TERT_INVALID_ARGUMENT);
  EXPECT_NE(gpuError().find("run the entry once before"), std::string::npos)
      << gpuError();
  // The context goes on.
  EXPECT_EQ(entry(gpu, buffers), TERT_OK) << gpuError();
  expectDoubled(to, 2);
}

TEST_F(LaunchTest, RefusesWhatCannotRun) {
  OnGpu from(gpu, x), to(gpu, zeros);
  tert_kernel kernel = makeKernel("this is no PTX", 2);
  EXPECT_EQ(tert_launch(gpu, &site, 1, from, 1, to, &kernel),
            TERT_DEVICE_ERROR);
  EXPECT_NE(gpuError().find("h.0.act"), std::string::npos) << gpuError();
  kernel = makeKernel(doubling, 1);
  kernel.name = "thrice";
  EXPECT_EQ(tert_launch(gpu, &site, 1, from, 1, to, &kernel),
            TERT_DEVICE_ERROR);
  kernel.image = nullptr;
  kernel.body = [](void *const *, int64_t) {};
  EXPECT_EQ(tert_launch(gpu, &site, 1, from, 1, to, &kernel), TERT_UNSUPPORTED);
  EXPECT_NE(gpuError().find("was generated for a CPU"), std::string::npos)
      << gpuError();
  // None of it disturbs what comes after.
  EXPECT_EQ(tert_launch(gpu, &site, 1, from, 1, to, &twice), TERT_OK)
      << gpuError();
  expectDoubled(to, 2);
}
