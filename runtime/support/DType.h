// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types: those of the runtime (tert_dtype) and the larger set of
// safetensors files.

#ifndef TERT_SUPPORT_DTYPE_H
#define TERT_SUPPORT_DTYPE_H

#include "support/Error.h"
#include "tert/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tert::session {

/// Element types of safetensors files.
enum class DType {
  Bool,
  U8,
  I8,
  F8E4M3,
  F8E5M2,
  F8E8M0,
  U16,
  I16,
  F16,
  BF16,
  U32,
  I32,
  F32,
  U64,
  I64,
  F64
};

using Shape = std::vector<int64_t>;

/// Bytes of one element.
size_t sizeOf(DType dtype);
/// The name in a safetensors header ("BF16").
std::string_view nameOf(DType dtype);
std::optional<DType> parseDType(std::string_view name);
bool isFloat(DType dtype);

/// The name in an artifact's description ("bf16").
std::string_view descriptionName(tert_dtype dtype);
std::optional<tert_dtype> parseDescriptionDType(std::string_view name);
/// The file type for a runtime type.
DType toFileDType(tert_dtype dtype);

/// "[2, 64]"; "[]" for a scalar.
std::string toString(const Shape &shape);

/// Number of elements; nothing if a size is negative or the product exceeds 63
/// bits.
std::optional<int64_t> elementCount(const Shape &shape);
/// Number of bytes; nothing if it exceeds 63 bits.
std::optional<int64_t> byteCount(DType dtype, const Shape &shape);

/// One element as float64. Exact for every type but 64-bit integers beyond
/// 2^53. `data` need not be aligned.
double readAsDouble(DType dtype, const void *data);

/// float32 to bfloat16, rounded to nearest even; NaN stays NaN.
uint16_t floatToBF16(float value);

/// Converts `count` elements of type `from` at `source` to type `to` at
/// `destination` if every element keeps its value (NaN stays NaN): always for a
/// widening conversion, for a narrowing one only if the narrow type represents
/// the values. Never converts between floats and integers. Fails with the first
/// element that would change, counted from `first`.
Error convertExactly(DType from, const void *source, DType to,
                     void *destination, int64_t count, int64_t first = 0);

/// Like convertExactly, but rounds floats to BF16 or F16, to nearest even:
/// programs compiled for BF16 take such values, and few other programs can
/// write it. Fails for a finite value that would become infinite.
Error convertRounded(DType from, const void *source, DType to,
                     void *destination, int64_t count, int64_t first = 0);

/// Writes a number as one element: rounds floats to nearest even, and requires
/// a whole number for integers. Fails for a finite number out of the range of
/// `to`, and for types that are neither (FP8, E8M0, Bool).
Error storeNumber(DType to, double value, void *destination);

} // namespace tert::session

#endif // TERT_SUPPORT_DTYPE_H
