// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of a value that is a tensor.

#ifndef TE_SUPPORT_TENSORTYPE_H
#define TE_SUPPORT_TENSORTYPE_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

namespace mlir::te {

/// The type of a value that must be a ranked tensor.
inline RankedTensorType tensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Its shape.
inline ArrayRef<int64_t> tensorShape(Value value) {
  return tensorType(value).getShape();
}

/// The size of one dimension.
inline int64_t tensorDim(Value value, unsigned dim) {
  return tensorType(value).getDimSize(dim);
}

} // namespace mlir::te

#endif // TE_SUPPORT_TENSORTYPE_H
