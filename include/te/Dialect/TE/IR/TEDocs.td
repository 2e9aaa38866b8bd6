// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All ops of the dialect, for its reference.

#ifndef TE_DIALECT_TE_IR_TEDOCS_TD
#define TE_DIALECT_TE_IR_TEDOCS_TD

include "te/Dialect/TE/IR/TEOps.td"
include "te/Dialect/TE/IR/TELayerOps.td"
include "te/Dialect/TE/IR/TECollectiveOps.td"

#endif // TE_DIALECT_TE_IR_TEDOCS_TD
