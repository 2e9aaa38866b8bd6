// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers tables that a step looks up first at the end of the previous step.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_PERSISTENTTABLES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_PERSISTENTTABLES_H

#include "Distribution/States/ShardPlan.h"
#include "te/Dialect/TE/IR/WeightCopy.h"

namespace mlir::te {

/// For every table of the plan that is looked up in full and in a narrower
/// type, adds a state (kWeightCopyKind) with a copy in that type, padded with
/// the rows of zeros that a reader requires. Readers in that type read the
/// copy; updates of the table also make the next copy, and `init` the first.
/// Runs before the entries are sharded. Fails with an error if the module has
/// something else named `init`.
LogicalResult persistTables(ModuleOp module, const ShardPlan &plan);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_STATES_PERSISTENTTABLES_H
