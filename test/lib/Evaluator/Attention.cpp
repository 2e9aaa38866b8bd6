// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeadView.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

namespace {
/// What query i of head h sees of key j.
struct Scores {
  const HostTensor &q, &k;
  HeadView qv, kv;
  double scale;
  bool causal;
  const Rounding &rounding;

  int64_t keyHead(int64_t h) const { return h / (qv.heads / kv.heads); }
  /// Minus infinity where the mask hides the key.
  double get(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (causal && j > i + kv.sequence - qv.sequence)
      return -std::numeric_limits<double>::infinity();
    Sum sum(rounding);
    for (int64_t d = 0; d < qv.dim; ++d)
      sum.add(q[qv.at(b, i, h, d)] * k[kv.at(b, j, keyHead(h), d)] * scale);
    return sum.get();
  }
};
} // namespace

void Evaluator::execute(AttentionOp op) {
  HostTensor &o = make(op.getO()), &lse = make(op.getLse());
  const HostTensor &q = get(op.getQ()), &k = get(op.getK()),
                   &v = get(op.getV());
  HeadView qv(q, op.getLayout()), kv(k, op.getLayout());
  Scores allScores{
      q, k, qv, kv, op.getScale().convertToDouble(), op.getCausal(), round};
  std::vector<double> scores(kv.sequence);
  for (int64_t b = 0; b < qv.batch; ++b)
    for (int64_t h = 0; h < qv.heads; ++h)
      for (int64_t i = 0; i < qv.sequence; ++i) {
        double highest = -std::numeric_limits<double>::infinity(), sum = 0;
        for (int64_t j = 0; j < kv.sequence; ++j) {
          scores[j] = allScores.get(b, h, i, j);
          highest =
              std::isnan(scores[j]) ? scores[j] : std::max(highest, scores[j]);
        }
        for (double s : scores)
          sum += std::exp(s - highest);
        lse[(b * qv.heads + h) * qv.sequence + i] = highest + std::log(sum);
        for (int64_t d = 0; d < qv.dim; ++d) {
          Sum value(round);
          for (int64_t j = 0; j < kv.sequence; ++j)
            value.add(std::exp(scores[j] - highest) / sum *
                      v[kv.at(b, j, allScores.keyHead(h), d)]);
          o[qv.at(b, i, h, d)] = value.get();
        }
      }
}

void Evaluator::execute(AttentionGradOp op) {
  const HostTensor &dO = get(op.getDO()), &q = get(op.getQ()),
                   &k = get(op.getK()), &v = get(op.getV()),
                   &o = get(op.getO()), &lse = get(op.getLse());
  HeadView qv(q, op.getLayout()), kv(k, op.getLayout());
  double scale = op.getScale().convertToDouble();
  Scores scores{q, k, qv, kv, scale, op.getCausal(), round};
  std::vector<Sum> dq(q.size(), Sum(round)), dk(k.size(), Sum(round)),
      dv(v.size(), Sum(round));
  for (int64_t b = 0; b < qv.batch; ++b)
    for (int64_t h = 0; h < qv.heads; ++h)
      for (int64_t i = 0; i < qv.sequence; ++i) {
        int64_t hk = scores.keyHead(h);
        Sum products(round);
        for (int64_t d = 0; d < qv.dim; ++d)
          products.add(dO[qv.at(b, i, h, d)] * o[qv.at(b, i, h, d)]);
        double delta = round(products.get());
        for (int64_t j = 0; j < kv.sequence; ++j) {
          double p = std::exp(scores.get(b, h, i, j) -
                              lse[(b * qv.heads + h) * qv.sequence + i]);
          Sum dp(round);
          for (int64_t d = 0; d < qv.dim; ++d)
            dp.add(dO[qv.at(b, i, h, d)] * v[kv.at(b, j, hk, d)]);
          double ds = hold(p * hold(dp.get() - delta)) * scale;
          for (int64_t d = 0; d < qv.dim; ++d) {
            dq[qv.at(b, i, h, d)].add(ds * k[kv.at(b, j, hk, d)]);
            dk[kv.at(b, j, hk, d)].add(ds * q[qv.at(b, i, h, d)]);
            dv[kv.at(b, j, hk, d)].add(p * dO[qv.at(b, i, h, d)]);
          }
        }
      }
  auto store = [&](Value result, ArrayRef<Sum> sums) {
    for (auto [to, sum] : llvm::zip_equal(make(result).data, sums))
      to = sum.get();
  };
  store(op.getDq(), dq);
  store(op.getDk(), dk);
  store(op.getDv(), dv);
}
