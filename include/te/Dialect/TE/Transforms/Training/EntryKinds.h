// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of entry points built from a model.

#ifndef TE_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYKINDS_H
#define TE_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYKINDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::te {

/// A kind of entry point and its properties.
struct EntryKind {
  llvm::StringLiteral name;
  bool keepsOutputs; ///< returns the outputs of the model
  bool hasLoss;      ///< returns a loss
  bool countsLabels; ///< returns how many labels the loss counts
  bool hasGradients; ///< has a backward pass, and so sees every FP8 tensor
  bool hasUpdates;   ///< returns new parameters
  bool accumulates;  ///< adds its gradients to those of other microbatches
  bool measures;     ///< returns what FP8 would change (te-measure-sensitivity)
  bool separates;    ///< becomes itself and `backward` (te-separate-backward)
  bool caches;       ///< keeps keys and values (te-add-kv-cache)
};

/// All kinds: train, accumulate, grad, eval, vjp, forward_saving, backward,
/// forward, prefill, decode and calibrate.
llvm::ArrayRef<EntryKind> getEntryKinds();
/// Null if there is no such entry.
const EntryKind *findEntryKind(llvm::StringRef name);
/// Whether one of the entries is of a kind with this property.
bool hasEntry(llvm::ArrayRef<std::string> entries, bool EntryKind::*property);
/// "train, accumulate, grad, eval, vjp, forward_saving, backward, forward,
/// prefill, decode and calibrate", for messages.
std::string listEntryKinds();

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_TRAINING_ENTRYKINDS_H
