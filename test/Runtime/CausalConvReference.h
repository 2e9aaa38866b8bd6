// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal convolutions in float64, from the formula of tert/ops.h.
#ifndef TERT_TEST_RUNTIME_CAUSALCONVREFERENCE_H
#define TERT_TEST_RUNTIME_CAUSALCONVREFERENCE_H

#include "Compare.h"

namespace tert_test {

struct ConvCase {
  int64_t batch, tokens, channels, taps;
  bool hasBias, silu;
  int32_t dtype = TERT_F32;
  int64_t gap = 0;

  std::string name() const {
    return std::to_string(batch) + "x" + std::to_string(tokens) + "x" +
           std::to_string(channels) + "_taps_" + std::to_string(taps) +
           (hasBias ? "_bias" : "") + (silu ? "_silu" : "") + "_" +
           dtypeName(dtype) + (gap ? "_gap" : "");
  }
};

/// All tensors of a convolution and of its gradient.
struct ConvTensors {
  explicit ConvTensors(const ConvCase &c)
      : x(c.dtype, {c.batch, c.tokens, c.channels}, 2 * c.gap),
        weight(TERT_F32, {c.taps, c.channels}), bias(TERT_F32, {c.channels}),
        y(c.dtype, {c.batch, c.tokens, c.channels}, c.gap),
        dy(c.dtype, {c.batch, c.tokens, c.channels}, 3 * c.gap), dx(x),
        dweight(weight), dbias(bias) {
    x.randomize(1);
    weight.randomize(2);
    bias.randomize(3);
    dy.randomize(4);
  }

  Tensor x, weight, bias, y, dy, dx, dweight, dbias;
};

inline std::vector<double> convReference(const ConvCase &c,
                                         const std::vector<double> &x,
                                         const std::vector<double> &weight,
                                         const std::vector<double> &bias) {
  std::vector<double> y;
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t t = 0; t < c.tokens; ++t)
      for (int64_t d = 0; d < c.channels; ++d) {
        double sum = c.hasBias ? bias[d] : 0;
        for (int64_t k = 0; k < c.taps; ++k) {
          const int64_t from = t - (c.taps - 1) + k;
          if (from >= 0)
            sum += weight[k * c.channels + d] *
                   x[(b * c.tokens + from) * c.channels + d];
        }
        y.push_back(c.silu ? sum / (1 + std::exp(-sum)) : sum);
      }
  return y;
}

inline const tert_tensor *optionalBias(const ConvCase &c,
                                       const tert_tensor *tensor) {
  return c.hasBias ? tensor : nullptr;
}

inline tert_status runConv(tert_context *context, const ConvCase &c,
                           ConvTensors &t) {
  return tert_causal_conv(context, nullptr, t.x, t.weight,
                          optionalBias(c, t.bias), t.y, c.silu);
}

inline tert_status runConvGrad(tert_context *context, const ConvCase &c,
                               ConvTensors &t) {
  return tert_causal_conv_grad(context, nullptr, t.dy, t.x, t.weight,
                               optionalBias(c, t.bias), t.dx, t.dweight,
                               optionalBias(c, t.dbias), c.silu);
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_CAUSALCONVREFERENCE_H
