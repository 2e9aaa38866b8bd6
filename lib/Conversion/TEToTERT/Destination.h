// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Destinations of tert ops, before bufferization.

#ifndef TE_LIB_CONVERSION_TETOTERT_DESTINATION_H
#define TE_LIB_CONVERSION_TETOTERT_DESTINATION_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {

/// A destination of `type`, ranked and of static shape.
inline Value createEmpty(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                 tensor.getElementType());
}

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_TETOTERT_DESTINATION_H
