// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantization to FP8 and delayed scaling, from their definitions and LLVM's
// description of the formats: no code of the runtime.

#ifndef TE_TEST_LIB_FP8_H
#define TE_TEST_LIB_FP8_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"

#include <cfloat>
#include <cmath>

namespace mlir::te::test {

/// The largest finite number of a format.
inline double largestOf(Type format) {
  APFloat largest =
      APFloat::getLargest(cast<FloatType>(format).getFloatSemantics());
  bool loses;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return largest.convertToDouble();
}

/// The float32 product `x * scale` in `format`: to nearest even, saturated; NaN
/// stays.
class Quantizer {
public:
  Quantizer(Type format, double scale)
      : scale(float(scale)), largest(largestOf(format)) {
    const llvm::fltSemantics &semantics =
        cast<FloatType>(format).getFloatSemantics();
    digits = int(APFloat::semanticsPrecision(semantics));
    least = APFloat::semanticsMinExponent(semantics);
  }

  double operator()(double x) const {
    // Both are float32 numbers, up to errors of an evaluation in float64 that
    // the first rounding takes away.
    double value = float(x) * scale;
    if (std::isnan(value))
      return value;
    if (std::abs(value) >= largest)
      return std::copysign(largest, value);
    if (value == 0)
      return value;
    // A multiple of the distance between neighbours.
    double unit =
        std::ldexp(1.0, std::max(std::ilogb(value), least) - digits + 1);
    return std::nearbyint(value / unit) * unit;
  }

private:
  float scale;
  double largest;
  int digits, least;
};

/// te.compute_scale.
inline float scaleOf(Type format, float amax, int margin) {
  if (!std::isfinite(amax) || amax == 0)
    return 1;
  float scale = float(largestOf(format) * std::ldexp(1.0, -margin)) / amax;
  return std::isinf(scale) ? FLT_MAX : scale;
}

/// The same in E8M0: the least power of two in range with which the largest
/// number of the format reaches the amax.
inline double e8m0Of(Type format, double amax) {
  if (std::isnan(amax))
    return amax;
  double scale = 0x1p-127;
  while (scale < 0x1p127 && largestOf(format) * scale < amax)
    scale *= 2;
  return scale;
}

} // namespace mlir::te::test

#endif // TE_TEST_LIB_FP8_H
