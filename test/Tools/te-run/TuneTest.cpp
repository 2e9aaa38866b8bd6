// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Tool.h"

using namespace test;

TEST(Tune, ACpuHasNothingToTune) {
  TemporaryFolder folder;
  EXPECT_FAILS(teRun({"tune", toyPath("toy"), "--database", folder / "t.json"}),
               "nothing to tune");
  EXPECT_EQ(folder.count(), 0u);
}

TEST(Tune, AnAbsentDatabaseIsAnError) {
  EXPECT_FAILS(
      teRun({"bench", toyPath("small_range"), "--tuning", "/absent.json"}),
      "there is no tuning database");
}

TEST(Tune, AFileThatIsNoDatabaseStays) {
  TemporaryFolder folder;
  writeText(folder / "mine", "thesis");
  EXPECT_FAILS(
      teRun({"tune", toyPath("small_range"), "--database", folder / "mine"}),
      "is in the way of --database");
  EXPECT_FAILS(teRun({"tune", toyPath("small_range"), "--database",
                      folder / "mine", "--force"}),
               "there is nothing to tune on this device");
  EXPECT_EQ(readText(folder / "mine"), "thesis");
}

TEST(Tune, ADatabaseAndNoneExcludeEachOther) {
  Result result = teRun(
      {"bench", toyPath("small_range"), "--tuning", "t.json", "--no-tuning"});
  EXPECT_EQ(result.code, 2);
}

TEST(Tune, ACpuIgnoresADatabase) {
  TemporaryFolder folder;
  writeText(folder / "t.json", "damaged");
  Result result = teRun({"bench", toyPath("small_range"), "--iterations", "1",
                         "--tuning", folder / "t.json"});
  EXPECT_EQ(result.code, 0) << result.error;
  EXPECT_EQ(result.error, "");
}
