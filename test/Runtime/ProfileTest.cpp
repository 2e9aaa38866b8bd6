// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times, spans, and the work that profiles set them against.

#include "TestTensor.h"
#include "tert/device.h"

#include <vector>

using namespace tert_test;

namespace {
std::vector<tert_profile_record> recordsOf(tert_context *context) {
  size_t count = 0;
  EXPECT_EQ(tert_profile_read(context, nullptr, 0, &count), TERT_OK);
  std::vector<tert_profile_record> records(count);
  EXPECT_EQ(tert_profile_read(context, records.data(), count, &count), TERT_OK);
  return records;
}
} // namespace

TEST(ProfileTest, CountsCallsBySite) {
  Context context;
  tert_site first = {"tert.fill", "a", 3, 0, 0},
            second = {"tert.fill", "b", 1, 0, 0};
  Tensor y(TERT_F32, {10});
  EXPECT_OK(context, tert_fill(context, &first, y, 1)); // before the start
  EXPECT_OK(context, tert_profile_start(context));
  EXPECT_OK(context, tert_fill(context, &first, y, 1));
  EXPECT_OK(context, tert_fill(context, &second, y, 1));
  EXPECT_OK(context, tert_fill(context, &first, y, 1));
  EXPECT_OK(context, tert_fill(context, nullptr, y, 1));
  EXPECT_OK(context, tert_profile_stop(context));
  EXPECT_OK(context, tert_fill(context, &first, y, 1));
  tert_profile_record records[4];
  size_t count = 0;
  EXPECT_OK(context, tert_profile_read(context, records, 4, &count));
  ASSERT_EQ(count, 2u);
  EXPECT_EQ(records[0].site, &second);
  EXPECT_EQ(records[0].calls, 1);
  EXPECT_EQ(records[0].bytes, 40);
  EXPECT_EQ(records[1].site, &first);
  EXPECT_EQ(records[1].calls, 2);
  EXPECT_EQ(records[1].bytes, 80);
  EXPECT_GT(records[1].seconds, 0);
  EXPECT_OK(context, tert_profile_read(context, nullptr, 0, &count));
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(tert_profile_read(context, nullptr, 2, &count),
            TERT_INVALID_ARGUMENT);
}

TEST(ProfileTest, SpansComeInOrderAndDoNotOverlap) {
  Context context;
  tert_site first = {"tert.fill", "a", 3, 0, 0},
            second = {"tert.fill", "b", 1, 0, 0};
  Tensor y(TERT_F32, {1000});
  EXPECT_OK(context, tert_profile_start(context));
  for (const tert_site *site : {&first, &second, &first})
    EXPECT_OK(context, tert_fill(context, site, y, 1));
  EXPECT_OK(context, tert_profile_stop(context));
  tert_profile_span spans[4];
  size_t count = 0;
  EXPECT_OK(context, tert_profile_read_spans(context, spans, 4, &count));
  ASSERT_EQ(count, 3u);
  EXPECT_EQ(spans[0].begin, 0);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(spans[i].site, i == 1 ? &second : &first);
    EXPECT_EQ(spans[i].bytes, 4000);
    if (i > 0)
      EXPECT_GE(spans[i].begin, spans[i - 1].begin + spans[i - 1].seconds);
  }
  EXPECT_OK(context, tert_profile_read_spans(context, spans, 1, &count));
  EXPECT_EQ(count, 3u);
}

TEST(ProfileTest, WorkOfProducts) {
  Context context;
  tert_site product = {"tert.matmul", "", 0, 0, 0},
            scaled = {"tert.s", "", 1, 0, 0}, causal = {"tert.a", "", 2, 0, 0},
            full = {"tert.a", "", 3, 0, 0};
  Tensor a(TERT_BF16, {32, 16}), b(TERT_BF16, {16, 48}), d(TERT_F32, {32, 48});
  Tensor qa(TERT_F8E4M3, {32, 16}), qb(TERT_F8E4M3, {48, 16}),
      one(TERT_F32, {});
  Tensor q(TERT_F32, {2, 8, 3, 4}), k(TERT_F32, {2, 8, 3, 4}),
      lse(TERT_F32, {2, 3, 8});
  EXPECT_OK(context, tert_profile_start(context));
  EXPECT_OK(context, tert_matmul(context, &product, a, b, nullptr, d, 0, 0, 0));
  EXPECT_OK(context, tert_scaled_matmul(context, &scaled, Scaled(qa, one),
                                        Scaled(qb, one), nullptr, nullptr, d,
                                        TERT_ACCUMULATE_SPLIT));
  Tensor o = q;
  for (const tert_site *site : {&causal, &full})
    EXPECT_OK(context, tert_attention(context, site, q, k, k, nullptr, nullptr,
                                      nullptr, o, lse, 1.0f, site == &causal,
                                      TERT_BSHD, 0, 0.0f));
  EXPECT_OK(context, tert_profile_stop(context));
  std::vector<tert_profile_record> records = recordsOf(context);
  ASSERT_EQ(records.size(), 4u);
  EXPECT_EQ(records[0].flops, 2.0 * 32 * 48 * 16);
  EXPECT_EQ(records[0].bytes, 2.0 * (32 * 16 + 16 * 48) + 4.0 * 32 * 48);
  EXPECT_EQ(records[1].flops, 2.0 * 32 * 48 * 16);
  EXPECT_EQ(records[1].bytes, (32.0 + 48) * 16 + 4.0 * 32 * 48);
  // Two products per pair of positions; of 64 pairs 36 are not masked.
  EXPECT_EQ(records[2].flops, 2 * 2.0 * 2 * 3 * 4 * 36);
  EXPECT_EQ(records[3].flops, 2 * 2.0 * 2 * 3 * 4 * 64);
  // Nobody measured this processor.
  for (const tert_profile_record &record : records)
    EXPECT_EQ(record.floor_seconds, 0);
}

TEST(TimerTest, MeasuresBetweenMarks) {
  Context context;
  tert_timer *timer = nullptr;
  ASSERT_EQ(tert_timer_create(context, &timer), TERT_OK);
  size_t count = 7;
  EXPECT_EQ(tert_timer_read(timer, nullptr, 0, &count), TERT_OK);
  EXPECT_EQ(count, 0u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(tert_timer_mark(timer), TERT_OK);
  double seconds[2] = {-1, -1};
  EXPECT_EQ(tert_timer_read(timer, seconds, 1, &count), TERT_OK);
  EXPECT_EQ(count, 2u);
  EXPECT_GE(seconds[0], 0);
  EXPECT_EQ(seconds[1], -1);
  EXPECT_EQ(tert_timer_read(timer, nullptr, 1, &count), TERT_INVALID_ARGUMENT);
  tert_timer_release(timer);
  tert_timer_release(nullptr);
  EXPECT_EQ(tert_timer_create(context, nullptr), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_timer_mark(nullptr), TERT_INVALID_ARGUMENT);
}

TEST(DeviceInfoTest, OfTheProcessor) {
  Context context;
  tert_device_info before = {}, after = {};
  ASSERT_EQ(tert_device_read_info(context, &before), TERT_OK);
  EXPECT_NE(std::string(before.name).find("cpu"), std::string::npos);
  EXPECT_GT(before.free_bytes, 0u);
  EXPECT_EQ(before.peak_bytes, 0u);
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(tert_allocate(context, 1000, &first), TERT_OK);
  ASSERT_EQ(tert_allocate(context, 500, &second), TERT_OK);
  tert_release(context, first);
  ASSERT_EQ(tert_allocate(context, 700, &first), TERT_OK);
  ASSERT_EQ(tert_device_read_info(context, &after), TERT_OK);
  EXPECT_EQ(after.peak_bytes, 1500u);
  tert_release(context, first);
  tert_release(context, second);
  EXPECT_EQ(tert_device_read_info(context, nullptr), TERT_INVALID_ARGUMENT);
}
