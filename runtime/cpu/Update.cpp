// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of parameters: AdamW and gradient descent with momentum.

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"

#include <cmath>

// Shared by all instruction sets, so seen once.
#ifndef TERT_CPU_UPDATE_SHARED
#define TERT_CPU_UPDATE_SHARED
namespace tert::cpu {

/// What one AdamW step multiplies with, the same for every element.
struct AdamwFactors {
  float coefficient; // of the gradient
  float beta1, oneMinusBeta1;
  float beta2, oneMinusBeta2;
  float decay;             // 1 - lr * weight_decay, or 1
  float stepSize;          // lr / (1 - beta1^step)
  float inverseCorrection; // 1 / sqrt(1 - beta2^step)
  float eps;
};

/// The same of gradient descent.
struct SgdFactors {
  float coefficient; // of the gradient
  float lr;
  float weightDecay; // used if decays
  float momentum;    // used if hasMomentum
  float oneMinusDampening;
  bool decays, hasMomentum, isFirst, nesterov;
};

/// The tensors of a step, as matrices of one shape. A state that there is none
/// of is the parameter again.
struct UpdateTensors {
  Matrix gradient, param, states[2];
};

} // namespace tert::cpu
#endif // TERT_CPU_UPDATE_SHARED

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Update.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// One AdamW step on n consecutive elements.
template <typename T>
HWY_INLINE void stepRow(const AdamwFactors &factors, const T *gradient,
                        float *param, float *expAvg, float *expAvgSq,
                        int64_t n) {
  F32 d;
  auto coefficient = hn::Set(d, factors.coefficient);
  auto beta1 = hn::Set(d, factors.beta1);
  auto oneMinusBeta1 = hn::Set(d, factors.oneMinusBeta1);
  auto beta2 = hn::Set(d, factors.beta2);
  auto oneMinusBeta2 = hn::Set(d, factors.oneMinusBeta2);
  auto decay = hn::Set(d, factors.decay);
  auto stepSize = hn::Set(d, factors.stepSize);
  auto inverseCorrection = hn::Set(d, factors.inverseCorrection);
  auto eps = hn::Set(d, factors.eps);
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    VecF32 g = hn::Mul(loadF32(gradient + i, count), coefficient);
    VecF32 m = hn::MulAdd(oneMinusBeta1, g,
                          hn::Mul(beta1, loadF32(expAvg + i, count)));
    VecF32 v = hn::MulAdd(oneMinusBeta2, hn::Mul(g, g),
                          hn::Mul(beta2, loadF32(expAvgSq + i, count)));
    VecF32 root = hn::MulAdd(hn::Sqrt(v), inverseCorrection, eps);
    VecF32 p = hn::Mul(decay, loadF32(param + i, count));
    p = hn::NegMulAdd(stepSize, hn::Div(m, root), p);
    storeF32(m, expAvg + i, count);
    storeF32(v, expAvgSq + i, count);
    storeF32(p, param + i, count);
  });
}

/// One step of gradient descent on n consecutive elements.
template <typename T>
HWY_INLINE void stepRow(const SgdFactors &factors, const T *gradient,
                        float *param, float *buffer, float *, int64_t n) {
  F32 d;
  auto coefficient = hn::Set(d, factors.coefficient);
  auto lr = hn::Set(d, factors.lr);
  auto weightDecay = hn::Set(d, factors.weightDecay);
  auto momentum = hn::Set(d, factors.momentum);
  auto oneMinusDampening = hn::Set(d, factors.oneMinusDampening);
  forVectors(n, [&](int64_t i, int64_t count) HWY_ATTR {
    VecF32 p = loadF32(param + i, count);
    VecF32 g = hn::Mul(loadF32(gradient + i, count), coefficient);
    if (factors.decays)
      g = hn::MulAdd(weightDecay, p, g);
    if (factors.hasMomentum) {
      VecF32 b = g;
      if (!factors.isFirst)
        b = hn::MulAdd(momentum, loadF32(buffer + i, count),
                       hn::Mul(oneMinusDampening, g));
      storeF32(b, buffer + i, count);
      g = factors.nesterov ? hn::MulAdd(momentum, b, g) : b;
    }
    storeF32(hn::NegMulAdd(lr, g, p), param + i, count);
  });
}

/// One step on rows [row, row + rows) and columns [col, col + cols).
template <typename Factors>
HWY_INLINE void stepBlock(const UpdateTensors &x, const Factors &factors,
                          int64_t row, int64_t rows, int64_t col,
                          int64_t cols) {
  for (int64_t i = row; i < row + rows; ++i)
    withFloat(x.gradient.dtype, x.gradient.address(i, col),
              [&](auto *gradient) HWY_ATTR {
                stepRow(factors, gradient, x.param.row<float>(i) + col,
                        x.states[0].row<float>(i) + col,
                        x.states[1].row<float>(i) + col, cols);
              });
}

void adamwBlock(const UpdateTensors &x, const AdamwFactors &factors,
                int64_t row, int64_t rows, int64_t col, int64_t cols) {
  stepBlock(x, factors, row, rows, col, cols);
}

void sgdBlock(const UpdateTensors &x, const SgdFactors &factors, int64_t row,
              int64_t rows, int64_t col, int64_t cols) {
  stepBlock(x, factors, row, rows, col, cols);
}

/// Quantizes a block of the new parameter, right after its step.
void quantizeBlock(const Matrix &param, QuantizedOutputs &outputs, int64_t row,
                   int64_t rows, int64_t col, int64_t cols) {
  quantizeTile(outputs, param.row<float>(row) + col, param.stride, row, col,
               rows, cols);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(adamwBlock);
HWY_EXPORT(sgdBlock);
HWY_EXPORT(quantizeBlock);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Runs `stepOn` on all of a parameter, unless the step is skipped, and
/// quantizes what is there then.
template <typename Factors, typename StepOn>
static void update(Execution &execution, const ParameterUpdate &parameter,
                   const Factors &factors, const StepOn &stepOn) {
  const bool skip = std::isnan(factors.coefficient);
  const tert_tensor &param = *parameter.param;
  auto state = [&](int i) -> const tert_tensor & {
    return parameter.states[i] ? *parameter.states[i] : param;
  };
  if (!wantsAny(parameter.quantized)) {
    if (skip)
      return;
    forEachMatrix(
        [&](const Matrix &gradient, const Matrix &p, const Matrix &first,
            const Matrix &second) {
          UpdateTensors tensors = {gradient, p, {first, second}};
          RowTasks tasks(p.rows, p.cols);
          execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
            stepOn(tensors, factors, tasks.first(task), tasks.size(task), 0,
                   p.cols);
          });
        },
        *parameter.gradient, param, state(0), state(1));
    return;
  }

  UpdateTensors tensors = {Matrix(*parameter.gradient),
                           Matrix(param),
                           {Matrix(state(0)), Matrix(state(1))}};
  const Matrix &p = tensors.param;
  QuantizedOutputs outputs(p.rows, p.cols, parameter.quantized);
  auto quantizeOne = HWY_DYNAMIC_DISPATCH(quantizeBlock);
  int64_t tilesPerRow = ceilDiv(p.cols, quantizeTileCols);
  execution.pool.parallelFor(
      ceilDiv(p.rows, quantizeTileRows) * tilesPerRow, [&](int64_t task, int) {
        int64_t row = task / tilesPerRow * quantizeTileRows;
        int64_t col = task % tilesPerRow * quantizeTileCols;
        int64_t rows = std::min(quantizeTileRows, p.rows - row);
        int64_t cols = std::min(quantizeTileCols, p.cols - col);
        if (!skip)
          stepOn(tensors, factors, row, rows, col, cols);
        quantizeOne(p, outputs, row, rows, col, cols);
      });
  outputs.finish();
}

void cpu::adamw(Execution &execution, const AdamwScalars &scalars,
                const ParameterUpdate &parameter) {
  // Factors in f64, each rounded once.
  double rate = scalarOf(scalars.lr);
  double b1 = scalarOf(scalars.beta1), b2 = scalarOf(scalars.beta2);
  double t = static_cast<double>(scalarOf<int64_t>(scalars.step));
  AdamwFactors factors = {
      scalarOf(scalars.coefficient),
      scalarOf(scalars.beta1),
      static_cast<float>(1 - b1),
      scalarOf(scalars.beta2),
      static_cast<float>(1 - b2),
      parameter.decay
          ? static_cast<float>(1 - rate * scalarOf(scalars.weightDecay))
          : 1.0f,
      static_cast<float>(rate / (1 - std::pow(b1, t))),
      static_cast<float>(1 / std::sqrt(1 - std::pow(b2, t))),
      scalarOf(scalars.eps)};
  update(execution, parameter, factors, HWY_DYNAMIC_DISPATCH(adamwBlock));
}

void cpu::sgd(Execution &execution, const SgdScalars &scalars,
              const ParameterUpdate &parameter) {
  SgdFactors factors = {
      scalarOf(scalars.coefficient),
      scalarOf(scalars.lr),
      scalarOf(scalars.weightDecay),
      scalars.momentum ? scalarOf(*scalars.momentum) : 0.0f,
      scalars.dampening
          ? static_cast<float>(1 - double(scalarOf(*scalars.dampening)))
          : 1.0f,
      parameter.decay,
      scalars.momentum != nullptr,
      scalarOf<int64_t>(scalars.step) == 1,
      scalars.nesterov};
  update(execution, parameter, factors, HWY_DYNAMIC_DISPATCH(sgdBlock));
}

#endif // HWY_ONCE
