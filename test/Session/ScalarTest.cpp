// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalars of an entry are numbers, whatever type the program reads them in.

#include "session/Session.h"

#include "TestFiles.h"

#include <gtest/gtest.h>

using namespace tert::session;
using namespace test;

namespace {
std::unique_ptr<Session> openToy(const std::string &name) {
  Expected<Artifact> artifact = Artifact::open(toyPath(name));
  EXPECT_TRUE(artifact) << artifact.takeError().message();
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), {});
  EXPECT_TRUE(session) << session.takeError().message();
  return std::move(*session);
}
} // namespace

TEST(Scalar, TakesWhatItsTypeHolds) {
  std::unique_ptr<Session> session = openToy("toy");
  Expected<EntryCall> call = EntryCall::create(*session, "train");
  ASSERT_TRUE(call) << call.takeError().message();
  Expected<bool> set = call->setScalar("learning_rate", 0.25);
  ASSERT_TRUE(set) << set.takeError().message();
  EXPECT_TRUE(*set);
  set = call->setScalar("weight_decay", 0.25);
  ASSERT_TRUE(set);
  EXPECT_FALSE(*set);
  set = call->setScalar("learning_rate", 1e39);
  ASSERT_FALSE(set);
  EXPECT_EQ(set.takeError().message(),
            "cannot set the scalar 'learning_rate': 1e+39 is beyond what F32 "
            "holds");
}

// An artifact whose integer is not one is refused as a whole.
TEST(Scalar, IsNotCutToAnInteger) {
  Expected<Artifact> artifact = Artifact::open(toyPath("integer_rate"));
  ASSERT_FALSE(artifact);
  EXPECT_NE(artifact.takeError().message().find(
                "'entries[1].arguments[1].default' is not an integer"),
            std::string::npos);
}
