// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quantity that the gradients of a backward pass, and their FP8 scales, are
// gradients of: the sum of a loss, or its mean.

#ifndef TERT_TRAINING_GRADIENTUNIT_H
#define TERT_TRAINING_GRADIENTUNIT_H

#include "checkpoint/Checkpoint.h"

#include <string>

namespace tert::training {

/// True if a column of scales is that of gradients.
bool isGradientSlot(const session::SlotDescription &slot);
/// True if it is that of a weight.
bool isWeightSlot(const session::SlotDescription &slot);

/// "sum" for entries whose steps have more than one batch, over ranks or
/// microbatches, and divide at the end; otherwise "mean of 128", the tokens of
/// a batch, because the number of counted ones depends on the labels. Empty if
/// the unit is fixed: the entry has no gradients of a loss, no amaxes determine
/// scales of gradients, or the loss is a sum or computed by the model itself.
std::string gradientUnit(const session::Description &description,
                         const session::EntryDescription &entry);

/// If a checkpoint has scales of gradients in another unit than `own`, as
/// returned by gradientUnit(): both units, for a message; otherwise empty. If a
/// checkpoint of an older version does not name its unit, the run's settings
/// determine whether steps had more than one batch.
std::string differentUnit(const session::CheckpointInfo &info,
                          const std::string &own);

} // namespace tert::training

#endif // TERT_TRAINING_GRADIENTUNIT_H
