// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Quantized outputs shared by several ops (tert_quantized): the two copies and
// the amax.
#ifndef TERT_CPU_QUANTIZED_H
#define TERT_CPU_QUANTIZED_H

#include "cpu/Scales.h"
#include "tert/types.h"

#include <cstdint>
#include <optional>

namespace tert::cpu {

/// Tasks that quantize cover multiples of this many rows, so that a column-wise
/// copy is written in full cache lines, each by one thread.
constexpr int64_t quantizeTileRows = 64;
/// Length of a tile's rows, long enough for the hardware to prefetch them.
constexpr int64_t quantizeTileCols = 256;

/// Raises an amax to |v|, both as bits, from any thread: unsigned order is the
/// order of magnitudes, with infinity above every finite value and NaN above
/// infinity, and the maximum does not depend on the order of calls.
inline void raiseAmax(uint32_t &amax, uint32_t bits) {
  uint32_t seen = __atomic_load_n(&amax, __ATOMIC_RELAXED);
  while (bits > seen &&
         !__atomic_compare_exchange_n(&amax, &seen, bits, /*weak=*/true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

/// One op's quantized outputs. Tiles are written by quantizeTile
/// (Quantize-inl.h) from any thread; finish() completes them.
class QuantizedOutputs {
public:
  /// For a result [rows, cols]; null outputs are skipped.
  QuantizedOutputs(int64_t rows, int64_t cols, const tert_quantized &quantized);

  /// True if there is anything to write.
  bool any() const { return hasCopies() || amax; }
  bool hasCopies() const { return rowwise || columnwise; }

  /// Takes |v| as bits: see raiseAmax.
  void addAmax(uint32_t bits) { raiseAmax(amaxBits, bits); }

  /// Writes the amax, and zeros beyond [rows, cols]. Call after all tiles.
  void finish();

  std::optional<Matrix> rowwise, columnwise;
  tert_dtype format = TERT_F8E4M3;
  /// Of the rowwise copy, or of the columnwise one if there is only that.
  Scales scales;

private:
  int64_t rows, cols;
  float *amax;
  uint32_t amaxBits = 0;
};

} // namespace tert::cpu

#endif // TERT_CPU_QUANTIZED_H
