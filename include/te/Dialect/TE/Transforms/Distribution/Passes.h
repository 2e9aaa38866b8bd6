// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that parallelize a program over ranks. Each one's documentation is in
// Passes.td.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_H
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Pass/Pass.h"

namespace mlir::te {

#define GEN_PASS_DECL
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_PASSES_H
