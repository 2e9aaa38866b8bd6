// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/DType.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tert::session;

namespace {
struct DTypeInfo {
  DType dtype;
  std::string_view name;
  size_t size;
};

constexpr std::array<DTypeInfo, 16> dtypes = {{{DType::Bool, "BOOL", 1},
                                               {DType::U8, "U8", 1},
                                               {DType::I8, "I8", 1},
                                               {DType::F8E4M3, "F8_E4M3", 1},
                                               {DType::F8E5M2, "F8_E5M2", 1},
                                               {DType::F8E8M0, "F8_E8M0", 1},
                                               {DType::U16, "U16", 2},
                                               {DType::I16, "I16", 2},
                                               {DType::F16, "F16", 2},
                                               {DType::BF16, "BF16", 2},
                                               {DType::U32, "U32", 4},
                                               {DType::I32, "I32", 4},
                                               {DType::F32, "F32", 4},
                                               {DType::U64, "U64", 8},
                                               {DType::I64, "I64", 8},
                                               {DType::F64, "F64", 8}}};

struct RuntimeDTypeInfo {
  tert_dtype dtype;
  std::string_view name;
  DType file;
};

constexpr std::array<RuntimeDTypeInfo, 8> runtimeDTypes = {
    {{TERT_F32, "f32", DType::F32},
     {TERT_BF16, "bf16", DType::BF16},
     {TERT_F8E4M3, "f8e4m3", DType::F8E4M3},
     {TERT_F8E5M2, "f8e5m2", DType::F8E5M2},
     {TERT_I64, "i64", DType::I64},
     {TERT_I32, "i32", DType::I32},
     {TERT_U8, "u8", DType::U8},
     {TERT_F8E8M0, "f8e8m0", DType::F8E8M0}}};

template <typename T> T load(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof(T));
  return value;
}

template <typename T> void store(void *data, T value) {
  std::memcpy(data, &value, sizeof(T));
}

/// A small binary float: `mantissaBits` explicit bits, the top bit the sign,
/// the others the exponent. `hasInfinity` is false for E4M3, whose largest
/// exponent has finite values and whose only NaN is all ones.
double decodeSmallFloat(uint32_t bits, int exponentBits, int mantissaBits,
                        bool hasInfinity) {
  uint32_t mantissa = bits & ((1u << mantissaBits) - 1);
  uint32_t exponent = (bits >> mantissaBits) & ((1u << exponentBits) - 1);
  bool negative = (bits >> (mantissaBits + exponentBits)) & 1;
  uint32_t top = (1u << exponentBits) - 1;
  int bias = (1 << (exponentBits - 1)) - 1;
  double value;
  if (exponent == top && hasInfinity)
    value = mantissa ? std::numeric_limits<double>::quiet_NaN()
                     : std::numeric_limits<double>::infinity();
  else if (exponent == top && mantissa == (1u << mantissaBits) - 1)
    value = std::numeric_limits<double>::quiet_NaN();
  else if (exponent == 0)
    value = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    value = std::ldexp(mantissa + (1u << mantissaBits),
                       static_cast<int>(exponent) - bias - mantissaBits);
  return negative ? -value : value;
}

/// The F16 pattern of a value that F16 represents exactly; nothing for others.
std::optional<uint16_t> encodeF16(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | 0x7e00);
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return static_cast<uint16_t>(sign | 0x7c00);
  if (magnitude == 0.0)
    return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent); // magnitude = m * 2^exponent, m in [0.5,1)
  int unit = std::max(exponent - 11, -24);
  double mantissa = std::ldexp(magnitude, -unit);
  if (exponent > 16 || mantissa != std::floor(mantissa))
    return std::nullopt;
  auto integer = static_cast<uint32_t>(mantissa);
  uint32_t bits = unit == -24 && integer < 1024
                      ? integer
                      : ((unit + 25u) << 10) | (integer - 1024);
  return static_cast<uint16_t>(sign | bits);
}

/// Writes `value` as `to`, a float type; false if it is not representable.
bool storeFloatExactly(DType to, double value, void *destination) {
  switch (to) {
  case DType::F64:
    store(destination, value);
    return true;
  case DType::F32: {
    auto narrow = static_cast<float>(value);
    store(destination, narrow);
    return static_cast<double>(narrow) == value || std::isnan(value);
  }
  case DType::BF16: {
    auto narrow = static_cast<float>(value);
    uint16_t bits = floatToBF16(narrow);
    store(destination, bits);
    return std::isnan(value) || readAsDouble(DType::BF16, &bits) == value;
  }
  case DType::F16: {
    std::optional<uint16_t> bits = encodeF16(value);
    if (bits)
      store(destination, *bits);
    return bits.has_value();
  }
  default:
    return false;
  }
}

/// The nearest value, ties to even, with `precision` bits and none below
/// 2^smallestUnit.
double roundTo(double value, int precision, int smallestUnit) {
  if (!std::isfinite(value))
    return value;
  int exponent = 0;
  std::frexp(value, &exponent); // |value| = m * 2^exponent, m in [0.5,1)
  int unit = std::max(exponent - precision, smallestUnit);
  return std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
}

/// The nearest value in a float type of up to 16 bits, ignoring overflow.
double roundTo(DType to, double value) {
  return to == DType::BF16  ? roundTo(value, 8, -133)
         : to == DType::F16 ? roundTo(value, 11, -24)
                            : value;
}

std::string toText(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

/// An integer of any type as sign and magnitude.
struct Integer {
  bool negative;
  uint64_t magnitude;
};

/// Calls fn with a zero of the C++ type of an integer type other than Bool.
template <typename Fn> auto withInteger(DType dtype, const Fn &fn) {
  switch (dtype) {
  case DType::U8:
    return fn(uint8_t());
  case DType::U16:
    return fn(uint16_t());
  case DType::U32:
    return fn(uint32_t());
  case DType::U64:
    return fn(uint64_t());
  case DType::I8:
    return fn(int8_t());
  case DType::I16:
    return fn(int16_t());
  case DType::I32:
    return fn(int32_t());
  default:
    return fn(int64_t());
  }
}

Integer loadInteger(DType from, const void *source) {
  if (from == DType::Bool)
    return {false, load<uint8_t>(source) != 0};
  return withInteger(from, [&](auto zero) {
    auto value = load<decltype(zero)>(source);
    auto bits = static_cast<uint64_t>(value);
    return value < 0 ? Integer{true, 0 - bits} : Integer{false, bits};
  });
}

template <typename T> bool storeAs(Integer value, void *destination) {
  using Limits = std::numeric_limits<T>;
  uint64_t limit =
      value.negative
          ? (Limits::is_signed ? static_cast<uint64_t>(Limits::max()) + 1 : 0)
          : static_cast<uint64_t>(Limits::max());
  if (value.magnitude > limit)
    return false;
  store(destination,
        static_cast<T>(value.negative ? 0 - value.magnitude : value.magnitude));
  return true;
}

bool storeIntegerExactly(DType to, Integer value, void *destination) {
  return withInteger(to, [&](auto zero) {
    return storeAs<decltype(zero)>(value, destination);
  });
}

/// Types that no other type's values are converted to.
bool isNeverWritten(DType dtype) {
  return dtype == DType::F8E4M3 || dtype == DType::F8E5M2 ||
         dtype == DType::F8E8M0 || dtype == DType::Bool;
}

std::string toString(Integer value) {
  return (value.negative ? "-" : "") + std::to_string(value.magnitude);
}
} // namespace

size_t tert::session::sizeOf(DType dtype) {
  return dtypes[static_cast<size_t>(dtype)].size;
}

std::string_view tert::session::nameOf(DType dtype) {
  return dtypes[static_cast<size_t>(dtype)].name;
}

std::optional<DType> tert::session::parseDType(std::string_view name) {
  for (const DTypeInfo &info : dtypes)
    if (info.name == name)
      return info.dtype;
  return std::nullopt;
}

bool tert::session::isFloat(DType dtype) {
  switch (dtype) {
  case DType::F8E4M3:
  case DType::F8E5M2:
  case DType::F8E8M0:
  case DType::F16:
  case DType::BF16:
  case DType::F32:
  case DType::F64:
    return true;
  default:
    return false;
  }
}

std::string_view tert::session::descriptionName(tert_dtype dtype) {
  return runtimeDTypes[static_cast<size_t>(dtype)].name;
}

std::optional<tert_dtype>
tert::session::parseDescriptionDType(std::string_view name) {
  for (const RuntimeDTypeInfo &info : runtimeDTypes)
    if (info.name == name)
      return info.dtype;
  return std::nullopt;
}

DType tert::session::toFileDType(tert_dtype dtype) {
  return runtimeDTypes[static_cast<size_t>(dtype)].file;
}

std::string tert::session::toString(const Shape &shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

std::optional<int64_t> tert::session::elementCount(const Shape &shape) {
  int64_t count = 1;
  bool empty = false;
  for (int64_t size : shape) {
    if (size < 0)
      return std::nullopt;
    empty |= size == 0;
  }
  if (empty)
    return 0;
  for (int64_t size : shape)
    if (__builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  return count;
}

std::optional<int64_t> tert::session::byteCount(DType dtype,
                                                const Shape &shape) {
  std::optional<int64_t> count = elementCount(shape);
  int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(
                    *count, static_cast<int64_t>(sizeOf(dtype)), &bytes))
    return std::nullopt;
  return bytes;
}

double tert::session::readAsDouble(DType dtype, const void *data) {
  switch (dtype) {
  case DType::F8E4M3:
    return decodeSmallFloat(load<uint8_t>(data), 4, 3, /*hasInfinity=*/false);
  case DType::F8E5M2:
    return decodeSmallFloat(load<uint8_t>(data), 5, 2, /*hasInfinity=*/true);
  case DType::F8E8M0: {
    const auto code = load<uint8_t>(data);
    return code == 0xff ? std::numeric_limits<double>::quiet_NaN()
                        : std::ldexp(1.0, code - 127);
  }
  case DType::F16:
    return decodeSmallFloat(load<uint16_t>(data), 5, 10, /*hasInfinity=*/true);
  case DType::BF16: {
    uint32_t bits = static_cast<uint32_t>(load<uint16_t>(data)) << 16;
    return load<float>(&bits);
  }
  case DType::F32:
    return load<float>(data);
  case DType::F64:
    return load<double>(data);
  default: {
    Integer value = loadInteger(dtype, data);
    auto magnitude = static_cast<double>(value.magnitude);
    return value.negative ? -magnitude : magnitude;
  }
  }
}

uint16_t tert::session::floatToBF16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (std::isnan(value))
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  bits += 0x7fff + ((bits >> 16) & 1);
  return static_cast<uint16_t>(bits >> 16);
}

Error tert::session::convertExactly(DType from, const void *source, DType to,
                                    void *destination, int64_t count,
                                    int64_t first) {
  size_t fromSize = sizeOf(from), toSize = sizeOf(to);
  if (from == to) {
    if (count)
      std::memcpy(destination, source, static_cast<size_t>(count) * fromSize);
    return Error::success();
  }
  if (isFloat(from) != isFloat(to) || isNeverWritten(to))
    return Error(std::string(nameOf(from)) + " cannot stand for " +
                 std::string(nameOf(to)));

  const auto *in = static_cast<const char *>(source);
  auto *out = static_cast<char *>(destination);
  for (int64_t i = 0; i < count; ++i, in += fromSize, out += toSize) {
    std::string value;
    if (isFloat(from)) {
      double element = readAsDouble(from, in);
      if (storeFloatExactly(to, element, out))
        continue;
      value = toText(element);
    } else {
      Integer element = loadInteger(from, in);
      if (storeIntegerExactly(to, element, out))
        continue;
      value = ::toString(element);
    }
    return Error("element " + std::to_string(first + i) + " is " + value +
                 ", a value that " + std::string(nameOf(to)) +
                 " does not hold exactly");
  }
  return Error::success();
}

Error tert::session::convertRounded(DType from, const void *source, DType to,
                                    void *destination, int64_t count,
                                    int64_t first) {
  if ((to != DType::BF16 && to != DType::F16) || from == to || !isFloat(from))
    return convertExactly(from, source, to, destination, count, first);
  size_t fromSize = sizeOf(from);
  const auto *in = static_cast<const char *>(source);
  auto *out = static_cast<char *>(destination);
  for (int64_t i = 0; i < count; ++i, in += fromSize, out += sizeof(uint16_t)) {
    double element = readAsDouble(from, in);
    if (storeFloatExactly(to, roundTo(to, element), out))
      continue;
    return Error("element " + std::to_string(first + i) + " is " +
                 toText(element) + ", beyond what " + std::string(nameOf(to)) +
                 " holds");
  }
  return Error::success();
}

Error tert::session::storeNumber(DType to, double value, void *destination) {
  const std::string type(nameOf(to));
  if (isNeverWritten(to))
    return Error("a number cannot be written as " + type);
  if (to == DType::F32 && std::isfinite(value)) {
    auto narrow = static_cast<float>(value);
    if (!std::isfinite(narrow))
      return Error(toText(value) + " is beyond what " + type + " holds");
    store(destination, narrow);
    return Error::success();
  }
  if (isFloat(to))
    return storeFloatExactly(to, roundTo(to, value), destination)
               ? Error::success()
               : Error(toText(value) + " is beyond what " + type + " holds");
  // Every double from 2^53 on is an integer, and 2^64 exceeds all integer
  // types.
  if (value != std::floor(value) || !(std::fabs(value) < 0x1p64))
    return Error(toText(value) + " is not a whole number that " + type +
                 " holds");
  Integer integer{value < 0, static_cast<uint64_t>(std::fabs(value))};
  return storeIntegerExactly(to, integer, destination)
             ? Error::success()
             : Error(toText(value) + " is beyond what " + type + " holds");
}
