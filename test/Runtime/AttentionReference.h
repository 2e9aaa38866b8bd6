// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention with all that it does to its scores, by its definition in float64.
#ifndef TERT_TEST_RUNTIME_ATTENTIONREFERENCE_H
#define TERT_TEST_RUNTIME_ATTENTIONREFERENCE_H

#include "Compare.h"

namespace tert_test {

struct AttentionCase {
  const char *name;
  int64_t batch, heads, kvHeads, queries, keys, dim;
  bool causal;
  int64_t window;
  float softcap;
  std::vector<int64_t> bias; ///< its shape; empty for none
  std::vector<int64_t> lengths;
  bool sinks;
  int32_t dtype = TERT_F32;
  /// Where in the sequence queries are; empty: the last is at the last key.
  std::vector<int64_t> positions = {};
};

/// All operands in float64, [B,S,H,D].
struct AttentionOperands {
  std::vector<double> q, k, v, bias, sinks;
};

/// o [B,Sq,H,D] and lse [B,H,Sq] by their definition.
struct AttentionOutput {
  std::vector<double> o, lse;
};

inline AttentionOutput attend(const AttentionCase &c, double scale,
                              const AttentionOperands &x) {
  AttentionOutput y{std::vector<double>(x.q.size(), 0.0),
                    std::vector<double>(c.batch * c.heads * c.queries)};
  std::vector<double> scores(c.keys);
  for (int64_t b = 0; b < c.batch; ++b)
    for (int64_t h = 0; h < c.heads; ++h)
      for (int64_t i = 0; i < c.queries; ++i) {
        int64_t kv = h / (c.heads / c.kvHeads);
        double largest = c.sinks ? x.sinks[h] : -INFINITY;
        for (int64_t j = 0; j < c.keys; ++j) {
          double s = 0;
          for (int64_t d = 0; d < c.dim; ++d)
            s += scale * x.q[((b * c.queries + i) * c.heads + h) * c.dim + d] *
                 x.k[((b * c.keys + j) * c.kvHeads + kv) * c.dim + d];
          if (c.softcap > 0)
            s = c.softcap * std::tanh(s / c.softcap);
          if (!c.bias.empty()) {
            int64_t index[] = {b, h, i, j}, at = 0;
            for (int dim = 0; dim < 4; ++dim)
              at = at * c.bias[dim] + (c.bias[dim] == 1 ? 0 : index[dim]);
            s += x.bias[at];
          }
          int64_t own =
              c.positions.empty() ? i + c.keys - c.queries : c.positions[i];
          if ((c.causal && j > own) || (c.window && j <= own - c.window) ||
              (!c.lengths.empty() && j >= c.lengths[b]))
            s = -INFINITY;
          scores[j] = s;
          largest = std::max(largest, s);
        }
        double shift = std::isinf(largest) ? 0 : largest;
        double sum = c.sinks ? std::exp(x.sinks[h] - shift) : 0;
        for (double &s : scores)
          sum += s = std::exp(s - shift);
        y.lse[(b * c.heads + h) * c.queries + i] = shift + std::log(sum);
        for (int64_t j = 0; j < c.keys && sum > 0; ++j)
          for (int64_t d = 0; d < c.dim; ++d)
            y.o[((b * c.queries + i) * c.heads + h) * c.dim + d] +=
                scores[j] / sum *
                x.v[((b * c.keys + j) * c.kvHeads + kv) * c.dim + d];
      }
  return y;
}

/// Some elements of the gradient of sum(o * cotangent) with respect to one of
/// the operands, against finite differences.
inline void expectAttentionGradient(const AttentionCase &c, double scale,
                                    AttentionOperands operands,
                                    std::vector<double> AttentionOperands::*of,
                                    const std::vector<double> &cotangent,
                                    const std::vector<double> &actual,
                                    const std::string &name) {
  std::vector<double> &x = operands.*of;
  ASSERT_EQ(x.size(), actual.size()) << name;
  auto loss = [&] {
    AttentionOutput y = attend(c, scale, operands);
    double sum = 0;
    for (size_t i = 0; i < y.o.size(); ++i)
      sum += y.o[i] * cotangent[i];
    return sum;
  };
  double largest = 1e-3;
  for (double value : actual)
    largest = std::max(largest, std::abs(value));
  constexpr double step = 1e-4;
  constexpr size_t wanted = 24;
  size_t stride = std::max<size_t>(1, x.size() / wanted);
  double tolerance = c.dtype == TERT_BF16 ? 2e-2 : 3e-5;
  for (size_t i = 0; i < x.size(); i += stride) {
    double at = x[i];
    x[i] = at + step;
    double above = loss();
    x[i] = at - step;
    double below = loss();
    x[i] = at;
    EXPECT_NEAR(actual[i], (above - below) / (2 * step), tolerance * largest)
        << name << "[" << i << "]";
  }
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_ATTENTIONREFERENCE_H
