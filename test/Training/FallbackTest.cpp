// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What checkpoints say of a fallback.

#include "training/Fallback.h"
#include "TestFiles.h"
#include "training/Provenance.h"
#include "training/TrainingOptions.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace tert::training;
using namespace test;

TEST(Fallback, TheRecordIsReadBackWhateverIsInIt) {
  FallbackRecord record = {120, "98 % of \"a\" \xff is 0", true};
  std::optional<FallbackRecord> read = FallbackRecord::parse(record.toJson());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->step, 120u);
  EXPECT_EQ(read->why, "98 % of \"a\" \xef\xbf\xbd is 0"); // as UTF-8
  EXPECT_TRUE(read->isDue);
  record.isDue = false;
  EXPECT_FALSE(FallbackRecord::parse(record.toJson())->isDue);
  for (const char *text :
       {"", "[]", "{", "3", R"({"step": 1})", R"({"why": "x"})",
        R"({"step": -1, "why": "x"})", R"({"step": 1, "why": 2})"})
    EXPECT_FALSE(FallbackRecord::parse(text)) << text;
}

// Without a checkpoint that says so the first program runs, and reports what is
// wrong with its folder.
TEST(Fallback, TheFirstProgramRunsUnlessACheckpointSaysOtherwise) {
  TemporaryFolder folder;
  TrainingOptions options;
  EXPECT_FALSE(continuesFallback(options));
  options.checkpoints = folder / "run";
  options.resume = true;
  EXPECT_FALSE(continuesFallback(options));
  options.checkpoints = folder.path();
  EXPECT_FALSE(continuesFallback(options));
  writeText(folder / "step-00000003.safetensors", "damaged");
  EXPECT_FALSE(continuesFallback(options));
  options.skipDamaged = true;
  EXPECT_FALSE(continuesFallback(options));
  options.rollback = true;
  EXPECT_FALSE(continuesFallback(options));
}

TEST(Fallback, PrecisionMayDifferAndNothingElse) {
  const std::string one = R"({"program":{"precision":"fp8","policy":"","recipe":
      {"name":"delayed"},"model":"m","loss":"l"},"data":"d"})";
  const std::string other = R"({"program":{"precision":"bf16","policy":"a=high",
      "model":"m","loss":"l"},"data":"d"})";
  EXPECT_NE(provenanceChanges(one, other, true), "");
  EXPECT_EQ(provenanceChanges(withoutPrecision(one), withoutPrecision(other)),
            "");
  EXPECT_EQ(provenanceChanges(withoutPrecision(one),
                              withoutPrecision(R"({"program":{"model":"n",
                                  "loss":"l"},"data":"e"})")),
            "\n  data: \"d\" before, \"e\" now\n  program.model: \"m\" before, "
            "\"n\" now");
  EXPECT_EQ(withoutPrecision("nonsense"), "nonsense");
}
