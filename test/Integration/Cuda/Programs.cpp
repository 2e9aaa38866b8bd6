// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "StepPrograms.h"
#include "session/Initialization.h"

using namespace tert::session;
using namespace test;

void ProgramTest::SetUp() {
  tert_context *gpu = nullptr;
  char message[1024] = "";
  tert_open("cuda:0", nullptr, &gpu, message, sizeof(message));
  if (!gpu)
    GTEST_SKIP() << message;
  tert_close(gpu);
}

void ProgramTest::open(Program &program, const std::string &target,
                       const std::string &entry,
                       const SessionOptions &options) {
  Expected<Artifact> artifact = Artifact::open(programPath(GetParam(), target));
  ASSERT_TRUE(artifact) << artifact.takeError().message();
  Expected<std::unique_ptr<Session>> session =
      Session::create(std::move(*artifact), options);
  ASSERT_TRUE(session) << session.takeError().message();
  program.session = std::move(*session);
  std::string warning;
  Error error = initializeStates(*program.session, {"", 1}, &warning);
  ASSERT_FALSE(error) << error.message();
  Expected<EntryCall> call = EntryCall::create(*program.session, entry);
  ASSERT_TRUE(call) << call.takeError().message();
  program.call = std::make_unique<EntryCall>(std::move(*call));
}
