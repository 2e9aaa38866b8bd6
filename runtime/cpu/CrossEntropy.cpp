// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Integers.h"
#include "cpu/Loops.h"
#include "program/Error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/CrossEntropy.cpp"
#include <hwy/foreach_target.h>

#include "cpu/VectorMath-inl.h"

#include <cmath>
#include <limits>
#include <string>

#ifndef TERT_CPU_CROSSENTROPY_TERMS
#define TERT_CPU_CROSSENTROPY_TERMS
namespace tert::cpu {
/// Terms of a row's loss besides lse - logits[label] (tert/ops.h).
struct LossTerms {
  bool none() const { return smoothing == 0 && zLoss == 0; }

  float smoothing, zLoss;
};
} // namespace tert::cpu
#endif

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// log(sum(exp(x[0, n)))).
template <typename T> HWY_INLINE float logSumExp(const T *x, int64_t n) {
  const F32 d;
  const VecF32 lowest = hn::Set(d, -std::numeric_limits<float>::infinity());
  VecF32 highest = lowest;
  forVectors(n, [&](int64_t j, int64_t count) HWY_ATTR {
    VecF32 v = loadF32(x + j, count);
    if (count < lanesF32())
      v = hn::IfThenElse(hn::FirstN(d, count), v, lowest);
    highest = hn::Max(highest, v);
  });
  float shift = hn::GetLane(hn::MaxOfLanes(d, highest));
  // All are -infinity: their sum is 0, not NaN.
  if (shift == -std::numeric_limits<float>::infinity())
    shift = 0.0f;
  // Partial sums are added in f64: a vocabulary is too long for one f32 sum.
  constexpr int64_t piece = 1024;
  double total = 0.0;
  for (int64_t first = 0; first < n; first += piece) {
    VecF32 sum = hn::Zero(d);
    forVectors(std::min(piece, n - first), [&](int64_t j,
                                               int64_t count) HWY_ATTR {
      VecF32 e =
          expOrZero(hn::Sub(loadF32(x + first + j, count), hn::Set(d, shift)));
      if (count < lanesF32())
        e = hn::IfThenElseZero(hn::FirstN(d, count), e);
      sum = hn::Add(sum, e);
    });
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  return float(shift + std::log(total));
}

/// sum(x[0, n)) / n.
template <typename T> HWY_INLINE double meanOf(const T *x, int64_t n) {
  constexpr int64_t piece = 1024;
  double total = 0.0;
  for (int64_t first = 0; first < n; first += piece) {
    VecF32 sum = hn::Zero(F32());
    forVectors(std::min(piece, n - first),
               [&](int64_t j, int64_t count) HWY_ATTR {
                 sum = hn::Add(sum, loadF32(x + first + j, count));
               });
    total += hn::GetLane(hn::SumOfLanes(F32(), sum));
  }
  return total / double(n);
}

/// Computes lse and loss of rows [first, last). The loss of a row without a
/// label is 0.
void crossEntropyRows(const Matrix &logits, const Integers &labels,
                      int64_t ignoreIndex, const LossTerms &terms, float *lse,
                      float *losses, int64_t first, int64_t last) {
  withFloat(logits.dtype, logits.data, [&](auto *data) HWY_ATTR {
    for (int64_t i = first; i < last; ++i) {
      auto *row = data + i * logits.stride;
      lse[i] = logSumExp(row, logits.cols);
      losses[i] = 0.0f;
      if (labels[i] != ignoreIndex) {
        float logit;
        readRow(logits.dtype, row + labels[i], &logit, 1);
        losses[i] = lse[i] - logit;
        if (terms.smoothing != 0)
          losses[i] =
              float((1.0 - terms.smoothing) * (double(lse[i]) - logit) +
                    terms.smoothing * (lse[i] - meanOf(row, logits.cols)));
        if (terms.zLoss != 0)
          losses[i] += terms.zLoss * lse[i] * lse[i];
      }
    }
  });
}

/// Rows [first, last) of dlogits = factor * (slope * exp(logits - lse) -
/// target), with slope 1 and a target of 1 at the label if there are no terms.
/// Each element is read before it is written, so both may be the same tensor.
void crossEntropyGradRows(const Matrix &logits, const Integers &labels,
                          int64_t ignoreIndex, const LossTerms &terms,
                          const float *lse, float factor, const Matrix &dlogits,
                          int64_t first, int64_t last) {
  const F32 d;
  for (int64_t i = first; i < last; ++i) {
    if (labels[i] == ignoreIndex) {
      std::memset(dlogits.address(i), 0, dlogits.cols * bytesOf(dlogits.dtype));
      continue;
    }
    float logit;
    readRow(logits.dtype, logits.address(i, labels[i]), &logit, 1);
    const VecF32 shift = hn::Set(d, lse[i]), scale = hn::Set(d, factor);
    const bool plain = terms.none();
    const float slope = 1.0f + 2.0f * terms.zLoss * lse[i];
    const float share = terms.smoothing / float(logits.cols);
    withFloat(logits.dtype, logits.address(i), [&](auto *x) HWY_ATTR {
      withFloat(dlogits.dtype, dlogits.address(i), [&](auto *dx) HWY_ATTR {
        forVectors(logits.cols, [&](int64_t j, int64_t count) HWY_ATTR {
          VecF32 p = expOrZero(hn::Sub(loadF32(x + j, count), shift));
          if (!plain)
            p = hn::MulSub(p, hn::Set(d, slope), hn::Set(d, share));
          storeF32(hn::Mul(p, scale), dx + j, count);
        });
      });
    });
    float p = hn::GetLane(expOrZero(hn::Set(d, logit - lse[i])));
    float atLabel = (p - 1.0f) * factor;
    if (!plain)
      atLabel = (p * slope - share - (1.0f - terms.smoothing)) * factor;
    writeRow(dlogits.dtype, &atLabel, dlogits.address(i, labels[i]), 1);
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(crossEntropyRows);
HWY_EXPORT(crossEntropyGradRows);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Checks the labels and counts those that are not ignored.
static int64_t checkLabels(const Integers &labels, int64_t rows,
                           int64_t classes, int64_t ignoreIndex) {
  int64_t count = 0;
  for (int64_t i = 0; i < rows; ++i) {
    if (labels[i] == ignoreIndex)
      continue;
    if (labels[i] < 0 || labels[i] >= classes)
      throw Error(TERT_INVALID_DATA,
                  "label " + std::to_string(labels[i]) + " at position " +
                      std::to_string(i) + " is neither a class in [0, " +
                      std::to_string(classes) + ") nor the ignored " +
                      std::to_string(ignoreIndex));
    ++count;
  }
  return count;
}

void cpu::countLabels(Execution &, const tert_tensor &labels,
                      const tert_tensor &count, int64_t classes,
                      int64_t ignoreIndex) {
  scalarOf(count) = float(
      checkLabels(Integers(labels), sizeOf(labels, 0), classes, ignoreIndex));
}

void cpu::crossEntropy(Execution &execution, const tert_tensor &logits,
                       const tert_tensor &labels, const tert_tensor &loss,
                       const tert_tensor &lse, const tert_tensor &count,
                       int64_t ignoreIndex, tert_reduction reduction,
                       float labelSmoothing, float zLoss) {
  const LossTerms terms{labelSmoothing, zLoss};
  Matrix scores(logits);
  Integers classes(labels);
  const int64_t counted =
      checkLabels(classes, scores.rows, scores.cols, ignoreIndex);
  Scratch::Frame frame(execution.scratch);
  float *losses = frame.take<float>(scores.rows);
  RowTasks tasks(scores.rows, scores.cols);
  auto rows = HWY_DYNAMIC_DISPATCH(crossEntropyRows);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    int64_t first = tasks.first(task);
    rows(scores, classes, ignoreIndex, terms, static_cast<float *>(lse.data),
         losses, first, first + tasks.size(task));
  });
  double total = 0.0;
  for (int64_t i = 0; i < scores.rows; ++i)
    total += losses[i];
  if (reduction == TERT_MEAN && counted > 0)
    total /= double(counted);
  scalarOf(loss) = float(total);
  scalarOf(count) = float(counted);
}

void cpu::crossEntropyGrad(Execution &execution, const tert_tensor &dloss,
                           const tert_tensor &logits, const tert_tensor &labels,
                           const tert_tensor &lse, const tert_tensor &count,
                           const tert_tensor &dlogits, int64_t ignoreIndex,
                           tert_reduction reduction, float labelSmoothing,
                           float zLoss) {
  const LossTerms terms{labelSmoothing, zLoss};
  Matrix scores(logits), result(dlogits);
  Integers classes(labels);
  checkLabels(classes, scores.rows, scores.cols, ignoreIndex);
  float factor = scalarOf(dloss);
  if (reduction == TERT_MEAN)
    factor /= scalarOf(count);
  RowTasks tasks(scores.rows, scores.cols);
  auto rows = HWY_DYNAMIC_DISPATCH(crossEntropyGradRows);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    int64_t first = tasks.first(task);
    rows(scores, classes, ignoreIndex, terms,
         static_cast<const float *>(lse.data), factor, result, first,
         first + tasks.size(task));
  });
}

void cpu::crossEntropyWithGrad(Execution &execution, const tert_tensor &dloss,
                               const tert_tensor &labels,
                               const tert_tensor &count,
                               const tert_tensor &logits,
                               const tert_tensor &loss, int64_t ignoreIndex,
                               tert_reduction reduction, float labelSmoothing,
                               float zLoss) {
  const LossTerms terms{labelSmoothing, zLoss};
  Matrix scores(logits);
  Integers classes(labels);
  if (checkLabels(classes, scores.rows, scores.cols, ignoreIndex) == 0) {
    fill(execution, logits, 0.0);
    return;
  }
  const double divisor = reduction == TERT_MEAN ? scalarOf(count) : 1.0f;
  const float factor = scalarOf(dloss) / float(divisor);
  Scratch::Frame frame(execution.scratch);
  float *losses = frame.take<float>(scores.rows);
  float *lse = frame.take<float>(scores.rows);
  RowTasks tasks(scores.rows, scores.cols);
  auto rows = HWY_DYNAMIC_DISPATCH(crossEntropyRows);
  auto gradRows = HWY_DYNAMIC_DISPATCH(crossEntropyGradRows);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
    // One row at a time, so that the second pass finds the row in the cache.
    const int64_t first = tasks.first(task), last = first + tasks.size(task);
    for (int64_t i = first; i < last; ++i) {
      rows(scores, classes, ignoreIndex, terms, lse, losses, i, i + 1);
      gradRows(scores, classes, ignoreIndex, terms, lse, factor, scores, i,
               i + 1);
    }
  });
  double total = 0.0;
  for (int64_t i = 0; i < scores.rows; ++i)
    total += losses[i];
  scalarOf(loss) += float(total / divisor);
}

#endif // HWY_ONCE
