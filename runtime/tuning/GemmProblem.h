// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters that determine the fastest algorithm of a matrix product, and
// their text as a key of tuning databases. The runtime writes such texts and
// the compiler looks them up.
#ifndef TERT_TUNING_GEMMPROBLEM_H
#define TERT_TUNING_GEMMPROBLEM_H

#include "tert/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace tert {

/// What of an FP8 matrix has a scale factor: all of it, each row, 1 x 128
/// elements, or 128 x 128.
enum class ScaleMode { Matrix, Row, Vector, Block };

/// d[m,n] = op(a)[m,k] · op(b)[k,n] + bias[n] (+ d[m,n]), all row-major.
struct GemmProblem {
  int64_t m = 0, n = 0, k = 0;
  /// Row strides, in elements.
  int64_t aStride = 0, bStride = 0, dStride = 0;
  bool transposeA = false, transposeB = false;
  tert_dtype a = TERT_F32, b = TERT_F32, d = TERT_F32;
  /// Both operands FP8, each with a scale factor in device memory.
  bool scaled = false;
  /// FP8: partial sums stay in the tensor cores' own precision.
  bool fastAccumulate = false;
  /// FP8: what has a scale factor of its own.
  ScaleMode aScales = ScaleMode::Matrix, bScales = ScaleMode::Matrix;
  bool hasBias = false;
  bool addToD = false;
  /// Bytes that divide the addresses of a, b and d (at most 256).
  int32_t aAlignment = 256, bAlignment = 256, dAlignment = 256;

  /// Sets packed strides for operands and result.
  void setDenseStrides();

  /// The dtype that cuBLASLt requires for the bias.
  tert_dtype biasDtype() const { return scaled ? TERT_BF16 : d; }

  auto key() const {
    return std::tie(m, n, k, aStride, bStride, dStride, transposeA, transposeB,
                    a, b, d, scaled, fastAccumulate, aScales, bScales, hasBias,
                    addToD, aAlignment, bAlignment, dAlignment);
  }
  bool operator<(const GemmProblem &other) const { return key() < other.key(); }
};

/// "8192x4096x12288 f8E4M3 * f8E4M3^T -> bf16 + bias, fast": for messages.
std::string describe(const GemmProblem &problem);

/// All of key() as text: the description, followed by strides and alignments if
/// they are not the default ones (packed rows, addresses aligned to 256 bytes).
std::string keyText(const GemmProblem &problem);

/// The problem of a keyText; nothing for any other text.
std::optional<GemmProblem> parseGemmProblem(std::string_view text);

} // namespace tert

#endif // TERT_TUNING_GEMMPROBLEM_H
