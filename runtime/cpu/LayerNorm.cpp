// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"
#include "cpu/RowSums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/LayerNorm.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Normalize-inl.h"
#include "cpu/Quantize-inl.h"

#include <cmath>
#include <optional>

#ifndef TERT_CPU_LAYERNORM_ARGUMENTS
#define TERT_CPU_LAYERNORM_ARGUMENTS
namespace tert::cpu {

/// Rows of one task.
constexpr int64_t layerNormRows = quantizeTileRows;

/// Stride of the rows of a task's dx, in floats: the quantized tiles begin at
/// multiples of vectors and may be read to their ends.
constexpr int64_t gradRowStride(int64_t cols) {
  return ceilDiv(cols, quantizeTileCols) * quantizeTileCols;
}

struct LayerNormArguments {
  Matrix x;
  const float *gamma; // [N]; 1 is added to it if stored zero-centered
  const float *beta;  // [N]
  std::optional<Matrix> y;
  float *mean;
  float *rstd;
  float eps;
};

struct LayerNormGradArguments {
  Matrix dy;
  Matrix x;
  const float *gamma; // as above
  const float *mean;
  const float *rstd;
  std::optional<Matrix> residual;
  std::optional<Matrix> dx;
  float *dgammaSums; // [tasks, N]
  float *dbetaSums;  // [tasks, N]
  float *dbiasSums;  // [tasks, N], or null
};

} // namespace tert::cpu
#endif // TERT_CPU_LAYERNORM_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

void readVector(const Matrix &x, float *result) {
  readRow(x.dtype, x.data, result, x.cols);
}

/// Mean and 1/deviation of one row, in two passes.
template <typename T>
HWY_INLINE void rowStatistics(const T *x, int64_t n, float eps, float &mean,
                              float &rstd) {
  mean = sumOf(n, [&](int64_t j, int64_t count)
                      HWY_ATTR { return loadF32(x + j, count); }) /
         float(n);
  const VecF32 center = hn::Set(F32(), mean);
  float variance = sumOf(n,
                         [&](int64_t j, int64_t count) HWY_ATTR {
                           VecF32 difference =
                               hn::Sub(loadF32(x + j, count), center);
                           if (count < lanesF32())
                             difference = onlyFirst(difference, count);
                           return hn::Mul(difference, difference);
                         }) /
                   float(n);
  rstd = 1.0f / std::sqrt(variance + eps);
}

void layerNormTask(const LayerNormArguments &arguments,
                   QuantizedOutputs &outputs, int64_t task) {
  const Matrix &x = arguments.x;
  const int64_t first = task * layerNormRows;
  const int64_t rows = std::min(layerNormRows, x.rows - first);
  HWY_ALIGN float tile[quantizeTileRows * quantizeTileCols];
  withFloat(x.dtype, x.data, [&](auto *xData) HWY_ATTR {
    for (int64_t i = first; i < first + rows; ++i)
      rowStatistics(xData + i * x.stride, x.cols, arguments.eps,
                    arguments.mean[i], arguments.rstd[i]);
    if (!arguments.y && !outputs.any())
      return;
    for (int64_t col = 0; col < x.cols; col += quantizeTileCols) {
      const int64_t cols = std::min(quantizeTileCols, x.cols - col);
      const float *gamma = arguments.gamma + col;
      const float *beta = arguments.beta + col;
      for (int64_t i = 0; i < rows; ++i) {
        const auto *xRow = xData + (first + i) * x.stride + col;
        float *tileRow = tile + i * quantizeTileCols;
        const VecF32 mean = hn::Set(F32(), arguments.mean[first + i]);
        const VecF32 rstd = hn::Set(F32(), arguments.rstd[first + i]);
        forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
          VecF32 normalized =
              hn::Mul(hn::Sub(loadF32(xRow + j, count), mean), rstd);
          storeF32(hn::MulAdd(normalized, loadF32(gamma + j, count),
                              loadF32(beta + j, count)),
                   tileRow + j);
        });
        if (arguments.y)
          writeRow(arguments.y->dtype, tileRow,
                   arguments.y->address(first + i, col), cols);
      }
      if (outputs.any())
        quantizeTile(outputs, tile, quantizeTileCols, first, col, rows, cols);
    }
  });
}

/// Computes dx of one row, and adds the row to the sums over rows.
/// With h = (x - mean) * rstd and g = dy * gamma:
/// dx = rstd * (g - mean(g) - h * mean(g * h)).
HWY_INLINE void layerNormGradRow(const LayerNormGradArguments &arguments,
                                 int64_t row, const float *dy, const float *x,
                                 const float *residual, float *dx,
                                 float *dgamma, float *dbeta) {
  const int64_t n = arguments.x.cols;
  const float *gamma = arguments.gamma;
  const VecF32 mean = hn::Set(F32(), arguments.mean[row]);
  const VecF32 rstd = hn::Set(F32(), arguments.rstd[row]);
  auto normalized = [&](int64_t j, int64_t count) HWY_ATTR {
    return hn::Mul(hn::Sub(loadF32(x + j, count), mean), rstd);
  };
  // Lanes beyond the row are zero in dy, and so in every sum.
  float meanG = sumOf(n,
                      [&](int64_t j, int64_t count) HWY_ATTR {
                        VecF32 dyj = loadF32(dy + j, count);
                        storeF32(hn::Add(loadF32(dbeta + j, count), dyj),
                                 dbeta + j, count);
                        return hn::Mul(dyj, loadF32(gamma + j, count));
                      }) /
                float(n);
  float meanGH = sumOf(n,
                       [&](int64_t j, int64_t count) HWY_ATTR {
                         VecF32 dyh = hn::Mul(loadF32(dy + j, count),
                                              normalized(j, count));
                         if (count < lanesF32())
                           dyh = onlyFirst(dyh, count);
                         storeF32(hn::Add(loadF32(dgamma + j, count), dyh),
                                  dgamma + j, count);
                         return hn::Mul(dyh, loadF32(gamma + j, count));
                       }) /
                 float(n);
  const VecF32 shift = hn::Set(F32(), meanG), slope = hn::Set(F32(), meanGH);
  forVectors(n, [&](int64_t j, int64_t count) HWY_ATTR {
    VecF32 g = hn::Mul(loadF32(dy + j, count), loadF32(gamma + j, count));
    VecF32 inner =
        hn::NegMulAdd(normalized(j, count), slope, hn::Sub(g, shift));
    VecF32 result = hn::Mul(inner, rstd);
    if (residual)
      result = hn::Add(result, loadF32(residual + j, count));
    storeF32(result, dx + j, count);
  });
}

/// `buffers` holds three rows, and dx of a task.
void layerNormGradTask(const LayerNormGradArguments &arguments,
                       QuantizedOutputs &outputs, int64_t task,
                       float *buffers) {
  const int64_t n = arguments.x.cols, stride = gradRowStride(n);
  const int64_t first = task * layerNormRows;
  const int64_t rows = std::min(layerNormRows, arguments.x.rows - first);
  float *dgamma = arguments.dgammaSums + task * n;
  float *dbeta = arguments.dbetaSums + task * n;
  float *dbias = arguments.dbiasSums ? arguments.dbiasSums + task * n : nullptr;
  float *dx = buffers + 3 * stride;
  for (float *sums : {dgamma, dbeta, dbias})
    if (sums)
      std::fill_n(sums, n, 0.0f);
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t row = first + i;
    const float *dy = asF32(arguments.dy, row, 0, n, buffers);
    const float *x = asF32(arguments.x, row, 0, n, buffers + stride);
    const float *residual =
        arguments.residual
            ? asF32(*arguments.residual, row, 0, n, buffers + 2 * stride)
            : nullptr;
    float *dxRow = dx + i * stride;
    layerNormGradRow(arguments, row, dy, x, residual, dxRow, dgamma, dbeta);
    if (arguments.dx)
      writeRow(arguments.dx->dtype, dxRow, arguments.dx->address(row), n);
    if (dbias)
      forVectors(n, [&](int64_t j, int64_t count) HWY_ATTR {
        storeF32(hn::Add(loadF32(dbias + j, count), loadF32(dxRow + j, count)),
                 dbias + j, count);
      });
  }
  if (outputs.any())
    quantizeTile(outputs, dx, stride, first, /*col=*/0, rows, n);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(readGamma);
HWY_EXPORT(readVector);
HWY_EXPORT(layerNormTask);
HWY_EXPORT(layerNormGradTask);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::layerNorm(Execution &execution, const tert_tensor &x,
                    const tert_tensor &gamma, const tert_tensor &beta,
                    const tert_tensor *y, const tert_tensor &mean,
                    const tert_tensor &rstd, const tert_quantized &quantized,
                    float eps, bool zeroCentered) {
  Matrix input(x);
  Scratch::Frame frame(execution.scratch);
  float *gammaRow = frame.take<float>(input.cols);
  float *betaRow = frame.take<float>(input.cols);
  HWY_DYNAMIC_DISPATCH(readGamma)(Matrix(gamma), zeroCentered, gammaRow);
  HWY_DYNAMIC_DISPATCH(readVector)(Matrix(beta), betaRow);
  LayerNormArguments arguments{input,
                               gammaRow,
                               betaRow,
                               optionalMatrix(y),
                               static_cast<float *>(mean.data),
                               static_cast<float *>(rstd.data),
                               eps};
  QuantizedOutputs outputs(input.rows, input.cols, quantized);
  auto kernel = HWY_DYNAMIC_DISPATCH(layerNormTask);
  execution.pool.parallelFor(
      ceilDiv(input.rows, layerNormRows),
      [&](int64_t task, int) { kernel(arguments, outputs, task); });
  outputs.finish();
}

void cpu::layerNormGrad(Execution &execution, const tert_tensor &dy,
                        const tert_tensor &x, const tert_tensor &gamma,
                        const tert_tensor &mean, const tert_tensor &rstd,
                        const tert_tensor *residual, const tert_tensor *dx,
                        const tert_tensor &dgamma, const tert_tensor &dbeta,
                        const tert_quantized &quantized,
                        const tert_tensor *dbias, bool zeroCentered) {
  Matrix input(x);
  const int64_t n = input.cols;
  const int64_t numTasks = ceilDiv(input.rows, layerNormRows);
  const int64_t bufferSize = (3 + layerNormRows) * gradRowStride(n);
  Scratch::Frame frame(execution.scratch);
  float *gammaRow = frame.take<float>(n);
  HWY_DYNAMIC_DISPATCH(readGamma)(Matrix(gamma), zeroCentered, gammaRow);
  LayerNormGradArguments arguments{Matrix(dy),
                                   input,
                                   gammaRow,
                                   static_cast<const float *>(mean.data),
                                   static_cast<const float *>(rstd.data),
                                   optionalMatrix(residual),
                                   optionalMatrix(dx),
                                   frame.take<float>(numTasks * n),
                                   frame.take<float>(numTasks * n),
                                   dbias ? frame.take<float>(numTasks * n)
                                         : nullptr};
  float *buffers =
      frame.take<float>(execution.pool.getNumThreads() * bufferSize);
  QuantizedOutputs outputs(input.rows, n, quantized);
  auto kernel = HWY_DYNAMIC_DISPATCH(layerNormGradTask);
  execution.pool.parallelFor(numTasks, [&](int64_t task, int worker) {
    kernel(arguments, outputs, task, buffers + worker * bufferSize);
  });
  outputs.finish();
  sumRows(execution, arguments.dgammaSums, numTasks, Matrix(dgamma));
  sumRows(execution, arguments.dbetaSums, numTasks, Matrix(dbeta));
  if (dbias)
    sumRows(execution, arguments.dbiasSums, numTasks, Matrix(*dbias));
}

#endif // HWY_ONCE
