// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DifferentiableOpInterface of contractions on tensors.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_CONTRACTIONVJP_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_CONTRACTIONVJP_H

#include "te/Analysis/Contraction.h"

#include "llvm/ADT/BitVector.h"

namespace mlir::te {

/// buildVjp() of a contraction: both operands' gradients are contractions of
/// the cotangent with the other operand, summed in float32, so that no
/// temporary is larger than an operand.
void buildContractionVjp(linalg::LinalgOp op, const Contraction &contraction,
                         OpBuilder &builder, Value cotangent,
                         const llvm::BitVector &needed,
                         MutableArrayRef<Value> operandCotangents);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DIFFERENTIATION_CONTRACTIONVJP_H
