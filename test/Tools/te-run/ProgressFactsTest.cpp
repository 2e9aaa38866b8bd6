// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Progress.h"

#include <gtest/gtest.h>

using namespace tert::run;

TEST(ProgressFacts, TheHighestRanksGiveWay) {
  const std::vector<ProgressFact> facts = {
      {"loss 3.1621", 0}, {"(mean 3.8731)", 2}, {"1.41k tokens/s", 1}, {"", 0}};
  EXPECT_EQ(fitFacts("step 1/9", facts, 80),
            "step 1/9  loss 3.1621 (mean 3.8731)  1.41k tokens/s");
  EXPECT_EQ(fitFacts("step 1/9", facts, 40),
            "step 1/9  loss 3.1621  1.41k tokens/s");
  EXPECT_EQ(fitFacts("step 1/9", facts, 30), "step 1/9  loss 3.1621");
  EXPECT_EQ(fitFacts("step 1/9", facts, 4), "step");
}
