// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// States of optimizers in FP8.
#ifndef TERT_UPDATE_NARROW_H
#define TERT_UPDATE_NARROW_H

#include "update/RuleScalars.h"

namespace tert {

/// Elements of a row that share a scale.
constexpr int64_t stateBlock = 128;
/// The smallest scale: its reciprocal is finite.
constexpr float smallestStateScale = 0x1p-126f;

/// An FP8 format as rounding sees it.
struct Fp8Rounding {
  int mantissaBits;
  uint32_t smallestNormal; ///< as bits of f32
  float smallest, largest; ///< positive numbers

  static TERT_HOST_DEVICE Fp8Rounding of(bool isE5M2) {
    return isE5M2 ? Fp8Rounding{2, (127u - 14) << 23, 0x1p-16f, 57344.0f}
                  : Fp8Rounding{3, (127u - 6) << 23, 0x1p-9f, 448.0f};
  }
};

} // namespace tert

#endif // TERT_UPDATE_NARROW_H
