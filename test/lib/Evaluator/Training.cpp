// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses with their labels, clipping, and optimizers.

#include "Evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

static double logSumExp(const double *x, int64_t n) {
  double highest = *std::max_element(x, x + n), sum = 0;
  for (int64_t j = 0; j < n; ++j)
    sum += std::exp(x[j] - highest);
  return highest + std::log(sum);
}

void Evaluator::execute(ShiftLabelsOp op) {
  HostTensor &labels = make(op.getLabels());
  const HostTensor &ids = get(op.getIds());
  int64_t columns = ids.shape[1];
  for (int64_t i = 0, e = ids.size(); i < e; ++i)
    labels[i] =
        i % columns + 1 < columns
            ? ids[i + 1]
            : static_cast<double>(static_cast<int64_t>(op.getIgnoreIndex()));
}

void Evaluator::execute(CountLabelsOp op) {
  HostTensor &count = make(op.getCount());
  for (double label : get(op.getLabels()).data)
    count[0] += static_cast<int64_t>(label) !=
                static_cast<int64_t>(op.getIgnoreIndex());
}

/// The loss of a row with this label, and the gradient of its logits.
template <typename LossOp>
static double lossOfRow(LossOp op, const double *x, int64_t n, int64_t label,
                        double lse) {
  double smoothing = op.getLabelSmoothing().convertToDouble();
  double mean = std::accumulate(x, x + n, 0.0) / double(n);
  double loss = lse - x[label] + op.getZLoss().convertToDouble() * lse * lse;
  return smoothing == 0 ? loss : loss + smoothing * (x[label] - mean);
}

template <typename LossOp>
static double gradOfLogit(LossOp op, const double *x, int64_t n, int64_t j,
                          int64_t label, double lse) {
  double smoothing = op.getLabelSmoothing().convertToDouble();
  double target = smoothing / double(n) + (j == label ? 1 - smoothing : 0);
  return (1 + 2 * op.getZLoss().convertToDouble() * lse) *
             std::exp(x[j] - lse) -
         target;
}

void Evaluator::execute(CrossEntropyWithGradOp op) {
  HostTensor &dlogits = make(op.getDlogits()), &loss = make(op.getNewLoss());
  const HostTensor &logits = get(op.getLogits()), &labels = get(op.getLabels());
  double divisor =
      op.getReduction() == Reduction::Mean ? scalar(op.getCount()) : 1;
  int64_t rows = logits.shape[0], classes = logits.shape[1];
  loss[0] = scalar(op.getLoss());
  for (int64_t i = 0; i < rows; ++i) {
    int64_t label = static_cast<int64_t>(labels[i]);
    if (label == static_cast<int64_t>(op.getIgnoreIndex()))
      continue;
    const double *row = logits.data.data() + i * classes;
    double lse = round(logSumExp(row, classes));
    loss[0] += lossOfRow(op, row, classes, label, lse) / divisor;
    for (int64_t j = 0; j < classes; ++j)
      dlogits[i * classes + j] = scalar(op.getDloss()) / divisor *
                                 gradOfLogit(op, row, classes, j, label, lse);
  }
}

void Evaluator::execute(CrossEntropyOp op) {
  HostTensor &loss = make(op.getLoss()), &lse = make(op.getLse()),
             &count = make(op.getCount());
  const HostTensor &logits = get(op.getLogits()), &labels = get(op.getLabels());
  int64_t rows = logits.shape[0], classes = logits.shape[1];
  for (int64_t i = 0; i < rows; ++i) {
    const double *row = logits.data.data() + i * classes;
    lse[i] = round(logSumExp(row, classes));
    int64_t label = static_cast<int64_t>(labels[i]);
    if (label == static_cast<int64_t>(op.getIgnoreIndex()))
      continue;
    loss[0] += lossOfRow(op, row, classes, label, lse[i]);
    count[0] += 1;
  }
  if (op.getReduction() == Reduction::Mean && count[0] > 0)
    loss[0] /= count[0];
}

void Evaluator::execute(CrossEntropyGradOp op) {
  HostTensor &dlogits = make(op.getDlogits());
  const HostTensor &logits = get(op.getLogits()), &labels = get(op.getLabels()),
                   &lse = get(op.getLse());
  double factor = scalar(op.getDloss());
  if (op.getReduction() == Reduction::Mean)
    factor /= scalar(op.getCount());
  int64_t rows = logits.shape[0], classes = logits.shape[1];
  for (int64_t i = 0; i < rows; ++i) {
    int64_t label = static_cast<int64_t>(labels[i]);
    if (label == static_cast<int64_t>(op.getIgnoreIndex()))
      continue;
    const double *row = logits.data.data() + i * classes;
    for (int64_t j = 0; j < classes; ++j)
      dlogits[i * classes + j] =
          factor * gradOfLogit(op, row, classes, j, label, lse[i]);
  }
}

void Evaluator::execute(SquaredErrorOp op) {
  HostTensor &loss = make(op.getLoss());
  const HostTensor &x = get(op.getX()), &target = get(op.getTarget());
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    loss[0] += (x[i] - target[i]) * (x[i] - target[i]);
  if (op.getReduction() == Reduction::Mean && x.size() > 0)
    loss[0] /= static_cast<double>(x.size());
}

void Evaluator::execute(SquaredErrorGradOp op) {
  HostTensor &dx = make(op.getDx());
  const HostTensor &x = get(op.getX()), &target = get(op.getTarget());
  double divisor =
      op.getReduction() == Reduction::Mean ? static_cast<double>(x.size()) : 1;
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    dx[i] = scalar(op.getDloss()) * 2 * (x[i] - target[i]) / divisor;
}

//===----------------------------------------------------------------------===//
// Optimizers
//===----------------------------------------------------------------------===//

void Evaluator::execute(GlobalNormOp op) {
  double sum = 0;
  for (Value gradient : op.getGradients())
    for (double g : get(gradient).data)
      sum += g * g;
  make(op.getNorm())[0] = std::sqrt(sum);
}

void Evaluator::execute(ClipCoefficientOp op) {
  double norm = scalar(op.getNorm()), maxNorm = scalar(op.getMaxNorm());
  double coefficient = 1;
  bool finite = std::isfinite(norm);
  for (Value amax : op.getAmaxes())
    finite &= std::isfinite(scalar(amax));
  if (!finite)
    coefficient = std::numeric_limits<double>::quiet_NaN();
  else if (maxNorm > 0)
    coefficient = std::min(1.0, maxNorm / (norm + 1e-6));
  make(op.getCoefficient())[0] = coefficient;
}

void Evaluator::execute(AdvanceStepOp op) {
  double step = scalar(op.getStep());
  make(op.getNewStep())[0] =
      std::isnan(scalar(op.getCoefficient())) ? step : step + 1;
}

void Evaluator::execute(AdamWOp op) {
  HostTensor &newParam = make(op.getNewParam()), &m = make(op.getNewExpAvg()),
             &v = make(op.getNewExpAvgSq());
  const HostTensor &param = get(op.getParam()), &m0 = get(op.getExpAvg()),
                   &v0 = get(op.getExpAvgSq()), &g0 = get(op.getGradient());
  double coefficient = scalar(op.getCoefficient()), lr = scalar(op.getLr());
  double beta1 = scalar(op.getBeta1()), beta2 = scalar(op.getBeta2());
  double eps = scalar(op.getEps()), step = scalar(op.getStep());
  double decay = op.getDecay() ? 1 - lr * scalar(op.getWeightDecay()) : 1;
  for (int64_t i = 0, e = param.size(); i < e; ++i) {
    if (std::isnan(coefficient)) {
      newParam[i] = param[i], m[i] = m0[i], v[i] = v0[i];
      continue;
    }
    double g = g0[i] * coefficient;
    m[i] = beta1 * m0[i] + (1 - beta1) * g;
    v[i] = beta2 * v0[i] + (1 - beta2) * g * g;
    double mHat = m[i] / (1 - std::pow(beta1, step));
    double vHat = v[i] / (1 - std::pow(beta2, step));
    newParam[i] = param[i] * decay - lr * mHat / (std::sqrt(vHat) + eps);
  }
  if (op.getScale())
    handOut(op, newParam, Value());
}

void Evaluator::execute(SgdOp op) {
  HostTensor &newParam = make(op.getNewParam());
  const HostTensor &param = get(op.getParam()), &g0 = get(op.getGradient());
  const HostTensor *oldBuffer =
      op.getMomentumBuffer() ? &get(op.getMomentumBuffer()) : nullptr;
  HostTensor *buffer = oldBuffer ? &make(op.getNewMomentumBuffer()) : nullptr;
  double coefficient = scalar(op.getCoefficient()), lr = scalar(op.getLr());
  double momentum = op.getMomentum() ? scalar(op.getMomentum()) : 0;
  double dampening = op.getDampening() ? scalar(op.getDampening()) : 0;
  double decay = op.getDecay() ? scalar(op.getWeightDecay()) : 0;
  bool isFirst = scalar(op.getStep()) == 1;
  for (int64_t i = 0, e = param.size(); i < e; ++i) {
    if (std::isnan(coefficient)) {
      newParam[i] = param[i];
      if (buffer)
        (*buffer)[i] = (*oldBuffer)[i];
      continue;
    }
    double g = g0[i] * coefficient + decay * param[i], direction = g;
    if (buffer) {
      double &moved = (*buffer)[i];
      moved = isFirst ? g : momentum * (*oldBuffer)[i] + (1 - dampening) * g;
      direction = op.getNesterov() ? g + momentum * moved : moved;
    }
    newParam[i] = param[i] - lr * direction;
  }
  if (op.getScale())
    handOut(op, newParam, Value());
}
