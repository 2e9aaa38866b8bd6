// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "checkpoint/StateConversion.h"

#include "update/Narrow.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace tert;
using namespace tert::session;

std::string tert::session::scaleNameOf(
    const std::string &state,
    const std::function<bool(const std::string &)> &exists) {
  // Where the optimizer's name of the state ends is not known: parameters have
  // dots in their names, too.
  for (size_t dot = state.find('.'); dot != std::string::npos;
       dot = state.find('.', dot + 1)) {
    std::string name = state.substr(0, dot) + "_scale" + state.substr(dot);
    if (exists(name))
      return name;
  }
  return {};
}

Shape tert::session::scaleShapeOf(const Shape &state) {
  Shape shape = state;
  shape.back() = (shape.back() + stateBlock - 1) / stateBlock;
  return shape;
}

Expected<std::vector<float>> StateConversion::readValues() const {
  std::vector<float> values(static_cast<size_t>(tensor->elements()));
  if (Error error = tensor->readAs(DType::F32, 0, tensor->elements(),
                                   reinterpret_cast<char *>(values.data())))
    return error;
  if (!scales)
    return values;
  std::vector<float> factors(static_cast<size_t>(scales->elements()));
  scales->read(0, scales->elements(), reinterpret_cast<char *>(factors.data()));
  const int64_t columns = tensor->shape().back(),
                blocks = scales->shape().back();
  for (int64_t i = 0; i < tensor->elements(); ++i)
    values[static_cast<size_t>(i)] *= factors[static_cast<size_t>(
        i / columns * blocks + i % columns / stateBlock)];
  return values;
}

/// The scales of blocks of rows, as an update of a state chooses them.
static std::vector<float> findScales(const std::vector<float> &values,
                                     const Shape &state, DType dtype) {
  const Shape shape = scaleShapeOf(state);
  const int64_t columns = state.back(), blocks = shape.back();
  std::vector<float> scales(static_cast<size_t>(*elementCount(shape)), 0.0f);
  for (size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<int64_t>(i) / columns,
               column = static_cast<int64_t>(i) % columns;
    float &amax =
        scales[static_cast<size_t>(row * blocks + column / stateBlock)];
    amax = std::max(amax, std::fabs(values[i]));
  }
  const Fp8Rounding format = Fp8Rounding::of(dtype == DType::F8E5M2);
  for (float &scale : scales)
    scale = std::max(scale / format.largest, smallestStateScale);
  return scales;
}

/// The code of x, which is within the range of the format, to nearest even.
static uint8_t encode(float x, DType dtype) {
  const bool isE5M2 = dtype == DType::F8E5M2;
  const Fp8Rounding format = Fp8Rounding::of(isE5M2);
  const uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x))
    return sign | 0x7f;
  x = std::fabs(x);
  if (isE5M2 && x > 0)
    x = std::max(x, format.smallest);
  // A code counts steps that double with each exponent from the first normal
  // number on; a number that rounds up to the next exponent has its first code.
  const float normal = std::ldexp(format.smallest, format.mantissaBits);
  const int exponent = x < normal ? 0 : std::ilogb(x) - std::ilogb(normal);
  const float steps =
      std::nearbyint(std::ldexp(x / format.smallest, -exponent));
  return sign | static_cast<uint8_t>(static_cast<int>(steps) +
                                     (exponent << format.mantissaBits));
}

Error StateConversion::write(ProgramStates &program, size_t index) const {
  Expected<std::vector<float>> values = readValues();
  if (!values)
    return values.takeError();
  const DType dtype =
      toFileDType(program.description().states[index].type.dtype);
  const bool isFp8 = sizeOf(dtype) == 1;
  const Shape &shape = tensor->shape();
  std::vector<float> factors;
  if (isFp8)
    factors = findScales(*values, shape, dtype);
  return program.fillState(index, [&](const ShardRange &range, char *to) {
    const float *from = values->data() + range.global;
    if (!isFp8)
      return convertRounded(DType::F32, from, dtype, to, range.count,
                            range.global);
    const int64_t columns = shape.back(), blocks = scaleShapeOf(shape).back();
    for (int64_t i = 0; i < range.count; ++i) {
      const int64_t at = range.global + i;
      const float scale = factors[static_cast<size_t>(
          at / columns * blocks + at % columns / stateBlock)];
      to[i] = static_cast<char>(encode(from[i] / scale, dtype));
    }
    return Error::success();
  });
}

Error StateConversion::writeScales(ProgramStates &program, size_t index,
                                   DType dtype) const {
  Expected<std::vector<float>> values = readValues();
  if (!values)
    return values.takeError();
  const std::vector<float> factors =
      findScales(*values, tensor->shape(), dtype);
  return program.fillState(index, [&](const ShardRange &range, char *to) {
    std::memcpy(to, factors.data() + range.global,
                static_cast<size_t>(range.count) * sizeof(float));
    return Error::success();
  });
}
