// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows in the order of experts, and back, against the CPU's.

#include "KernelTest.h"

using namespace tert_test;

TEST_F(KernelTest, Permutations) {
  for (int64_t repeat : {1, 2, 8})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (const Shape &s :
           {Shape{1, 1, 0}, Shape{40, 70, 3}, Shape{300, 512, 0}}) {
        SCOPED_TRACE(testing::Message() << s.rows << "x" << s.cols << " repeat "
                                        << repeat << " dtype " << dtype);
        const int64_t rows = s.rows * repeat, places = rows + 17;
        Tensor source(TERT_I32, {places}), slot(TERT_I32, {rows});
        source.fill([](int64_t) { return -1.0; });
        for (int64_t row = 0; row < rows; ++row) {
          // A permutation, as 1 + 2 · 3 · 7 · rows has no factor in common.
          const int64_t place = (row * (42 * rows + 1) + 5) % rows;
          // Some rows have no place.
          slot.set(row, row % 9 == 4 ? -1.0 : double(place));
          if (row % 9 != 4)
            source.set(place, double(row));
        }
        std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 5),
                                 source, random(TERT_F32, {rows}, 0, 6),
                                 poisoned(dtype, {places, s.cols}, s.gap),
                                 Tensor::scalar(20)};
        addQuantized(t, TERT_F8E4M3, {places, s.cols, 0});
        for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
          runBoth({random(format, {rows, s.cols}, s.gap, 9), source,
                   poisoned(format, {places, s.cols}, s.gap)},
                  [&](tert_context *c, const Arguments &a) {
                    return tert_take_rows(c, nullptr, a[0], a[1], a[2]);
                  });
          expectSameBits(2);
        }
        std::vector<Tensor> u = {random(dtype, {places, s.cols}, s.gap, 7),
                                 slot, t[2],
                                 poisoned(dtype, {s.rows, s.cols}, s.gap)};
        for (bool weighted : {false, true}) {
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return tert_permute(c, nullptr, a[0], a[1],
                                weighted ? a[2] : nullptr, a[3],
                                Quantized(a[4], a[5], a[6], a[7]), repeat);
          });
          for (size_t result : {3, 5, 6, 7})
            expectSameBits(result);
          runBoth(u, [&](tert_context *c, const Arguments &a) {
            return tert_unpermute(c, nullptr, a[0], a[1],
                                  weighted ? a[2] : nullptr, a[3], repeat);
          });
          expectSameBits(3);
        }
        std::vector<Tensor> g = {u[0], slot, t[0], poisoned(TERT_F32, {rows})};
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_permute_weights_grad(c, nullptr, a[0], a[1], a[2], a[3],
                                           repeat);
        });
        expectClose(3, 1e-6);
      }
}

TEST_F(KernelTest, PermutationsOfNumbersOutOfRange) {
  Tensor slot(TERT_I32, {4});
  slot.fill([](int64_t row) { return row == 2 ? 9.0 : 1.0; });
  const Tensor rows = random(TERT_F32, {8, 16}, 0, 1),
               result = poisoned(TERT_F32, {4, 16});
  OnGpu x(gpu, rows), numbers(gpu, slot), y(gpu, result);
  ASSERT_EQ(tert_unpermute(gpu, nullptr, x, numbers, nullptr, y, 1), TERT_OK);
  EXPECT_EQ(tert_synchronize(gpu), TERT_INVALID_DATA);
  EXPECT_NE(gpuError().find("slot 9 at 2 is outside of [0, 8)"),
            std::string::npos)
      << gpuError();
}
