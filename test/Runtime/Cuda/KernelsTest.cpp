// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every op that runs on the runtime's own CUDA kernels, against the CPU's;
// losses and optimizers are in LossKernelsTest.cpp and UpdateKernelsTest.cpp.
// Outputs start out poisoned and have gaps between their rows.

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
        return tert_amax(c, nullptr, a[0], a[1], /*transposed=*/0);
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
  for (float amax : {0.0f, 1e-44f, 3.0f, INFINITY, NAN})
    for (float epsilon : {0.0f, 1e-3f})
      for (bool powerOfTwo : {false, true}) {
        runBoth({Tensor::scalar(amax), poisoned(TERT_F32, {}),
                 poisoned(TERT_F32, {})},
                [&](tert_context *c, const Arguments &a) {
                  return tert_compute_scale(c, nullptr, a[0], a[1], a[2],
                                            TERT_F8E5M2, 2, epsilon,
                                            powerOfTwo);
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
      g.push_back(random(TERT_F32, {s.rows, s.cols}, s.gap, 10));
      // No residual, one of the type of dy, and one in f32.
      for (size_t residual : {size_t(0), size_t(5), g.size() - 1}) {
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_layer_norm_grad(
              c, nullptr, a[0], a[1], a[2], a[3], a[4],
              residual ? a[residual] : nullptr, a[6], a[7], a[8],
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
  // As sums over a batch of positions are.
  for (int64_t rows : {1, 16, 64})
    for (int64_t cols : {270336, 400003})
      for (int32_t x : {TERT_F32, TERT_BF16})
        for (int32_t y : {TERT_F32, TERT_BF16}) {
          runBoth({random(x, {rows, cols}, rows == 16 ? 3 : 0, 19),
                   poisoned(y, {cols})},
                  [&](tert_context *c, const Arguments &a) {
                    return tert_column_sum(c, nullptr, a[0], a[1]);
                  });
          expectClose(1, y == TERT_F32 ? 2e-6 : 3e-3);
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

// Enough tiles of 128 rows for every block, and for some blocks more than for
// others; rows of which the last tile has half.
TEST_F(KernelTest, TallTiles) {
  for (const Shape &s :
       {Shape{384, 17024, 0}, Shape{2560, 5120, 0}, Shape{1344, 5120, 0}})
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, 8, 31),
                               Tensor::scalar(20),
                               poisoned(TERT_BF16, {s.rows, s.cols}, 8)};
      addQuantized(t, TERT_F8E4M3, s);
      // All; row-wise codes alone; the amax and a float copy.
      for (int wanted : {7, 1, 12}) {
        auto quantized = [=](const Arguments &a) {
          return Quantized(a[1], wanted & 1 ? a[3] : nullptr,
                           wanted & 2 ? a[4] : nullptr,
                           wanted & 4 ? a[5] : nullptr);
        };
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_quantize(c, nullptr, a[0], quantized(a), nullptr);
        });
        for (size_t i = 3; i < t.size(); ++i)
          expectSameBits(i);
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_activation(c, nullptr, a[0], wanted & 8 ? a[2] : nullptr,
                                 quantized(a), TERT_GELU_TANH);
        });
        if (wanted & 8)
          expectClose(2, 2e-4);
        expectCodes(3, 1e-4);
        expectCodes(4, 1e-4);
        if (wanted & 4)
          expectClose(5, 1e-6);
      }
      const Shape half{s.rows, s.cols / 2, 0};
      if (half.cols % 128 != 0)
        continue;
      std::vector<Tensor> g = {t[0], Tensor::scalar(20)};
      addQuantized(g, TERT_F8E4M3, half);
      for (bool upFirst : {false, true}) {
        runBoth(g, [&](tert_context *c, const Arguments &a) {
          return tert_gated_activation(c, nullptr, a[0], nullptr, nullptr,
                                       Quantized(a[1], a[2], a[3], a[4]),
                                       TERT_SILU, upFirst);
        });
        expectCodes(2, 1e-4);
        expectCodes(3, 1e-4);
        expectClose(4, 1e-6);
      }
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
