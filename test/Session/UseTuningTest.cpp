// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/UseTuning.h"

#include "TestFiles.h"
#include "session/Session.h"
#include "tert/tuning.h"

#include <gtest/gtest.h>

using namespace tert::session;

TEST(UseTuning, ACpuHasNothingToTune) {
  Expected<Artifact> artifact = Artifact::open(test::toyPath("toy"));
  ASSERT_TRUE(artifact);
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  ASSERT_TRUE(session);
  std::string warning;
  EXPECT_FALSE(useTuning(**session, "absent.json", &warning));
  EXPECT_EQ(warning, "");
  tert_context *context = (*session)->context();
  tert_tuning_usage usage = {1, 1, 1};
  EXPECT_EQ(tert_tuning_read_usage(context, &usage), TERT_OK);
  EXPECT_EQ(usage.problems + usage.tuned + usage.refused, 0u);
  tert_tuning_record record = {"p", "q", 0, 0};
  EXPECT_EQ(tert_tuning_load(context, &record, 1), TERT_OK);
  EXPECT_EQ(tert_tuning_search(context, 0, &record), TERT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(tert_last_error(context)).find("no problem 0"),
            std::string::npos);
  record.plan = nullptr;
  EXPECT_EQ(tert_tuning_load(context, &record, 1), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_tuning_device(context, nullptr), TERT_INVALID_ARGUMENT);
  EXPECT_EQ(tert_tuning_read_usage(context, nullptr), TERT_INVALID_ARGUMENT);
}
