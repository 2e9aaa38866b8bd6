// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/DType.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <optional>

using namespace tert::session;

namespace {
template <typename T> double decode(DType dtype, T bits) {
  return readAsDouble(dtype, &bits);
}

template <typename From, typename To>
bool converts(DType from, From value, DType to, To expected) {
  To result;
  std::memset(&result, 0x5a, sizeof(result));
  if (convertExactly(from, &value, to, &result, 1))
    return false;
  EXPECT_EQ(std::memcmp(&result, &expected, sizeof(To)), 0);
  return true;
}
} // namespace

/// Values from the OCP 8-bit floating point specification (table 1) and IEEE
/// 754 half precision.
TEST(DType, SmallFloats) {
  EXPECT_EQ(decode<uint8_t>(DType::F8E4M3, 0x7e), 448.0);
  EXPECT_EQ(decode<uint8_t>(DType::F8E4M3, 0x78), 256.0);
  EXPECT_EQ(decode<uint8_t>(DType::F8E4M3, 0x08), std::ldexp(1, -6));
  EXPECT_EQ(decode<uint8_t>(DType::F8E4M3, 0x01), std::ldexp(1, -9));
  EXPECT_EQ(decode<uint8_t>(DType::F8E4M3, 0xb8), -1.0);
  EXPECT_TRUE(std::isnan(decode<uint8_t>(DType::F8E4M3, 0x7f)));
  EXPECT_EQ(decode<uint8_t>(DType::F8E5M2, 0x7b), 57344.0);
  EXPECT_EQ(decode<uint8_t>(DType::F8E5M2, 0x01), std::ldexp(1, -16));
  EXPECT_EQ(decode<uint8_t>(DType::F8E5M2, 0xfc), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(decode<uint8_t>(DType::F8E5M2, 0x7d)));
  EXPECT_EQ(decode<uint8_t>(DType::F8E8M0, 0x7f), 1.0);
  EXPECT_EQ(decode<uint8_t>(DType::F8E8M0, 0x00), std::ldexp(1, -127));
  EXPECT_EQ(decode<uint8_t>(DType::F8E8M0, 0xfe), std::ldexp(1, 127));
  EXPECT_TRUE(std::isnan(decode<uint8_t>(DType::F8E8M0, 0xff)));
  EXPECT_EQ(decode<uint16_t>(DType::F16, 0x7bff), 65504.0);
  EXPECT_EQ(decode<uint16_t>(DType::F16, 0x0001), std::ldexp(1, -24));
  EXPECT_EQ(decode<uint16_t>(DType::BF16, 0x3f80), 1.0);
}

TEST(DType, EveryHalfGoesRoundTheFloats) {
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    auto half = static_cast<uint16_t>(bits);
    for (DType type : {DType::F16, DType::BF16})
      for (DType wide : {DType::F32, DType::F64}) {
        char buffer[8];
        uint16_t back = 0;
        ASSERT_FALSE(convertExactly(type, &half, wide, buffer, 1));
        ASSERT_FALSE(convertExactly(wide, buffer, type, &back, 1));
        if (std::isnan(decode(type, half)))
          ASSERT_TRUE(std::isnan(decode(type, back)));
        else
          ASSERT_EQ(back, half);
      }
  }
}

TEST(DType, NarrowingKeepsValuesOrFails) {
  EXPECT_TRUE(converts(DType::F64, 0.5, DType::F32, 0.5f));
  EXPECT_FALSE(converts(DType::F64, 0.1, DType::F32, 0.1f));
  EXPECT_FALSE(converts(DType::F64, 1e300, DType::F32, 0.0f));
  EXPECT_TRUE(converts(DType::F32, 1.0f, DType::BF16, uint16_t(0x3f80)));
  EXPECT_FALSE(converts(DType::F32, 1.00001f, DType::BF16, uint16_t(0)));
  EXPECT_FALSE(converts(DType::F32, 65520.0f, DType::F16, uint16_t(0)));
  EXPECT_FALSE(
      converts(DType::F64, std::ldexp(1, -25), DType::F16, uint16_t(0)));
  EXPECT_TRUE(converts(DType::I64, int64_t(-1), DType::I32, int32_t(-1)));
  EXPECT_FALSE(converts(DType::I64, int64_t(1) << 31, DType::I32, 0));
  EXPECT_TRUE(converts(DType::I64, -(int64_t(1) << 31), DType::I32, INT32_MIN));
  EXPECT_TRUE(converts(DType::U8, uint8_t(200), DType::I64, int64_t(200)));
  EXPECT_FALSE(converts(DType::I8, int8_t(-1), DType::U8, uint8_t(0)));
  EXPECT_TRUE(converts(DType::U64, UINT64_MAX, DType::U64, UINT64_MAX));
  EXPECT_FALSE(converts(DType::U64, UINT64_MAX, DType::I64, int64_t(0)));
  EXPECT_FALSE(converts(DType::I64, int64_t(1), DType::F32, 1.0f));
  EXPECT_FALSE(converts(DType::F32, 1.0f, DType::I64, int64_t(1)));
}

TEST(DType, TheFirstWrongElementIsNamed) {
  double values[] = {1.0, 2.0, 0.1};
  float narrow[3];
  EXPECT_EQ(convertExactly(DType::F64, values, DType::F32, narrow, 3).message(),
            "element 2 is 0.1, a value that F32 does not hold exactly");
}

TEST(DType, BF16RoundsToNearestEven) {
  auto round = [](uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, 4);
    return floatToBF16(value);
  };
  EXPECT_EQ(round(0x3f808000), 0x3f80); // A tie, to even.
  EXPECT_EQ(round(0x3f818000), 0x3f82);
  EXPECT_EQ(round(0x3f808001), 0x3f81);
  EXPECT_EQ(round(0x7f7fffff), 0x7f80);          // To infinity.
  EXPECT_EQ(round(0x7f800001) & 0x7fc0, 0x7fc0); // NaN stays NaN.
}

// Every float becomes the nearer of the two BF16 numbers around it, whatever
// type it comes in.
TEST(DType, RoundedConversionToBF16) {
  auto round = [](DType from, auto value) {
    uint16_t bits = 0;
    EXPECT_FALSE(convertRounded(from, &value, DType::BF16, &bits, 1));
    return bits;
  };
  EXPECT_EQ(round(DType::F32, 1.0f + 0x1p-8f), 0x3f80); // A tie, to even.
  EXPECT_EQ(round(DType::F32, 1.0f + 0x3p-8f), 0x3f82);
  EXPECT_EQ(round(DType::F32, -(1.0f + 0x1.0002p-8f)), 0xbf81);
  // By way of float32 it would be a tie.
  EXPECT_EQ(round(DType::F64, 1.0 + 0x1p-8 + 0x1p-40), 0x3f81);
  EXPECT_EQ(round(DType::F64, 0x1.8p-133), 0x0002); // Subnormal, to even.
  EXPECT_EQ(round(DType::F64, -0x1p-135), 0x8000);
  EXPECT_EQ(round(DType::F32, 0x1.fdffffp127f), 0x7f7f);
  EXPECT_EQ(round(DType::F16, uint16_t(0x3c05)), 0x3f81); // 1 + 5 · 2^-10
  EXPECT_EQ(round(DType::F32, -HUGE_VALF), 0xff80);
  EXPECT_TRUE(
      std::isnan(decode(DType::BF16, round(DType::F32, std::nanf("")))));

  // The nearest of all, by trying both neighbours.
  uint32_t state = 1;
  for (int i = 0; i < 100000; ++i) {
    state = state * 1664525u + 1013904223u;
    uint32_t bits = state & 0xbfffffff; // Below 2.
    float value;
    std::memcpy(&value, &bits, 4);
    auto distance = [&](uint16_t candidate) {
      return std::fabs(decode(DType::BF16, candidate) - double(value));
    };
    auto low = static_cast<uint16_t>(bits >> 16);
    auto high = static_cast<uint16_t>(low + 1);
    bool up = distance(high) < distance(low) ||
              (distance(high) == distance(low) && (low & 1));
    ASSERT_EQ(round(DType::F32, value), up ? high : low) << value;
  }
}

TEST(DType, RoundedConversionKeepsItsLimits) {
  float values[] = {1.0f, 0x1.ffffp127f};
  uint16_t narrow[2];
  EXPECT_EQ(
      convertRounded(DType::F32, values, DType::BF16, narrow, 2).message(),
      "element 1 is 3.40279771e+38, beyond what BF16 holds");
  double tenth = 0.1;
  float wide = 0;
  EXPECT_TRUE(convertRounded(DType::F64, &tenth, DType::F32, &wide, 1));
  int32_t integer = 1;
  EXPECT_TRUE(convertRounded(DType::I32, &integer, DType::BF16, narrow, 1));
}

TEST(DType, SizesDoNotOverflow) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({0, INT64_MAX, INT64_MAX}), 0);
  EXPECT_FALSE(elementCount({INT64_MAX, 2}));
  EXPECT_FALSE(elementCount({-1}));
  EXPECT_FALSE(byteCount(DType::F64, {INT64_MAX / 4}));
}

namespace {
/// What a number becomes as an element of a type; nothing where it is refused.
template <typename T> std::optional<T> stored(DType dtype, double value) {
  T result = T(0x5a);
  if (storeNumber(dtype, value, &result))
    return std::nullopt;
  return result;
}
} // namespace

TEST(DType, NumbersBecomeElements) {
  EXPECT_EQ(stored<float>(DType::F32, 0.1), 0.1f);
  EXPECT_EQ(stored<double>(DType::F64, 0.1), 0.1);
  // IEEE 754: 1/3 in half precision, and its largest and smallest numbers; of
  // two neighbours the even one.
  EXPECT_EQ(stored<uint16_t>(DType::F16, 1.0 / 3), 0x3555);
  EXPECT_EQ(stored<uint16_t>(DType::F16, -65504.0), 0xfbff);
  EXPECT_EQ(stored<uint16_t>(DType::F16, std::ldexp(1, -24)), 0x0001);
  EXPECT_EQ(stored<uint16_t>(DType::F16, 2049.0), 0x6800);
  EXPECT_EQ(stored<uint16_t>(DType::F16, HUGE_VAL), 0x7c00);
  // bfloat16 is the upper half of a float.
  EXPECT_EQ(stored<uint16_t>(DType::BF16, 1.0), 0x3f80);
  EXPECT_EQ(stored<uint16_t>(DType::BF16, 1.0 / 3), 0x3eab);
  EXPECT_EQ(stored<int32_t>(DType::I32, -7.0), -7);
  EXPECT_EQ(stored<int32_t>(DType::I32, -2147483648.0), INT32_MIN);
  EXPECT_EQ(stored<int64_t>(DType::I64, 1e15), 1000000000000000);
  EXPECT_EQ(stored<int64_t>(DType::I64, -0x1p63), INT64_MIN);
  EXPECT_EQ(stored<uint8_t>(DType::U8, 255.0), 255);

  EXPECT_FALSE(stored<float>(DType::F32, 1e39));
  EXPECT_FALSE(stored<uint16_t>(DType::F16, 65520.0));
  EXPECT_FALSE(stored<uint16_t>(DType::BF16, 3.4e38));
  EXPECT_FALSE(stored<int32_t>(DType::I32, 2147483648.0));
  EXPECT_FALSE(stored<int64_t>(DType::I64, 0x1p63));
  EXPECT_FALSE(stored<int64_t>(DType::I64, 0.5));
  EXPECT_FALSE(stored<int64_t>(DType::I64, NAN));
  EXPECT_FALSE(stored<uint64_t>(DType::U64, HUGE_VAL));
  EXPECT_FALSE(stored<uint8_t>(DType::U8, -1.0));
  EXPECT_FALSE(stored<uint8_t>(DType::F8E4M3, 1.0));
  EXPECT_FALSE(stored<uint8_t>(DType::F8E8M0, 1.0));
}
