// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/GradientUnit.h"

#include "support/Json.h"
#include "training/Data.h"
#include "training/Loss.h"
#include "training/TrainingOptions.h"

#include <algorithm>

using namespace tert;
using namespace tert::session;

static constexpr char sumUnit[] = "sum";

static bool endsWith(const std::string &name, std::string_view end) {
  return name.size() > end.size() &&
         name.compare(name.size() - end.size(), end.size(), end) == 0;
}

bool training::isGradientSlot(const SlotDescription &slot) {
  return endsWith(slot.name, ".grad_output");
}

bool training::isWeightSlot(const SlotDescription &slot) {
  return endsWith(slot.name, ".weight");
}

std::string training::gradientUnit(const Description &description,
                                   const EntryDescription &entry) {
  const Loss loss = Loss::of(description);
  const bool isStep = entry.name == "train" || entry.name == "accumulate";
  if (!(isStep || entry.name == "grad") || loss.isSum ||
      loss.counts == "batches" ||
      !description.findStateOfKind("fp8_amax_history") ||
      std::none_of(description.slots.begin(), description.slots.end(),
                   isGradientSlot))
    return {};
  if (isStep &&
      (!description.mesh.axes.empty() || description.findEntry("accumulate")))
    return sumUnit;
  return "mean of " + std::to_string(tokensPerCall(entry));
}

/// "the mean of its loss over 128 tokens", for "mean of 128".
static std::string inWords(const std::string &unit) {
  constexpr std::string_view mean = "mean of ";
  if (unit.compare(0, mean.size(), mean) == 0)
    return "the mean of the loss over " + unit.substr(mean.size()) + " tokens";
  return "the " + unit + " of the loss";
}

std::string training::differentUnit(const CheckpointInfo &info,
                                    const std::string &own) {
  if (own.empty() || info.gradients == own)
    return {};
  std::string theirs = info.gradients;
  if (theirs.empty()) {
    const bool wasSum = info.isShardedCheckpoint || hadSeveralBatches(info.run);
    if (wasSum == (own == sumUnit))
      return {};
    theirs = wasSum ? "sum" : "mean";
  }
  return "those of the checkpoint are of " + inWords(theirs) +
         ", this program's of " + inWords(own);
}
