// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Properties of a program's loss that concern its data and the display of its
// values (docs/artifact.md, "loss").

#ifndef TERT_TRAINING_LOSS_H
#define TERT_TRAINING_LOSS_H

#include "artifact/Description.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tert::training {

struct Loss {
  std::string kind; ///< "causal-lm"; empty if the program does not name it
  bool isSum = false;
  /// The labels are annotations: a stream of tokens does not contain them.
  bool hasAnnotatedLabels = false;
  /// The ignored label of a cross-entropy.
  std::optional<int64_t> ignoreIndex{};
  /// Unit of the output `count`: labels, values, batches.
  std::string counts = "labels";
  /// The mean is that of -log p of the labels, so that its exponential is a
  /// perplexity.
  bool isLogLikelihood = true;
  /// Labels are classes of samples or tokens: accuracy is more meaningful than
  /// perplexity.
  bool isClassification = false;

  static Loss of(const session::Description &description);
};

} // namespace tert::training

#endif // TERT_TRAINING_LOSS_H
