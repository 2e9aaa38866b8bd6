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

namespace {
/// The values of one element: g is the gradient times the coefficient.
struct Element {
  double g, p;
  SmallVector<double> states;
};
} // namespace

/// The formulas of the optimizers' papers and of torch.optim, in float64.
static void step(StringRef rule, ArrayRef<double> scalars, double step,
                 bool decays, Element &x) {
  const double lr = scalars[0];
  if (rule == "adamw") {
    const double beta1 = scalars[1], beta2 = scalars[2];
    double &m = x.states[0], &v = x.states[1];
    m = beta1 * m + (1 - beta1) * x.g;
    v = beta2 * v + (1 - beta2) * x.g * x.g;
    const double mHat = m / (1 - std::pow(beta1, step));
    const double vHat = v / (1 - std::pow(beta2, step));
    x.p = x.p * (decays ? 1 - lr * scalars[4] : 1) -
          lr * mHat / (std::sqrt(vHat) + scalars[3]);
  } else if (rule == "lion") {
    const double beta1 = scalars[1], beta2 = scalars[2];
    double &m = x.states[0];
    const double c = beta1 * m + (1 - beta1) * x.g;
    x.p = x.p * (decays ? 1 - lr * scalars[3] : 1) - lr * ((c > 0) - (c < 0));
    m = beta2 * m + (1 - beta2) * x.g;
  } else {
    assert(rule.starts_with("sgd") && "a rule without a reference");
    double d = x.g + (decays ? scalars[1] * x.p : 0);
    if (rule != "sgd") {
      const double momentum = scalars[2];
      const double dampening = rule == "sgd_nesterov" ? 0 : scalars[3];
      double &buffer = x.states[0];
      buffer = step == 1 ? d : momentum * buffer + (1 - dampening) * d;
      d = rule == "sgd_nesterov" ? d + momentum * buffer : buffer;
    }
    x.p -= lr * d;
  }
}

void Evaluator::execute(UpdateOp op) {
  HostTensor &newParam = make(op.getNewParam());
  const HostTensor &param = get(op.getParam()),
                   &gradient = get(op.getGradient());
  SmallVector<const HostTensor *> states;
  SmallVector<HostTensor *> newStates;
  for (auto [old, updated] :
       llvm::zip_equal(op.getStates(), op.getNewStates())) {
    newStates.push_back(&make(updated));
    states.push_back(&get(old));
  }
  SmallVector<double> scalars = llvm::map_to_vector(
      op.getScalars(), [&](Value value) { return scalar(value); });
  const double coefficient = scalar(op.getCoefficient());
  for (int64_t i = 0, e = param.size(); i < e; ++i) {
    Element x{gradient[i] * coefficient, param[i], {}};
    for (const HostTensor *state : states)
      x.states.push_back((*state)[i]);
    if (!std::isnan(coefficient))
      step(op.getOptimizer().getRuleName(), scalars, scalar(op.getStep()),
           op.getDecay(), x);
    newParam[i] = x.p;
    for (auto [state, value] : llvm::zip_equal(newStates, x.states))
      (*state)[i] = value;
  }
  if (op.getScale())
    handOut(op, newParam, Value());
}
