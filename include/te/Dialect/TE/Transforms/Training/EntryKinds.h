// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points that are built of a model.

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYKINDS_H
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYKINDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::te {

/// What an entry point of a model computes.
struct EntryKind {
  llvm::StringLiteral name;
  bool keepsOutputs; ///< it returns the outputs of the model
  bool hasLoss;      ///< it returns a loss
  bool countsLabels; ///< it returns how many labels the loss counts
  bool hasGradients; ///< it runs backwards, and so sees every FP8 tensor
  bool hasUpdates;   ///< it returns new parameters
  bool accumulates;  ///< it adds its gradients to those of other microbatches
};

/// All of them: train, accumulate, grad, eval, vjp and forward.
llvm::ArrayRef<EntryKind> getEntryKinds();
/// Null when there is no such entry.
const EntryKind *findEntryKind(llvm::StringRef name);
/// "train, accumulate, grad, eval, vjp and forward", for messages.
std::string listEntryKinds();

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYKINDS_H
