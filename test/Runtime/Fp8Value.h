// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TERT_TEST_RUNTIME_FP8VALUE_H
#define TERT_TEST_RUNTIME_FP8VALUE_H

#include "tert/types.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace tert_test {

/// Value of an FP8 or E8M0 code, from the format's definition.
inline double fp8Value(int32_t dtype, uint8_t code) {
  if (dtype == TERT_F8E8M0)
    return code == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1.0, code - 127);
  int mantissaBits = dtype == TERT_F8E4M3 ? 3 : 2;
  int bias = dtype == TERT_F8E4M3 ? 7 : 15;
  int exponent = (code & 0x7f) >> mantissaBits;
  int mantissa = code & ((1 << mantissaBits) - 1);
  double sign = code & 0x80 ? -1.0 : 1.0;
  if (dtype == TERT_F8E4M3 && (code & 0x7f) == 0x7f)
    return std::numeric_limits<double>::quiet_NaN();
  if (dtype == TERT_F8E5M2 && exponent == 31)
    return mantissa ? std::numeric_limits<double>::quiet_NaN()
                    : sign * std::numeric_limits<double>::infinity();
  double significand = mantissa + (exponent ? 1 << mantissaBits : 0);
  return sign * std::ldexp(significand,
                           (exponent ? exponent : 1) - bias - mantissaBits);
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_FP8VALUE_H
