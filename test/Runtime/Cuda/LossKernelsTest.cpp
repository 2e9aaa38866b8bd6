// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses and their gradients, against the CPU's and in float64.

#include "KernelTest.h"

#include <cmath>

using namespace tert_test;

/// Label smoothing and z-loss.
struct LossTerms {
  float smoothing, zLoss;
};

TEST_F(KernelTest, CrossEntropy) {
  for (LossTerms terms : {LossTerms{0, 0}, LossTerms{0.2f, 0.05f}})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (int32_t reduction : {TERT_MEAN, TERT_SUM})
        for (const Shape &s :
             {Shape{1, 1, 0}, Shape{7, 509, 3}, Shape{65, 50, 0},
              Shape{33, 5003, 5}, Shape{300, 512, 0}, Shape{2, 50257, 15}}) {
          SCOPED_TRACE(testing::Message()
                       << s.rows << "x" << s.cols << " dtype " << dtype
                       << " smoothing " << terms.smoothing);
          std::vector<Tensor> t = {
              random(dtype, {s.rows, s.cols}, s.gap, 15, 3),
              Tensor(TERT_I64, {s.rows}), poisoned(TERT_F32, {}),
              poisoned(TERT_F32, {s.rows}), poisoned(TERT_F32, {})};
          for (int64_t i = 0; i < s.rows; ++i)
            t[1].setBits(i, i % 5 == 4 ? uint64_t(-100)
                                       : uint64_t(i * 37 % s.cols));
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return tert_cross_entropy(c, nullptr, a[0], a[1], a[2], a[3], a[4],
                                      -100, reduction, terms.smoothing,
                                      terms.zLoss);
          });
          expectClose(2, 4e-6);
          expectClose(3, 1e-6);
          expectSameBits(4);
          std::vector<Tensor> g = {Tensor::scalar(0.7f),
                                   t[0],
                                   t[1],
                                   onCpu[3],
                                   onCpu[4],
                                   poisoned(dtype, {s.rows, s.cols}, s.gap)};
          runBoth(g, [&](tert_context *c, const Arguments &a) {
            return tert_cross_entropy_grad(c, nullptr, a[0], a[1], a[2], a[3],
                                           a[4], a[5], -100, reduction,
                                           terms.smoothing, terms.zLoss);
          });
          expectClose(5, dtype == TERT_F32 ? 4e-6 : 2e-4);
          // In place.
          runBoth(g, [&](tert_context *c, const Arguments &a) {
            return tert_cross_entropy_grad(c, nullptr, a[0], a[1], a[2], a[3],
                                           a[4], a[1], -100, reduction,
                                           terms.smoothing, terms.zLoss);
          });
          expectClose(1, dtype == TERT_F32 ? 4e-6 : 2e-4);
          runBoth({t[1], poisoned(TERT_F32, {})}, [&](tert_context *c,
                                                      const Arguments &a) {
            return tert_count_labels(c, nullptr, a[0], a[1], s.cols, -100);
          });
          expectSameBits(1);
          runBoth({Tensor::scalar(0.7f), t[1], onCpu[1], t[0],
                   Tensor::scalar(1.5f)},
                  [&](tert_context *c, const Arguments &a) {
                    return tert_cross_entropy_with_grad(
                        c, nullptr, a[0], a[1], a[2], a[3], a[4], -100,
                        reduction, terms.smoothing, terms.zLoss);
                  });
          expectClose(3, dtype == TERT_F32 ? 4e-6 : 2e-4);
          expectClose(4, 4e-6);
        }
}

/// The log of every row's sum of exponentials, in float64.
static std::vector<double> logSumExp(const Tensor &logits) {
  const int64_t rows = logits.layout.sizes[0], cols = logits.layout.sizes[1];
  std::vector<double> result;
  for (int64_t i = 0; i < rows; ++i) {
    double sum = 0;
    for (int64_t j = 0; j < cols; ++j)
      sum += std::exp(double(logits.at(i * cols + j)));
    result.push_back(std::log(sum));
  }
  return result;
}

// Rows of vocabularies, which one block, or several in a cluster, keep between
// the sum and the gradient, and one that is too long for that; rows that begin
// anywhere; more of them than are kept at a time.
TEST_F(KernelTest, CrossEntropyOfVocabularies) {
  for (const Shape &s :
       {Shape{300, 50257, 0}, Shape{2, 25000, 8}, Shape{100, 128257, 3},
        Shape{1, 128256, 0}, Shape{2, 300000, 0}}) {
    SCOPED_TRACE(testing::Message() << s.rows << "x" << s.cols);
    Tensor logits(TERT_BF16, {s.rows, s.cols}, s.gap);
    for (int64_t i = 0, e = logits.numElements(); i < e; ++i)
      logits.setBits(i,
                     bf16Bits(float((i * 2654435761u >> 9) % 4001) / 400 - 5));
    // Tokens that are masked out.
    for (int64_t i = 0; i < s.rows; ++i)
      logits.setBits(i * s.cols + (i * 31 + 1) % s.cols, bf16Bits(-INFINITY));
    Tensor labels(TERT_I64, {s.rows});
    for (int64_t i = 0; i < s.rows; ++i)
      labels.setBits(i, i % 5 == 4   ? uint64_t(-100)
                        : i % 5 == 3 ? uint64_t(s.cols - 1)
                                     : uint64_t(i * 7919 % s.cols / 2 * 2));
    const std::vector<double> lse = logSumExp(logits);
    for (int32_t reduction : {TERT_MEAN, TERT_SUM}) {
      runBoth({Tensor::scalar(0.7f), labels, Tensor::scalar(float(s.rows)),
               logits, Tensor::scalar(1.5f)},
              [&](tert_context *c, const Arguments &a) {
                return tert_cross_entropy_with_grad(c, nullptr, a[0], a[1],
                                                    a[2], a[3], a[4], -100,
                                                    reduction, 0, 0);
              });
      expectClose(3, 2e-4);
      expectClose(4, 4e-6);
      const Tensor together = onGpu[3];
      // In float64, element by element: half a unit of bf16, of which the
      // smallest significands have 128, and the exponent's own rounding.
      const double divisor = reduction == TERT_MEAN ? double(s.rows) : 1.0;
      double loss = 0;
      for (int64_t i = 0; i < s.rows; ++i) {
        const int64_t label = int64_t(labels.bitsAt(i));
        if (label != -100)
          loss += lse[size_t(i)] - logits.at(i * s.cols + label);
        for (int64_t j = 0; j < s.cols; ++j) {
          const int64_t at = i * s.cols + j;
          const double p = std::exp(logits.at(at) - lse[size_t(i)]);
          const double expected =
              label == -100 ? 0 : (p - (j == label)) * double(0.7f) / divisor;
          ASSERT_NEAR(together.at(at), expected,
                      std::fabs(expected) * (1.0 / 256 + 1e-5))
              << "row " << i << ", column " << j << ", label " << label;
        }
      }
      EXPECT_NEAR(onGpu[4].at(0), 1.5 + loss / divisor,
                  4e-6 * (1.5 + loss / divisor));
      // In two steps: the same bits.
      runBoth({Tensor::scalar(0.7f), labels, Tensor::scalar(float(s.rows)),
               logits, poisoned(TERT_F32, {}), poisoned(TERT_F32, {s.rows}),
               poisoned(TERT_F32, {})},
              [&](tert_context *c, const Arguments &a) {
                if (tert_status status =
                        tert_cross_entropy(c, nullptr, a[3], a[1], a[4], a[5],
                                           a[6], -100, reduction, 0, 0))
                  return status;
                return tert_cross_entropy_grad(c, nullptr, a[0], a[3], a[1],
                                               a[5], a[2], a[3], -100,
                                               reduction, 0, 0);
              });
      EXPECT_TRUE(onGpu[3].sameBits(together));
    }
  }
}

TEST_F(KernelTest, SquaredError) {
  for (int32_t dtype : {TERT_F32, TERT_BF16})
    for (int32_t reduction : {TERT_MEAN, TERT_SUM})
      for (const Shape &s : shapes) {
        SCOPED_TRACE(testing::Message()
                     << s.rows << "x" << s.cols << " dtype " << dtype);
        std::vector<Tensor> t = {
            Tensor::scalar(0.7f), random(dtype, {s.rows, s.cols}, s.gap, 15, 3),
            random(TERT_F32, {s.rows, s.cols}, 0, 16), poisoned(TERT_F32, {}),
            poisoned(dtype, {s.rows, s.cols}, s.gap)};
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_squared_error(c, nullptr, a[1], a[2], a[3], reduction);
        });
        expectClose(3, 2e-6);
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_squared_error_grad(c, nullptr, a[0], a[1], a[2], a[4],
                                         reduction);
        });
        expectClose(4, dtype == TERT_F32 ? 1e-6 : 2e-4);
        // In place.
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_squared_error_grad(c, nullptr, a[0], a[1], a[2], a[1],
                                         reduction);
        });
        expectClose(1, dtype == TERT_F32 ? 1e-6 : 2e-4);
      }
}
