// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The generated classes of the ops, and the directives of their assembly
// format.

#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Dialect/TE/IR/ScaleShape.h"

using namespace mlir;
using namespace mlir::te;

// The states, old and new, have the parameter's type.
static ParseResult
parseStateTypes(OpAsmParser &, Type param,
                ArrayRef<OpAsmParser::UnresolvedOperand> states,
                SmallVectorImpl<Type> &types, SmallVectorImpl<Type> &newTypes) {
  types.assign(states.size(), param);
  newTypes.assign(states.size(), param);
  return success();
}

static void printStateTypes(OpAsmPrinter &, UpdateOp, Type, OperandRange,
                            TypeRange, TypeRange) {}

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEOps.cpp.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TECollectiveOps.cpp.inc"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TELayerOps.cpp.inc"
