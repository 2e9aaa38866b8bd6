// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DifferentiableOpInterface of the te ops.

#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

#define VJP(OP)                                                                \
  LogicalResult OP::buildVjp(OpBuilder &builder, ValueRange cotangents,        \
                             const llvm::BitVector &needed,                    \
                             MutableArrayRef<Value> operandCotangents) {       \
    return failure();                                                          \
  }
VJP(MatmulOp)
VJP(LayerNormOp)
VJP(ActivationOp)
VJP(AttentionOp)
VJP(EmbeddingOp)
VJP(CrossEntropyOp)
VJP(AddOp)
VJP(SplitOp)
#undef VJP
