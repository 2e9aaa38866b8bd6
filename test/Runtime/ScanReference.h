// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans and their gradients in float64, from the formulas of tert/ops.h.
#ifndef TERT_TEST_RUNTIME_SCANREFERENCE_H
#define TERT_TEST_RUNTIME_SCANREFERENCE_H

#include "Compare.h"

namespace tert_test {

/// Sizes, and which optional tensors there are.
struct ScanCase {
  int64_t batch, tokens, channels, size, groups, chunk;
  bool hasRates, hasKeys, hasInitial;
  int32_t dtype = TERT_F32;
  int64_t gap = 0;

  int64_t chunks() const { return (tokens + chunk - 1) / chunk; }
  std::string name() const {
    return std::to_string(batch) + "x" + std::to_string(tokens) + "x" +
           std::to_string(channels) + "_state_" + std::to_string(size) +
           "_groups_" + std::to_string(groups) + "_chunk_" +
           std::to_string(chunk) + (hasRates ? "_rates" : "") +
           (hasKeys ? "_keys" : "") + (hasInitial ? "_initial" : "") + "_" +
           dtypeName(dtype);
  }
};

/// All tensors of a scan and of its gradient.
struct ScanTensors {
  explicit ScanTensors(const ScanCase &c)
      : decay(c.hasRates ? c.dtype : int32_t(TERT_F32), rows(c), c.gap),
        x(c.dtype, rows(c), 2 * c.gap), rates(TERT_F32, {c.channels, c.size}),
        keys(c.dtype, numbers(c), c.gap), queries(c.dtype, numbers(c), c.gap),
        initial(TERT_F32, state(c)), y(c.dtype, rows(c), c.gap),
        states(TERT_F32, {c.batch, c.chunks(), c.channels, c.size}),
        final(TERT_F32, state(c)), dy(c.dtype, rows(c), 3 * c.gap),
        dfinal(TERT_F32, state(c)), ddecay(decay), dx(x), drates(rates),
        dkeys(keys), dqueries(queries), dinitial(initial) {
    decay.randomize(1);
    rates.randomize(2);
    // Decays in (0, 1); steps that are positive and rates that are negative.
    for (int64_t i = 0; i < decay.numElements(); ++i)
      decay.set(i, 1 / (1 + std::exp(-decay.at(i) - (c.hasRates ? 0 : 2))));
    for (int64_t i = 0; i < rates.numElements(); ++i)
      rates.set(i, -std::exp(rates.at(i)));
    x.randomize(3);
    keys.randomize(4);
    queries.randomize(5);
    initial.randomize(6);
    dy.randomize(7);
    dfinal.randomize(8);
  }
  static std::vector<int64_t> rows(const ScanCase &c) {
    return {c.batch, c.tokens, c.channels};
  }
  static std::vector<int64_t> numbers(const ScanCase &c) {
    return {c.batch, c.tokens, c.groups * c.size};
  }
  static std::vector<int64_t> state(const ScanCase &c) {
    return {c.batch, c.channels, c.size};
  }

  Tensor decay, x, rates, keys, queries, initial, y, states, final;
  Tensor dy, dfinal, ddecay, dx, drates, dkeys, dqueries, dinitial;
};

/// What a scan computes.
struct ScanResults {
  std::vector<double> y, states, final;
};

inline ScanResults scanReference(const ScanCase &c,
                                 const std::vector<double> &decay,
                                 const std::vector<double> &x,
                                 const std::vector<double> &rates,
                                 const std::vector<double> &keys,
                                 const std::vector<double> &queries,
                                 const std::vector<double> &initial) {
  ScanResults r;
  r.y.assign(c.batch * c.tokens * c.channels, 0);
  r.states.assign(c.batch * c.chunks() * c.channels * c.size, 0);
  r.final.assign(c.batch * c.channels * c.size, 0);
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t d = 0; d < c.channels; ++d)
      for (int64_t n = 0; n < c.size; ++n) {
        const int64_t at = (b * c.channels + d) * c.size + n;
        double h = c.hasInitial ? initial[at] : 0;
        for (int64_t t = 0; t < c.tokens; ++t) {
          if (t % c.chunk == 0)
            r.states[((b * c.chunks() + t / c.chunk) * c.channels + d) *
                         c.size +
                     n] = h;
          const int64_t row = (b * c.tokens + t) * c.channels + d;
          const int64_t group = d / (c.channels / c.groups);
          const int64_t number =
              ((b * c.tokens + t) * c.groups + group) * c.size + n;
          double factor = decay[row], input = x[row];
          if (c.hasRates) {
            factor = std::exp(decay[row] * rates[d * c.size + n]);
            input *= decay[row];
          }
          h = factor * h + input * (c.hasKeys ? keys[number] : 1);
          r.y[row] += h * (c.hasKeys ? queries[number] : 1);
        }
        r.final[at] = h;
      }
  return r;
}

inline tert_status runScan(tert_context *context, const ScanCase &c,
                           ScanTensors &t) {
  return tert_scan(
      context, nullptr, t.decay, t.x,
      c.hasRates ? static_cast<const tert_tensor *>(t.rates) : nullptr,
      c.hasKeys ? static_cast<const tert_tensor *>(t.keys) : nullptr,
      c.hasKeys ? static_cast<const tert_tensor *>(t.queries) : nullptr,
      c.hasInitial ? static_cast<const tert_tensor *>(t.initial) : nullptr, t.y,
      t.states, t.final, c.chunk);
}

inline tert_status runScanGrad(tert_context *context, const ScanCase &c,
                               ScanTensors &t) {
  auto given = [](bool is, const Tensor &tensor) {
    return is ? static_cast<const tert_tensor *>(tensor) : nullptr;
  };
  return tert_scan_grad(context, nullptr, t.dy, t.decay, t.x, t.states,
                        given(c.hasRates, t.rates), given(c.hasKeys, t.keys),
                        given(c.hasKeys, t.queries),
                        given(c.hasInitial, t.dfinal), t.ddecay, t.dx,
                        given(c.hasRates, t.drates), given(c.hasKeys, t.dkeys),
                        given(c.hasKeys, t.dqueries), t.dinitial, c.chunk);
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_SCANREFERENCE_H
