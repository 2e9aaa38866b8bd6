// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parameters training changes.

#ifndef TE_DIALECT_TE_IR_FROZENPARAMETERS_H
#define TE_DIALECT_TE_IR_FROZENPARAMETERS_H

#include "te/Dialect/TE/IR/ArgumentAttrs.h"

namespace mlir::te {

/// On an argument with te.param, without a value: the parameter keeps its
/// values. It gets no gradient, and so neither an update, nor states of the
/// optimizer, nor a share in the norm of the gradients. Inputs of other layers
/// are differentiated through it.
inline constexpr llvm::StringLiteral kFrozenAttr = "te.frozen";

/// Whether an argument is a frozen parameter.
inline bool isFrozen(FunctionOpInterface function, unsigned argument) {
  return bool(function.getArgAttr(argument, kFrozenAttr));
}

/// Whether a value is an argument that is a frozen parameter.
inline bool isFrozen(Value value) {
  return bool(getArgumentAttr(value, kFrozenAttr));
}

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_FROZENPARAMETERS_H
