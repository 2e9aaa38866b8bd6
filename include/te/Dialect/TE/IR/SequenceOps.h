// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TESequenceOps.td.

#ifndef TE_DIALECT_TE_IR_SEQUENCEOPS_H
#define TE_DIALECT_TE_IR_SEQUENCEOPS_H

#include "te/Dialect/TE/IR/TE.h"

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TESequenceOps.h.inc"

#endif // TE_DIALECT_TE_IR_SEQUENCEOPS_H
