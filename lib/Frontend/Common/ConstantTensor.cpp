// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConstantTensor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
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
  const Number first = at(0);
  bool same = true;
  forEachOffset<1>(storedShape(), {ArrayRef<int64_t>(strides)},
                   [&](int64_t place) {
                     same &= isFloat() ? at(place).real == first.real
                                       : at(place).integer == first.integer;
                   });
  if (!same)
    return std::nullopt;
  return isFloat() ? first.real : double(first.integer);
}

ConstantTensor::Kind ConstantTensor::getKind(Type element) {
  return isa<FloatType>(element) ? Kind::Float
         : element.isInteger(1)  ? Kind::Bool
                                 : Kind::Int;
}

/// The numbers that `produce` calls its argument with, as elements of a kind.
template <typename Fn>
static ConstantTensor::Storage collect(ConstantTensor::Kind kind, int64_t count,
                                       const Fn &produce) {
  auto collectAs = [&](auto element) -> ConstantTensor::Storage {
    using T = decltype(element);
    std::vector<T> values(count);
    T *to = values.data();
    produce([&](ArrayRef<Number> numbers) {
      to = llvm::transform(numbers, to, [](Number number) {
        return std::is_floating_point_v<T> ? T(number.real) : T(number.integer);
      });
    });
    return values;
  };
  switch (kind) {
  case ConstantTensor::Kind::Int:
    return collectAs(int64_t());
  case ConstantTensor::Kind::Float:
    return collectAs(float());
  case ConstantTensor::Kind::Bool:
    return collectAs(uint8_t());
  }
  llvm_unreachable("all kinds are handled");
}

ConstantTensor::Storage ConstantTensor::store(Kind kind,
                                              ArrayRef<Number> values) {
  return collect(kind, values.size(), [&](const auto &add) { add(values); });
}

ConstantTensor::ConstantTensor(const Elements &elements, int32_t elementType)
    : ConstantTensor(
          store(getKind(elements.type.getElementType()), elements.numbers),
          elements.type.getShape(),
          elements.isSplat() ? Shape(elements.type.getRank(), 0)
                             : contiguousStrides(elements.type.getShape()),
          elementType) {}

ConstantTensor ConstantTensor::splat(Kind kind, double value,
                                     ArrayRef<int64_t> shape) {
  Number number;
  if (kind == Kind::Float)
    number.real = value;
  else
    number.integer = int64_t(value);
  return ConstantTensor(store(kind, number), shape, Shape(shape.size(), 0));
}

void ConstantTensor::read(int64_t place, int64_t step,
                          MutableArrayRef<Number> row) const {
  auto readAs = [&](auto element, auto member) {
    auto *from = static_cast<const decltype(element) *>(elements) + offset;
    for (auto [i, number] : llvm::enumerate(row))
      number.*member = from[place + int64_t(i) * step];
  };
  switch (kind) {
  case Kind::Int:
    return readAs(int64_t(), &Number::integer);
  case Kind::Float:
    return readAs(float(), &Number::real);
  case Kind::Bool:
    return readAs(uint8_t(), &Number::integer);
  }
}

ConstantTensor::Numbers ConstantTensor::toNumbers() const {
  Numbers result;
  result.reserve(getNumElements());
  forEachOffset<1>(shape, {ArrayRef<int64_t>(strides)},
                   [&](int64_t place) { result.push_back(at(place)); });
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
  return withNumbers(toNumbers(), newShape);
}

ConstantTensor ConstantTensor::take(ArrayRef<int64_t> places,
                                    ArrayRef<int64_t> newShape) const {
  auto taken = [&](const auto &add) {
    for (int64_t place : places)
      add(at(place));
  };
  return ConstantTensor(collect(getKind(), places.size(), taken), newShape,
                        elementType);
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
  // Row by row, so that only a row asks for the kind of its elements.
  const int64_t size = stored.empty() ? 1 : stored.back();
  SmallVector<Shape, 3> outer(3, Shape(shape.size(), 0));
  int64_t steps[3] = {};
  std::vector<Number> rows[3];
  for (int i : {0, 1, 2}) {
    rows[i].resize(size);
    if (i < int(operands.size()))
      outer[i] = broadcastStrides(*operands[i], shape);
    if (!shape.empty())
      steps[i] = outer[i].pop_back_val();
  }
  std::vector<Number> row(size);
  bool valid = true;
  auto results = [&](const auto &add) {
    forEachOffset<3>(ArrayRef(stored).drop_back(shape.empty() ? 0 : 1),
                     {outer[0], outer[1], outer[2]},
                     [&](int64_t a, int64_t b, int64_t c) {
                       const int64_t places[] = {a, b, c};
                       for (auto [i, operand] : llvm::enumerate(operands))
                         operand->read(places[i], steps[i], rows[i]);
                       const Number *x = rows[0].data(), *y = rows[1].data(),
                                    *z = rows[2].data();
                       for (int64_t i = 0; i < size; ++i) {
                         const Number each[] = {x[i], y[i], z[i]};
                         // Masks have long runs of the same operands.
                         if (i > 0 && x[i].integer == x[i - 1].integer &&
                             y[i].integer == y[i - 1].integer &&
                             z[i].integer == z[i - 1].integer)
                           row[i] = row[i - 1];
                         else
                           valid = valid && function(each, row[i]);
                       }
                       add(row);
                     });
  };
  ConstantTensor::Storage values =
      collect(kind, *countElements(stored), results);
  if (!valid)
    return std::nullopt;
  return ConstantTensor(std::move(values), shape, contiguousStrides(stored),
                        elementType);
}

ConstantTensor
mlir::te::frontend::concatenate(ArrayRef<const ConstantTensor *> pieces,
                                int64_t dim, ArrayRef<int64_t> shape) {
  ConstantTensor::Numbers values(*countElements(shape));
  Shape strides = contiguousStrides(shape);
  Number *to = values.data();
  for (const ConstantTensor *piece : pieces) {
    forEachOffset<2>(piece->getShape(), {piece->getStrides(), strides},
                     [&](int64_t i, int64_t j) { to[j] = piece->at(i); });
    to += piece->getShape()[dim] * strides[dim];
  }
  return pieces.front()->withNumbers(values, shape);
}
