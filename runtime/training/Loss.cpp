// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Loss.h"

#include "support/Json.h"

using namespace tert;
using namespace tert::training;

Loss Loss::of(const session::Description &description) {
  auto fields = session::parseJson(description.loss);
  Loss loss;
  if (!fields.is_object())
    return loss;
  // Untrusted contents: a value that is not a string counts as absent.
  auto text = [&](const char *name) {
    auto field = fields.find(name);
    return field != fields.end() && field->is_string()
               ? field->get<std::string>()
               : std::string();
  };
  loss.kind = text("kind");
  loss.isSum = text("reduction") == "sum";
  loss.hasAnnotatedLabels = text("labels") == "annotated";
  if (auto ignored = fields.find("ignore_index");
      ignored != fields.end() && ignored->is_number_integer())
    loss.ignoreIndex = ignored->get<int64_t>();
  if (std::string counts = text("counts"); !counts.empty())
    loss.counts = counts;
  loss.isClassification = loss.kind == "classification";
  loss.isLogLikelihood = !loss.isClassification && loss.counts == "labels" &&
                         !fields.contains("label_smoothing") &&
                         !fields.contains("z_loss");
  return loss;
}
