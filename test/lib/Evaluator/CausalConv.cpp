// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.causal_conv and its gradient, from the formulas of their descriptions.

#include "Evaluator.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

namespace {
/// Sizes and operands of one convolution.
struct Convolution {
  int64_t batch, tokens, channels, taps;
  const HostTensor &x, &weight;
  const HostTensor *bias;
  bool silu;

  int64_t row(int64_t b, int64_t t, int64_t d) const {
    return (b * tokens + t) * channels + d;
  }
  /// Calls fn(k, token) for the tokens that token t reads.
  template <typename Fn> void forTaps(int64_t t, const Fn &fn) const {
    for (int64_t k = 0; k < taps; ++k)
      if (const int64_t from = t - (taps - 1) + k; from >= 0)
        fn(k, from);
  }
  template <typename Fn> void forEach(const Fn &fn) const {
    for (int64_t b = 0; b < batch; ++b)
      for (int64_t t = 0; t < tokens; ++t)
        for (int64_t d = 0; d < channels; ++d)
          fn(b, t, d);
  }
  double sum(int64_t b, int64_t t, int64_t d) const {
    double result = bias ? (*bias)[d] : 0;
    forTaps(t, [&](int64_t k, int64_t from) {
      result += weight[k * channels + d] * x[row(b, from, d)];
    });
    return result;
  }
};
} // namespace

template <typename Op, typename Get>
static Convolution readConvolution(Op op, const Get &get) {
  ArrayRef<int64_t> shape = op.getX().getType().getShape();
  return {shape[0],
          shape[1],
          shape[2],
          op.getWeight().getType().getDimSize(0),
          get(op.getX()),
          get(op.getWeight()),
          op.getBias() ? &get(op.getBias()) : nullptr,
          op.getSilu()};
}

void Evaluator::execute(CausalConvOp op) {
  HostTensor &y = make(op.getY());
  const auto conv = readConvolution(
      op, [&](Value value) -> const HostTensor & { return get(value); });
  conv.forEach([&](int64_t b, int64_t t, int64_t d) {
    const double sum = conv.sum(b, t, d);
    y[conv.row(b, t, d)] = conv.silu ? sum / (1 + std::exp(-sum)) : sum;
  });
}

void Evaluator::execute(CausalConvGradOp op) {
  HostTensor &dx = make(op.getDx()), &dweight = make(op.getDweight());
  HostTensor *dbias = op.getDbias() ? &make(op.getDbias()) : nullptr;
  const auto conv = readConvolution(
      op, [&](Value value) -> const HostTensor & { return get(value); });
  const HostTensor &dy = get(op.getDy());
  conv.forEach([&](int64_t b, int64_t t, int64_t d) {
    double ds = dy[conv.row(b, t, d)];
    if (conv.silu) {
      const double sum = conv.sum(b, t, d), p = 1 / (1 + std::exp(-sum));
      ds *= p + sum * p * (1 - p);
    }
    if (dbias)
      (*dbias)[d] += ds;
    conv.forTaps(t, [&](int64_t k, int64_t from) {
      dx[conv.row(b, from, d)] += conv.weight[k * conv.channels + d] * ds;
      dweight[k * conv.channels + d] += conv.x[conv.row(b, from, d)] * ds;
    });
  });
}
