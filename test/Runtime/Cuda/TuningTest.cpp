// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Searched plans: they compute what the untuned ones do, and a context that
// loads them uses them.

#include "tert/tuning.h"
#include "Gpu.h"

#include <string>
#include <vector>

using namespace tert_test;

namespace {
struct Record {
  std::string problem, plan;
};

class TuningTest : public GpuTest {
protected:
  /// A product on `context`: FP8, with one scale or those of rows, bf16 or f32
  /// operands.
  Tensor product(tert_context *context, int32_t dtype, bool ofRows = false) {
    const int64_t m = 528, n = 272, k = 1040;
    Tensor a(dtype, {m, k}), b(dtype, {n, k});
    using Sizes = std::vector<int64_t>;
    Tensor scale(TERT_F32, ofRows ? Sizes{m, 1} : Sizes{});
    Tensor bScale(TERT_F32, ofRows ? Sizes{n, 1} : Sizes{});
    Tensor d(dtype == TERT_F32 ? TERT_F32 : TERT_BF16, {m, n});
    a.randomize(1);
    b.randomize(2);
    for (Tensor *factor : {&scale, &bScale})
      factor->fill([](int64_t) { return 1.0; });
    OnGpu da(context, a), db(context, b), dScale(context, scale),
        dbScale(context, bScale), dd(context, d);
    tert_status status =
        dtype == TERT_F8E4M3
            ? tert_scaled_matmul(context, nullptr, Scaled(da, dScale),
                                 Scaled(db, dbScale), nullptr, nullptr, dd,
                                 TERT_ACCUMULATE_SPLIT)
            : tert_matmul(context, nullptr, da, db, nullptr, dd, 0, 1, 0);
    EXPECT_EQ(status, TERT_OK) << tert_last_error(context);
    return dd.read();
  }

  tert_tuning_usage usageOf(tert_context *context) {
    tert_tuning_usage usage = {};
    EXPECT_EQ(tert_tuning_read_usage(context, &usage), TERT_OK);
    return usage;
  }

  /// A second context with `records` loaded.
  tert_context *openWith(const std::vector<Record> &records) {
    tert_context *other = nullptr;
    EXPECT_EQ(tert_open("cuda:0", nullptr, &other, nullptr, 0), TERT_OK);
    for (const Record &record : records) {
      tert_tuning_record raw = {record.problem.c_str(), record.plan.c_str(), 0,
                                0};
      EXPECT_EQ(tert_tuning_load(other, &raw, 1), TERT_OK);
    }
    return other;
  }
};

void expectSameBits(const Tensor &a, const Tensor &b) {
  ASSERT_EQ(a.memoryBytes(), b.memoryBytes());
  EXPECT_EQ(std::memcmp(a.memoryData(), b.memoryData(), a.memoryBytes()), 0);
}
} // namespace

TEST_F(TuningTest, NamesDeviceAndLibrary) {
  const char *device = nullptr;
  ASSERT_EQ(tert_tuning_device(gpu, &device), TERT_OK);
  EXPECT_NE(std::string(device).find("multiprocessors, cuBLASLt "),
            std::string::npos)
      << device;
}

TEST_F(TuningTest, SearchedPlansComputeTheSame) {
  const int32_t dtypes[] = {TERT_F8E4M3, TERT_BF16, TERT_F32};
  std::vector<Tensor> untuned;
  for (int32_t dtype : dtypes)
    untuned.push_back(product(gpu, dtype));
  EXPECT_EQ(usageOf(gpu).problems, 3u);
  EXPECT_EQ(usageOf(gpu).tuned, 0u);
  std::vector<Record> records;
  for (size_t i = 0; i < 3; ++i) {
    tert_tuning_record found = {};
    ASSERT_EQ(tert_tuning_search(gpu, i, &found), TERT_OK) << gpuError();
    EXPECT_GT(found.best_seconds, 0);
    EXPECT_LE(found.best_seconds, found.first_seconds);
    records.push_back({found.problem, found.plan});
  }
  EXPECT_EQ(usageOf(gpu).tuned, 3u);
  tert_context *other = openWith(records);
  for (size_t i = 0; i < 3; ++i) {
    Tensor tuned = product(gpu, dtypes[i]);
    EXPECT_LT(relativeError(tuned, untuned[i]),
              dtypes[i] == TERT_F32 ? 1e-6 : 4e-3);
    expectSameBits(product(other, dtypes[i]), tuned);
  }
  EXPECT_EQ(usageOf(other).tuned, 3u);
  EXPECT_EQ(usageOf(other).refused, 0u);
  tert_close(other);
}

TEST_F(TuningTest, SearchesProductsWithScalesOfRows) {
  Tensor untuned = product(gpu, TERT_F8E4M3, /*ofRows=*/true);
  tert_tuning_record found = {};
  ASSERT_EQ(tert_tuning_search(gpu, 0, &found), TERT_OK) << gpuError();
  EXPECT_NE(std::string(found.problem).find("scales row row"),
            std::string::npos)
      << found.problem;
  EXPECT_LT(relativeError(product(gpu, TERT_F8E4M3, /*ofRows=*/true), untuned),
            4e-3);
}

TEST_F(TuningTest, PlansThatDoNotHoldAreRefused) {
  Tensor untuned = product(gpu, TERT_BF16);
  tert_tuning_record found = {};
  ASSERT_EQ(tert_tuning_search(gpu, 0, &found), TERT_OK) << gpuError();
  const std::string problem = found.problem, plan = found.plan;
  for (const std::string &damaged :
       {std::string(), std::string("x") + plan.substr(1),
        plan.substr(0, plan.size() - 1), std::string(plan.size(), 'f')}) {
    tert_context *other = openWith({{problem, damaged}});
    expectSameBits(product(other, TERT_BF16), untuned);
    EXPECT_EQ(usageOf(other).tuned, 0u) << damaged;
    EXPECT_EQ(usageOf(other).refused, 1u) << damaged;
    tert_close(other);
  }
}

TEST_F(TuningTest, ThereIsNoSuchProblem) {
  tert_tuning_record found = {};
  EXPECT_EQ(tert_tuning_search(gpu, 0, &found), TERT_INVALID_ARGUMENT);
}
