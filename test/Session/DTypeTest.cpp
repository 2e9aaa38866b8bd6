// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/DType.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

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

TEST(DType, SizesDoNotOverflow) {
  EXPECT_EQ(elementCount({}), 1);
  EXPECT_EQ(elementCount({0, INT64_MAX, INT64_MAX}), 0);
  EXPECT_FALSE(elementCount({INT64_MAX, 2}));
  EXPECT_FALSE(elementCount({-1}));
  EXPECT_FALSE(byteCount(DType::F64, {INT64_MAX / 4}));
}
