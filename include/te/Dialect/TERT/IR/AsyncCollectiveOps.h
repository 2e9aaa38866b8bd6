// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops of TERTAsyncCollectiveOps.td.

#ifndef TE_DIALECT_TERT_IR_ASYNCCOLLECTIVEOPS_H
#define TE_DIALECT_TERT_IR_ASYNCCOLLECTIVEOPS_H

#include "te/Dialect/TERT/IR/TERT.h"

#define GET_OP_CLASSES
#include "te/Dialect/TERT/IR/TERTAsyncCollectiveOps.h.inc"

#endif // TE_DIALECT_TERT_IR_ASYNCCOLLECTIVEOPS_H
