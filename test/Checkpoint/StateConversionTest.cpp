// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/StateConversion.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <random>

using namespace tert::session;

namespace {
/// One state in memory.
class OneState : public ProgramStates {
public:
  OneState(tert_dtype dtype, Shape shape) {
    StateDescription state;
    state.name = "state";
    state.kind = "optimizer";
    state.type = {dtype, std::move(shape)};
    about.states.push_back(state);
    bytes.resize(state.type.bytes());
  }

  const Description &description() const override { return about; }
  const std::string &path() const override { return name; }
  int32_t rank() const override { return 0; }
  Error readState(size_t, void *host, size_t size,
                  size_t offset) const override {
    std::memcpy(host, bytes.data() + offset, size);
    return Error::success();
  }
  Error writeState(size_t, const void *host, size_t size,
                   size_t offset) override {
    std::memcpy(bytes.data() + offset, host, size);
    return Error::success();
  }

  std::string bytes;

private:
  Description about;
  std::string name = "program";
};

StoredTensor stored(DType dtype, Shape shape, const void *data) {
  TensorView view;
  view.dtype = dtype;
  view.shape = std::move(shape);
  view.data = static_cast<const char *>(data);
  return StoredTensor(view);
}

double valueOf(DType dtype, int code) {
  const auto byte = static_cast<uint8_t>(code);
  return readAsDouble(dtype, &byte);
}

/// The distance of x to the nearest number of the format.
double distanceToNearest(DType dtype, double x) {
  double best = std::numeric_limits<double>::infinity();
  for (int code = 0; code < 256; ++code)
    if (double value = valueOf(dtype, code); std::isfinite(value))
      best = std::min(best, std::fabs(value - x));
  return best;
}
} // namespace

TEST(StateConversion, RoundsToTheNearestCode) {
  for (auto [dtype, runtimeType, largest] :
       {std::tuple(DType::F8E4M3, TERT_F8E4M3, 448.0f),
        std::tuple(DType::F8E5M2, TERT_F8E5M2, 57344.0f)}) {
    // Two rows of two blocks, the second one shorter; their scales are 1, 1/2,
    // and those of nothing but zeros.
    constexpr int64_t columns = 200;
    std::vector<float> values(2 * columns, 0.0f);
    std::mt19937 random(1);
    for (int64_t i = 0; i < columns; ++i)
      values[i] =
          std::ldexp(float(random() % 4096) - 2048, -int(random() % 20));
    for (int64_t i = 0; i < columns; ++i)
      values[i] = std::fmod(values[i], i < 128 ? largest : largest / 2);
    values[3] = largest, values[130] = -largest / 2;
    const StoredTensor tensor = stored(DType::F32, {2, columns}, values.data());
    const StateConversion conversion(tensor, nullptr);
    OneState codes(runtimeType, {2, columns}), scales(TERT_F32, {2, 2});
    ASSERT_FALSE(conversion.write(codes, 0));
    ASSERT_FALSE(conversion.writeScales(scales, 0, dtype));
    float factors[4];
    std::memcpy(factors, scales.bytes.data(), sizeof(factors));
    EXPECT_EQ(factors[0], 1.0f);
    EXPECT_EQ(factors[1], 0.5f);
    EXPECT_EQ(factors[2], 0x1p-126f);
    for (int64_t i = 0; i < columns; ++i) {
      const double x = double(values[i]) / factors[i / 128];
      const double found = valueOf(dtype, uint8_t(codes.bytes[i]));
      if (dtype == DType::F8E5M2 && x > 0 && x < 0x1p-16)
        EXPECT_EQ(found, 0x1p-16) << x;
      else
        EXPECT_EQ(std::fabs(found - x), distanceToNearest(dtype, x)) << x;
      EXPECT_EQ(codes.bytes[columns + i], 0);
    }
  }
}

TEST(StateConversion, EveryCodeComesBack) {
  for (auto [dtype, runtimeType] : {std::pair(DType::F8E4M3, TERT_F8E4M3),
                                    std::pair(DType::F8E5M2, TERT_F8E5M2)}) {
    uint8_t codes[256];
    float scales[2] = {0.25f, 8.0f};
    for (int code = 0; code < 256; ++code)
      codes[code] =
          std::isfinite(valueOf(dtype, code)) ? uint8_t(code) : uint8_t(0);
    StoredTensor scaleTensor = stored(DType::F32, {1, 2}, scales);
    StoredTensor codeTensor = stored(dtype, {1, 256}, codes);
    OneState wide(TERT_F32, {1, 256}), again(runtimeType, {1, 256});
    ASSERT_FALSE(StateConversion(codeTensor, &scaleTensor).write(wide, 0));
    for (int code = 0; code < 256; ++code) {
      float value;
      std::memcpy(&value, wide.bytes.data() + 4 * code, 4);
      EXPECT_EQ(value, valueOf(dtype, codes[code]) * scales[code / 128]);
    }
    StoredTensor wideTensor = stored(DType::F32, {1, 256}, wide.bytes.data());
    ASSERT_FALSE(StateConversion(wideTensor, nullptr).write(again, 0));
    for (int code = 0; code < 256; ++code)
      EXPECT_EQ(uint8_t(again.bytes[code]), codes[code]);
  }
}

TEST(StateConversion, NamesOfScales) {
  const std::string scales = "adamw.exp_avg_scale.h.0.fc.weight";
  auto exists = [&](const std::string &name) { return name == scales; };
  EXPECT_EQ(scaleNameOf("adamw.exp_avg.h.0.fc.weight", exists), scales);
  EXPECT_EQ(scaleNameOf("adamw.exp_avg.h.1.fc.weight", exists), "");
  EXPECT_EQ(scaleNameOf("exp_avg", exists), "");
}
