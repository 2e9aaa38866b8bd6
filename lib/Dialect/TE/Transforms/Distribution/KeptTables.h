// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables that a step looks up first stay gathered from the end of the one
// before.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_KEPTTABLES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_KEPTTABLES_H

#include "Distribution/ShardPlan.h"
#include "te/Dialect/TE/IR/WeightCopy.h"

namespace mlir::te {

/// Gives every table of the plan that is looked up whole in a narrower type
/// than its own a copy of that type that is a state (kWeightCopyKind), with
/// the rows of zeros that a reader wants below it. Who reads the table in that
/// type reads the copy, and who updates the table makes the next one, as does
/// `init` the first. Runs before the entries are sharded. Fails with an error
/// where the module has something else that is named `init`.
LogicalResult keepTables(ModuleOp module, const ShardPlan &plan);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_KEPTTABLES_H
