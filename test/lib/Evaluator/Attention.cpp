// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeadView.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

static constexpr double kHidden = -std::numeric_limits<double>::infinity();

namespace {
/// A score before and after its softcap.
struct Score {
  double value, slope;
  /// The product of query and key is minus infinity: below float32's range, or
  /// of an infinite operand.
  bool isBelowRange = false;
};

/// What query i of head h sees of key j.
struct Scores {
  const HostTensor &q, &k;
  HeadView qv, kv;
  double scale;
  bool causal;
  int64_t window;
  double softcap;
  const HostTensor *bias, *lengths, *sinks; ///< null where there is none
  const Rounding &rounding;

  template <typename Op, typename Get>
  Scores(Op op, Get get, const Rounding &rounding)
      : q(*get(op.getQ())), k(*get(op.getK())), qv(q, op.getLayout()),
        kv(k, op.getLayout()), scale(op.getScale().convertToDouble()),
        causal(op.getCausal()), window(op.getWindow()),
        softcap(op.getSoftcap().convertToDouble()), bias(get(op.getBias())),
        lengths(get(op.getLengths())), sinks(get(op.getSinks())),
        rounding(rounding) {}

  int64_t keyHead(int64_t h) const { return h / (qv.heads / kv.heads); }
  /// Where the bias, or its gradient, has the element of a score.
  int64_t biasAt(int64_t b, int64_t h, int64_t i, int64_t j) const {
    int64_t index[] = {b, h, i, j}, at = 0;
    for (int dim = 0; dim < 4; ++dim)
      at = at * bias->shape[dim] + (bias->shape[dim] == 1 ? 0 : index[dim]);
    return at;
  }
  bool sees(int64_t b, int64_t i, int64_t j) const {
    int64_t own = i + kv.sequence - qv.sequence;
    return !(causal && j > own) && !(window > 0 && j <= own - window) &&
           !(lengths && static_cast<double>(j) >= (*lengths)[b]);
  }
  /// Minus infinity where the key is hidden. The slope is the softcap's.
  Score get(int64_t b, int64_t h, int64_t i, int64_t j) const {
    if (!sees(b, i, j))
      return {kHidden, 0};
    Sum sum(rounding);
    for (int64_t d = 0; d < qv.dim; ++d)
      sum.add(q[qv.at(b, i, h, d)] * k[kv.at(b, j, keyHead(h), d)] * scale);
    Score score{sum.get(), 1};
    score.isBelowRange = score.value == kHidden;
    if (softcap > 0) {
      double t = std::tanh(score.value / softcap);
      score = {softcap * t, 1 - t * t};
    }
    if (bias)
      score.value += (*bias)[biasAt(b, h, i, j)];
    return score;
  }
};
} // namespace

void Evaluator::execute(AttentionOp op) {
  HostTensor &o = make(op.getO()), &lse = make(op.getLse());
  const HostTensor &v = get(op.getV());
  auto operand = [&](Value value) { return value ? &get(value) : nullptr; };
  Scores allScores(op, operand, round);
  const HeadView &qv = allScores.qv, &kv = allScores.kv;
  std::vector<double> scores(kv.sequence);
  for (int64_t b = 0; b < qv.batch; ++b)
    for (int64_t h = 0; h < qv.heads; ++h)
      for (int64_t i = 0; i < qv.sequence; ++i) {
        double highest = allScores.sinks ? (*allScores.sinks)[h] : kHidden;
        bool leavesRange = false;
        for (int64_t j = 0; j < kv.sequence; ++j) {
          Score score = allScores.get(b, h, i, j);
          scores[j] = score.value;
          leavesRange |= score.isBelowRange;
          highest =
              std::isnan(scores[j]) ? scores[j] : std::max(highest, scores[j]);
        }
        // A softmax of nothing but scores that left the range is not a number.
        if (leavesRange && highest == kHidden)
          highest = std::nan("");
        // A query that sees nothing has the output 0.
        double shift = highest == kHidden ? 0 : highest, sum = 0;
        for (double s : scores)
          sum += std::exp(s - shift);
        if (allScores.sinks)
          sum += std::exp((*allScores.sinks)[h] - shift);
        lse[(b * qv.heads + h) * qv.sequence + i] = shift + std::log(sum);
        for (int64_t d = 0; d < qv.dim; ++d) {
          Sum value(round);
          if (sum != 0)
            for (int64_t j = 0; j < kv.sequence; ++j)
              value.add(std::exp(scores[j] - shift) / sum *
                        v[kv.at(b, j, allScores.keyHead(h), d)]);
          o[qv.at(b, i, h, d)] = value.get();
        }
      }
}

void Evaluator::execute(AttentionGradOp op) {
  const HostTensor &dO = get(op.getDO()), &q = get(op.getQ()),
                   &k = get(op.getK()), &v = get(op.getV()),
                   &o = get(op.getO()), &lse = get(op.getLse());
  auto operand = [&](Value value) { return value ? &get(value) : nullptr; };
  Scores scores(op, operand, round);
  const HeadView &qv = scores.qv, &kv = scores.kv;
  std::vector<Sum> dq(q.size(), Sum(round)), dk(k.size(), Sum(round)),
      dv(v.size(), Sum(round)),
      dbias(scores.bias ? scores.bias->size() : 0, Sum(round)),
      dsinks(scores.sinks ? scores.sinks->size() : 0, Sum(round));
  for (int64_t b = 0; b < qv.batch; ++b)
    for (int64_t h = 0; h < qv.heads; ++h)
      for (int64_t i = 0; i < qv.sequence; ++i) {
        int64_t hk = scores.keyHead(h);
        double logSum = lse[(b * qv.heads + h) * qv.sequence + i];
        if (logSum == kHidden)
          continue;
        Sum products(round);
        for (int64_t d = 0; d < qv.dim; ++d)
          products.add(dO[qv.at(b, i, h, d)] * o[qv.at(b, i, h, d)]);
        double delta = round(products.get());
        if (scores.sinks)
          dsinks[h].add(-std::exp((*scores.sinks)[h] - logSum) * delta);
        for (int64_t j = 0; j < kv.sequence; ++j) {
          Score score = scores.get(b, h, i, j);
          double p = std::exp(score.value - logSum);
          Sum dp(round);
          for (int64_t d = 0; d < qv.dim; ++d)
            dp.add(dO[qv.at(b, i, h, d)] * v[kv.at(b, j, hk, d)]);
          double ds = hold(p * hold(dp.get() - delta));
          if (scores.bias)
            dbias[scores.biasAt(b, h, i, j)].add(ds);
          ds *= score.slope * scores.scale;
          for (int64_t d = 0; d < qv.dim; ++d) {
            dq[qv.at(b, i, h, d)].add(ds * k[kv.at(b, j, hk, d)]);
            dk[kv.at(b, j, hk, d)].add(ds * q[qv.at(b, i, h, d)]);
            dv[kv.at(b, j, hk, d)].add(p * dO[qv.at(b, i, h, d)]);
          }
        }
      }
  auto store = [&](Value result, ArrayRef<Sum> sums) {
    if (!result)
      return;
    for (auto [to, sum] : llvm::zip_equal(make(result).data, sums))
      to = sum.get();
  };
  store(op.getDq(), dq);
  store(op.getDk(), dk);
  store(op.getDv(), dv);
  store(op.getDbias(), dbias);
  store(op.getDsinks(), dsinks);
}
