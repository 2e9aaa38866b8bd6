// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles of graphs, op by op and kernel by kernel.

#include "Gpu.h"

#include "tert/graph.h"

#include <map>
#include <vector>

using namespace tert_test;

namespace {
constexpr int64_t rows = 4096, columns = 1024;

const tert_site fill = {"tert.fill", "a", 0, 0, 0},
                norm = {"tert.layer_norm", "b", 1, 0, 0},
                grad = {"tert.layer_norm_grad", "c", 2, 0, 0},
                product = {"tert.matmul", "d", 3, 0, 0};

const tert_layout matrix = {TERT_BF16, 2, {rows, columns}, {columns, 1}},
                  square = {TERT_BF16, 2, {columns, columns}, {columns, 1}},
                  rowVector = {TERT_F32, 1, {rows}, {1}},
                  columnVector = {TERT_F32, 1, {columns}, {1}};

enum Buffer { X, Y, Dx, W, Gamma, Beta, Mean, Rstd, Dgamma, Dbeta, Count };

/// One op of one kernel, others of more.
tert_status entry(tert_context *context, void *const *buffers) {
  auto of = [&](Buffer buffer, const tert_layout &layout) {
    return tert_tensor{buffers[buffer], &layout};
  };
  tert_tensor x = of(X, matrix), y = of(Y, matrix), dx = of(Dx, matrix),
              w = of(W, square), gamma = of(Gamma, columnVector),
              beta = of(Beta, columnVector), mean = of(Mean, rowVector),
              rstd = of(Rstd, rowVector), dgamma = of(Dgamma, columnVector),
              dbeta = of(Dbeta, columnVector);
  if (tert_status status = tert_fill(context, &fill, &w, 0.01))
    return status;
  if (tert_status status = tert_layer_norm(context, &norm, &x, &gamma, &beta,
                                           &y, &mean, &rstd, nullptr, 1e-5f, 0))
    return status;
  if (tert_status status = tert_layer_norm_grad(
          context, &grad, &y, &x, &gamma, &mean, &rstd, nullptr, &dx, &dgamma,
          &dbeta, nullptr, nullptr, 0))
    return status;
  return tert_matmul(context, &product, &dx, &w, nullptr, &y, 0, 0, 0);
}

template <typename T, typename Read>
std::vector<T> readAll(tert_context *context, const Read &read) {
  size_t count = 0;
  EXPECT_EQ(read(context, nullptr, 0, &count), TERT_OK);
  std::vector<T> items(count);
  EXPECT_EQ(read(context, items.data(), count, &count), TERT_OK);
  return items;
}

class ProfileTest : public GpuTest {
protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!gpu)
      return;
    for (Tensor *tensor : {&x, &vector})
      tensor->randomize(1);
    const Tensor *hosts[Count] = {&x,      &x,      &x,         &w,
                                  &vector, &vector, &statistic, &statistic,
                                  &vector, &vector};
    for (int i = 0; i < Count; ++i) {
      onGpu.emplace_back(gpu, *hosts[i]);
      const tert_tensor *tensor = onGpu.back();
      buffers[i] = tensor->data;
    }
    ASSERT_EQ(entry(gpu, buffers), TERT_OK) << gpuError(); // makes plans
    ASSERT_EQ(tert_graph_capture(gpu, entry, buffers, &graph), TERT_OK)
        << gpuError();
  }
  void TearDown() override {
    tert_graph_release(graph);
    onGpu.clear();
    GpuTest::TearDown();
  }

  void launch(int times) {
    for (int i = 0; i < times; ++i)
      ASSERT_EQ(tert_graph_launch(graph), TERT_OK) << gpuError();
  }

  Tensor x{TERT_BF16, {rows, columns}}, w{TERT_BF16, {columns, columns}},
      vector{TERT_F32, {columns}}, statistic{TERT_F32, {rows}};
  std::list<OnGpu> onGpu;
  void *buffers[Count];
  tert_graph *graph = nullptr;
};
} // namespace

TEST_F(ProfileTest, KernelsOfAGraph) {
  constexpr int launches = 3;
  ASSERT_EQ(tert_profile_start(gpu), TERT_OK);
  launch(launches);
  ASSERT_EQ(tert_profile_stop(gpu), TERT_OK) << gpuError();
  auto records = readAll<tert_profile_record>(gpu, tert_profile_read);
  auto kernels = readAll<tert_profile_kernel>(gpu, tert_profile_read_kernels);
  ASSERT_EQ(records.size(), 4u);

  std::map<const tert_site *, double> seconds;
  std::map<const tert_site *, int64_t> calls;
  for (const tert_profile_kernel &kernel : kernels) {
    std::printf("%-22s %-60s %3d calls %8.2f us\n", kernel.site->op,
                kernel.name, int(kernel.calls), kernel.seconds * 1e6);
    EXPECT_STRNE(kernel.name, "");
    EXPECT_STRNE(kernel.name, "kernel") << kernel.site->op;
    EXPECT_EQ(kernel.calls % launches, 0) << kernel.name;
    EXPECT_GT(kernel.seconds, 0) << kernel.name;
    seconds[kernel.site] += kernel.seconds;
    calls[kernel.site] += kernel.calls;
  }
  for (const tert_profile_record &record : records) {
    // All of an op is its kernels: its own marks are the first's and the
    // last's.
    EXPECT_EQ(record.calls, launches);
    EXPECT_NEAR(seconds[record.site], record.seconds,
                1e-3 * record.seconds + 1e-6)
        << record.site->op;
    EXPECT_GE(calls[record.site], launches) << record.site->op;
  }
  // The gradients of gamma and beta are summed by kernels of their own.
  EXPECT_GE(calls[&grad], 2 * launches);
  EXPECT_EQ(calls[&fill], launches);
}

TEST_F(ProfileTest, SpansOfKernelsLieInTheirOps) {
  ASSERT_EQ(tert_profile_start(gpu), TERT_OK);
  launch(2);
  ASSERT_EQ(tert_profile_stop(gpu), TERT_OK) << gpuError();
  auto ops = readAll<tert_profile_span>(gpu, tert_profile_read_spans);
  auto kernels =
      readAll<tert_profile_kernel_span>(gpu, tert_profile_read_kernel_spans);
  ASSERT_EQ(ops.size(), 8u);
  ASSERT_GE(kernels.size(), ops.size());
  constexpr double resolution = 1e-6;
  size_t op = 0;
  double last = 0;
  for (const tert_profile_kernel_span &kernel : kernels) {
    while (op < ops.size() && ops[op].site != kernel.site)
      ++op;
    ASSERT_LT(op, ops.size()) << kernel.name;
    EXPECT_GE(kernel.begin, ops[op].begin - resolution) << kernel.name;
    EXPECT_LE(kernel.begin + kernel.seconds,
              ops[op].begin + ops[op].seconds + resolution)
        << kernel.name;
    EXPECT_GE(kernel.begin, last - resolution) << kernel.name;
    last = kernel.begin + kernel.seconds;
  }
}

TEST_F(ProfileTest, ResultsAreThoseWithoutAProfile) {
  launch(1);
  std::vector<Tensor> plain;
  for (const OnGpu &tensor : onGpu)
    plain.push_back(tensor.read());
  ASSERT_EQ(tert_profile_start(gpu), TERT_OK);
  launch(2);
  ASSERT_EQ(tert_profile_stop(gpu), TERT_OK) << gpuError();
  launch(1);
  size_t i = 0;
  for (const OnGpu &tensor : onGpu) {
    Tensor profiled = tensor.read();
    EXPECT_EQ(std::memcmp(profiled.memoryData(), plain[i].memoryData(),
                          profiled.memoryBytes()),
              0)
        << "buffer " << i;
    ++i;
  }
}

TEST_F(ProfileTest, OpsOneByOneHaveNoKernels) {
  ASSERT_EQ(tert_profile_start(gpu), TERT_OK);
  ASSERT_EQ(entry(gpu, buffers), TERT_OK) << gpuError();
  ASSERT_EQ(tert_profile_stop(gpu), TERT_OK) << gpuError();
  EXPECT_EQ(readAll<tert_profile_record>(gpu, tert_profile_read).size(), 4u);
  EXPECT_TRUE(
      readAll<tert_profile_kernel>(gpu, tert_profile_read_kernels).empty());
}
