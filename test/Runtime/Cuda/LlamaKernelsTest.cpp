// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms, gates and rotations of Llama and its kin, against the CPU's.

#include "KernelTest.h"
#include "SafetensorsFixture.h"

using namespace tert_test;

TEST_F(KernelTest, RMSNorm) {
  for (const Shape &s : normShapes())
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      if (s.rows * s.cols == 0)
        continue;
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      std::vector<Tensor> t = {random(dtype, {s.rows, s.cols}, s.gap, 5),
                               random(TERT_F32, {s.cols}, 0, 6),
                               Tensor::scalar(20),
                               poisoned(dtype, {s.rows, s.cols}, s.gap),
                               poisoned(TERT_F32, {s.rows})};
      addQuantized(t, TERT_F8E4M3, s);
      for (bool withY : {true, false}) {
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_rms_norm(c, nullptr, a[0], a[1], withY ? a[3] : nullptr,
                               a[4], Quantized(a[2], a[5], a[6], a[7]), 1e-5f,
                               1);
        });
        if (withY)
          expectClose(3, dtype == TERT_F32 ? 1e-6 : 2e-4);
        expectClose(4, 1e-6);
        expectCodes(5, 1e-4);
        expectCodes(6, 1e-4);
        expectClose(7, 1e-6);
      }

      std::vector<Tensor> g = {random(dtype, {s.rows, s.cols}, s.gap, 8),
                               t[0],
                               t[1],
                               onCpu[4],
                               random(dtype, {s.rows, s.cols}, s.gap, 9),
                               Tensor::scalar(200),
                               poisoned(dtype, {s.rows, s.cols}, s.gap),
                               poisoned(TERT_F32, {s.cols})};
      addQuantized(g, TERT_F8E5M2, s);
      g.push_back(random(TERT_F32, {s.rows, s.cols}, s.gap, 10));
      // No residual, one of the type of dy, and one in f32.
      for (size_t residual : {size_t(0), size_t(4), g.size() - 1})
        for (bool withDx : {true, false}) {
          runBoth(g, [&](tert_context *c, const Arguments &a) {
            return tert_rms_norm_grad(c, nullptr, a[0], a[1], a[2], a[3],
                                      residual ? a[residual] : nullptr,
                                      withDx ? a[6] : nullptr, a[7],
                                      Quantized(a[5], a[8], a[9], a[10]), 1);
          });
          // One column: dx is what cancellation leaves of nothing.
          if (s.cols == 1 && !residual)
            continue;
          if (withDx)
            expectClose(6, dtype == TERT_F32 ? 1e-5 : 2e-3);
          expectClose(7, 2e-6);
          expectClose(8, 1e-3);
          expectClose(9, 1e-3);
          expectClose(10, 1e-5);
        }
      // What rms_norm quantizes, made again beside the gradient.
      g.push_back(Tensor::scalar(20));
      g.push_back(poisoned(TERT_F8E4M3, {s.cols, s.rows}, s.gap));
      runBoth(g, [&](tert_context *c, const Arguments &a) {
        return tert_rms_norm_grad_recompute(
            c, nullptr, a[0], a[1], a[2], a[3], a[12], a[4], a[6], a[7],
            Quantized(a[5], a[8], a[9], a[10]), a[13], 1);
      });
      expectClose(6, dtype == TERT_F32 ? 1e-5 : 2e-3);
      expectClose(7, 2e-6);
      expectCodes(13, 1e-4);
    }
}

// In shapes of models the copy comes from a second read of each strip: the same
// bytes as in the forward pass, and the gradient's are those without it.
TEST_F(KernelTest, NormGradsOfModels) {
  for (const Shape &s :
       {Shape{128, 256, 0}, Shape{192, 768, 0}, Shape{128, 1280, 0},
        Shape{64, 2048, 0}, Shape{64, 3072, 0}, Shape{128, 4096, 0}})
    for (bool quantizes : {true, false}) {
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " quantizes " << quantizes);
      std::vector<Tensor> t = {random(TERT_BF16, {s.rows, s.cols}, 0, 6),
                               random(TERT_F32, {s.cols}, 0, 7),
                               Tensor::scalar(20), poisoned(TERT_F32, {s.rows}),
                               poisoned(TERT_F8E4M3, {s.cols, s.rows})};
      runBoth(t, [&](tert_context *c, const Arguments &a) {
        return tert_rms_norm(c, nullptr, a[0], a[1], nullptr, a[3],
                             Quantized(a[2], nullptr, a[4], nullptr), 1e-5f, 0);
      });
      const Tensor rstd = onGpu[3], forward = onGpu[4];
      std::vector<Tensor> g = {random(TERT_BF16, {s.rows, s.cols}, 0, 8),
                               t[0],
                               t[1],
                               rstd,
                               random(TERT_BF16, {s.rows, s.cols}, 0, 9),
                               Tensor::scalar(200),
                               poisoned(TERT_BF16, {s.rows, s.cols}),
                               poisoned(TERT_F32, {s.cols})};
      addQuantized(g, TERT_F8E5M2, s);
      g.push_back(t[2]);
      g.push_back(poisoned(TERT_F8E4M3, {s.cols, s.rows}));
      runBoth(g, [&](tert_context *c, const Arguments &a) {
        Quantized all(a[5], a[8], a[9], a[10]);
        return tert_rms_norm_grad(c, nullptr, a[0], a[1], a[2], a[3], a[4],
                                  a[6], a[7], quantizes ? &all.get() : nullptr,
                                  0);
      });
      const std::vector<Tensor> without = onGpu;
      runBoth(g, [&](tert_context *c, const Arguments &a) {
        Quantized all(a[5], a[8], a[9], a[10]);
        return tert_rms_norm_grad_recompute(
            c, nullptr, a[0], a[1], a[2], a[3], a[11], a[4], a[6], a[7],
            quantizes ? &all.get() : nullptr, a[12], 0);
      });
      EXPECT_TRUE(onGpu[12].sameBits(forward));
      for (size_t result : {6, 7, 8, 9, 10})
        EXPECT_TRUE(onGpu[result].sameBits(without[result])) << result;
    }
}

TEST_F(KernelTest, GatedActivations) {
  for (int32_t kind = TERT_GELU_ERF; kind <= TERT_TANH; ++kind)
    for (const Shape &s : shapes)
      for (int32_t dtype : {TERT_F32, TERT_BF16})
        for (bool upFirst : {false, true}) {
          if (s.rows * s.cols > 100000)
            continue;
          SCOPED_TRACE(testing::Message()
                       << "kind " << kind << ", " << s.rows << "x" << s.cols
                       << " dtype " << dtype << " upFirst " << upFirst);
          const Shape joined{s.rows, 2 * s.cols, s.gap};
          std::vector<Tensor> t = {
              random(dtype, {s.rows, 2 * s.cols}, s.gap, 10, 2),
              Tensor::scalar(20), poisoned(dtype, {s.rows, s.cols}, s.gap)};
          addQuantized(t, TERT_F8E4M3, s);
          runBoth(t, [&](tert_context *c, const Arguments &a) {
            return tert_gated_activation(c, nullptr, a[0], nullptr, a[2],
                                         Quantized(a[1], a[3], a[4], a[5]),
                                         kind, upFirst);
          });
          expectClose(2, dtype == TERT_F32 ? 1e-6 : 2e-4);
          expectCodes(3, 1e-4);
          expectCodes(4, 1e-4);
          expectClose(5, 1e-6);

          std::vector<Tensor> g = {
              random(s.gap ? TERT_F32 : dtype, {s.rows, s.cols}, s.gap, 11),
              t[0], t[1], poisoned(dtype, {s.rows, 2 * s.cols}, s.gap)};
          addQuantized(g, TERT_F8E5M2, joined);
          g.push_back(poisoned(TERT_F32, {2 * s.cols}));
          runBoth(g, [&](tert_context *c, const Arguments &a) {
            return tert_gated_activation_grad(
                c, nullptr, a[0], a[1], nullptr, a[3], nullptr,
                Quantized(a[2], a[4], a[5], a[6]), a[7], kind, upFirst);
          });
          expectClose(3, dtype == TERT_F32 ? 2e-6 : 2e-4);
          expectClose(4, 1e-3);
          expectClose(5, 1e-3);
          expectClose(6, 1e-6);
          expectClose(7, 2e-6);
          g.push_back(Tensor::scalar(7));
          g.push_back(poisoned(TERT_F8E4M3, {s.cols, s.rows}, s.gap));
          runBoth(g, [&](tert_context *c, const Arguments &a) {
            return tert_gated_activation_grad_recompute(
                c, nullptr, a[0], a[1], a[8], a[3],
                Quantized(a[2], a[4], a[5], a[6]), a[7], a[9], kind, upFirst);
          });
          expectClose(3, dtype == TERT_F32 ? 2e-6 : 2e-4);
          expectClose(4, 1e-3);
          expectClose(5, 1e-3);
          expectClose(7, 2e-6);
          expectCodes(9, 1e-4);
        }
}

// Without a bias gradient, in shapes of models: both gradients and the value
// from one read.
TEST_F(KernelTest, GatedGradsOfModels) {
  for (int32_t kind = TERT_GELU_ERF; kind <= TERT_TANH; ++kind)
    for (const Shape &s : {Shape{128, 128, 0}, Shape{256, 384, 0}})
      for (bool upFirst : {false, true}) {
        SCOPED_TRACE(testing::Message()
                     << "kind " << kind << ", " << s.rows << "x" << s.cols
                     << " upFirst " << upFirst);
        std::vector<Tensor> t = {
            random(TERT_BF16, {s.rows, s.cols}, 0, 11),
            random(TERT_BF16, {s.rows, 2 * s.cols}, 0, 10, 2),
            Tensor::scalar(20), Tensor::scalar(7),
            poisoned(TERT_F8E4M3, {s.cols, s.rows})};
        addQuantized(t, TERT_F8E5M2, {s.rows, 2 * s.cols, 0});
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_gated_activation_grad_recompute(
              c, nullptr, a[0], a[1], a[3], nullptr,
              Quantized(a[2], a[5], a[6], a[7]), nullptr, a[4], kind, upFirst);
        });
        expectCodes(4, 1e-4);
        expectClose(5, 1e-3);
        expectClose(6, 1e-3);
        expectClose(7, 1e-6);
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_gated_activation_grad(
              c, nullptr, a[0], a[1], nullptr, nullptr, nullptr,
              Quantized(a[2], a[5], nullptr, a[7]), nullptr, kind, upFirst);
        });
        expectClose(5, 1e-3);
        expectClose(7, 1e-6);
        runBoth(t, [&](tert_context *c, const Arguments &a) {
          return tert_gated_activation_grad(
              c, nullptr, a[0], a[1], nullptr, nullptr, nullptr,
              Quantized(a[2], nullptr, a[6], nullptr), nullptr, kind, upFirst);
        });
        expectClose(6, 1e-3);
      }
}

TEST_F(KernelTest, GatedActivationsOfTwoMatrices) {
  for (const Shape &s : shapes)
    for (int32_t dtype : {TERT_F32, TERT_BF16}) {
      SCOPED_TRACE(testing::Message()
                   << s.rows << "x" << s.cols << " dtype " << dtype);
      std::vector<Tensor> t = {
          random(dtype, {s.rows, s.cols}, s.gap, 10, 2),
          random(s.gap ? TERT_F32 : dtype, {s.rows, s.cols}, s.gap, 11),
          random(dtype, {s.rows, s.cols}, s.gap, 12),
          poisoned(dtype, {s.rows, s.cols}, s.gap),
          poisoned(dtype, {s.rows, s.cols}, s.gap),
          poisoned(TERT_F32, {s.rows, s.cols}, s.gap)};
      runBoth(t, [&](tert_context *c, const Arguments &a) {
        return tert_gated_activation(c, nullptr, a[0], a[1], a[3], nullptr,
                                     TERT_SILU, 0);
      });
      expectClose(3, dtype == TERT_F32 ? 1e-6 : 2e-4);
      runBoth(t, [&](tert_context *c, const Arguments &a) {
        return tert_gated_activation_grad(c, nullptr, a[2], a[0], a[1], a[4],
                                          a[5], nullptr, nullptr, TERT_SILU, 0);
      });
      expectClose(4, dtype == TERT_F32 ? 2e-6 : 2e-4);
      expectClose(5, 2e-6);
    }
}

TEST_F(KernelTest, Rope) {
  struct Heads {
    int64_t dim, pairs, gap;
  };
  for (int32_t layout : {TERT_BSHD, TERT_BHSD, TERT_SBHD})
    for (int32_t dtype : {TERT_F32, TERT_BF16})
      for (int32_t interleaved : {0, 1})
        for (int32_t inverse : {0, 1})
          for (Heads heads : std::initializer_list<Heads>{{128, 64, 3},
                                                          {80, 10, 3},
                                                          {21, 7, 3},
                                                          {2, 1, 3},
                                                          {64, 0, 3},
                                                          {64, 32, 8},
                                                          {48, 24, 8}})
            for (bool perToken : {false, true}) {
              SCOPED_TRACE(testing::Message()
                           << "layout " << layout << " dtype " << dtype
                           << " interleaved " << interleaved << " dim "
                           << heads.dim << " pairs " << heads.pairs);
              // Batch 2, 37 positions, 3 heads.
              std::vector<int64_t> sizes =
                  layout == TERT_BSHD
                      ? std::vector<int64_t>{2, 37, 3, heads.dim}
                  : layout == TERT_BHSD
                      ? std::vector<int64_t>{2, 3, 37, heads.dim}
                      : std::vector<int64_t>{37, 2, 3, heads.dim};
              const int64_t rows = perToken ? 74 : 37;
              std::vector<Tensor> t = {
                  random(dtype, sizes, perToken ? heads.gap : 0, 14),
                  random(TERT_F32, {rows, heads.pairs}, 0, 15),
                  random(TERT_F32, {rows, heads.pairs}, 0, 16),
                  poisoned(dtype, sizes, perToken ? 8 : 0)};
              runBoth(t, [&](tert_context *c, const Arguments &a) {
                return tert_rope(c, nullptr, a[0], a[1], a[2], a[3],
                                 interleaved, inverse, layout);
              });
              expectClose(3, dtype == TERT_F32 ? 1e-7 : 2e-4);
              t.pop_back();
              runBoth(t, [&](tert_context *c, const Arguments &a) {
                return tert_rope(c, nullptr, a[0], a[1], a[2], a[0],
                                 interleaved, inverse, layout);
              });
              expectClose(0, dtype == TERT_F32 ? 1e-7 : 2e-4);
            }
}

TEST_F(KernelTest, LargeNormsAndGates) {
  for (const Shape &s :
       {Shape{8192, 4096, 0}, Shape{4096, 2048, 0}, Shape{3000, 4104, 8}}) {
    SCOPED_TRACE(testing::Message() << s.rows << "x" << s.cols);
    Tensor x(TERT_BF16, {s.rows, s.cols}, s.gap);
    for (int64_t i = 0; i < x.numElements(); ++i)
      x.setBits(i, bf16Bits(float((i * 2654435761u >> 7) % 2001) / 500 - 2));
    Tensor dy = x;
    for (int64_t i = 0; i < dy.numElements(); ++i)
      dy.setBits(i, x.bitsAt((i * 7919 + 13) % x.numElements()));
    std::vector<Tensor> t = {x, random(TERT_F32, {s.cols}, 0, 6),
                             Tensor::scalar(20),
                             poisoned(TERT_BF16, {s.rows, s.cols}, s.gap),
                             poisoned(TERT_F32, {s.rows})};
    addQuantized(t, TERT_F8E4M3, s);
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return tert_rms_norm(c, nullptr, a[0], a[1], a[3], a[4],
                           Quantized(a[2], a[5], a[6], a[7]), 1e-5f, 0);
    });
    expectClose(3, 2e-4);
    expectClose(4, 1e-5);
    expectCodes(5, 1e-4);
    expectCodes(6, 1e-4);
    std::vector<Tensor> g = {dy,
                             x,
                             t[1],
                             onCpu[4],
                             dy,
                             Tensor::scalar(200),
                             poisoned(TERT_BF16, {s.rows, s.cols}, s.gap),
                             poisoned(TERT_F32, {s.cols})};
    addQuantized(g, TERT_F8E5M2, s);
    runBoth(g, [&](tert_context *c, const Arguments &a) {
      return tert_rms_norm_grad(c, nullptr, a[0], a[1], a[2], a[3], a[4], a[6],
                                a[7], Quantized(a[5], a[8], a[9], a[10]), 0);
    });
    expectClose(6, 2e-3);
    expectClose(7, 1e-5);
    expectClose(8, 1e-3);
    expectClose(9, 1e-3);
    expectClose(10, 1e-5);
    if (s.cols % 16 != 0)
      continue;
    const Shape half{s.rows, s.cols / 2, 0};
    std::vector<Tensor> w = {random(TERT_BF16, {half.rows, half.cols}, 0, 21),
                             x, Tensor::scalar(9)};
    addQuantized(w, TERT_F8E5M2, s);
    w.push_back(poisoned(TERT_F32, {s.cols}));
    runBoth(w, [&](tert_context *c, const Arguments &a) {
      return tert_gated_activation_grad(
          c, nullptr, a[0], a[1], nullptr, nullptr, nullptr,
          Quantized(a[2], a[3], a[4], a[5]), a[6], TERT_SILU, 0);
    });
    expectClose(3, 1e-3);
    expectClose(4, 1e-3);
    expectClose(6, 1e-5);
    w.push_back(Tensor::scalar(7));
    w.push_back(poisoned(TERT_F8E4M3, {s.cols / 2, s.rows}));
    runBoth(w, [&](tert_context *c, const Arguments &a) {
      return tert_gated_activation_grad_recompute(
          c, nullptr, a[0], a[1], a[7], nullptr,
          Quantized(a[2], a[3], a[4], a[5]), a[6], a[8], TERT_SILU, 0);
    });
    expectClose(3, 1e-3);
    expectClose(4, 1e-3);
    expectCodes(8, 1e-4);
    // One read of all or one for each half: the same bytes.
    const std::vector<Tensor> separately = onGpu;
    runBoth(w, [&](tert_context *c, const Arguments &a) {
      return tert_gated_activation_grad_recompute(
          c, nullptr, a[0], a[1], a[7], nullptr,
          Quantized(a[2], a[3], a[4], a[5]), nullptr, a[8], TERT_SILU, 0);
    });
    for (size_t result : {3, 4, 5, 8})
      EXPECT_TRUE(onGpu[result].sameBits(separately[result])) << result;
  }
}

// On the GPU, too.
TEST_F(KernelTest, BytesOfTransformerEngineForNormsAndGates) {
  SafetensorsFixture file(inputPath("transformer_engine.safetensors"));
  Tensor x = file.get("norm.x");
  for (int32_t zeroCentered : {0, 1}) {
    const std::string name = "norm.rms.zc" + std::to_string(zeroCentered) + ".";
    Tensor gamma = file.get("norm.gamma");
    for (int64_t j = 0; j < gamma.size(0); ++j)
      gamma.set(j, gamma.at(j) - zeroCentered);
    std::vector<Tensor> t = {x,
                             gamma,
                             Tensor::scalar(50),
                             poisoned(TERT_F32, {x.size(0)}),
                             poisoned(TERT_F8E4M3, {x.size(0), x.size(1)}),
                             poisoned(TERT_F32, {})};
    runBoth(t, [&](tert_context *c, const Arguments &a) {
      return tert_rms_norm(c, nullptr, a[0], a[1], nullptr, a[3],
                           Quantized(a[2], a[4], nullptr, a[5]), 1e-5f,
                           zeroCentered);
    });
    EXPECT_TRUE(onGpu[4].sameBits(file.get(name + "rowwise", TERT_F8E4M3)))
        << name;
    EXPECT_TRUE(onGpu[5].sameBits(file.get(name + "amax"))) << name;
  }
  Tensor gates = file.get("act.x");
  for (auto [name, kind] :
       std::vector<std::pair<std::string, int32_t>>{{"swiglu", TERT_SILU},
                                                    {"geglu", TERT_GELU_TANH},
                                                    {"reglu", TERT_RELU}}) {
    std::vector<Tensor> t = {
        gates, Tensor::scalar(40),
        poisoned(TERT_F8E4M3, {gates.size(0), gates.size(1) / 2}),
        poisoned(TERT_F32, {})};
    runBoth(t, [&, kind = kind](tert_context *c, const Arguments &a) {
      return tert_gated_activation(c, nullptr, a[0], nullptr, nullptr,
                                   Quantized(a[1], a[2], nullptr, a[3]), kind,
                                   0);
    });
    EXPECT_TRUE(
        onGpu[2].sameBits(file.get("act." + name + ".rowwise", TERT_F8E4M3)))
        << name;
    EXPECT_TRUE(onGpu[3].sameBits(file.get("act." + name + ".amax"))) << name;
  }
}
