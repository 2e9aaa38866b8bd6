// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors known while a model is imported: shapes, position ids, masks.

#ifndef TE_LIB_FRONTEND_COMMON_CONSTANTTENSOR_H
#define TE_LIB_FRONTEND_COMMON_CONSTANTTENSOR_H

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

/// A read-only strided view of shared storage: slices, transposes and
/// broadcasts (stride 0) cost nothing. All integers are stored as int64, all
/// floats as float32.
class ConstantTensor {
public:
  using Ints = std::vector<int64_t>;
  using Floats = std::vector<float>;
  using Bools = std::vector<uint8_t>;

  ConstantTensor() = default;
  /// `elementType` fits the storage. It is a code defined by the frontend; a
  /// frontend that tracks types elsewhere leaves it 0.
  template <typename T>
  ConstantTensor(std::vector<T> values, ArrayRef<int64_t> shape,
                 int32_t elementType = 0)
      : ConstantTensor(std::move(values), shape, contiguousStrides(shape),
                       elementType) {}
  template <typename T>
  ConstantTensor(std::vector<T> values, ArrayRef<int64_t> shape,
                 ArrayRef<int64_t> strides, int32_t elementType = 0)
      : storage(std::make_shared<const std::vector<T>>(std::move(values))),
        elementType(elementType), shape(shape), strides(strides) {}

  /// The code of int64 elements, as in ONNX.
  static constexpr int32_t kInt64Code = 7;
  /// An int64 vector.
  static ConstantTensor vector(ArrayRef<int64_t> values);

  int32_t getElementType() const { return elementType; }
  ArrayRef<int64_t> getShape() const { return shape; }
  ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getOffset() const { return offset; }
  int64_t getRank() const { return shape.size(); }
  int64_t getNumElements() const { return *countElements(shape); }

  template <typename T> bool holds() const {
    return std::holds_alternative<std::shared_ptr<const std::vector<T>>>(
        storage);
  }
  bool isInt() const { return holds<int64_t>(); }
  bool isFloat() const { return holds<float>(); }
  bool isBool() const { return holds<uint8_t>(); }

  /// Start of the view in its storage.
  template <typename T> const T *data() const {
    return std::get<std::shared_ptr<const std::vector<T>>>(storage)->data() +
           offset;
  }

  /// All elements in row-major order.
  template <typename T> std::vector<T> toVector() const;
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

private:
  std::variant<std::shared_ptr<const Ints>, std::shared_ptr<const Floats>,
               std::shared_ptr<const Bools>>
      storage;
  int32_t elementType = 0;
  Shape shape, strides;
  int64_t offset = 0;
};

/// Strides of `from` broadcast to the shape `to`.
Shape broadcastStrides(const ConstantTensor &from, ArrayRef<int64_t> to);

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

template <typename T> std::vector<T> ConstantTensor::toVector() const {
  std::vector<T> result;
  result.reserve(getNumElements());
  const T *values = data<T>();
  forEachOffset<1>(shape, {ArrayRef<int64_t>(strides)},
                   [&](int64_t at) { result.push_back(values[at]); });
  return result;
}

} // namespace mlir::te::frontend

#endif // TE_LIB_FRONTEND_COMMON_CONSTANTTENSOR_H
