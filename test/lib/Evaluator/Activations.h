// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations and their derivatives in float64.

#ifndef TE_TEST_LIB_EVALUATOR_ACTIVATIONS_H
#define TE_TEST_LIB_EVALUATOR_ACTIVATIONS_H

#include "../Rounding.h"
#include "te/Dialect/TE/IR/TE.h"

#include <cmath>

namespace mlir::te::test {

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
inline constexpr double kSqrt2 = 1.41421356237309504880;
inline constexpr double kSqrt2OverPi = 0.79788456080286535588;
inline constexpr double kInvSqrt2Pi = 0.39894228040143267794;

/// tanh of gelu_tanh's argument, as the term that programs compute: where 1
/// plus it cancels, what is left is its rounding error.
inline double geluTanh(double x, Rounding &round) {
  const double t = std::tanh(kSqrt2OverPi * (x + 0.044715 * x * x * x));
  return round.relative != 0 ? round(t) : t;
}

inline double activate(ActivationKind kind, double x, Rounding &round) {
  switch (kind) {
  case ActivationKind::GeluErf:
    return 0.5 * x * (1 + std::erf(x / kSqrt2));
  case ActivationKind::GeluTanh:
    return 0.5 * x * (1 + geluTanh(x, round));
  case ActivationKind::QuickGelu:
    return x * sigmoid(1.702 * x);
  case ActivationKind::Relu:
    return x > 0 ? x : 0;
  case ActivationKind::SquaredRelu:
    return x > 0 ? x * x : 0;
  case ActivationKind::Silu:
    return x * sigmoid(x);
  case ActivationKind::Sigmoid:
    return sigmoid(x);
  case ActivationKind::Tanh:
    return std::tanh(x);
  }
  llvm_unreachable("unknown activation");
}

inline double activateDerivative(ActivationKind kind, double x,
                                 Rounding &round) {
  switch (kind) {
  case ActivationKind::GeluErf:
    return 0.5 * (1 + std::erf(x / kSqrt2)) +
           x * kInvSqrt2Pi * std::exp(-0.5 * x * x);
  case ActivationKind::GeluTanh: {
    double t = geluTanh(x, round);
    return 0.5 * (1 + t) +
           0.5 * x * (1 - t * t) * kSqrt2OverPi * (1 + 3 * 0.044715 * x * x);
  }
  case ActivationKind::QuickGelu: {
    double s = sigmoid(1.702 * x);
    return s + 1.702 * x * s * (1 - s);
  }
  case ActivationKind::Relu:
    return x > 0 ? 1 : 0;
  case ActivationKind::SquaredRelu:
    return x > 0 ? 2 * x : 0;
  case ActivationKind::Silu: {
    double s = sigmoid(x);
    return s + x * s * (1 - s);
  }
  case ActivationKind::Sigmoid: {
    double s = sigmoid(x);
    return s * (1 - s);
  }
  case ActivationKind::Tanh: {
    double t = std::tanh(x);
    return 1 - t * t;
  }
  }
  llvm_unreachable("unknown activation");
}

} // namespace mlir::te::test

#endif // TE_TEST_LIB_EVALUATOR_ACTIVATIONS_H
