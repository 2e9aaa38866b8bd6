// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConstantTensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te::frontend;

std::optional<int64_t>
mlir::te::frontend::countElements(ArrayRef<int64_t> shape) {
  constexpr int64_t kLimit = int64_t(1) << 48;
  int64_t count = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > kLimit)
      return std::nullopt;
    // Both factors are below 2^48 only after this check of the product.
    if (size != 0 && count > kLimit / size)
      return std::nullopt;
    count *= size;
  }
  return count;
}

Shape mlir::te::frontend::contiguousStrides(ArrayRef<int64_t> shape) {
  Shape strides(shape.size(), 0);
  int64_t stride = 1;
  for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
    strides[dim] = shape[dim] == 1 ? 0 : stride;
    stride *= shape[dim];
  }
  return strides;
}

Shape mlir::te::frontend::broadcastStrides(const ConstantTensor &from,
                                           ArrayRef<int64_t> to) {
  Shape strides(to.size(), 0);
  int64_t shift = int64_t(to.size()) - from.getRank();
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.getShape()[dim] != 1)
      strides[shift + dim] = from.getStrides()[dim];
  return strides;
}

ConstantTensor ConstantTensor::vector(ArrayRef<int64_t> values) {
  return ConstantTensor(Ints(values.begin(), values.end()),
                        {int64_t(values.size())}, kInt64Code);
}

SmallVector<int64_t> ConstantTensor::toInts() const {
  std::vector<int64_t> values = toVector<int64_t>();
  return SmallVector<int64_t>(values.begin(), values.end());
}

Shape ConstantTensor::storedShape() const {
  Shape stored = shape;
  for (auto [size, stride] : llvm::zip_equal(stored, strides))
    if (stride == 0)
      size = std::min<int64_t>(size, 1);
  return stored;
}

std::optional<double> ConstantTensor::getSplat() const {
  if (getNumElements() == 0)
    return std::nullopt;
  auto splat = [&](const auto *values) -> std::optional<double> {
    bool same = true;
    forEachOffset<1>(storedShape(), {ArrayRef<int64_t>(strides)},
                     [&](int64_t at) { same &= values[at] == values[0]; });
    return same ? std::optional<double>(double(values[0])) : std::nullopt;
  };
  if (isFloat())
    return splat(data<float>());
  if (isInt())
    return splat(data<int64_t>());
  return splat(data<uint8_t>());
}

ConstantTensor ConstantTensor::withShape(ArrayRef<int64_t> newShape,
                                         ArrayRef<int64_t> newStrides,
                                         int64_t newOffset) const {
  ConstantTensor result = *this;
  result.shape.assign(newShape.begin(), newShape.end());
  result.strides.assign(newStrides.begin(), newStrides.end());
  result.offset = newOffset;
  return result;
}

ConstantTensor ConstantTensor::broadcast(ArrayRef<int64_t> newShape) const {
  return withShape(newShape, broadcastStrides(*this, newShape), offset);
}

ConstantTensor ConstantTensor::permute(ArrayRef<int64_t> permutation) const {
  Shape newShape, newStrides;
  for (int64_t dim : permutation) {
    newShape.push_back(shape[dim]);
    newStrides.push_back(strides[dim]);
  }
  return withShape(newShape, newStrides, offset);
}

ConstantTensor ConstantTensor::slice(int64_t axis, int64_t start, int64_t step,
                                     int64_t count) const {
  Shape newShape = shape, newStrides = strides;
  newShape[axis] = count;
  newStrides[axis] = count == 1 ? 0 : strides[axis] * step;
  int64_t newOffset = count == 0 ? offset : offset + start * strides[axis];
  return withShape(newShape, newStrides, newOffset);
}
