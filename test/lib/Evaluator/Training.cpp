// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses with their labels, clipping, and optimizers.

#include "Evaluator.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
    double lse = round(logSumExp(logits.data.data() + i * classes, classes));
    loss[0] += (lse - logits[i * classes + label]) / divisor;
    for (int64_t j = 0; j < classes; ++j)
      dlogits[i * classes + j] =
          scalar(op.getDloss()) / divisor *
          (std::exp(logits[i * classes + j] - lse) - (j == label ? 1 : 0));
  }
}

void Evaluator::execute(CrossEntropyOp op) {
  HostTensor &loss = make(op.getLoss()), &lse = make(op.getLse()),
             &count = make(op.getCount());
  const HostTensor &logits = get(op.getLogits()), &labels = get(op.getLabels());
  int64_t rows = logits.shape[0], classes = logits.shape[1];
  for (int64_t i = 0; i < rows; ++i) {
    lse[i] = round(logSumExp(logits.data.data() + i * classes, classes));
    int64_t label = static_cast<int64_t>(labels[i]);
    if (label == static_cast<int64_t>(op.getIgnoreIndex()))
      continue;
    loss[0] += lse[i] - logits[i * classes + label];
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
    for (int64_t j = 0; j < classes; ++j)
      dlogits[i * classes + j] =
          factor *
          (std::exp(logits[i * classes + j] - lse[i]) - (j == label ? 1 : 0));
  }
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
