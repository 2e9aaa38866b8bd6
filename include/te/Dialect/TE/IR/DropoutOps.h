// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TEDropoutOps.td.

#ifndef TE_DIALECT_TE_IR_DROPOUTOPS_H
#define TE_DIALECT_TE_IR_DROPOUTOPS_H

#include "te/Dialect/TE/IR/TE.h"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TEDropoutOps.h.inc"

#endif // TE_DIALECT_TE_IR_DROPOUTOPS_H
