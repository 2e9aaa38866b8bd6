// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TELayerOps.td.

#ifndef TE_DIALECT_TE_IR_LAYEROPS_H
#define TE_DIALECT_TE_IR_LAYEROPS_H

#include "te/Dialect/TE/IR/TE.h"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TELayerOps.h.inc"

#endif // TE_DIALECT_TE_IR_LAYEROPS_H
