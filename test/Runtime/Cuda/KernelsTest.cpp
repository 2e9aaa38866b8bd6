// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op that runs on the runtime's own CUDA kernels, against the CPU's;
// optimizers are in UpdateKernelsTest.cpp. Outputs start out poisoned and have
// gaps between their rows.

#include "KernelTest.h"

#include <array>

using namespace tert_test;

TEST_F(KernelTest, QuantizeJoinedIsBitForBit) {
  for (const std::vector<int64_t> &rows : std::vector<std::vector<int64_t>>{
           {64}, {128, 64, 64}, {256, 256}, {16, 70, 3}, {1, 128, 66, 64}})
    for (int64_t cols : {128, 70, 384})
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        SCOPED_TRACE(testing::Message() << rows.size() << " of " << rows[0]
                                        << "x" << cols << " dtype " << dtype);
        int64_t all = 0;
        std::vector<Tensor> t = {Tensor::scalar(1.7f)};
        for (int64_t count : rows) {
          t.push_back(random(dtype, {count, cols}, 0, int(t.size()), 50));
          all += count;
        }
        const size_t first = t.size();
        addQuantized(t, TERT_F8E4M3, Shape{all, cols, 0});
        for (int wanted : {7, 1, 2, 4}) {
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            std::vector<tert_tensor> parts;
            for (size_t i = 1; i < first; ++i)
              parts.push_back(*a[i]);
            return tert_quantize_joined(
                c, nullptr, int32_t(parts.size()), parts.data(),
                Quantized(a[0], wanted & 1 ? a[first] : nullptr,
                          wanted & 2 ? a[first + 1] : nullptr,
                          wanted & 4 ? a[first + 2] : nullptr));
          });
          for (size_t i = first; i < first + 3; ++i)
            expectSameBits(i);
        }
      }
}

TEST_F(KernelTest, QuantizeIsBitForBit) {
  for (const Shape &s : shapes)
    for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2})
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        SCOPED_TRACE(testing::Message() << s.rows << "x" << s.cols << " format "
                                        << format << " dtype " << dtype);
        std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 1, 50),
                                 Tensor::scalar(1.7f)};
        addQuantized(t, format, s);
        t.push_back(poisoned(dtype, {s.cols}));
        for (int wanted : {15, 7, 1, 2, 4, 9}) {
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return tert_quantize(c, nullptr, a[0],
                                 Quantized(a[1], wanted & 1 ? a[2] : nullptr,
                                           wanted & 2 ? a[3] : nullptr,
                                           wanted & 4 ? a[4] : nullptr),
                                 wanted & 8 ? a[5] : nullptr);
          });
          for (size_t i = 2; i < 5; ++i)
            expectSameBits(i);
          // Of a vanishing sum only the rounding of its terms is left.
          if (wanted & 8)
            expectClose(5, dtype == TERT_F32 ? 2e-5 : 2e-3);
        }
      }
}

TEST_F(KernelTest, QuantizeEveryBf16Value) {
  for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
    std::vector<Tensor> t = {Tensor(TERT_BF16, {256, 256}), Tensor::scalar(1)};
    for (int i = 0; i < 65536; ++i)
      t[0].setBits(i, i);
    addQuantized(t, format, {256, 256, 0});
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return tert_quantize(c, nullptr, a[0], Quantized(a[1], a[2], a[3], a[4]),
                           nullptr);
    });
    expectSameBits(2);
    expectSameBits(3);
    EXPECT_TRUE(std::isnan(onGpu[4].at(0)));
  }
}

TEST_F(KernelTest, AmaxAndDequantize) {
  for (const Shape &s : shapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 2),
                               poisoned(TERT_F32, {})};
      auto amax = [&](tert_context *c, const Arguments &a) {
        return tert_amax(c, nullptr, a[0], a[1]);
      };
      runBoth(t, amax);
      expectSameBits(1);
      if (t[0].numElements() > 0) {
        t[0].set(t[0].numElements() / 2, -INFINITY);
        runBoth(t, amax);
        EXPECT_EQ(onGpu[1].at(0), INFINITY);
        t[0].set(0, NAN);
        runBoth(t, amax);
        EXPECT_TRUE(std::isnan(onGpu[1].at(0)));
      }
      for (int32_t format : {TERT_F8E4M3, TERT_F8E5M2}) {
        std::vector<Tensor> d = {Tensor(format, {s.rows, s.cols}, s.gap),
                                 Tensor::scalar(0.3f),
                                 poisoned(dtype, {s.rows, s.cols}, s.gap)};
        for (int64_t i = 0; i < d[0].numElements(); ++i)
          d[0].setBits(i, format == TERT_F8E4M3 ? i % 127 : i % 124);
        runBoth(d, [&](tert_context *c, const Arguments &a) {
          return tert_dequantize(c, nullptr, Scaled(a[0], a[1]), a[2]);
        });
        expectSameBits(2);
      }
    }
}

TEST_F(KernelTest, ScaleUpdateIsBitForBit) {
  for (int64_t n : {1, 31, 300})
    for (int64_t length : {1, 2, 16, 130, 1024})
      for (int32_t algo : {TERT_AMAX_MAX, TERT_AMAX_MOST_RECENT}) {
        std::vector<Tensor> t = {
            random(TERT_F32, {n}, 0, 3), poisoned(TERT_F32, {n}),
            random(TERT_F32, {length, n}, 0, 4), Tensor(TERT_I64, {n})};
        for (int64_t i = 0; i < n; ++i)
          t[3].setBits(i, i);
        for (int64_t i = 0; i < n * length; ++i)
          t[2].set(i, i < n ? 0.0 : std::fabs(t[2].at(i)));
        std::vector<int32_t> formats(n);
        for (int64_t i = 0; i < n; ++i) {
          formats[i] = i % 3 ? TERT_F8E4M3 : TERT_F8E5M2;
          double value = i % 7 == 3   ? 0.0
                         : i % 7 == 4 ? INFINITY
                         : i % 7 == 5 ? NAN
                         : i % 7 == 6 ? 1e-44
                                      : 0.1 * double(i + 1);
          t.push_back(Tensor::scalar(float(value)));
        }
        for (int round = 0; round < 3; ++round) {
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            std::vector<tert_tensor> amaxes;
            for (int64_t i = 0; i < n; ++i)
              amaxes.push_back(*a[4 + i]);
            return tert_update_scales(c, nullptr, int32_t(n), amaxes.data(),
                                      a[0], a[1], a[2], a[3], formats.data(),
                                      algo, 1);
          });
          for (size_t i = 0; i < 4; ++i)
            expectSameBits(i);
          t = onGpu;
        }
      }
  for (float amax : {0.0f, 1e-44f, 3.0f, INFINITY, NAN}) {
    runBoth(
        {Tensor::scalar(amax), poisoned(TERT_F32, {}), poisoned(TERT_F32, {})},
        [&](tert_context *c, const Arguments &a) {
          return tert_compute_scale(c, nullptr, a[0], a[1], a[2], TERT_F8E5M2,
                                    2);
        });
    expectSameBits(1);
    expectSameBits(2);
  }
}

TEST_F(KernelTest, RecordedAmaxesAreBitForBit) {
  // More slots than one launch takes, among them.
  for (int64_t n : {1, 31, 300, 5000})
    for (int64_t length : {1, 4}) {
      std::vector<Tensor> t = {random(TERT_F32, {length, n}, 0, 8)};
      for (int64_t i = 0; i < n; ++i) {
        t[0].set(i, i % 5 == 1 ? NAN : i % 5 == 2 ? INFINITY : double(i % 3));
        t.push_back(Tensor::scalar(float(i % 7 == 3   ? NAN
                                         : i % 7 == 4 ? INFINITY
                                                      : double(i % 4))));
      }
      runBoth(t, [&](tert_context *c, const Arguments &a) {
        std::vector<tert_tensor> amaxes;
        for (int64_t i = 0; i < n; ++i)
          amaxes.push_back(*a[1 + i]);
        return tert_record_amaxes(c, nullptr, int32_t(n), amaxes.data(), a[0]);
      });
      for (int64_t i = 0; i < n * length; ++i)
        if (!std::isnan(onCpu[0].at(i)) || !std::isnan(onGpu[0].at(i)))
          ASSERT_EQ(onGpu[0].bitsAt(i), onCpu[0].bitsAt(i)) << i;
    }
}

TEST_F(KernelTest, DropoutIsBitForBit) {
  for (int64_t count : {0, 1, 2, 3, 5, 1023, 300007})
    for (int32_t from : {TERT_F32, TERT_BF16})
      for (int32_t to : {TERT_F32, TERT_BF16})
        for (float ratio : {0.0f, 0.1f, 0.9f}) {
          SCOPED_TRACE(testing::Message() << count << " of " << from << " to "
                                          << to << " with " << ratio);
          std::vector<Tensor> t = {random(from, {count}, 0, 9),
                                   Tensor(TERT_I64, {}), poisoned(to, {count})};
          t[1].setBits(0, 0xfedcba9876543210u);
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return tert_dropout(c, nullptr, a[0], a[1], a[2], ratio,
                                int64_t(5) << 40 | 7);
          });
          expectSameBits(2);
          if (from != to)
            continue;
          // In place.
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return tert_dropout(c, nullptr, a[0], a[1], a[0], ratio, 7);
          });
          expectSameBits(0);
        }
}

TEST_F(KernelTest, LayerNorm) {
  for (const Shape &s : normShapes())
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      if (s.rows * s.cols == 0)
        continue;
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 5),
                               random(TERT_F32, {s.cols}, 0, 6),
                               random(dtype, {s.cols}, 0, 7),
                               Tensor::scalar(20),
                               poisoned(dtype, {s.rows, s.cols}, s.gap),
                               poisoned(TERT_F32, {s.rows}),
                               poisoned(TERT_F32, {s.rows})};
      addQuantized(t, TERT_F8E4M3, s);
      runBoth(t, [&](tert_context *c, const Arguments &a) {
        return tert_layer_norm(c, nullptr, a[0], a[1], a[2], a[4], a[5], a[6],
                               Quantized(a[3], a[7], a[8], a[9]), 1e-5f, 1);
      });
      expectClose(4, dtype == TERT_F32 ? 1e-6 : 2e-4);
      expectClose(5, 1e-6);
      expectClose(6, 1e-6);
      expectCodes(7, 1e-4);
      expectCodes(8, 1e-4);
      expectClose(9, 1e-6);

      std::vector<Tensor> g = {random(dtype, {s.rows, s.cols}, s.gap, 8),
                               t[0],
                               t[1],
                               onCpu[5],
                               onCpu[6],
                               random(dtype, {s.rows, s.cols}, s.gap, 9),
                               poisoned(dtype, {s.rows, s.cols}, s.gap),
                               poisoned(TERT_F32, {s.cols}),
                               poisoned(TERT_F32, {s.cols}),
                               poisoned(TERT_F32, {s.cols}),
                               Tensor::scalar(30)};
      addQuantized(g, TERT_F8E5M2, s);
      for (bool residual : {false, true}) {
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_layer_norm_grad(
              c, nullptr, a[0], a[1], a[2], a[3], a[4],
              residual ? a[5] : nullptr, a[6], a[7], a[8],
              Quantized(a[10], a[11], a[12], a[13]), a[9], 1);
        });
        if (s.cols > 1) {
          expectClose(9, 1e-5);
          expectCodes(11, 1e-4);
          expectCodes(12, 1e-4);
          expectClose(13, 1e-5);
        }
        // One column: the deviation is 0, and dx and dgamma are what
        // cancellation leaves of nothing.
        if (s.cols > 1)
          expectClose(6, dtype == TERT_F32 ? 1e-5 : 2e-3);
        if (s.cols > 1)
          expectClose(7, 2e-6);
        expectClose(8, 2e-6);
      }
    }
}

TEST_F(KernelTest, Activations) {
  for (int32_t kind = TERT_GELU_ERF; kind <= TERT_TANH; ++kind)
    for (const Shape &s : shapes)
      for (int32_t dtype : {TERT_F32, TERT_BF16}) {
        if (s.rows * s.cols > 200000)
          continue;
        SCOPED_TRACE(testing::Message() << "kind " << kind << ", " << s.rows
                                        << "x" << s.cols << " dtype " << dtype);
        std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 10, 2),
                                 Tensor::scalar(20),
                                 poisoned(dtype, {s.rows, s.cols}, s.gap)};
        addQuantized(t, TERT_F8E4M3, s);
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_activation(c, nullptr, a[0], a[2],
                                 Quantized(a[1], a[3], a[4], a[5]), kind);
        });
        expectClose(2, dtype == TERT_F32 ? 1e-6 : 2e-4);
        expectCodes(3, 1e-4);
        expectCodes(4, 1e-4);
        expectClose(5, 1e-6);

        std::vector<Tensor> g = {
            random(s.gap ? TERT_F32 : dtype, {s.rows, s.cols}, s.gap, 11), t[0],
            t[1], t[2]};
        addQuantized(g, TERT_F8E5M2, s);
        g.push_back(poisoned(TERT_F32, {s.cols}));
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_activation_grad(c, nullptr, a[0], a[1], a[3],
                                      Quantized(a[2], a[4], a[5], a[6]), a[7],
                                      kind);
        });
        expectClose(3, dtype == TERT_F32 ? 2e-6 : 2e-4);
        expectClose(7, 2e-6);
        expectClose(6, 1e-6);
        // Where the derivative nearly cancels, its error is not relative: codes
        // of such small values may be further apart.
        expectClose(4, 1e-3);
        expectClose(5, 1e-3);
      }
}

TEST_F(KernelTest, EmbeddingAndLabels) {
  for (int32_t idType : {TERT_I64, TERT_I32})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (auto [count, rows, cols] :
           std::vector<std::array<int64_t, 3>>{{1, 1, 1},
                                               {100, 7, 33},
                                               {1000, 300, 768},
                                               {5000, 1, 64},
                                               {2, 1000, 300},
                                               {0, 5, 8}}) {
        std::vector<Tensor> t = {Tensor(idType, {count}),
                                 random(dtype, {rows, cols}, 0, 12),
                                 poisoned(TERT_BF16, {count, cols}, 1)};
        std::mt19937 generator(13);
        for (int64_t i = 0; i < count; ++i)
          t[0].setBits(i, generator() % rows);
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_embedding(c, nullptr, a[0], a[1], a[2]);
        });
        expectSameBits(2);
        std::vector<Tensor> g = {t[0], random(dtype, {count, cols}, 3, 14),
                                 poisoned(TERT_F32, {rows, cols}, 1)};
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_embedding_grad(c, nullptr, a[0], a[1], a[2]);
        });
        expectClose(2, 2e-6);
        g[2] = random(TERT_F32, {rows, cols}, 1, 15);
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_add_embedding_grad(c, nullptr, a[0], a[1], a[2]);
        });
        expectClose(2, 2e-6);
        // Without a job the part is all of the table.
        g[2] = random(TERT_F32, {rows * cols}, 0, 15);
        runBoth(g, [&, rows = rows](tert_context *c, const Arguments &a) {
          return tert_add_embedding_grad_part(c, nullptr, a[0], a[1], a[2],
                                              rows, 1);
        });
        expectClose(2, 2e-6);
      }
  // Rows that occur as often as one warp adds, and once more, in any order.
  Tensor tokens(TERT_I64, {200});
  for (int64_t i = 0; i < 200; ++i) {
    const int64_t place = i * 77 % 200;
    tokens.setBits(i, place < 32   ? 9
                      : place < 65 ? 2
                      : place < 97 ? 6
                                   : 10 + place % 40);
  }
  runBoth({tokens, random(TERT_BF16, {200, 264}, 0, 17),
           random(TERT_F32, {60, 264}, 0, 18)},
          [&](tert_context *c, const Arguments &a) {
            return tert_add_embedding_grad(c, nullptr, a[0], a[1], a[2]);
          });
  expectClose(2, 2e-6);
  Tensor ids(TERT_I64, {3, 5}, 2);
  for (int i = 0; i < 15; ++i)
    ids.setBits(i, i);
  runBoth({ids, poisoned(TERT_I32, {3, 5}, 1)},
          [&](tert_context *c, const Arguments &a) {
            return tert_shift_labels(c, nullptr, a[0], a[1], -100);
          });
  expectSameBits(1);
}

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
      // In float64, element by element: half a unit of bf16, and the exponent's
      // own rounding.
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
                      std::fabs(expected) * (1.0 / 512 + 1e-5))
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

TEST_F(KernelTest, BadIdsAndLabelsAreReported) {
  Tensor ids(TERT_I64, {3}), table(TERT_F32, {4, 8}), y(TERT_F32, {3, 8});
  ids.setBits(0, 1);
  ids.setBits(1, 4);
  ids.setBits(2, 0);
  OnGpu dIds(gpu, ids), dTable(gpu, table), dY(gpu, y);
  tert_embedding(gpu, nullptr, dIds, dTable, dY);
  EXPECT_EQ(tert_synchronize(gpu), TERT_INVALID_DATA);
  EXPECT_NE(gpuError().find("token id 4 at position 1"), std::string::npos)
      << gpuError();
  // And it is over with that.
  EXPECT_EQ(tert_synchronize(gpu), TERT_OK);
  Tensor dtable = table;
  OnGpu dDtable(gpu, dtable);
  tert_embedding_grad(gpu, nullptr, dIds, dY, dDtable);
  EXPECT_EQ(tert_synchronize(gpu), TERT_INVALID_DATA);
  Tensor scalar = Tensor::scalar(0), lse(TERT_F32, {3}),
         logits(TERT_F32, {3, 4});
  OnGpu dLogits(gpu, logits), loss(gpu, scalar), dLse(gpu, lse),
      count(gpu, scalar);
  tert_cross_entropy(gpu, nullptr, dLogits, dIds, loss, dLse, count, -100,
                     TERT_MEAN, 0, 0);
  EXPECT_EQ(tert_synchronize(gpu), TERT_INVALID_DATA);
  EXPECT_NE(gpuError().find("label 4 at position 1"), std::string::npos)
      << gpuError();
}

TEST_F(KernelTest, AddCopyFillColumnSum) {
  for (const Shape &s : shapes)
    for (int32_t x : {TERT_F32, TERT_BF16})
      for (int32_t y : {TERT_F32, TERT_BF16}) {
        SCOPED_TRACE(testing::Message()
                     << s.rows << "x" << s.cols << " types " << x << y);
        for (int rank = 0; rank <= 2; ++rank) {
          std::vector<int64_t> sizes = {s.rows, s.cols};
          sizes.erase(sizes.begin(), sizes.begin() + (2 - rank));
          runBoth({random(x, {s.rows, s.cols}, s.gap, 16),
                   random(y, sizes, 1, 17),
                   poisoned(y, {s.rows, s.cols}, s.gap)},
                  [&](tert_context *c, const Arguments &a) {
                    return tert_add(c, nullptr, a[0], a[1], a[2]);
                  });
          expectSameBits(2);
        }
        runBoth({random(x, {s.rows, s.cols}, s.gap, 18),
                 poisoned(y, {s.rows, s.cols}, 1),
                 poisoned(y, {s.cols, s.rows}, 2), poisoned(y, {s.cols})},
                [&](tert_context *c, const Arguments &a) {
                  tert_layout turned = *a[2]->layout;
                  std::swap(turned.sizes[0], turned.sizes[1]);
                  std::swap(turned.strides[0], turned.strides[1]);
                  tert_tensor view = {a[2]->data, &turned};
                  if (auto status = tert_copy(c, nullptr, a[0], a[1]))
                    return status;
                  if (auto status = tert_copy(c, nullptr, a[0], &view))
                    return status;
                  return tert_column_sum(c, nullptr, a[0], a[3]);
                });
        expectSameBits(1);
        expectSameBits(2);
        expectClose(3, y == TERT_F32 ? 2e-6 : 3e-3);
      }
  for (int32_t dtype : {TERT_F32, TERT_BF16, TERT_I64, TERT_I32, TERT_U8}) {
    runBoth({poisoned(dtype, {3, 5, 7}, 2), poisoned(dtype, {})},
            [&](tert_context *c, const Arguments &a) {
              if (auto status = tert_fill(c, nullptr, a[0], 42))
                return status;
              return tert_copy(c, nullptr, a[0], a[0]);
            });
    expectSameBits(0);
  }
}

TEST_F(KernelTest, LargeTensors) {
  for (const Shape &s : largeShapes) {
    SCOPED_TRACE(testing::Message() << s.rows << "x" << s.cols);
    // Random enough, and made in no time.
    Tensor x(TERT_BF16, {s.rows, s.cols}, s.gap);
    for (int64_t i = 0; i < x.numElements(); ++i)
      x.setBits(i, bf16Bits(float((i * 2654435761u >> 7) % 2001) / 500 - 2));
    std::vector<Tensor> t = {x,
                             x,
                             Tensor::scalar(20),
                             random(TERT_BF16, {s.cols}, 0, 30),
                             poisoned(TERT_F32, {s.rows}),
                             poisoned(TERT_F32, {s.rows})};
    addQuantized(t, TERT_F8E4M3, s);
    t.push_back(poisoned(TERT_F32, {s.cols}));
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return tert_quantize(c, nullptr, a[0], Quantized(a[2], a[6], a[7], a[8]),
                           nullptr);
    });
    EXPECT_TRUE(onGpu[6].sameBits(onCpu[6]));
    EXPECT_TRUE(onGpu[7].sameBits(onCpu[7]));
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return tert_layer_norm(c, nullptr, a[0], a[3], a[3], nullptr, a[4], a[5],
                             Quantized(a[2], a[6], a[7], a[8]), 1e-5f, 0);
    });
    // Millions of f32 additions in one row, in different orders.
    const bool isLong = s.cols > 1000000;
    expectClose(4, isLong ? 1e-3 : 1e-5);
    expectClose(5, isLong ? 1e-4 : 1e-5);
    expectCodes(6, isLong ? 5e-3 : 1e-4);
    expectCodes(7, isLong ? 5e-3 : 1e-4);
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return tert_activation_grad(c, nullptr, a[0], a[1], nullptr,
                                  Quantized(a[2], a[6], a[7], a[8]), a[9],
                                  TERT_GELU_TANH);
    });
    expectClose(9, 1e-5);
  }
}

TEST_F(KernelTest, RunsAreBitEqual) {
  std::vector<Tensor> t = {random(TERT_BF16, {513, 768}, 0, 27),
                           random(TERT_BF16, {513, 768}, 0, 28),
                           Tensor::scalar(3)};
  addQuantized(t, TERT_F8E5M2, {513, 768, 0});
  t.push_back(poisoned(TERT_F32, {768}));
  auto op = [&](tert_context *c, const Arguments &a) {
    return tert_activation_grad(c, nullptr, a[0], a[1], nullptr,
                                Quantized(a[2], a[3], a[4], a[5]), a[6],
                                TERT_GELU_TANH);
  };
  runBoth(t, op);
  std::vector<Tensor> first = onGpu;
  runBoth(t, op);
  for (size_t i = 3; i < t.size(); ++i)
    EXPECT_TRUE(first[i].sameBits(onGpu[i]));
}
