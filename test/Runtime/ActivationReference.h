// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The activation kinds and their derivatives in float64.
#ifndef TERT_TEST_RUNTIME_ACTIVATIONREFERENCE_H
#define TERT_TEST_RUNTIME_ACTIVATIONREFERENCE_H

#include "tert/types.h"

#include <cmath>

namespace tert_test {

inline double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

inline double activation(int32_t kind, double x) {
  switch (kind) {
  case TERT_GELU_ERF:
    return x / 2 * std::erfc(-x / std::sqrt(2.0));
  case TERT_GELU_TANH:
    return x / 2 *
           (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  case TERT_QUICK_GELU:
    return x * sigmoid(1.702 * x);
  case TERT_RELU:
    return x > 0 ? x : 0;
  case TERT_SQUARED_RELU:
    return x > 0 ? x * x : 0;
  case TERT_SILU:
    return x * sigmoid(x);
  case TERT_SIGMOID:
    return sigmoid(x);
  default:
    return std::tanh(x);
  }
}

inline double activationGrad(int32_t kind, double x) {
  double root = std::sqrt(2 / M_PI), s;
  switch (kind) {
  case TERT_GELU_ERF:
    return std::erfc(-x / std::sqrt(2.0)) / 2 +
           x * std::exp(-x * x / 2) / std::sqrt(2 * M_PI);
  case TERT_GELU_TANH:
    s = std::tanh(root * (x + 0.044715 * x * x * x));
    return (1 + s) / 2 +
           x / 2 * (1 - s * s) * root * (1 + 3 * 0.044715 * x * x);
  case TERT_QUICK_GELU:
    s = sigmoid(1.702 * x);
    return s + 1.702 * x * s * (1 - s);
  case TERT_RELU:
    return x > 0;
  case TERT_SQUARED_RELU:
    return x > 0 ? 2 * x : 0;
  case TERT_SILU:
    s = sigmoid(x);
    return s + x * s * (1 - s);
  case TERT_SIGMOID:
    return sigmoid(x) * (1 - sigmoid(x));
  default:
    return 1 - std::pow(std::tanh(x), 2);
  }
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_ACTIVATIONREFERENCE_H
