// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Loss.h"

#include <gtest/gtest.h>

using tert::training::Loss;

namespace {
Loss lossOf(const std::string &text) {
  tert::session::Description description;
  description.loss = text;
  return Loss::of(description);
}
} // namespace

TEST(Loss, IsWhatTheProgramSays) {
  Loss plain = lossOf(R"({"kind": "cross-entropy", "reduction": "mean"})");
  EXPECT_EQ(plain.kind, "cross-entropy");
  EXPECT_FALSE(plain.isSum);
  EXPECT_FALSE(plain.hasAnnotatedLabels);
  EXPECT_EQ(plain.counts, "labels");
  EXPECT_TRUE(plain.isLogLikelihood);

  Loss regression = lossOf(
      R"({"kind": "mse", "reduction": "sum", "labels": "annotated", "counts": "values"})");
  EXPECT_TRUE(regression.isSum);
  EXPECT_TRUE(regression.hasAnnotatedLabels);
  EXPECT_EQ(regression.counts, "values");
  EXPECT_FALSE(regression.isLogLikelihood);

  EXPECT_FALSE(
      lossOf(R"({"kind": "causal-lm", "z_loss": 0.0001})").isLogLikelihood);
  EXPECT_FALSE(lossOf(R"({"kind": "causal-lm", "label_smoothing": 0.1})")
                   .isLogLikelihood);
}

// A file may hold anything.
TEST(Loss, NothingAndNonsenseAreTheDefaults) {
  for (const char *text : {"", "[]", "{\"reduction\": 3, \"counts\": null}",
                           "{\"labels\": {\"annotated\": 1}}"}) {
    Loss loss = lossOf(text);
    EXPECT_EQ(loss.kind, "") << text;
    EXPECT_FALSE(loss.isSum) << text;
    EXPECT_FALSE(loss.hasAnnotatedLabels) << text;
    EXPECT_EQ(loss.counts, "labels") << text;
    EXPECT_TRUE(loss.isLogLikelihood) << text;
  }
}
