// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_DIALECT_TE_IR_TEOPS_TD
#define TE_DIALECT_TE_IR_TEOPS_TD

include "te/Dialect/TE/IR/TEForwardOps.td"
include "te/Dialect/TE/IR/TEGradientOps.td"
include "te/Dialect/TE/IR/TEOptimizerOps.td"
include "te/Dialect/TE/IR/TEPrecisionOps.td"

#endif // TE_DIALECT_TE_IR_TEOPS_TD
