// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates structured ops on constants.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_STRUCTUREDEVALUATION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_STRUCTUREDEVALUATION_H

#include "te/Dialect/TE/Transforms/Linalg/ConstantEvaluator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::te {

/// The row-major index of the element at a position; nullopt if out of bounds.
inline std::optional<int64_t> placeOf(ArrayRef<int64_t> position,
                                      ArrayRef<int64_t> shape) {
  int64_t place = 0;
  for (auto [index, size] : llvm::zip_equal(position, shape)) {
    if (index < 0 || index >= size)
      return std::nullopt;
    place = place * size + index;
  }
  return place;
}

/// Calls `fn` with every position of a shape, in row-major order.
template <typename Fn> void forEachPosition(ArrayRef<int64_t> shape, Fn fn) {
  for (int64_t size : shape)
    if (size == 0)
      return;
  SmallVector<int64_t> position(shape.size(), 0);
  while (true) {
    fn(ArrayRef<int64_t>(position));
    int64_t dim = int64_t(shape.size()) - 1;
    for (; dim >= 0; --dim) {
      if (++position[dim] < shape[dim])
        break;
      position[dim] = 0;
    }
    if (dim < 0)
      return;
  }
}

/// The results of a structured op whose inputs and captured values `find`
/// knows. Returns nullopt if its maps are not linear, its body contains unknown
/// ops, a position is out of bounds, or it takes more than `mostWork` scalar
/// operations.
std::optional<SmallVector<Elements>>
evaluateStructured(linalg::LinalgOp op,
                   function_ref<const Elements *(Value)> find,
                   int64_t mostWork);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_STRUCTUREDEVALUATION_H
