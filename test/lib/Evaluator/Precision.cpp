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

/// Elements along a dimension that share one of `count` scales: all, or the
/// power of two that divides it so.
static int64_t blockOf(int64_t size, int64_t count) {
  if (count == 1)
    return size;
  int64_t block = 1;
  while (block * count < size)
    block *= 2;
  return block;
}

/// The scale of element (i, j) of a matrix.
static double scaleAt(const HostTensor &scale, const HostTensor &matrix,
                      int64_t i, int64_t j) {
  if (scale.shape.empty())
    return scale[0];
  return scale[i / blockOf(matrix.shape[0], scale.shape[0]) * scale.shape[1] +
               j / blockOf(matrix.shape[1], scale.shape[1])];
}

void Evaluator::quantizeTo(const HostTensor &x, const HostTensor &scale,
                           Value rowwise, Value columnwise, Value amax) {
  // Of a tensor of higher rank, all rows.
  const int64_t columns = x.shape.back();
  const int64_t rows = columns == 0 ? 0 : x.size() / columns;
  auto quantizeInto = [&](Value result, bool transposed) {
    HostTensor &copy = make(result);
    Type format = getElementTypeOrSelf(result);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        int64_t row = transposed ? j : i, column = transposed ? i : j;
        Quantizer quantize(format, scaleAt(scale, copy, row, column));
        copy[row * copy.shape[1] + column] = quantize(x[i * columns + j]);
      }
  };
  if (rowwise)
    quantizeInto(rowwise, /*transposed=*/false);
  if (columnwise)
    quantizeInto(columnwise, /*transposed=*/true);
  if (amax)
    make(amax)[0] = amaxOf(x);
}

void Evaluator::execute(QuantizeOp op) {
  const HostTensor &x = get(op.getX());
  quantizeTo(x, get(op.getScale()), op.getRowwise(), op.getColumnwise(),
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
    y[i] = x[i] *
           scaleAt(get(op.getScaleInv()), x, i / x.shape[1], i % x.shape[1]);
}

void Evaluator::execute(AmaxOp op) {
  const HostTensor &x = get(op.getX());
  HostTensor &amaxes = make(op.getAmax());
  if (amaxes.shape.empty()) {
    amaxes[0] = amaxOf(x);
    return;
  }
  int64_t sizes[] = {x.shape[0], x.shape[1]};
  if (op.getTransposed())
    std::swap(sizes[0], sizes[1]);
  // Of the matrix with full tiles.
  const int64_t blocks[] = {
      blockOf(llvm::alignTo(sizes[0], 16), amaxes.shape[0]),
      blockOf(llvm::alignTo(sizes[1], 16), amaxes.shape[1])};
  for (int64_t i = 0; i < sizes[0]; ++i)
    for (int64_t j = 0; j < sizes[1]; ++j) {
      double value =
          op.getTransposed() ? x[j * sizes[0] + i] : x[i * sizes[1] + j];
      double &amax = amaxes[i / blocks[0] * amaxes.shape[1] + j / blocks[1]];
      if (!std::isnan(amax) && !(std::abs(value) <= amax))
        amax = std::abs(value);
    }
}

void Evaluator::execute(ComputeScaleOp op) {
  const HostTensor &amaxes = get(op.getAmax());
  HostTensor &scales = make(op.getScale()), &inverses = make(op.getScaleInv());
  for (int64_t i = 0; i < amaxes.size(); ++i) {
    double amax = amaxes[i];
    if (op.hasE8M0()) {
      inverses[i] = e8m0Of(op.getFormat(), amax);
      scales[i] = inverses[i] == 0x1p-127 ? 1 : 1 / inverses[i];
      continue;
    }
    if (amax < op.getEpsilon().convertToDouble())
      amax = op.getEpsilon().convertToDouble();
    float scale = scaleOf(op.getFormat(), float(amax), int(op.getMargin()));
    if (op.getPowerOfTwo())
      scale = std::exp2(std::floor(std::log2(double(scale))));
    scales[i] = scale;
    inverses[i] = 1.0f / scale;
  }
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
  const HostTensor &aScale = get(op.getAScaleInv()),
                   &bScale = get(op.getBScaleInv());
  auto variesInRows = [](const HostTensor &scale) {
    return !scale.shape.empty() && scale.shape[1] != 1;
  };
  const bool varies = variesInRows(aScale) || variesInRows(bScale);
  int64_t k = a.shape[1], n = d.shape[1];
  for (int64_t i = 0; i < d.size(); ++i) {
    auto scaleOf = [&](int64_t l) {
      return scaleAt(aScale, a, i / n, l) * scaleAt(bScale, b, i % n, l);
    };
    // Of codes, which float32 sums in any order.
    double sum = 0;
    const double *left = &a.data[i / n * k], *right = &b.data[i % n * k];
    for (int64_t l = 0; l < k; ++l)
      sum += left[l] * right[l] * (varies ? scaleOf(l) : 1);
    d[i] = hold(varies ? sum : sum * scaleOf(0)) + (bias ? (*bias)[i % n] : 0) +
           (addend ? (*addend)[i] : 0);
  }
}
