// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors known while a model is imported: shapes, position ids, masks.

#ifndef TE_LIB_FRONTEND_COMMON_CONSTANTTENSOR_H
#define TE_LIB_FRONTEND_COMMON_CONSTANTTENSOR_H

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <array>
#include <memory>
#include <variant>
#include <vector>

namespace mlir::te::frontend {

using Shape = SmallVector<int64_t, 4>;

/// Product of the sizes, or nullopt if one is negative or the product exceeds
/// 2^48.
std::optional<int64_t> countElements(ArrayRef<int64_t> shape);

/// Row-major strides of `shape`; 0 along dimensions of size 1.
Shape contiguousStrides(ArrayRef<int64_t> shape);

/// Calls `fn` with N element offsets for every index of `shape`, in row-major
/// order, each offset advancing by its own strides.
template <size_t N, typename Fn>
void forEachOffset(ArrayRef<int64_t> shape,
                   std::array<ArrayRef<int64_t>, N> strides, Fn fn) {
  for (int64_t size : shape)
    if (size == 0)
      return;
  size_t rank = shape.size();
  std::array<int64_t, N> at{};
  if (rank == 0) {
    std::apply(fn, at);
    return;
  }
  Shape index(rank, 0);
  int64_t inner = shape.back();
  std::array<int64_t, N> step;
  for (size_t n = 0; n < N; ++n)
    step[n] = strides[n].back();
  while (true) {
    std::array<int64_t, N> here = at;
    for (int64_t i = 0; i < inner; ++i) {
      std::apply(fn, here);
      for (size_t n = 0; n < N; ++n)
        here[n] += step[n];
    }
    int64_t dim = int64_t(rank) - 2;
    for (; dim >= 0; --dim) {
      for (size_t n = 0; n < N; ++n)
        at[n] += strides[n][dim];
      if (++index[dim] < shape[dim])
        break;
      for (size_t n = 0; n < N; ++n)
        at[n] -= strides[n][dim] * shape[dim];
      index[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

/// A read-only strided view of shared storage: slices, transposes and
/// broadcasts (stride 0) cost nothing. Floats are rounded to float32, or to
/// their type.
class ConstantTensor {
public:
  enum class Kind { Int, Float, Bool };
  using Numbers = std::vector<Number>;
  /// Elements of each kind.
  using Storage = std::variant<std::vector<int64_t>, std::vector<float>,
                               std::vector<uint8_t>>;

  ConstantTensor() = default;
  /// `elementType` is a code defined by the frontend; a frontend that tracks
  /// types elsewhere leaves it 0.
  ConstantTensor(Storage values, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> strides, int32_t elementType = 0)
      : storage(std::make_shared<const Storage>(std::move(values))),
        kind(Kind(storage->index())),
        elements(std::visit(
            [](const auto &list) -> const void * { return list.data(); },
            *storage)),
        elementType(elementType), shape(shape), strides(strides) {}
  ConstantTensor(Storage values, ArrayRef<int64_t> shape,
                 int32_t elementType = 0)
      : ConstantTensor(std::move(values), shape, contiguousStrides(shape),
                       elementType) {}
  ConstantTensor(Kind kind, ArrayRef<Number> values, ArrayRef<int64_t> shape,
                 int32_t elementType = 0)
      : ConstantTensor(store(kind, values), shape, elementType) {}
  explicit ConstantTensor(const Elements &elements, int32_t elementType = 0);

  /// The code of int64 elements, as in ONNX.
  static constexpr int32_t kInt64Code = 7;
  /// An int64 vector.
  static ConstantTensor vector(ArrayRef<int64_t> values);

  /// A tensor with all elements equal; of integers, the number is truncated.
  static ConstantTensor splat(Kind kind, double value, ArrayRef<int64_t> shape);
  static Kind getKind(Type element);

  int32_t getElementType() const { return elementType; }
  ArrayRef<int64_t> getShape() const { return shape; }
  ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getOffset() const { return offset; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return *countElements(shape); }

  Kind getKind() const { return kind; }
  bool isInt() const { return kind == Kind::Int; }
  bool isFloat() const { return kind == Kind::Float; }
  bool isBool() const { return kind == Kind::Bool; }

  /// The element at `place` from the start of the view in its storage.
  Number at(int64_t place) const {
    Number number;
    place += offset;
    switch (kind) {
    case Kind::Int:
      number.integer = static_cast<const int64_t *>(elements)[place];
      break;
    case Kind::Float:
      number.real = static_cast<const float *>(elements)[place];
      break;
    case Kind::Bool:
      number.integer = static_cast<const uint8_t *>(elements)[place];
      break;
    }
    return number;
  }
  /// The elements from `place` on, `step` apart.
  void read(int64_t place, int64_t step, MutableArrayRef<Number> row) const;

  /// All elements in row-major order.
  Numbers toNumbers() const;
  template <typename T> std::vector<T> toVector() const {
    std::vector<T> result;
    result.reserve(getNumElements());
    forEachOffset<1>(shape, {ArrayRef<int64_t>(strides)}, [&](int64_t place) {
      Number number = at(place);
      result.push_back(isFloat() ? T(number.real) : T(number.integer));
    });
    return result;
  }
  /// The elements of an integer tensor of any rank, for shapes and indices.
  SmallVector<int64_t> toInts() const;
  /// The shape without repetitions: dimensions of stride 0 have size 1. A view
  /// may be much larger than its storage; loops over all stored elements use
  /// this shape.
  Shape storedShape() const;
  /// The value of a tensor whose elements are all the same float or integer;
  /// nullopt otherwise.
  std::optional<double> getSplat() const;

  /// Views. The caller has checked the arguments.
  ConstantTensor withShape(ArrayRef<int64_t> newShape,
                           ArrayRef<int64_t> newStrides,
                           int64_t newOffset) const;
  ConstantTensor broadcast(ArrayRef<int64_t> newShape) const;
  ConstantTensor permute(ArrayRef<int64_t> permutation) const;
  ConstantTensor slice(int64_t axis, int64_t start, int64_t step,
                       int64_t count) const;

  /// The strides of the same elements in another shape; nullopt if they have to
  /// be copied.
  std::optional<Shape> getStridesIn(ArrayRef<int64_t> newShape) const;
  ConstantTensor reshape(ArrayRef<int64_t> newShape) const;
  /// Other elements of the same kind and type.
  ConstantTensor withNumbers(ArrayRef<Number> numbers,
                             ArrayRef<int64_t> newShape) const {
    return ConstantTensor(getKind(), numbers, newShape, elementType);
  }
  /// The elements at these places from the start of the view.
  ConstantTensor take(ArrayRef<int64_t> places,
                      ArrayRef<int64_t> newShape) const;

private:
  static Storage store(Kind kind, ArrayRef<Number> values);

  std::shared_ptr<const Storage> storage;
  Kind kind = Kind::Int;
  const void *elements = nullptr; ///< the first one in the storage
  int32_t elementType = 0;
  Shape shape, strides;
  int64_t offset = 0;
};

/// Strides of `from` broadcast to the shape `to`.
Shape broadcastStrides(const ConstantTensor &from, ArrayRef<int64_t> to);

/// The shape of the storage of an elementwise result: dimensions along which
/// every operand repeats are stored once.
Shape storedShape(ArrayRef<const ConstantTensor *> operands,
                  ArrayRef<int64_t> shape);

/// A function of the elements of up to three tensors, broadcast to `shape` by
/// NumPy's rules; nullopt if one has no result.
std::optional<ConstantTensor>
evaluate(const ScalarFunction &function,
         ArrayRef<const ConstantTensor *> operands, ArrayRef<int64_t> shape,
         ConstantTensor::Kind kind, int32_t elementType = 0);

/// Tensors of one kind, joined along a dimension into one of `shape`.
ConstantTensor concatenate(ArrayRef<const ConstantTensor *> pieces, int64_t dim,
                           ArrayRef<int64_t> shape);

} // namespace mlir::te::frontend

#endif // TE_LIB_FRONTEND_COMMON_CONSTANTTENSOR_H
