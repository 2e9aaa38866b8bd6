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
  return ConstantTensor(std::vector<int64_t>(values.begin(), values.end()),
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
  const Number *values = data();
  bool same = true;
  forEachOffset<1>(
      storedShape(), {ArrayRef<int64_t>(strides)}, [&](int64_t at) {
        same &= isFloat() ? values[at].real == values[0].real
                          : values[at].integer == values[0].integer;
      });
  if (!same)
    return std::nullopt;
  return isFloat() ? values[0].real : double(values[0].integer);
}

ConstantTensor::Kind ConstantTensor::getKind(Type element) {
  return isa<FloatType>(element) ? Kind::Float
         : element.isInteger(1)  ? Kind::Bool
                                 : Kind::Int;
}

ConstantTensor::ConstantTensor(const Elements &elements, int32_t elementType)
    : ConstantTensor(getKind(elements.type.getElementType()), elements.numbers,
                     elements.type.getShape(),
                     elements.isSplat()
                         ? Shape(elements.type.getRank(), 0)
                         : contiguousStrides(elements.type.getShape()),
                     elementType) {}

ConstantTensor ConstantTensor::splat(Kind kind, double value,
                                     ArrayRef<int64_t> shape) {
  Numbers numbers(1);
  if (kind == Kind::Float)
    numbers[0].real = value;
  else
    numbers[0].integer = int64_t(value);
  return ConstantTensor(kind, std::move(numbers), shape,
                        Shape(shape.size(), 0));
}

ConstantTensor::Numbers ConstantTensor::toNumbers() const {
  Numbers result;
  result.reserve(getNumElements());
  const Number *values = data();
  forEachOffset<1>(shape, {ArrayRef<int64_t>(strides)},
                   [&](int64_t at) { result.push_back(values[at]); });
  return result;
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

std::optional<Shape>
ConstantTensor::getStridesIn(ArrayRef<int64_t> newShape) const {
  // One number, however often it is repeated.
  if (llvm::all_of(strides, [](int64_t stride) { return stride == 0; }))
    return Shape(newShape.size(), 0);
  if (strides == contiguousStrides(shape))
    return contiguousStrides(newShape);
  // Dimensions of size 1 come and go.
  Shape view;
  size_t dim = 0;
  auto skipOnes = [&] {
    while (dim < shape.size() && shape[dim] == 1)
      ++dim;
    return dim < shape.size();
  };
  for (int64_t size : newShape) {
    if (size == 1) {
      view.push_back(0);
      continue;
    }
    if (!skipOnes() || shape[dim] != size)
      return std::nullopt;
    view.push_back(strides[dim++]);
  }
  if (skipOnes())
    return std::nullopt;
  return view;
}

ConstantTensor ConstantTensor::reshape(ArrayRef<int64_t> newShape) const {
  if (std::optional<Shape> view = getStridesIn(newShape))
    return withShape(newShape, *view, offset);
  return ConstantTensor(kind, toNumbers(), newShape, elementType);
}

ConstantTensor ConstantTensor::take(ArrayRef<int64_t> offsets,
                                    ArrayRef<int64_t> newShape) const {
  Numbers numbers;
  numbers.reserve(offsets.size());
  for (int64_t at : offsets)
    numbers.push_back(data()[at]);
  return ConstantTensor(kind, std::move(numbers), newShape, elementType);
}

Shape mlir::te::frontend::storedShape(ArrayRef<const ConstantTensor *> operands,
                                      ArrayRef<int64_t> shape) {
  Shape stored(shape.size(), 1);
  for (const ConstantTensor *operand : operands)
    for (auto [size, stride, whole] :
         llvm::zip_equal(stored, broadcastStrides(*operand, shape), shape))
      size = stride != 0 || whole == 0 ? whole : size;
  return stored;
}

std::optional<ConstantTensor> mlir::te::frontend::evaluate(
    const ScalarFunction &function, ArrayRef<const ConstantTensor *> operands,
    ArrayRef<int64_t> shape, ConstantTensor::Kind kind, int32_t elementType) {
  Shape stored = storedShape(operands, shape);
  SmallVector<Shape, 3> strides(3, Shape(shape.size(), 0));
  const Number *data[3] = {};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    strides[i] = broadcastStrides(*operand, shape);
    data[i] = operand->data();
  }
  const size_t count = operands.size();
  ConstantTensor::Numbers results;
  results.reserve(*countElements(stored));
  bool valid = true;
  forEachOffset<3>(stored, {strides[0], strides[1], strides[2]},
                   [&](int64_t a, int64_t b, int64_t c) {
                     const Number x[3] = {data[0][a],
                                          count > 1 ? data[1][b] : Number(),
                                          count > 2 ? data[2][c] : Number()};
                     Number result;
                     valid = valid && function(x, result);
                     results.push_back(result);
                   });
  if (!valid)
    return std::nullopt;
  return ConstantTensor(kind, std::move(results), shape,
                        contiguousStrides(stored), elementType);
}

ConstantTensor
mlir::te::frontend::concatenate(ArrayRef<const ConstantTensor *> pieces,
                                int64_t dim, ArrayRef<int64_t> shape) {
  ConstantTensor::Numbers values(*countElements(shape));
  Shape strides = contiguousStrides(shape);
  Number *to = values.data();
  for (const ConstantTensor *piece : pieces) {
    const Number *from = piece->data();
    forEachOffset<2>(piece->getShape(), {piece->getStrides(), strides},
                     [&](int64_t i, int64_t j) { to[j] = from[i]; });
    to += piece->getShape()[dim] * strides[dim];
  }
  return ConstantTensor(pieces.front()->getKind(), std::move(values), shape,
                        pieces.front()->getElementType());
}
