// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Matrix.h"
#include "cpu/Scales.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>

using namespace tert;
using namespace tert::cpu;

/// Largest finite value of `format` times 2^-margin.
static float targetOf(tert_dtype format, int32_t margin) {
  return std::ldexp(format == TERT_F8E5M2 ? 57344.0f : 448.0f, -margin);
}

/// Scale that maps an amax, positive and finite, to `target`.
static float scaleFor(float target, float amax) {
  float scale = target / amax;
  return std::isinf(scale) ? FLT_MAX : scale;
}

/// Of a positive number: without the bits of its mantissa.
static float roundDownToPowerOfTwo(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits &= 0x7f800000;
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

/// The least E8M0 number that is not below `value`, a positive number or 0.
static uint8_t roundUpToE8M0(float value) {
  if (std::isnan(value))
    return 0xff;
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  // 2^-127, the least, is a subnormal float32.
  if (bits <= 0x00400000)
    return 0;
  return std::min<uint32_t>((bits + 0x007fffff) >> 23, 0xfe);
}

/// Scales by which no amax becomes more than `target`.
static void computeE8M0(const tert_tensor &amaxes, const tert_tensor &scale,
                        const tert_tensor &scaleInv, float target) {
  // Transformer Engine multiplies with the reciprocal, too.
  const float factor = 1.0f / target;
  for (int64_t i = 0; i < numElements(amaxes); ++i) {
    const uint8_t code =
        roundUpToE8M0(static_cast<const float *>(amaxes.data)[i] * factor);
    static_cast<uint8_t *>(scaleInv.data)[i] = code;
    static_cast<float *>(scale.data)[i] =
        code == 0 ? 1.0f : 1.0f / decodeE8M0(code);
  }
}

void cpu::computeScale(Execution &, const tert_tensor &amaxTensor,
                       const tert_tensor &scale, const tert_tensor &scaleInv,
                       tert_dtype format, int32_t margin, float epsilon,
                       bool powerOfTwo) {
  const float target = targetOf(format, margin);
  if (dtypeOf(scaleInv) == TERT_F8E8M0)
    return computeE8M0(amaxTensor, scale, scaleInv, target);
  auto *amaxes = static_cast<const float *>(amaxTensor.data);
  for (int64_t i = 0; i < numElements(amaxTensor); ++i) {
    const float amax = amaxes[i] < epsilon ? epsilon : amaxes[i];
    const bool usable = amax > 0 && std::isfinite(amax);
    float value = usable ? scaleFor(target, amax) : 1.0f;
    if (powerOfTwo)
      value = roundDownToPowerOfTwo(value);
    static_cast<float *>(scale.data)[i] = value;
    static_cast<float *>(scaleInv.data)[i] = 1.0f / value;
  }
}

/// Enters `amax` into one slot's window, a column of the history, and returns
/// the window's maximum. The window is `amax` and rows 1 and on at the time of
/// the call, the oldest first. Row 0 stages the amax during a step and is left
/// zero, so only `length - 1` older entries are kept.
static float rollWindow(const Matrix &history, int64_t slot, float amax) {
  float largest = amax;
  for (int64_t row = 1; row < history.rows; ++row) {
    float &entry = history.row<float>(row)[slot];
    largest = std::fmax(largest, entry);
    entry = row + 1 < history.rows ? history.row<float>(row + 1)[slot] : amax;
  }
  return largest;
}

/// The larger of two amaxes; NaN if either is.
static float largerAmax(float a, float b) {
  return a >= b || std::isnan(a) ? a : b;
}

void cpu::recordAmaxes(Execution &, int32_t n, const tert_tensor *amaxes,
                       const tert_tensor &historyTensor) {
  float *staged = Matrix(historyTensor).row<float>(0);
  for (int32_t slot = 0; slot < n; ++slot)
    staged[slot] = largerAmax(staged[slot], scalarOf(amaxes[slot]));
}

void cpu::updateScales(Execution &, int32_t n, const tert_tensor *amaxes,
                       const tert_tensor &scales, const tert_tensor &scaleInvs,
                       const tert_tensor &historyTensor,
                       const tert_tensor &nonfinite, const int32_t *formats,
                       tert_amax_algo algo, int32_t margin) {
  Matrix history(historyTensor);
  float *scale = static_cast<float *>(scales.data);
  float *scaleInv = static_cast<float *>(scaleInvs.data);
  int64_t *numNonfinite = static_cast<int64_t *>(nonfinite.data);
  for (int32_t slot = 0; slot < n; ++slot) {
    float amax =
        largerAmax(history.row<float>(0)[slot], scalarOf(amaxes[slot]));
    if (!std::isfinite(amax)) {
      ++numNonfinite[slot];
    } else if (amax != 0) {
      float largest = rollWindow(history, slot, amax);
      float chosen = algo == TERT_AMAX_MOST_RECENT ? amax : largest;
      // A window loaded from elsewhere may contain an infinity.
      if (std::isfinite(chosen))
        scale[slot] = scaleFor(
            targetOf(static_cast<tert_dtype>(formats[slot]), margin), chosen);
    }
    history.row<float>(0)[slot] = 0;
    scaleInv[slot] = 1.0f / scale[slot];
  }
}
