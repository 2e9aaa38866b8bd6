// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program's loss is to its data and to those who read its numbers
// (docs/artifact.md, "loss").

#ifndef TERT_TRAINING_LOSS_H
#define TERT_TRAINING_LOSS_H

#include "session/Description.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::training {

struct Loss {
  std::string kind; ///< "causal-lm"; empty where the program does not say
  bool isSum = false;
  /// The labels are annotations: a stream of tokens does not hold them.
  bool hasAnnotatedLabels = false;
  /// The label that does not count, of a cross-entropy.
  std::optional<int64_t> ignoreIndex{};
  /// What the output `count` is the number of: labels, values, batches.
  std::string counts = "labels";
  /// The mean is that of -log p of the labels, whose exponential is a
  /// perplexity.
  bool isLogLikelihood = true;
  /// Labels are classes of samples or tokens: how many are found says more than
  /// a perplexity.
  bool isClassification = false;

  static Loss of(const session::Description &description);
};

} // namespace tert::training

#endif // TERT_TRAINING_LOSS_H
