// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FP8: quantization, scales, and products of quantized matrices.

#include "Evaluator.h"

#include "../Fp8.h"

#include "mlir/IR/TypeUtilities.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

static double amaxOf(const HostTensor &x) {
  double most = 0;
  for (double value : x.data)
    most = std::isnan(value) || std::isnan(most)
               ? std::numeric_limits<double>::quiet_NaN()
               : std::max(most, std::abs(value));
  return most;
}

void Evaluator::quantizeTo(const HostTensor &x, double scale, Value rowwise,
                           Value columnwise, Value amax) {
  int64_t rows = x.shape[0], columns = x.shape[1];
  auto quantizeInto = [&](Value result, auto locate) {
    HostTensor &copy = make(result);
    Quantizer quantize(getElementTypeOrSelf(result), scale);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j)
        copy[locate(i, j, copy.shape[1])] = quantize(x[i * columns + j]);
  };
  if (rowwise)
    quantizeInto(rowwise, [](int64_t i, int64_t j, int64_t stride) {
      return i * stride + j;
    });
  if (columnwise)
    quantizeInto(columnwise, [](int64_t i, int64_t j, int64_t stride) {
      return j * stride + i;
    });
  if (amax)
    make(amax)[0] = amaxOf(x);
}

void Evaluator::execute(QuantizeOp op) {
  const HostTensor &x = get(op.getX());
  quantizeTo(x, scalar(op.getScale()), op.getRowwise(), op.getColumnwise(),
             op.getAmax());
  if (!op.getDbias())
    return;
  std::vector<Sum> dbias(x.shape[1], Sum(round));
  for (int64_t i = 0; i < x.size(); ++i)
    dbias[i % x.shape[1]].add(x[i]);
  for (auto [to, sum] : llvm::zip_equal(make(op.getDbias()).data, dbias))
    to = sum.get();
}

void Evaluator::execute(DequantizeOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &x = get(op.getX());
  for (int64_t i = 0; i < x.size(); ++i)
    y[i] = x[i] * scalar(op.getScaleInv());
}

void Evaluator::execute(AmaxOp op) {
  make(op.getAmax())[0] = amaxOf(get(op.getX()));
}

void Evaluator::execute(ComputeScaleOp op) {
  float scale =
      scaleOf(op.getFormat(), float(scalar(op.getAmax())), int(op.getMargin()));
  make(op.getScale())[0] = scale;
  make(op.getScaleInv())[0] = 1.0f / scale;
}

/// The larger of two amaxes; NaN if one is.
static double largerAmax(double a, double b) {
  return a >= b || std::isnan(a) ? a : b;
}

void Evaluator::execute(RecordAmaxesOp op) {
  HostTensor &history = make(op.getNewHistory());
  history = get(op.getHistory());
  for (auto [slot, amax] : llvm::enumerate(op.getAmaxes()))
    history[slot] = largerAmax(history[slot], scalar(amax));
}

void Evaluator::execute(UpdateScalesOp op) {
  HostTensor &scales = make(op.getNewScales()),
             &inverses = make(op.getNewScaleInvs()),
             &history = make(op.getNewHistory()),
             &nonfinite = make(op.getNewNonfinite());
  scales = get(op.getScales()), inverses = get(op.getScaleInvs());
  history = get(op.getHistory()), nonfinite = get(op.getNonfinite());
  DelayedScalingAttr recipe = op.getRecipe();
  int64_t length = history.shape[0], slots = history.shape[1];
  for (auto [slot, amax] : llvm::enumerate(op.getAmaxes())) {
    // Row 0 has what was recorded, and is zero afterwards.
    double last = largerAmax(history[slot], scalar(amax));
    history[slot] = 0;
    if (last == 0)
      continue;
    if (!std::isfinite(last)) {
      nonfinite[slot] += 1;
      continue;
    }
    // The window's other rows move towards it.
    double most = last;
    for (int64_t row = 1; row < length; ++row) {
      double &entry = history[row * slots + slot];
      most = std::max(most, entry);
      entry = row + 1 < length ? history[(row + 1) * slots + slot] : last;
    }
    if (recipe.getAlgo() == AmaxAlgo::MostRecent)
      most = last;
    Type format = cast<TypeAttr>(op.getFormats()[slot]).getValue();
    float scale = scaleOf(format, float(most), recipe.getMargin());
    scales[slot] = scale;
    inverses[slot] = 1.0f / scale;
  }
}

void Evaluator::execute(ScaledMatmulOp op) {
  HostTensor &d = make(op.getD());
  const HostTensor &a = get(op.getA()), &b = get(op.getB());
  const HostTensor *bias = op.getBias() ? &get(op.getBias()) : nullptr;
  const HostTensor *addend = op.getAddend() ? &get(op.getAddend()) : nullptr;
  double scale = scalar(op.getAScaleInv()) * scalar(op.getBScaleInv());
  int64_t k = a.shape[1], n = d.shape[1];
  for (int64_t i = 0; i < d.size(); ++i) {
    // Of codes, which float32 sums in any order.
    double sum = 0;
    const double *left = &a.data[i / n * k], *right = &b.data[i % n * k];
    for (int64_t l = 0; l < k; ++l)
      sum += left[l] * right[l];
    d[i] = hold(sum * scale) + (bias ? (*bias)[i % n] : 0) +
           (addend ? (*addend)[i] : 0);
  }
}
