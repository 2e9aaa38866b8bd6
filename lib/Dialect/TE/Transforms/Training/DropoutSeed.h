// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activates or removes a model's te.dropout in its entries.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_DROPOUTSEED_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_DROPOUTSEED_H

#include "Training/EntryEditor.h"

namespace mlir::te {

/// The scalar, tensor<i64>, that seeds all masks of a step.
inline constexpr llvm::StringLiteral kDropoutSeed = "dropout_seed";

/// Makes every te.dropout without a seed read the scalar kDropoutSeed, 0 by
/// default, which is added if one needs it and the entry has none. Fails with
/// an error if something else has its name.
LogicalResult addDropoutSeed(EntryEditor &entry);

/// Replaces every te.dropout without a seed by its operand.
void removeDropout(func::FuncOp function);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_DROPOUTSEED_H
