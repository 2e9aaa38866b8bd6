// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"
#include "cpu/RowSums.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/RMSNorm.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Normalize-inl.h"
#include "cpu/Quantize-inl.h"

#include <cmath>
#include <optional>

#ifndef TERT_CPU_RMSNORM_ARGUMENTS
#define TERT_CPU_RMSNORM_ARGUMENTS
namespace tert::cpu {

/// Rows of one task.
constexpr int64_t rmsNormRows = quantizeTileRows;

struct RMSNormArguments {
  Matrix x;
  const float *gamma; // [N]; 1 is added to it if stored zero-centered
  std::optional<Matrix> y;
  float *rstd;
  std::optional<float> eps; ///< if absent, `rstd` is read, not computed
};

struct RMSNormGradArguments {
  Matrix dy;
  Matrix x;
  const float *gamma; // as above
  const float *rstd;
  std::optional<Matrix> residual;
  std::optional<Matrix> dx;
  float *dgammaSums; // [tasks, N]
};

} // namespace tert::cpu
#endif // TERT_CPU_RMSNORM_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

void rmsNormTask(const RMSNormArguments &arguments, QuantizedOutputs &outputs,
                 int64_t task) {
  const Matrix &x = arguments.x;
  const int64_t first = task * rmsNormRows;
  const int64_t rows = std::min(rmsNormRows, x.rows - first);
  HWY_ALIGN float tile[quantizeTileRows * quantizeTileCols];
  withFloat(x.dtype, x.data, [&](auto *xData) HWY_ATTR {
    for (int64_t i = first; arguments.eps && i < first + rows; ++i) {
      const auto *xRow = xData + i * x.stride;
      float meanSquare = sumOf(x.cols,
                               [&](int64_t j, int64_t count) HWY_ATTR {
                                 VecF32 v = loadF32(xRow + j, count);
                                 return hn::Mul(v, v);
                               }) /
                         float(x.cols);
      arguments.rstd[i] = 1.0f / std::sqrt(meanSquare + *arguments.eps);
    }
    if (!arguments.y && !outputs.any())
      return;
    for (int64_t col = 0; col < x.cols; col += quantizeTileCols) {
      const int64_t cols = std::min(quantizeTileCols, x.cols - col);
      const float *gamma = arguments.gamma + col;
      for (int64_t i = 0; i < rows; ++i) {
        const auto *xRow = xData + (first + i) * x.stride + col;
        float *tileRow = tile + i * quantizeTileCols;
        const VecF32 rstd = hn::Set(F32(), arguments.rstd[first + i]);
        forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
          VecF32 normalized = hn::Mul(loadF32(xRow + j, count), rstd);
          storeF32(hn::Mul(normalized, loadF32(gamma + j, count)), tileRow + j);
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

/// mean(c * n) of a row, with n = x * rstd and c = dy * gamma.
template <typename T, typename U>
HWY_INLINE float meanOfProduct(const T *dy, const U *x, const float *gamma,
                               float rstd, int64_t n) {
  const VecF32 factor = hn::Set(F32(), rstd);
  // Lanes beyond the row are zero in all of them.
  return sumOf(n,
               [&](int64_t j, int64_t count) HWY_ATTR {
                 VecF32 c =
                     hn::Mul(loadF32(dy + j, count), loadF32(gamma + j, count));
                 return hn::Mul(c, hn::Mul(loadF32(x + j, count), factor));
               }) /
         float(n);
}

/// dx = rstd * (c - n * mean(c * n)) + residual, and the sums for dgamma.
void rmsNormGradTask(const RMSNormGradArguments &arguments,
                     QuantizedOutputs &outputs, int64_t task) {
  const Matrix &x = arguments.x, &dy = arguments.dy;
  const int64_t first = task * rmsNormRows;
  const int64_t rows = std::min(rmsNormRows, x.rows - first);
  float slopes[rmsNormRows];
  withFloat(dy.dtype, dy.data, [&](auto *dyData) HWY_ATTR {
    withFloat(x.dtype, x.data, [&](auto *xData) HWY_ATTR {
      for (int64_t i = 0; i < rows; ++i)
        slopes[i] = meanOfProduct(
            dyData + (first + i) * dy.stride, xData + (first + i) * x.stride,
            arguments.gamma, arguments.rstd[first + i], x.cols);
    });
  });

  HWY_ALIGN float tile[quantizeTileRows * quantizeTileCols];
  HWY_ALIGN float dyBuffer[quantizeTileCols], xBuffer[quantizeTileCols],
      residualBuffer[quantizeTileCols];
  for (int64_t col = 0; col < x.cols; col += quantizeTileCols) {
    const int64_t cols = std::min(quantizeTileCols, x.cols - col);
    const float *gamma = arguments.gamma + col;
    float *dgamma = arguments.dgammaSums + task * x.cols + col;
    std::fill_n(dgamma, cols, 0.0f);
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t row = first + i;
      const float *dyRow = asF32(dy, row, col, cols, dyBuffer);
      const float *xRow = asF32(x, row, col, cols, xBuffer);
      const float *residual =
          arguments.residual
              ? asF32(*arguments.residual, row, col, cols, residualBuffer)
              : nullptr;
      float *tileRow = tile + i * quantizeTileCols;
      const VecF32 rstd = hn::Set(F32(), arguments.rstd[row]);
      const VecF32 slope = hn::Set(F32(), slopes[i]);
      forVectors(cols, [&](int64_t j, int64_t count) HWY_ATTR {
        VecF32 dyj = loadF32(dyRow + j, count);
        VecF32 normalized = hn::Mul(loadF32(xRow + j, count), rstd);
        storeF32(hn::MulAdd(dyj, normalized, loadF32(dgamma + j, count)),
                 dgamma + j, count);
        VecF32 c = hn::Mul(dyj, loadF32(gamma + j, count));
        VecF32 result = hn::Mul(hn::NegMulAdd(normalized, slope, c), rstd);
        if (residual)
          result = hn::Add(result, loadF32(residual + j, count));
        storeF32(result, tileRow + j);
      });
      if (arguments.dx)
        writeRow(arguments.dx->dtype, tileRow, arguments.dx->address(row, col),
                 cols);
    }
    if (outputs.any())
      quantizeTile(outputs, tile, quantizeTileCols, first, col, rows, cols);
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(readGamma);
HWY_EXPORT(rmsNormTask);
HWY_EXPORT(rmsNormGradTask);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

static void normalize(Execution &execution, const tert_tensor &x,
                      const tert_tensor &gamma, const tert_tensor *y,
                      const tert_tensor &rstd, const tert_quantized &quantized,
                      std::optional<float> eps, bool zeroCentered) {
  Matrix input(x);
  Scratch::Frame frame(execution.scratch);
  float *gammaRow = frame.take<float>(input.cols);
  HWY_DYNAMIC_DISPATCH(readGamma)(Matrix(gamma), zeroCentered, gammaRow);
  RMSNormArguments arguments{input, gammaRow, optionalMatrix(y),
                             static_cast<float *>(rstd.data), eps};
  QuantizedOutputs outputs(input.rows, input.cols, quantized);
  auto kernel = HWY_DYNAMIC_DISPATCH(rmsNormTask);
  execution.pool.parallelFor(
      ceilDiv(input.rows, rmsNormRows),
      [&](int64_t task, int) { kernel(arguments, outputs, task); });
  outputs.finish();
}

void cpu::rmsNorm(Execution &execution, const tert_tensor &x,
                  const tert_tensor &gamma, const tert_tensor *y,
                  const tert_tensor &rstd, const tert_quantized &quantized,
                  float eps, bool zeroCentered) {
  normalize(execution, x, gamma, y, rstd, quantized, eps, zeroCentered);
}

void cpu::rmsNormGrad(Execution &execution, const tert_tensor &dy,
                      const tert_tensor &x, const tert_tensor &gamma,
                      const tert_tensor &rstd, const tert_tensor *residual,
                      const tert_tensor *dx, const tert_tensor &dgamma,
                      const tert_quantized &quantized, bool zeroCentered) {
  Matrix input(x);
  const int64_t numTasks = ceilDiv(input.rows, rmsNormRows);
  Scratch::Frame frame(execution.scratch);
  float *gammaRow = frame.take<float>(input.cols);
  HWY_DYNAMIC_DISPATCH(readGamma)(Matrix(gamma), zeroCentered, gammaRow);
  RMSNormGradArguments arguments{Matrix(dy),
                                 input,
                                 gammaRow,
                                 static_cast<const float *>(rstd.data),
                                 optionalMatrix(residual),
                                 optionalMatrix(dx),
                                 frame.take<float>(numTasks * input.cols)};
  QuantizedOutputs outputs(input.rows, input.cols, quantized);
  auto kernel = HWY_DYNAMIC_DISPATCH(rmsNormGradTask);
  execution.pool.parallelFor(
      numTasks, [&](int64_t task, int) { kernel(arguments, outputs, task); });
  outputs.finish();
  sumRows(execution, arguments.dgammaSums, numTasks, Matrix(dgamma));
}

void cpu::rmsNormGradRecompute(Execution &execution, const tert_tensor &dy,
                               const tert_tensor &x, const tert_tensor &gamma,
                               const tert_tensor &rstd,
                               const tert_tensor &yScale,
                               const tert_tensor *residual,
                               const tert_tensor *dx, const tert_tensor &dgamma,
                               const tert_quantized &quantized,
                               const tert_tensor &yColumnwise,
                               bool zeroCentered) {
  tert_quantized copy = {};
  copy.scale = &yScale;
  copy.columnwise.data = &yColumnwise;
  normalize(execution, x, gamma, /*y=*/nullptr, rstd, copy,
            /*eps=*/std::nullopt, zeroCentered);
  rmsNormGrad(execution, dy, x, gamma, rstd, residual, dx, dgamma, quantized,
              zeroCentered);
}

#endif // HWY_ONCE
