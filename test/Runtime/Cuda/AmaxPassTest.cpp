// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that compute their result for its amax alone, the first of two passes
// with current scaling: the amax is the CPU's within rounding, and bit for bit
// that of the second pass, which writes copies.

#include "KernelTest.h"

using namespace tert_test;

namespace {

/// An op, which gets all arguments and its quantized outputs.
using Call = std::function<tert_status(tert_context *,
                                       const std::vector<const tert_tensor *> &,
                                       const tert_quantized *)>;

class AmaxPassTest : public KernelTest {
protected:
  /// Arguments: those given, the scale, the amax, and both copies.
  void compare(std::vector<Tensor> t, int64_t rows, int64_t cols,
               const Call &call) {
    const size_t scale = t.size(), amax = scale + 1;
    t.push_back(Tensor::scalar(20));
    t.push_back(poisoned(TERT_F32, {}));
    t.push_back(poisoned(TERT_F8E4M3, {rows, cols}));
    t.push_back(poisoned(TERT_F8E4M3, {cols, rows}));
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return call(c, a, Quantized(nullptr, nullptr, nullptr, a[amax]));
    });
    expectClose(amax, 1e-6);
    const Tensor alone = onGpu[amax];
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return call(c, a, Quantized(a[scale], a[amax + 1], a[amax + 2], a[amax]));
    });
    EXPECT_TRUE(onGpu[amax].sameBits(alone));
  }
};

/// Small ones, several items of every block, and rows that norms read once.
const Shape passShapes[] = {{1, 1, 0},      {33, 47, 0},     {64, 128, 0},
                            {200, 190, 2},  {513, 768, 0},   {64, 256, 0},
                            {192, 4096, 0}, {1344, 5120, 0}, {32768, 256, 0}};

} // namespace

TEST_F(AmaxPassTest, Norms) {
  for (const Shape &s : passShapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      const std::vector<Tensor> t = {
          random(dtype, {s.rows, s.cols}, s.gap, 5),
          random(TERT_F32, {s.cols}, 0, 6), random(TERT_F32, {s.cols}, 0, 7),
          poisoned(TERT_F32, {s.rows}), poisoned(TERT_F32, {s.rows})};
      compare(t, s.rows, s.cols,
              [](tert_context *c, const Arguments &a, const tert_quantized *q) {
                return tert_layer_norm(c, nullptr, a[0], a[1], a[2], nullptr,
                                       a[3], a[4], q, 1e-5f, 1);
              });
      compare(t, s.rows, s.cols,
              [](tert_context *c, const Arguments &a, const tert_quantized *q) {
                return tert_rms_norm(c, nullptr, a[0], a[1], nullptr, a[3], q,
                                     1e-5f, 1);
              });
    }
}

TEST_F(AmaxPassTest, Activations) {
  for (const Shape &s : passShapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      const std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 8),
                                     random(dtype, {s.rows, s.cols}, s.gap, 9)};
      compare(t, s.rows, s.cols,
              [](tert_context *c, const Arguments &a, const tert_quantized *q) {
                return tert_activation(c, nullptr, a[0], nullptr, q,
                                       TERT_GELU_TANH);
              });
      compare(t, s.rows, s.cols,
              [](tert_context *c, const Arguments &a, const tert_quantized *q) {
                return tert_activation_grad(c, nullptr, a[0], a[1], nullptr, q,
                                            nullptr, TERT_GELU_TANH);
              });
    }
}

TEST_F(AmaxPassTest, GatedActivations) {
  for (const Shape &s : passShapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      const std::vector<Tensor> t = {
          random(dtype, {s.rows, 2 * s.cols}, s.gap, 10),
          random(dtype, {s.rows, s.cols}, s.gap, 11)};
      compare(t, s.rows, s.cols,
              [](tert_context *c, const Arguments &a, const tert_quantized *q) {
                return tert_gated_activation(c, nullptr, a[0], nullptr, nullptr,
                                             q, TERT_SILU, 0);
              });
      compare(t, s.rows, 2 * s.cols,
              [](tert_context *c, const Arguments &a, const tert_quantized *q) {
                return tert_gated_activation_grad(c, nullptr, a[1], a[0],
                                                  nullptr, nullptr, nullptr, q,
                                                  nullptr, TERT_SILU, 0);
              });
    }
}
