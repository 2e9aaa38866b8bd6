// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reshapes, transposes and constants, used by every frontend to build @forward.

#ifndef TE_LIB_FRONTEND_COMMON_TENSORBUILDER_H
#define TE_LIB_FRONTEND_COMMON_TENSORBUILDER_H

#include "ConstantTensor.h"

#include "te/Frontend/ImportedModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::te::frontend {

/// Builds at `builder`'s insertion point. Shapes are static and have been
/// checked by the caller.
class TensorBuilder {
public:
  /// Constants are limited to `maxConstantBytes`.
  TensorBuilder(MLIRContext *context, int64_t maxConstantBytes)
      : builder(context), maxConstantBytes(maxConstantBytes) {}

  OpBuilder builder;

  /// Reshapes a tensor to another static shape, by tensor.collapse_shape and
  /// tensor.expand_shape.
  Value reshape(Location loc, Value value, ArrayRef<int64_t> shape);
  /// Folds all leading dimensions into rows.
  Value toMatrix(Location loc, Value value);
  Value transpose(Location loc, Value value, ArrayRef<int64_t> permutation);
  /// An arith.constant of `element`; null for element types that computation
  /// does not use, and for empty tensors.
  Value materialize(Location loc, const ConstantTensor &constant, Type element);
  /// A constant of this type, of floats or integers, with all elements equal.
  Value splat(Location loc, RankedTensorType type, double value);

protected:
  int64_t maxConstantBytes;
};

/// The argument of `body` that `value` is a reshape, transpose or slice of;
/// null if it is computed, or of another block.
BlockArgument getViewedArgument(Value value, Block *body);

/// The name of the parameter that a value is, possibly sliced, transposed or
/// reshaped; else empty.
StringRef getParameterName(Value value, func::FuncOp function);

/// Drops the parameters that nothing uses from the function and from their
/// list, which has its order.
void dropUnusedParameters(func::FuncOp function,
                          std::vector<ParameterData> &parameters);

} // namespace mlir::te::frontend

#endif // TE_LIB_FRONTEND_COMMON_TENSORBUILDER_H
