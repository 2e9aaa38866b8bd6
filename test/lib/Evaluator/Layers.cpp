// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, norms, activations and lookups, with their gradients.

#include "Activations.h"
#include "Evaluator.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

void Evaluator::execute(ActivationOp op) {
  const HostTensor &x = get(op.getX());
  HostTensor y(x.shape);
  ActivationKind kind = op.getKind();
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    y[i] = activate(kind, x[i], round);
  handOut(op, y, op.getY());
}

void Evaluator::execute(ActivationGradOp op) {
  const HostTensor &dy = get(op.getDy()), &x = get(op.getX());
  HostTensor dx(x.shape);
  ActivationKind kind = op.getKind();
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    dx[i] = dy[i] * activateDerivative(kind, x[i], round);
  handOut(op, dx, op.getDx());
  if (!op.getDbias())
    return;
  std::vector<Sum> dbias(x.shape[1], Sum(round));
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    dbias[i % x.shape[1]].add(dx[i]);
  HostTensor &result = make(op.getDbias());
  for (auto [to, sum] : llvm::zip_equal(result.data, dbias))
    to = sum.get();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void Evaluator::execute(MatmulOp op) {
  HostTensor &d = make(op.getD());
  const HostTensor &a = get(op.getA()), &b = get(op.getB());
  const HostTensor *bias = op.getBias() ? &get(op.getBias()) : nullptr;
  const HostTensor *addend = op.getAddend() ? &get(op.getAddend()) : nullptr;
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  // Distances between rows of op(a), and between its columns; op(b) likewise.
  int64_t aRow = op.getTransposeA() ? 1 : k, aStep = op.getTransposeA() ? m : 1;
  int64_t bCol = op.getTransposeB() ? k : 1, bStep = op.getTransposeB() ? 1 : n;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double others = bias ? (*bias)[j] : 0;
      if (addend)
        others += (*addend)[i * n + j];
      const double *left = &a.data[i * aRow], *right = &b.data[j * bCol];
      if (!round.toFloat) {
        double sum = others;
        for (int64_t l = 0; l < k; ++l)
          sum += left[l * aStep] * right[l * bStep];
        d[i * n + j] = sum;
        continue;
      }
      Sum sum(round);
      sum.add(others);
      for (int64_t l = 0; l < k; ++l)
        sum.add(left[l * aStep] * right[l * bStep]);
      d[i * n + j] = sum.get();
    }
}

void Evaluator::execute(ColumnSumOp op) {
  const HostTensor &x = get(op.getX());
  std::vector<Sum> sums(x.shape[1], Sum(round));
  for (int64_t i = 0, e = x.size(); i < e; ++i)
    sums[i % x.shape[1]].add(x[i]);
  HostTensor &y = make(op.getY());
  for (auto [to, sum] : llvm::zip_equal(y.data, sums))
    to = sum.get();
}

void Evaluator::execute(AddOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &a = get(op.getA()), &b = get(op.getB());
  for (int64_t i = 0, e = a.size(); i < e; ++i)
    y[i] = a[i] + b[i % b.size()];
}

//===----------------------------------------------------------------------===//
// Norms
//===----------------------------------------------------------------------===//

void Evaluator::execute(LayerNormOp op) {
  HostTensor &mean = make(op.getMean()), &rstd = make(op.getRstd());
  const HostTensor &x = get(op.getX()), &gamma = get(op.getGamma()),
                   &beta = get(op.getBeta());
  int64_t rows = x.shape[0], n = x.shape[1];
  HostTensor y(x.shape);
  double offset = op.getZeroCentered() ? 1 : 0;
  double eps = op.getEps().convertToDouble();
  for (int64_t i = 0; i < rows; ++i) {
    Sum sum(round), squares(round);
    for (int64_t j = 0; j < n; ++j)
      sum.add(x[i * n + j]);
    mean[i] = round(sum.get() / static_cast<double>(n));
    for (int64_t j = 0; j < n; ++j)
      squares.add(std::pow(hold(x[i * n + j] - mean[i]), 2));
    rstd[i] =
        round(1 / std::sqrt(squares.get() / static_cast<double>(n) + eps));
    for (int64_t j = 0; j < n; ++j)
      y[i * n + j] =
          (x[i * n + j] - mean[i]) * rstd[i] * (gamma[j] + offset) + beta[j];
  }
  handOut(op, y, op.getY());
}

void Evaluator::execute(LayerNormGradOp op) {
  const HostTensor &dy = get(op.getDy()), &x = get(op.getX()),
                   &gamma = get(op.getGamma()), &mean = get(op.getMean()),
                   &rstd = get(op.getRstd());
  const HostTensor *residual =
      op.getResidual() ? &get(op.getResidual()) : nullptr;
  int64_t rows = x.shape[0], n = x.shape[1];
  double offset = op.getZeroCentered() ? 1 : 0;
  HostTensor dx(x.shape);
  std::vector<Sum> dgamma(n, Sum(round)), dbeta(n, Sum(round)),
      dbias(n, Sum(round));
  for (int64_t i = 0; i < rows; ++i) {
    auto normalized = [&](int64_t j) {
      return hold(x[i * n + j] - mean[i]) * rstd[i];
    };
    auto c = [&](int64_t j) {
      return hold(dy[i * n + j] * (gamma[j] + offset));
    };
    Sum sumC(round), sumCN(round);
    for (int64_t j = 0; j < n; ++j) {
      sumC.add(c(j));
      sumCN.add(c(j) * normalized(j));
      dgamma[j].add(dy[i * n + j] * normalized(j));
      dbeta[j].add(dy[i * n + j]);
    }
    double meanC = round(sumC.get() / static_cast<double>(n));
    double meanCN = round(sumCN.get() / static_cast<double>(n));
    for (int64_t j = 0; j < n; ++j)
      dx[i * n + j] =
          rstd[i] * hold(hold(c(j) - meanC) - hold(normalized(j) * meanCN)) +
          (residual ? (*residual)[i * n + j] : 0);
    for (int64_t j = 0; j < n; ++j)
      dbias[j].add(dx[i * n + j]);
  }
  auto store = [&](Value result, ArrayRef<Sum> sums) {
    if (result)
      for (auto [to, sum] : llvm::zip_equal(make(result).data, sums))
        to = sum.get();
  };
  store(op.getDgamma(), dgamma);
  store(op.getDbeta(), dbeta);
  store(op.getDbias(), dbias);
  handOut(op, dx, op.getDx());
}

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::checkLookups(Operation *op) {
  auto check = [&](Value numbers, int64_t count) -> LogicalResult {
    for (double number : get(numbers).data)
      if (!(number < double(count)) || (number < 0 && !isa<ExpertMatmulOp>(op)))
        return op->emitOpError()
               << "reads " << int64_t(number) << " of " << count
               << "; limit the numbers with test.range";
    return success();
  };
  if (auto lookup = dyn_cast<EmbeddingOp>(op))
    return check(lookup.getIds(), lookup.getTable().getType().getDimSize(0));
  if (auto grad = dyn_cast<EmbeddingGradOp>(op))
    return check(grad.getIds(), grad.getDtable().getType().getDimSize(0));
  if (auto product = dyn_cast<ExpertMatmulOp>(op))
    return check(product.getGroups(), product.getExperts());
  return success();
}

void Evaluator::execute(EmbeddingOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &ids = get(op.getIds()), &table = get(op.getTable());
  int64_t n = table.shape[1];
  for (int64_t i = 0, e = ids.size(); i < e; ++i)
    for (int64_t j = 0; j < n; ++j)
      y[i * n + j] = table[static_cast<int64_t>(ids[i]) * n + j];
}

void Evaluator::execute(EmbeddingGradOp op) {
  HostTensor &dtable = make(op.getDtable());
  const HostTensor &ids = get(op.getIds()), &dy = get(op.getDy());
  int64_t n = dy.shape[1];
  std::vector<Sum> sums(dtable.size(), Sum(round));
  for (int64_t i = 0, e = ids.size(); i < e; ++i)
    for (int64_t j = 0; j < n; ++j)
      sums[static_cast<int64_t>(ids[i]) * n + j].add(dy[i * n + j]);
  for (auto [to, sum] : llvm::zip_equal(dtable.data, sums))
    to = sum.get();
}
