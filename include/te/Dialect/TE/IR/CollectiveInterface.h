// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of collectives.

#ifndef TE_DIALECT_TE_IR_COLLECTIVEINTERFACE_H
#define TE_DIALECT_TE_IR_COLLECTIVEINTERFACE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

#include "te/Dialect/TE/IR/TECollectiveEnums.h.inc"

#include "te/Dialect/TE/IR/TECollectiveInterface.h.inc"

#endif // TE_DIALECT_TE_IR_COLLECTIVEINTERFACE_H
