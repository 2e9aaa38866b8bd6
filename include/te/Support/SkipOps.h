// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looking through operations.

#ifndef TE_SUPPORT_SKIPOPS_H
#define TE_SUPPORT_SKIPOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::te {

/// What `value` is made of by ops of these types, each of its first operand.
template <typename... Ops> Value skipOps(Value value) {
  while (isa_and_present<Ops...>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

} // namespace mlir::te

#endif // TE_SUPPORT_SKIPOPS_H
