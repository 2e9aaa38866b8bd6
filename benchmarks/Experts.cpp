// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rates of products of experts on a GPU, beside one product of all rows with
// one matrix (cuBLASLt), which has as many useful operations:
//   tert-benchmark-experts [device] [repetitions] [part of names]
// Rows choose their experts at random. Calls are recorded into a graph and
// replayed; medians of the repetitions.

#include "CudaBench.h"

using namespace tert_bench;

namespace {

constexpr int64_t alignment = 128;

/// Large matrices with random contents.
class Tensors : public Device {
public:
  explicit Tensors(const char *name) : Device(name) {
    std::mt19937 generator(1);
    std::normal_distribution<float> normal;
    // A prime number, so that rows differ.
    constexpr size_t count = 4000037;
    narrow.resize(count);
    codes.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const float value = normal(generator);
      uint32_t bits;
      std::memcpy(&bits, &value, 4);
      narrow[i] = uint16_t(bits >> 16);
      // A magnitude around 16: sign, exponent and mantissa are shifted.
      const int code = int(bits >> 20 & 0x7ff) - ((127 - 7 - 4) << 3);
      codes[i] = uint8_t((bits >> 31 << 7) | (code < 0 ? 0 : code));
    }
  }

  /// Random numbers of a matrix's type.
  const tert_tensor *matrix(int32_t dtype, int64_t rows, int64_t cols) {
    const tert_tensor *result = allocate(dtype, {rows, cols});
    const auto *from = dtype == TERT_BF16
                           ? reinterpret_cast<const char *>(narrow.data())
                           : reinterpret_cast<const char *>(codes.data());
    const size_t bytes = size_t(rows * cols * bytesOf(dtype));
    const size_t size = narrow.size() * size_t(bytesOf(dtype));
    for (size_t at = 0; at < bytes; at += size)
      check(tert_copy_to_device(*this, static_cast<char *>(result->data) + at,
                                from, std::min(size, bytes - at)));
    return result;
  }
  const tert_tensor *integers(const std::vector<int32_t> &values) {
    const tert_tensor *result = allocate(TERT_I32, {int64_t(values.size())});
    check(tert_copy_to_device(*this, result->data, values.data(),
                              values.size() * 4));
    return result;
  }

  /// Median seconds of a call.
  double time(const Call &call, int repetitions) const {
    return Device::time(std::vector<Call>(4, call), repetitions);
  }

private:
  std::vector<uint16_t> narrow; // bf16
  std::vector<uint8_t> codes;   // E4M3
};

/// A layer of a mixture: each token goes to `chosen` of `experts`.
struct Layer {
  std::string name;
  int64_t tokens, chosen, experts, inputs, outputs;
};

struct Rows {
  const tert_tensor *groups;
  int64_t rows, places;
};

/// Random experts, a token's all different.
std::vector<int32_t> chooseExperts(const Layer &layer) {
  std::mt19937 generator(7);
  std::vector<int32_t> all(layer.experts), chosen;
  for (int64_t e = 0; e < layer.experts; ++e)
    all[e] = int32_t(e);
  for (int64_t token = 0; token < layer.tokens; ++token)
    for (int64_t i = 0; i < layer.chosen; ++i) {
      std::swap(all[i], all[i + generator() % (layer.experts - i)]);
      chosen.push_back(all[i]);
    }
  return chosen;
}

class ExpertBench {
public:
  ExpertBench(Tensors &tensors, int repetitions, std::string part)
      : t(tensors), repetitions(repetitions), part(std::move(part)) {}

  void run(const Layer &layer) {
    for (bool isFp8 : {true, false})
      for (int pass : {0, 1, 2}) {
        static const char *const passes[] = {"fprop", "dgrad", "wgrad"};
        const std::string name =
            layer.name + " " + passes[pass] + (isFp8 ? " fp8" : " bf16");
        if (name.find(part) == std::string::npos)
          continue;
        report(layer, name, pass, isFp8);
      }
  }

private:
  Rows group(const Layer &layer, double &seconds) {
    const std::vector<int32_t> experts = chooseExperts(layer);
    const int64_t rows = int64_t(experts.size());
    const int64_t places =
        (rows + layer.experts * (alignment - 1)) / alignment * alignment;
    const tert_tensor *ids = t.integers(experts);
    const tert_tensor *source = t.allocate(TERT_I32, {places});
    const tert_tensor *groups = t.allocate(TERT_I32, {places});
    const tert_tensor *slot = t.allocate(TERT_I32, {rows});
    seconds = t.time(
        [&] {
          return tert_group_rows(t, nullptr, ids, source, slot, groups,
                                 layer.experts, alignment, /*ranks=*/1);
        },
        repetitions);
    return {groups, rows, places};
  }

  void report(const Layer &layer, const std::string &name, int pass,
              bool isFp8) {
    double grouping = 0;
    const Rows rows = group(layer, grouping);
    const int32_t type = isFp8 ? TERT_F8E4M3 : TERT_BF16;
    const int32_t accumulate =
        pass == 0 ? TERT_ACCUMULATE_FAST : TERT_ACCUMULATE_SPLIT;
    const bool wgrad = pass == 2;
    const int64_t k = pass == 1 ? layer.outputs : layer.inputs;
    const int64_t n = pass == 1 ? layer.inputs : layer.outputs;
    const tert_tensor *one = t.scalar(1.0f / 4096);
    auto product = [&](const tert_tensor *a, const tert_tensor *b,
                       const tert_tensor *d) -> Call {
      tert_scaled scaledA = {a, one}, scaledB = {b, one};
      return [=] {
        return isFp8 ? tert_scaled_expert_matmul(t, nullptr, &scaledA, &scaledB,
                                                 rows.groups, d, pass == 0,
                                                 wgrad, alignment, accumulate)
                     : tert_expert_matmul(t, nullptr, a, b, rows.groups, d,
                                          pass == 0, wgrad, alignment);
      };
    };
    auto dense = [&](const tert_tensor *a, const tert_tensor *b,
                     const tert_tensor *d) -> Call {
      tert_scaled scaledA = {a, one}, scaledB = {b, one};
      return [=] {
        return isFp8 ? tert_scaled_matmul(t, nullptr, &scaledA, &scaledB,
                                          nullptr, nullptr, d, accumulate)
                     : tert_matmul(t, nullptr, a, b, nullptr, d, wgrad,
                                   pass == 0, 0);
      };
    };
    auto matrix = [&](int64_t outer, int64_t summed, bool isTransposed) {
      return isTransposed ? t.matrix(type, summed, outer)
                          : t.matrix(type, outer, summed);
    };
    const bool side = !isFp8;
    const int64_t experts = layer.experts;
    double seconds, alone;
    if (wgrad) {
      seconds = t.time(product(matrix(n, rows.places, side),
                               matrix(k, rows.places, side),
                               t.allocate(TERT_BF16, {experts * n, k})),
                       repetitions);
      t.clear();
      one = t.scalar(1.0f / 4096);
      alone =
          t.time(dense(matrix(n, rows.rows, side), matrix(k, rows.rows, side),
                       t.allocate(TERT_BF16, {n, k})),
                 repetitions);
    } else {
      const bool isDgrad = pass == 1;
      const tert_tensor *weights = !isDgrad ? t.matrix(type, experts * n, k)
                                   : isFp8  ? t.matrix(type, n, experts * k)
                                            : t.matrix(type, experts * k, n);
      seconds = t.time(product(t.matrix(type, rows.places, k), weights,
                               t.allocate(TERT_BF16, {rows.places, n})),
                       repetitions);
      t.clear();
      one = t.scalar(1.0f / 4096);
      alone = t.time(dense(t.matrix(type, rows.rows, k),
                           matrix(n, k, isDgrad && side),
                           t.allocate(TERT_BF16, {rows.rows, n})),
                     repetitions);
    }
    t.clear();
    const double flops = 2.0 * double(rows.rows) * double(n) * double(k);
    std::printf("%-28s %9.1f us %7.0f TFLOP/s  dense %9.1f us %7.0f TFLOP/s "
                " %4.0f%%  group_rows %5.1f us\n",
                name.c_str(), seconds * 1e6, flops / seconds / 1e12,
                alone * 1e6, flops / alone / 1e12, 100 * alone / seconds,
                grouping * 1e6);
    std::fflush(stdout);
  }

  Tensors &t;
  int repetitions;
  std::string part;
};

} // namespace

int main(int argc, char **argv) {
  Tensors tensors(argc > 1 ? argv[1] : "cuda:0");
  ExpertBench bench(tensors, argc > 2 ? std::max(1, std::atoi(argv[2])) : 20,
                    argc > 3 ? argv[3] : "");
  bench.run({"8x2 gate+up", 8192, 2, 8, 4096, 2 * 14336});
  bench.run({"8x2 down", 8192, 2, 8, 14336, 4096});
  bench.run({"64x8 gate+up", 8192, 8, 64, 2048, 2 * 1024});
  bench.run({"64x8 down", 8192, 8, 64, 1024, 2048});
}
