// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison of a gradient with central differences.

#ifndef TE_TEST_LIB_FINITEDIFFERENCES_H
#define TE_TEST_LIB_FINITEDIFFERENCES_H

#include "ReferenceEvaluator.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace mlir::te::test {

/// The largest difference between `gradient` and central differences of `loss`
/// (a function of the state that `at` is part of) in `at`, relative to the
/// largest element of the gradient. Compares up to `samples` elements, spread
/// by a counter, and one direction through all elements. Nothing when `loss`
/// fails.
inline std::optional<double>
compareWithDifferences(HostTensor &at, const HostTensor &gradient,
                       llvm::function_ref<std::optional<double>()> loss,
                       int64_t samples, uint64_t stream) {
  constexpr double h = 1e-5;
  // Gradients that are zero in exact arithmetic are compared absolutely.
  double scale = 1e-3;
  for (double g : gradient.data)
    scale = std::max(scale, std::abs(g));

  double worst = 0;
  int64_t size = at.size();
  for (int64_t s = 0, e = std::min(samples, size); s < e; ++s) {
    int64_t i = size <= samples
                    ? s
                    : static_cast<int64_t>((counterUniform(stream, s) + 1) / 2 *
                                           static_cast<double>(size));
    double x = at[i];
    at[i] = x + h;
    std::optional<double> above = loss();
    at[i] = x - h;
    std::optional<double> below = loss();
    at[i] = x;
    if (!above || !below)
      return std::nullopt;
    double difference = std::abs((*above - *below) / (2 * h) - gradient[i]);
    // NaN is the worst of all.
    if (!(difference / scale <= worst))
      worst = difference / scale;
  }

  HostTensor original = at;
  double expected = 0, length = 0;
  auto move = [&](double by) {
    for (int64_t i = 0; i < size; ++i)
      at[i] = original[i] + by * counterUniform(stream + 1, i);
    return loss();
  };
  for (int64_t i = 0; i < size; ++i) {
    double direction = counterUniform(stream + 1, i);
    expected += gradient[i] * direction;
    length += direction * direction;
  }
  std::optional<double> above = move(h), below = move(-h);
  at = original;
  if (!above || !below)
    return std::nullopt;
  double difference = std::abs((*above - *below) / (2 * h) - expected) /
                      (scale * std::max(1.0, std::sqrt(length)));
  return difference <= worst ? worst : difference;
}

} // namespace mlir::te::test

#endif // TE_TEST_LIB_FINITEDIFFERENCES_H
