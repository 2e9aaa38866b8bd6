// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DifferentiableOpInterface of linalg.generic.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_GENERICVJP_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_GENERICVJP_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::te {

/// buildVjp() of a linalg.generic with parallel loops, or with sums, whose body
/// is arithmetic with known derivatives.
LogicalResult buildGenericVjp(Operation *op, OpBuilder &builder,
                              ValueRange cotangents,
                              const llvm::BitVector &needed,
                              MutableArrayRef<Value> operands);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_GENERICVJP_H
