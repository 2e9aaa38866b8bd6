// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_BUFFERBYTES_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_BUFFERBYTES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::te {

/// Size in bytes of the elements of a type of static shape.
inline int64_t bytesOf(ShapedType type) {
  return type.getNumElements() *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}
inline int64_t bytesOf(Value buffer) {
  return bytesOf(cast<ShapedType>(buffer.getType()));
}

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_BUFFERBYTES_H
