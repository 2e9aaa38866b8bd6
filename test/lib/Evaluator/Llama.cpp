// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RMS norms, gated activations and rotations, with their gradients.

#include "Activations.h"
#include "Evaluator.h"
#include "HeadView.h"

#include "te/Dialect/TE/IR/LayerOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

void Evaluator::execute(RMSNormOp op) {
  HostTensor &rstd = make(op.getRstd());
  const HostTensor &x = get(op.getX()), &gamma = get(op.getGamma());
  int64_t rows = x.shape[0], n = x.shape[1];
  HostTensor y(x.shape);
  double offset = op.getZeroCentered() ? 1 : 0;
  for (int64_t i = 0; i < rows; ++i) {
    double squares = 0;
    for (int64_t j = 0; j < n; ++j)
      squares += hold(std::pow(x[i * n + j], 2));
    rstd[i] = round(1 / std::sqrt(squares / n + op.getEps().convertToDouble()));
    for (int64_t j = 0; j < n; ++j)
      y[i * n + j] = x[i * n + j] * rstd[i] * (gamma[j] + offset);
  }
  handOut(op, y, op.getY());
}

void Evaluator::execute(RMSNormGradOp op) {
  HostTensor &dgamma = make(op.getDgamma());
  const HostTensor &dy = get(op.getDy()), &x = get(op.getX()),
                   &gamma = get(op.getGamma()), &rstd = get(op.getRstd());
  int64_t rows = x.shape[0], n = x.shape[1];
  HostTensor dx(x.shape);
  double offset = op.getZeroCentered() ? 1 : 0;
  for (int64_t i = 0; i < rows; ++i) {
    auto c = [&](int64_t j) { return dy[i * n + j] * (gamma[j] + offset); };
    double mean = 0;
    for (int64_t j = 0; j < n; ++j) {
      double normalized = x[i * n + j] * rstd[i];
      mean += c(j) * normalized / n;
      dgamma[j] += dy[i * n + j] * normalized;
    }
    mean = round(mean);
    for (int64_t j = 0; j < n; ++j)
      dx[i * n + j] = rstd[i] * (c(j) - x[i * n + j] * rstd[i] * mean) +
                      (op.getResidual() ? get(op.getResidual())[i * n + j] : 0);
  }
  handOut(op, dx, op.getDx());
}

/// Calls fn(i, gate, up) with the positions of element i's gate and up, in x
/// or, of up where it is a matrix of its own, there.
template <typename Op, typename Fn>
static void forGate(Op op, const HostTensor &x, const Fn &fn) {
  int64_t rows = x.shape[0], width = x.shape[1];
  int64_t n = op.getUp() ? width : width / 2;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < n; ++j) {
      int64_t first = i * width + j;
      if (op.getUp())
        fn(i * n + j, first, first);
      else
        fn(i * n + j, first + (op.getUpFirst() ? n : 0),
           first + (op.getUpFirst() ? 0 : n));
    }
}

void Evaluator::execute(GatedActivationOp op) {
  const HostTensor &x = get(op.getX());
  const HostTensor &up = op.getUp() ? get(op.getUp()) : x;
  HostTensor y({x.shape[0], op.getUp() ? x.shape[1] : x.shape[1] / 2});
  forGate(op, x, [&](int64_t i, int64_t gateAt, int64_t upAt) {
    y[i] = activate(op.getKind(), x[gateAt], round) * up[upAt];
  });
  handOut(op, y, op.getY());
}

void Evaluator::execute(GatedActivationGradOp op) {
  const HostTensor &x = get(op.getX()), &dy = get(op.getDy());
  const HostTensor &up = op.getUp() ? get(op.getUp()) : x;
  HostTensor dx(x.shape), dup(up.shape);
  forGate(op, x, [&](int64_t i, int64_t gateAt, int64_t upAt) {
    dx[gateAt] =
        dy[i] * up[upAt] * activateDerivative(op.getKind(), x[gateAt], round);
    (op.getUp() ? dup : dx)[upAt] =
        dy[i] * activate(op.getKind(), x[gateAt], round);
  });
  handOut(op, dx, op.getDx());
  if (op.getDup())
    make(op.getDup()).data = dup.data;
  if (!op.getDbias())
    return;
  HostTensor &dbias = make(op.getDbias());
  for (int64_t i = 0, e = dx.size(); i < e; ++i)
    dbias[i % dx.shape[1]] += dx[i];
}

void Evaluator::execute(RopeOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &x = get(op.getX()), &cos = get(op.getCos()),
                   &sin = get(op.getSin());
  HeadView view(x, op.getLayout());
  y.data = x.data;
  int64_t pairs = cos.shape[1];
  for (int64_t b = 0; b < view.batch; ++b)
    for (int64_t s = 0; s < view.sequence; ++s)
      for (int64_t h = 0; h < view.heads; ++h)
        for (int64_t i = 0; i < pairs; ++i) {
          int64_t row =
              cos.shape[0] == view.sequence ? s : b * view.sequence + s;
          double c = cos[row * pairs + i];
          double n = sin[row * pairs + i] * (op.getInverse() ? -1 : 1);
          bool neighbours = op.getInterleaved();
          int64_t first = view.at(b, s, h, neighbours ? 2 * i : i);
          int64_t second = view.at(b, s, h, neighbours ? 2 * i + 1 : i + pairs);
          y[first] = x[first] * c - x[second] * n;
          y[second] = x[second] * c + x[first] * n;
        }
}
