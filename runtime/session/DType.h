// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types: those of the runtime (tert_dtype) and the larger set that a
// safetensors file may hold.

#ifndef TERT_SESSION_DTYPE_H
#define TERT_SESSION_DTYPE_H

#include "session/Error.h"
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
/// How a safetensors file stores a runtime type.
DType toFileDType(tert_dtype dtype);

/// "[2, 64]"; "[]" for a scalar.
std::string toString(const Shape &shape);

/// Number of elements, or nothing if a size is negative or the product does
/// not fit in 63 bits.
std::optional<int64_t> elementCount(const Shape &shape);
/// Number of bytes, or nothing if it does not fit in 63 bits.
std::optional<int64_t> byteCount(DType dtype, const Shape &shape);

/// One element as float64. Exact for every type but 64-bit integers beyond
/// 2^53. `data` need not be aligned.
double readAsDouble(DType dtype, const void *data);

/// float32 to bfloat16, to nearest even; NaN stays NaN.
uint16_t floatToBF16(float value);

/// Copies `count` elements of type `from` at `source` to type `to` at
/// `destination`, provided that every element keeps its value (NaN stays NaN):
/// a widening conversion always does, a narrowing one only for values that the
/// narrow type holds. Floats never become integers or the other way round.
/// Fails with the first element that would change, counted from `first`.
Error convertExactly(DType from, const void *source, DType to,
                     void *destination, int64_t count, int64_t first = 0);

/// As convertExactly, but to BF16 floats are rounded, to nearest even: it is
/// the type of programs that were compiled to take such values, and few other
/// programs can write it. Fails for a finite value that would become infinite.
Error convertRounded(DType from, const void *source, DType to,
                     void *destination, int64_t count, int64_t first = 0);

/// Writes a number as one element: floats are rounded to nearest even, and for
/// integers the number must be whole. Fails for a finite number beyond what
/// `to` holds, and for types that are neither (FP8, Bool).
Error storeNumber(DType to, double value, void *destination);

} // namespace tert::session

#endif // TERT_SESSION_DTYPE_H
