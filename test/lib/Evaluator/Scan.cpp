// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.scan and its gradient, from the formulas of their descriptions.

#include "Evaluator.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

namespace {
/// Sizes, operands by index, and the states before all tokens of one scan.
struct ScanNumbers {
  int64_t batch, tokens, channels, size, groups;
  const HostTensor &decay, &x;
  const HostTensor *rates, *keys, *queries;
  std::vector<double> before; ///< [B, T+1, D, N]

  int64_t row(int64_t b, int64_t t, int64_t d) const {
    return (b * tokens + t) * channels + d;
  }
  int64_t state(int64_t b, int64_t t, int64_t d, int64_t n) const {
    return ((b * (tokens + 1) + t) * channels + d) * size + n;
  }
  int64_t number(int64_t b, int64_t t, int64_t d, int64_t n) const {
    return ((b * tokens + t) * groups + d / (channels / groups)) * size + n;
  }
  double factor(int64_t b, int64_t t, int64_t d, int64_t n) const {
    const double step = decay[row(b, t, d)];
    return rates ? std::exp(step * (*rates)[d * size + n]) : step;
  }
  double key(int64_t b, int64_t t, int64_t d, int64_t n) const {
    return keys ? (*keys)[number(b, t, d, n)] : 1;
  }
  double query(int64_t b, int64_t t, int64_t d, int64_t n) const {
    return queries ? (*queries)[number(b, t, d, n)] : 1;
  }
  double input(int64_t b, int64_t t, int64_t d) const {
    return x[row(b, t, d)] * (rates ? decay[row(b, t, d)] : 1);
  }
  template <typename Body> void forEach(Body body) const {
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t d = 0; d < channels; ++d)
        for (int64_t n = 0; n < size; ++n)
          body(b, d, n);
  }
  void run(const HostTensor *initial, int64_t stride) {
    before.assign(batch * (tokens + 1) * channels * size, 0);
    forEach([&](int64_t b, int64_t d, int64_t n) {
      if (initial)
        before[state(b, 0, d, n)] =
            (*initial)[(b * stride * channels + d) * size + n];
      for (int64_t t = 0; t < tokens; ++t)
        before[state(b, t + 1, d, n)] =
            factor(b, t, d, n) * before[state(b, t, d, n)] +
            input(b, t, d) * key(b, t, d, n);
    });
  }
};
} // namespace

template <typename Op, typename Get>
static ScanNumbers readScan(Op op, const Get &get) {
  auto optional = [&](Value value) { return value ? &get(value) : nullptr; };
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  const int64_t size = op.getStates().getType().getDimSize(3);
  const int64_t groups =
      op.getKeys() ? op.getKeys().getType().getDimSize(2) / size : 1;
  return {shape[0],
          shape[1],
          shape[2],
          size,
          groups,
          get(op.getDecay()),
          get(op.getX()),
          optional(op.getRates()),
          optional(op.getKeys()),
          optional(op.getQueries()),
          {}};
}

void Evaluator::execute(ScanOp op) {
  HostTensor &y = make(op.getY()), &states = make(op.getStates()),
             &final = make(op.getFinal());
  auto scan = readScan(
      op, [&](Value value) -> const HostTensor & { return get(value); });
  scan.run(op.getInitial() ? &get(op.getInitial()) : nullptr, /*stride=*/1);
  const int64_t chunk = op.getChunk(),
                chunks = op.getStates().getType().getDimSize(1);
  scan.forEach([&](int64_t b, int64_t d, int64_t n) {
    for (int64_t t = 0; t < scan.tokens; ++t) {
      const double before = scan.before[scan.state(b, t, d, n)];
      if (t % chunk == 0)
        states[((b * chunks + t / chunk) * scan.channels + d) * scan.size + n] =
            before;
      y[scan.row(b, t, d)] +=
          scan.query(b, t, d, n) * scan.before[scan.state(b, t + 1, d, n)];
    }
    final[(b * scan.channels + d) * scan.size + n] =
        scan.before[scan.state(b, scan.tokens, d, n)];
  });
}

void Evaluator::execute(ScanGradOp op) {
  auto optional = [&](Value value) { return value ? &make(value) : nullptr; };
  HostTensor &ddecay = make(op.getDdecay()), &dx = make(op.getDx()),
             &dinitial = make(op.getDinitial());
  HostTensor *drates = optional(op.getDrates()),
             *dkeys = optional(op.getDkeys()),
             *dqueries = optional(op.getDqueries());
  auto scan = readScan(
      op, [&](Value value) -> const HostTensor & { return get(value); });
  scan.run(&get(op.getStates()), op.getStates().getType().getDimSize(1));
  const HostTensor &dy = get(op.getDy());
  scan.forEach([&](int64_t b, int64_t d, int64_t n) {
    const int64_t at = (b * scan.channels + d) * scan.size + n;
    double carry = op.getDfinal() ? get(op.getDfinal())[at] : 0;
    for (int64_t t = scan.tokens; t-- > 0;) {
      const int64_t row = scan.row(b, t, d), number = scan.number(b, t, d, n);
      const double before = scan.before[scan.state(b, t, d, n)],
                   behind = scan.before[scan.state(b, t + 1, d, n)];
      const double factor = scan.factor(b, t, d, n);
      const double du = scan.query(b, t, d, n) * dy[row] + carry;
      if (dqueries)
        (*dqueries)[number] += dy[row] * behind;
      if (dkeys)
        (*dkeys)[number] += du * scan.input(b, t, d);
      const double dinput = du * scan.key(b, t, d, n);
      if (scan.rates) {
        const double exponent = du * before * factor;
        const double rate = (*scan.rates)[d * scan.size + n];
        ddecay[row] += exponent * rate + dinput * scan.x[row];
        dx[row] += dinput * scan.decay[row];
        if (drates)
          (*drates)[d * scan.size + n] += exponent * scan.decay[row];
      } else {
        ddecay[row] += du * before;
        dx[row] += dinput;
      }
      carry = factor * du;
    }
    dinitial[at] = carry;
  });
}
