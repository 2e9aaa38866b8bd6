// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Programs.h"

#include "session/Initialization.h"

#include <filesystem>

using namespace tert::session;
using namespace test;

static std::filesystem::path programs; // main() sets it before any test runs

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
  std::string path =
      programs / (std::string(GetParam()) + "." + target + ".so");
  Expected<Artifact> artifact = Artifact::open(path);
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

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  programs =
      argc > 1 ? std::filesystem::path(argv[1])
               : std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                     "steps";
  return RUN_ALL_TESTS();
}
