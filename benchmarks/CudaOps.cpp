// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of the runtime's own CUDA kernels beside their floor: the bytes that an
// op has to move, each tensor once, over the bandwidth of a large copy measured
// in the same run:
//   tert-benchmark-cuda-ops [device] [repetitions] [part of ops' names]
// Calls are recorded into a graph and replayed, over tensors that together are
// larger than the GPU's cache; medians of the repetitions.

#include "CudaBench.h"

using namespace tert_bench;

namespace {

std::string shapeName(int64_t rows, int64_t cols) {
  return " " + std::to_string(rows) + "x" + std::to_string(cols);
}

/// Both copies of a result [m, n], and its amax.
tert_quantized quantizedTo(Device &device, int32_t format, int64_t m,
                           int64_t n) {
  return {device.scalar(16),
          {device.tensor(format, {m, n}), nullptr},
          {device.tensor(format, {n, m}), nullptr},
          device.scalar(0)};
}

/// What a transformer layer of this width does between its matrix products.
void benchLayer(Bench &bench, int64_t rows, int64_t hidden, int64_t ffn) {
  Device &d = bench.device;
  const double narrow = double(rows) * double(hidden);
  const double wide = double(rows) * double(ffn);
  auto quantized = [&](int32_t format, int64_t m, int64_t n) {
    return quantizedTo(d, format, m, n);
  };

  for (bool sums : {false, true})
    bench.report(std::string("quantize bf16 -> E5M2 x2, amax") +
                     (sums ? ", dbias" : "") + shapeName(rows, hidden),
                 narrow * 4, [&]() -> Call {
                   auto x = d.tensor(TERT_BF16, {rows, hidden});
                   auto q = quantized(TERT_F8E5M2, rows, hidden);
                   auto dbias = sums ? d.tensor(TERT_F32, {hidden}) : nullptr;
                   return [=, &d] {
                     return tert_quantize(d, nullptr, x, &q, dbias);
                   };
                 });
  bench.report("layer_norm -> E4M3 x2, amax" + shapeName(rows, hidden),
               narrow * 4, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, hidden});
                 auto gamma = d.tensor(TERT_BF16, {hidden});
                 auto q = quantized(TERT_F8E4M3, rows, hidden);
                 auto mean = d.tensor(TERT_F32, {rows});
                 auto rstd = d.tensor(TERT_F32, {rows});
                 return [=, &d] {
                   return tert_layer_norm(d, nullptr, x, gamma, gamma, nullptr,
                                          mean, rstd, &q, 1e-5f, 0);
                 };
               });
  bench.report("layer_norm_grad + residual" + shapeName(rows, hidden),
               narrow * 8, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, hidden});
                 auto dy = d.tensor(TERT_BF16, {rows, hidden});
                 auto residual = d.tensor(TERT_BF16, {rows, hidden});
                 auto dx = d.tensor(TERT_BF16, {rows, hidden});
                 auto gamma = d.tensor(TERT_BF16, {hidden});
                 auto dgamma = d.tensor(TERT_F32, {hidden});
                 auto dbeta = d.tensor(TERT_F32, {hidden});
                 auto mean = d.tensor(TERT_F32, {rows});
                 auto rstd = d.tensor(TERT_F32, {rows});
                 return [=, &d] {
                   return tert_layer_norm_grad(d, nullptr, dy, x, gamma, mean,
                                               rstd, residual, dx, dgamma,
                                               dbeta, nullptr, nullptr, 0);
                 };
               });
  bench.report("layer_norm_grad + residual -> bf16, E5M2 x2, dbias" +
                   shapeName(rows, hidden),
               narrow * 10, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, hidden});
                 auto dy = d.tensor(TERT_BF16, {rows, hidden});
                 auto residual = d.tensor(TERT_BF16, {rows, hidden});
                 auto dx = d.tensor(TERT_BF16, {rows, hidden});
                 auto gamma = d.tensor(TERT_F32, {hidden});
                 auto dgamma = d.tensor(TERT_F32, {hidden});
                 auto dbeta = d.tensor(TERT_F32, {hidden});
                 auto dbias = d.tensor(TERT_F32, {hidden});
                 auto q = quantized(TERT_F8E5M2, rows, hidden);
                 auto mean = d.tensor(TERT_F32, {rows});
                 auto rstd = d.tensor(TERT_F32, {rows});
                 return [=, &d] {
                   return tert_layer_norm_grad(d, nullptr, dy, x, gamma, mean,
                                               rstd, residual, dx, dgamma,
                                               dbeta, &q, dbias, 0);
                 };
               });
  bench.report("add" + shapeName(rows, hidden), narrow * 6, [&]() -> Call {
    auto a = d.tensor(TERT_BF16, {rows, hidden});
    auto b = d.tensor(TERT_BF16, {rows, hidden});
    auto y = d.tensor(TERT_BF16, {rows, hidden});
    return [=, &d] { return tert_add(d, nullptr, a, b, y); };
  });
  bench.report("column_sum" + shapeName(rows, hidden), narrow * 2,
               [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, hidden});
                 auto y = d.tensor(TERT_F32, {hidden});
                 return [=, &d] { return tert_column_sum(d, nullptr, x, y); };
               });
  for (auto [kind, kindName] : {std::pair(TERT_GELU_TANH, "gelu_tanh"),
                                std::pair(TERT_GELU_ERF, "gelu_erf")}) {
    bench.report(std::string(kindName) + " -> E4M3 x2, amax" +
                     shapeName(rows, ffn),
                 wide * 4, [&, kind = kind]() -> Call {
                   auto x = d.tensor(TERT_BF16, {rows, ffn});
                   auto q = quantized(TERT_F8E4M3, rows, ffn);
                   return [=, &d] {
                     return tert_activation(d, nullptr, x, nullptr, &q, kind);
                   };
                 });
    bench.report(std::string(kindName) + " grad -> E5M2 x2, dbias" +
                     shapeName(rows, ffn),
                 wide * 6, [&, kind = kind]() -> Call {
                   auto x = d.tensor(TERT_BF16, {rows, ffn});
                   auto dy = d.tensor(TERT_BF16, {rows, ffn});
                   auto q = quantized(TERT_F8E5M2, rows, ffn);
                   auto dbias = d.tensor(TERT_F32, {ffn});
                   return [=, &d] {
                     return tert_activation_grad(d, nullptr, dy, x, nullptr, &q,
                                                 dbias, kind);
                   };
                 });
  }
}

/// What a Llama layer of this width does between its matrix products besides;
/// heads of 128, all of queries and keys.
void benchLlamaLayer(Bench &bench, int64_t rows, int64_t hidden, int64_t ffn) {
  Device &d = bench.device;
  const double narrow = double(rows) * double(hidden);
  const double wide = double(rows) * double(ffn);
  bench.report("rms_norm -> E4M3 x2, amax" + shapeName(rows, hidden),
               narrow * 4, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, hidden});
                 auto gamma = d.tensor(TERT_BF16, {hidden});
                 auto q = quantizedTo(d, TERT_F8E4M3, rows, hidden);
                 auto rstd = d.tensor(TERT_F32, {rows});
                 return [=, &d] {
                   return tert_rms_norm(d, nullptr, x, gamma, nullptr, rstd, &q,
                                        1e-5f, 0);
                 };
               });
  for (bool anew : {false, true})
    bench.report(std::string("rms_norm_grad + residual -> bf16, E5M2 x2") +
                     (anew ? ", and the norm -> E4M3 column-wise" : "") +
                     shapeName(rows, hidden),
                 narrow * (anew ? 11 : 10), [&]() -> Call {
                   auto x = d.tensor(TERT_BF16, {rows, hidden});
                   auto dy = d.tensor(TERT_BF16, {rows, hidden});
                   auto residual = d.tensor(TERT_BF16, {rows, hidden});
                   auto dx = d.tensor(TERT_BF16, {rows, hidden});
                   auto gamma = d.tensor(TERT_BF16, {hidden});
                   auto dgamma = d.tensor(TERT_F32, {hidden});
                   auto q = quantizedTo(d, TERT_F8E5M2, rows, hidden);
                   auto rstd = d.tensor(TERT_F32, {rows});
                   auto scale = d.scalar(16);
                   auto value = d.tensor(TERT_F8E4M3, {hidden, rows});
                   return [=, &d] {
                     return anew ? tert_rms_norm_grad_recompute(
                                       d, nullptr, dy, x, gamma, rstd, scale,
                                       residual, dx, dgamma, &q, value, 0)
                                 : tert_rms_norm_grad(d, nullptr, dy, x, gamma,
                                                      rstd, residual, dx,
                                                      dgamma, &q, 0);
                   };
                 });
  // Weights of gate and up: what a step makes of masters before it reads them.
  bench.report("quantize_joined f32 -> E4M3 x2, amax, two of" +
                   shapeName(ffn, hidden),
               double(ffn) * double(hidden) * 12, [&]() -> Call {
                 auto gate = d.tensor(TERT_F32, {ffn, hidden});
                 auto up = d.tensor(TERT_F32, {ffn, hidden});
                 auto q = quantizedTo(d, TERT_F8E4M3, 2 * ffn, hidden);
                 return [=, &d] {
                   const tert_tensor both[] = {*gate, *up};
                   return tert_quantize_joined(d, nullptr, 2, both, &q);
                 };
               });
  bench.report("SwiGLU -> E4M3 x2, amax" + shapeName(rows, ffn), wide * 6,
               [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, 2 * ffn});
                 auto q = quantizedTo(d, TERT_F8E4M3, rows, ffn);
                 return [=, &d] {
                   return tert_gated_activation(d, nullptr, x, nullptr, nullptr,
                                                &q, TERT_SILU, 0);
                 };
               });
  bench.report("SwiGLU grad -> E5M2 x2, amax" + shapeName(rows, ffn), wide * 10,
               [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, 2 * ffn});
                 auto dy = d.tensor(TERT_BF16, {rows, ffn});
                 auto q = quantizedTo(d, TERT_F8E5M2, rows, 2 * ffn);
                 return [=, &d] {
                   return tert_gated_activation_grad(d, nullptr, dy, x, nullptr,
                                                     nullptr, nullptr, &q,
                                                     nullptr, TERT_SILU, 0);
                 };
               });
  bench.report("SwiGLU grad and value -> FP8 x3, amax" + shapeName(rows, ffn),
               wide * 11, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, 2 * ffn});
                 auto dy = d.tensor(TERT_BF16, {rows, ffn});
                 auto q = quantizedTo(d, TERT_F8E5M2, rows, 2 * ffn);
                 auto scale = d.scalar(16);
                 auto value = d.tensor(TERT_F8E4M3, {ffn, rows});
                 return [=, &d] {
                   return tert_gated_activation_grad_recompute(
                       d, nullptr, dy, x, scale, nullptr, &q, nullptr, value,
                       TERT_SILU, 0);
                 };
               });
  bench.report("rope" + shapeName(rows, hidden), narrow * 4, [&]() -> Call {
    auto x = d.tensor(TERT_BF16, {1, rows, hidden / 128, 128});
    auto y = d.tensor(TERT_BF16, {1, rows, hidden / 128, 128});
    auto cos = d.tensor(TERT_F32, {rows, 64});
    auto sin = d.tensor(TERT_F32, {rows, 64});
    return [=, &d] {
      return tert_rope(d, nullptr, x, cos, sin, y, 0, 0, TERT_BSHD);
    };
  });
}

/// What a language model does at its two ends: the loss of some of the tokens
/// at a time, and the gradient of a table that is tied to the head.
void benchEnds(Bench &bench, int64_t rows, int64_t hidden, int64_t vocab,
               int64_t lossRows) {
  Device &d = bench.device;
  bench.report("cross_entropy_with_grad" + shapeName(lossRows, vocab),
               double(lossRows) * double(vocab) * 4, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {lossRows, vocab});
                 auto labels = d.tensor(TERT_I64, {lossRows}, uint64_t(vocab));
                 auto dloss = d.scalar(1), count = d.scalar(float(lossRows));
                 auto loss = d.scalar(0);
                 return [=, &d] {
                   return tert_cross_entropy_with_grad(d, nullptr, dloss,
                                                       labels, count, x, loss,
                                                       -100, TERT_MEAN, 0, 0);
                 };
               });
  // Few tokens occur twice: a row of dy and one of the table, read and written.
  bench.report("add_embedding_grad" + shapeName(vocab, hidden),
               double(rows) * double(hidden) * 10, [&]() -> Call {
                 auto ids = d.tensor(TERT_I64, {rows}, uint64_t(vocab));
                 auto dy = d.tensor(TERT_BF16, {rows, hidden});
                 auto table = d.tensor(TERT_F32, {vocab, hidden});
                 return [=, &d] {
                   return tert_add_embedding_grad(d, nullptr, ids, dy, table);
                 };
               });
}

/// What a GPT of this width does once a step.
void benchStep(Bench &bench, int64_t rows, int64_t hidden, int64_t vocab) {
  Device &d = bench.device;
  const double logits = double(rows) * double(vocab);
  const double narrow = double(rows) * double(hidden);
  const double table = double(vocab) * double(hidden);
  bench.report(
      "embedding" + shapeName(rows, hidden), narrow * 4, [&]() -> Call {
        auto ids = d.tensor(TERT_I64, {rows}, uint64_t(vocab));
        auto weights = d.tensor(TERT_BF16, {vocab, hidden});
        auto y = d.tensor(TERT_BF16, {rows, hidden});
        return [=, &d] { return tert_embedding(d, nullptr, ids, weights, y); };
      });
  bench.report("embedding_grad" + shapeName(vocab, hidden),
               narrow * 2 + table * 4, [&]() -> Call {
                 auto ids = d.tensor(TERT_I64, {rows}, uint64_t(vocab));
                 auto dy = d.tensor(TERT_BF16, {rows, hidden});
                 auto weights = d.tensor(TERT_F32, {vocab, hidden});
                 return [=, &d] {
                   return tert_embedding_grad(d, nullptr, ids, dy, weights);
                 };
               });
  bench.report("cross_entropy" + shapeName(rows, vocab), logits * 2,
               [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, vocab});
                 auto labels = d.tensor(TERT_I64, {rows}, uint64_t(vocab));
                 auto lse = d.tensor(TERT_F32, {rows});
                 auto loss = d.scalar(0), count = d.scalar(1);
                 return [=, &d] {
                   return tert_cross_entropy(d, nullptr, x, labels, loss, lse,
                                             count, -100, TERT_MEAN, 0, 0);
                 };
               });
  bench.report("cross_entropy_grad, in place" + shapeName(rows, vocab),
               logits * 4, [&]() -> Call {
                 auto x = d.tensor(TERT_BF16, {rows, vocab});
                 auto labels = d.tensor(TERT_I64, {rows}, uint64_t(vocab));
                 auto lse = d.tensor(TERT_F32, {rows});
                 auto loss = d.scalar(1), count = d.scalar(1);
                 return [=, &d] {
                   return tert_cross_entropy_grad(d, nullptr, loss, x, labels,
                                                  lse, count, x, -100,
                                                  TERT_MEAN, 0, 0);
                 };
               });
  for (bool quantizes : {true, false}) {
    const int64_t m = 4 * hidden;
    const double n = double(m) * double(hidden);
    bench.report(
        std::string("adamw, bf16 gradient") +
            (quantizes ? " -> E4M3 x2, amax" : "") + shapeName(m, hidden),
        n * (quantizes ? 28 : 26), [&]() -> Call {
          auto g = d.tensor(TERT_BF16, {m, hidden});
          auto p = d.tensor(TERT_F32, {m, hidden});
          auto mean = d.tensor(TERT_F32, {m, hidden});
          auto square = d.tensor(TERT_F32, {m, hidden});
          auto q = quantizedTo(d, TERT_F8E4M3, m, hidden);
          auto step = d.tensor(TERT_I64, {});
          auto one = d.scalar(1), rate = d.scalar(1e-4f);
          auto beta = d.scalar(0.9f);
          const tert_quantized none = {};
          return [=, &d] {
            const int32_t decay = 1;
            const tert_tensor scalars[] = {*rate, *beta, *beta, *rate, *rate};
            const tert_tensor states[] = {*mean, *square};
            return tert_update(d, nullptr, 1, g, one, 5, scalars, step, 1, p, 2,
                               states, 0, nullptr, 1, quantizes ? &q : &none,
                               "adamw", &decay);
          };
        });
  }
  {
    constexpr int32_t matrices = 24, vectors = 72;
    const int64_t m = 4 * hidden;
    const double n = double(m) * double(hidden);
    bench.report(
        "multi_adamw, 24 -> E4M3 x2, amax, 72 vectors" + shapeName(m, hidden),
        matrices * n * 28 + vectors * double(m) * 26, [&]() -> Call {
          struct Lists {
            std::vector<tert_tensor> gradients, params, states;
            std::vector<tert_quantized> quantized;
            std::vector<int32_t> decays;
          };
          auto lists = std::make_shared<Lists>();
          for (int32_t i = 0; i < matrices + vectors; ++i) {
            const bool isMatrix = i < matrices;
            std::vector<int64_t> shape = {m};
            if (isMatrix)
              shape.push_back(hidden);
            lists->gradients.push_back(*d.tensor(TERT_BF16, shape));
            for (auto *list : {&lists->params, &lists->states, &lists->states})
              list->push_back(*d.tensor(TERT_F32, shape));
            lists->decays.push_back(1);
            lists->quantized.push_back(
                isMatrix ? quantizedTo(d, TERT_F8E4M3, m, hidden)
                         : tert_quantized());
          }
          auto step = d.tensor(TERT_I64, {});
          auto one = d.scalar(1), rate = d.scalar(1e-4f);
          auto beta = d.scalar(0.9f);
          return [=, &d] {
            auto size = [](const std::vector<tert_tensor> &list) {
              return int32_t(list.size());
            };
            const Lists &l = *lists;
            const tert_tensor scalars[] = {*rate, *beta, *beta, *rate, *rate};
            return tert_update(
                d, nullptr, size(l.gradients), l.gradients.data(), one, 5,
                scalars, step, size(l.params), l.params.data(), size(l.states),
                l.states.data(), 0, nullptr, int32_t(l.quantized.size()),
                l.quantized.data(), "adamw", l.decays.data());
          };
        });
  }
  bench.report("global_norm, 48 bf16 tensors of" +
                   shapeName(4 * hidden, hidden),
               48.0 * 8 * double(hidden) * double(hidden), [&]() -> Call {
                 auto list = std::make_shared<std::vector<tert_tensor>>();
                 for (int i = 0; i < 48; ++i)
                   list->push_back(*d.tensor(TERT_BF16, {4 * hidden, hidden}));
                 auto norm = d.scalar(0);
                 return [=, &d] {
                   return tert_global_norm(d, nullptr, int32_t(list->size()),
                                           list->data(), norm);
                 };
               });
  bench.report("update_scales, 144 slots, history 1024", 1024.0 * 144 * 8,
               [&]() -> Call {
                 const int32_t n = 144;
                 auto amaxes = std::make_shared<std::vector<tert_tensor>>();
                 for (int i = 0; i < n; ++i)
                   amaxes->push_back(*d.scalar(1));
                 auto formats =
                     std::make_shared<std::vector<int32_t>>(n, TERT_F8E4M3);
                 auto scales = d.tensor(TERT_F32, {n});
                 auto inverses = d.tensor(TERT_F32, {n});
                 auto history = d.tensor(TERT_F32, {1024, n});
                 auto nonfinite = d.tensor(TERT_I64, {n});
                 return [=, &d] {
                   return tert_update_scales(
                       d, nullptr, n, amaxes->data(), scales, inverses, history,
                       nonfinite, formats->data(), TERT_AMAX_MAX, 0);
                 };
               });
}

} // namespace

int main(int argc, char **argv) {
  Device device(argc > 1 ? argv[1] : "cuda:0");
  Bench bench(device, argc > 2 ? std::max(1, std::atoi(argv[2])) : 11,
              argc > 3 ? argv[3] : "");
  bench.measureCopy();
  benchLayer(bench, 16384, 768, 3072);
  benchLayer(bench, 8192, 4096, 16384);
  benchLlamaLayer(bench, 8192, 4096, 14336);
  benchLlamaLayer(bench, 8192, 2048, 8192);
  benchEnds(bench, 16384, 768, 50257, 6144);
  benchEnds(bench, 8192, 2048, 128256, 2816);
  benchStep(bench, 16384, 768, 50257);
  return 0;
}
