// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Time of single runtime ops at the shapes of a small GPT's training step, and
// what they add up to:
//   tert-benchmark-ops [f32|bf16] [threads] [repetitions]
// prints, per op, the best and the median of the repetitions in wall time, and
// the best in the processor time of all threads, waiting ones included: with
// one thread that is what a machine busy with other work would need alone.

#include "Dtype.h"
#include "tert/ops.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "tert-benchmark-ops: %s\n", message.c_str());
  std::exit(1);
}

/// The context, and the tensors that live in it.
class Device {
public:
  explicit Device(int32_t threads) {
    tert_options options = {threads, 0};
    char message[256];
    if (tert_open("cpu", &options, &context, message, sizeof(message)))
      fail(message);
  }
  ~Device() {
    for (const auto &each : tensors)
      tert_release(context, each->tensor.data);
    tert_close(context);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  operator tert_context *() const { return context; }

  void check(tert_status status) const {
    if (status != TERT_OK)
      fail(tert_last_error(context));
  }

  /// Row-major, zero.
  const tert_tensor *tensor(int32_t dtype, std::vector<int64_t> sizes) {
    auto owned = std::make_unique<Owned>();
    tert_layout &layout = owned->layout;
    layout.dtype = dtype;
    layout.rank = static_cast<int32_t>(sizes.size());
    int64_t stride = 1;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      layout.sizes[dim] = sizes[dim];
      layout.strides[dim] = stride;
      stride *= sizes[dim];
    }
    check(tert_allocate(context, stride * bytesOf(dtype), &owned->tensor.data));
    owned->tensor.layout = &layout;
    owned->count = stride;
    std::vector<char> zeros(stride * bytesOf(dtype));
    check(tert_copy_to_device(context, owned->tensor.data, zeros.data(),
                              zeros.size()));
    tensors.push_back(std::move(owned));
    return &tensors.back()->tensor;
  }

  /// Normally distributed floats.
  const tert_tensor *random(int32_t dtype, std::vector<int64_t> sizes,
                            float deviation = 1.0f) {
    const tert_tensor *result = tensor(dtype, sizes);
    std::normal_distribution<float> distribution(0.0f, deviation);
    std::vector<float> values(tensors.back()->count);
    for (float &value : values)
      value = distribution(generator);
    const tert_tensor *exact = tensor(TERT_F32, sizes);
    check(tert_copy_to_device(context, exact->data, values.data(),
                              values.size() * sizeof(float)));
    check(tert_copy(context, nullptr, exact, result));
    return result;
  }

  const tert_tensor *randomIds(std::vector<int64_t> sizes, int64_t limit) {
    const tert_tensor *result = tensor(TERT_I64, sizes);
    std::vector<int64_t> values(tensors.back()->count);
    for (int64_t &value : values)
      value = int64_t(generator() % uint64_t(limit));
    check(tert_copy_to_device(context, result->data, values.data(),
                              values.size() * sizeof(int64_t)));
    return result;
  }

  const tert_tensor *scalar(float value) {
    const tert_tensor *result = tensor(TERT_F32, {});
    check(tert_fill(context, nullptr, result, value));
    return result;
  }

private:
  struct Owned {
    tert_layout layout = {};
    tert_tensor tensor = {};
    int64_t count = 0;
  };

  tert_context *context = nullptr;
  std::vector<std::unique_ptr<Owned>> tensors;
  std::mt19937 generator{1};
};

class Report {
public:
  Report(const Device &device, int repetitions)
      : device(device), repetitions(repetitions) {
    std::printf("%-34s %9s %9s %9s %6s %9s %9s\n", "op", "best ms", "median",
                "cpu", "a step", "ms a step", "cpu");
  }
  ~Report() {
    std::printf("%-34s %46.3f %9.3f\n", "all of these", total, cpuTotal);
  }

  /// `calls`: how often a training step makes this call.
  void measure(const char *name, int calls,
               const std::function<tert_status()> &op) {
    std::vector<double> times;
    double cpu = INFINITY;
    for (int i = 0; i < repetitions + 2; ++i) {
      auto start = std::chrono::steady_clock::now();
      std::clock_t cpuStart = std::clock();
      device.check(op());
      device.check(tert_synchronize(device));
      std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - start;
      if (i < 2) // the first calls touch memory
        continue;
      times.push_back(time.count());
      cpu = std::min(cpu, double(std::clock() - cpuStart) / CLOCKS_PER_SEC);
    }
    cpu *= 1e3;
    std::sort(times.begin(), times.end());
    double median = times[times.size() / 2];
    std::printf("%-34s %9.3f %9.3f %9.3f %6d %9.3f %9.3f\n", name, times[0],
                median, cpu, calls, median * calls, cpu * calls);
    std::fflush(stdout);
    total += median * calls;
    cpuTotal += cpu * calls;
  }

private:
  const Device &device;
  int repetitions;
  double total = 0, cpuTotal = 0;
};

} // namespace

int main(int argc, char **argv) {
  int32_t dtype = TERT_F32;
  if (argc > 1 && std::strcmp(argv[1], "bf16") == 0)
    dtype = TERT_BF16;
  else if (argc > 1 && std::strcmp(argv[1], "f32") != 0)
    fail(std::string("'") + argv[1] + "' is neither f32 nor bf16");
  int threads = argc > 2 ? std::atoi(argv[2]) : 0;
  int repetitions = argc > 3 ? std::max(1, std::atoi(argv[3])) : 20;

  // A byte-level GPT: 4 layers, 256 wide, 4 heads, 8 sequences of 256 tokens.
  constexpr int64_t batch = 8, sequence = 256, heads = 4, headDim = 64;
  constexpr int64_t layers = 4, rows = batch * sequence;
  constexpr int64_t hidden = heads * headDim, ffn = 4 * hidden, vocab = 256;

  Device d(threads);
  Report report(d, repetitions);
  const tert_tensor *scale = d.scalar(16), *amax = d.scalar(0);

  const tert_tensor *x = d.random(dtype, {rows, hidden});
  const tert_tensor *dy = d.random(dtype, {rows, hidden});
  const tert_tensor *dx = d.tensor(dtype, {rows, hidden});
  const tert_tensor *gamma = d.random(TERT_F32, {hidden});
  const tert_tensor *beta = d.random(TERT_F32, {hidden});
  const tert_tensor *dgamma = d.tensor(TERT_F32, {hidden});
  const tert_tensor *dbeta = d.tensor(TERT_F32, {hidden});
  const tert_tensor *mean = d.tensor(TERT_F32, {rows});
  const tert_tensor *rstd = d.tensor(TERT_F32, {rows});
  auto quantizedTo = [&](int32_t format, int64_t m, int64_t n) {
    return tert_quantized{scale,
                          {d.tensor(format, {m, n}), nullptr},
                          {d.tensor(format, {n, m}), nullptr},
                          amax};
  };
  const tert_quantized quantized = quantizedTo(TERT_F8E4M3, rows, hidden);
  report.measure("layer_norm -> E4M3 x2, amax", 2 * layers + 1, [&] {
    return tert_layer_norm(d, nullptr, x, gamma, beta, nullptr, mean, rstd,
                           &quantized, 1e-5f, 0);
  });
  report.measure("layer_norm_grad + residual", 2 * layers + 1, [&] {
    return tert_layer_norm_grad(d, nullptr, dy, x, gamma, mean, rstd, dy, dx,
                                dgamma, dbeta, nullptr, nullptr, 0);
  });

  const tert_tensor *wide = d.random(dtype, {rows, ffn});
  const tert_tensor *dWide = d.random(dtype, {rows, ffn});
  const tert_quantized wideQ = quantizedTo(TERT_F8E4M3, rows, ffn);
  const tert_quantized gradQ = quantizedTo(TERT_F8E5M2, rows, ffn);
  const tert_tensor *dbias = d.tensor(TERT_F32, {ffn});
  for (auto [kind, calls] : {std::pair(TERT_GELU_TANH, layers),
                             std::pair(TERT_GELU_ERF, int64_t(0))}) {
    const char *name = kind == TERT_GELU_TANH ? "gelu_tanh" : "gelu_erf";
    report.measure((std::string(name) + " -> E4M3 x2, amax").c_str(),
                   int(calls), [&, kind = kind] {
                     return tert_activation(d, nullptr, wide, nullptr, &wideQ,
                                            kind);
                   });
    report.measure((std::string(name) + " grad -> E5M2 x2, dbias").c_str(),
                   int(calls), [&, kind = kind] {
                     return tert_activation_grad(d, nullptr, dWide, wide,
                                                 nullptr, &gradQ, dbias, kind);
                   });
  }

  // Queries, keys and values side by side, as one projection leaves them.
  tert_layout part = {};
  part.dtype = dtype;
  part.rank = 4;
  const int64_t sizes[] = {batch, sequence, heads, headDim};
  const int64_t strides[] = {sequence * 3 * hidden, 3 * hidden, headDim, 1};
  std::copy_n(sizes, 4, part.sizes);
  std::copy_n(strides, 4, part.strides);
  const tert_tensor *qkv = d.random(dtype, {rows, 3 * hidden});
  const tert_tensor *dQkv = d.tensor(dtype, {rows, 3 * hidden});
  std::vector<tert_tensor> parts;
  for (const tert_tensor *whole : {qkv, dQkv})
    for (int64_t i = 0; i < 3; ++i)
      parts.push_back(
          {static_cast<char *>(whole->data) + i * hidden * bytesOf(dtype),
           &part});
  const tert_tensor *o = d.tensor(dtype, {batch, sequence, heads, headDim});
  const tert_tensor *dO = d.random(dtype, {batch, sequence, heads, headDim});
  const tert_tensor *lse = d.tensor(TERT_F32, {batch, heads, sequence});
  report.measure("attention, causal", layers, [&] {
    return tert_attention(d, nullptr, &parts[0], &parts[1], &parts[2], nullptr,
                          nullptr, nullptr, o, lse, 0.125f, 1, TERT_BSHD, 0,
                          0.0f);
  });
  report.measure("attention_grad, causal", layers, [&] {
    return tert_attention_grad(d, nullptr, dO, &parts[0], &parts[1], &parts[2],
                               o, lse, nullptr, nullptr, nullptr, &parts[3],
                               &parts[4], &parts[5], nullptr, nullptr, 0.125f,
                               1, TERT_BSHD, 0, 0.0f);
  });

  const tert_tensor *ids = d.randomIds({rows}, vocab);
  const tert_tensor *table = d.random(TERT_F32, {vocab, hidden});
  report.measure("embedding", 2,
                 [&] { return tert_embedding(d, nullptr, ids, table, dx); });
  report.measure("embedding_grad", 2, [&] {
    return tert_embedding_grad(d, nullptr, ids, dy, table);
  });

  const tert_tensor *logits = d.random(dtype, {rows, vocab});
  const tert_tensor *dlogits = d.tensor(dtype, {rows, vocab});
  const tert_tensor *rowLse = d.tensor(TERT_F32, {rows});
  const tert_tensor *loss = d.scalar(0), *count = d.scalar(0);
  const tert_tensor *one = d.scalar(1);
  report.measure("cross_entropy", 1, [&] {
    return tert_cross_entropy(d, nullptr, logits, ids, loss, rowLse, count,
                              -100, TERT_MEAN, 0, 0);
  });
  report.measure("cross_entropy_grad", 1, [&] {
    return tert_cross_entropy_grad(d, nullptr, one, logits, ids, rowLse, count,
                                   dlogits, -100, TERT_MEAN, 0, 0);
  });
  return 0;
}
