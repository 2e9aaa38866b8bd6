// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowerings of ops to runtime calls, and destinations of these, before
// bufferization.

#ifndef TE_LIB_CONVERSION_TETOTERT_LOWERING_H
#define TE_LIB_CONVERSION_TETOTERT_LOWERING_H

#include "te/Conversion/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {

/// A destination of `type`, ranked and of static shape.
inline Value createEmpty(OpBuilder &builder, Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor::EmptyOp::create(builder, loc, tensor.getShape(),
                                 tensor.getElementType());
}

/// Gives an op RuntimeOpInterface by a function.
template <typename Op, LogicalResult (*lower)(Op, RewriterBase &)>
struct LoweringModel
    : RuntimeOpInterface::ExternalModel<LoweringModel<Op, lower>, Op> {
  LogicalResult lowerToRuntime(Operation *op, RewriterBase &rewriter) const {
    return lower(cast<Op>(op), rewriter);
  }
};
template <typename Op, LogicalResult (*lower)(Op, RewriterBase &)>
void attachLowering(MLIRContext *context) {
  Op::template attachInterface<LoweringModel<Op, lower>>(*context);
}

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_TETOTERT_LOWERING_H
