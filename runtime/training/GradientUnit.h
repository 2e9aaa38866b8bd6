// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the gradients of a backward pass, and with them their FP8 scales, are
// gradients of: of the sum of a loss, or of its mean.

#ifndef TERT_TRAINING_GRADIENTUNIT_H
#define TERT_TRAINING_GRADIENTUNIT_H

#include "session/Checkpoint.h"

#include <string>

namespace tert::training {

/// Whether a column of scales is that of gradients.
bool isGradientSlot(const session::SlotDescription &slot);
/// Whether it is that of a weight.
bool isWeightSlot(const session::SlotDescription &slot);

/// "sum" for entries whose steps have more than one batch, over ranks or
/// microbatches, and are divided in the end; else "mean of 128", the tokens of
/// a batch: which of them count depends on the labels. Empty where there are no
/// two units: the entry has no gradients of a loss, no amaxes make scales of
/// gradients, or the loss is a sum or a number of the model's own.
std::string gradientUnit(const session::Description &description,
                         const session::EntryDescription &entry);

/// Where a checkpoint has scales of gradients in another unit than `own`, which
/// gradientUnit() says: what both are, for a message; else empty. Of a
/// checkpoint that says nothing, of an older version, the run's settings tell
/// whether steps had more than one batch.
std::string differentUnit(const session::CheckpointInfo &info,
                          const std::string &own);

} // namespace tert::training

#endif // TERT_TRAINING_GRADIENTUNIT_H
