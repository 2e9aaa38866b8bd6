// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Setup.h"

#include "Output.h"

#include <CLI/CLI.hpp>

using namespace tert::run;
using namespace tert::session;

void Setup::addTo(CLI::App &command, Tuning use) {
  constexpr const char *group = "Running";
  command
      .add_option("ARTIFACT", artifact,
                  "The program that te-compile wrote (model.so)")
      ->required();
  command
      .add_option("--device", device.device,
                  "Where to run: cpu, or cuda:0, cuda:1, … for a program "
                  "compiled for a GPU; without it the device that the program "
                  "is for")
      ->type_name("DEVICE");
  command
      .add_option("--threads", device.numThreads,
                  "CPU threads; 0 means every core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str()
      ->group(group);
  command
      .add_option("--weights", initialization.weights,
                  "Parameters to use instead of the .weights.safetensors "
                  "next to the artifact; a checkpoint will do. Floats of "
                  "another type are rounded where the program holds BF16, else "
                  "converted when every value stays the same")
      ->type_name("FILE")
      ->group(group);
  command
      .add_option("--seed", initialization.seed,
                  "Of parameters that are made at random, of the order of the "
                  "data, and of drawn tokens")
      ->capture_default_str()
      ->group(group);
  command
      .add_flag("!--no-memory-check", device.checkMemory,
                "Run even if the memory that is free is too little")
      ->group(group);
  command
      .add_flag("--synchronous", device.synchronous,
                "Wait for the device after every op: slow, but a fault is "
                "reported with the op and its location in the model")
      ->group(group);
  command
      .add_flag("--nondeterministic", device.nondeterministic,
                "Let a GPU add in any order in the gradient of attention: "
                "faster over long sequences, but two runs differ in their "
                "last bits")
      ->group(group);
  untuned = use == Untuned;
  if (untuned)
    return;
  CLI::Option *database =
      command
          .add_option("--tuning", tuning,
                      "The database that te-run tune wrote; without it "
                      "ARTIFACT's name with .tuning.json, if that is there")
          ->type_name("FILE")
          ->group(group);
  command
      .add_flag("--no-tuning", untuned,
                "Use no database: the library's own choice everywhere")
      ->excludes(database)
      ->group(group);
}

Expected<std::unique_ptr<Session>> Setup::open() const {
  std::vector<std::string> warnings;
  Expected<std::unique_ptr<Session>> session = openProgram(*this, warnings);
  for (const std::string &warning : warnings)
    reportWarning(warning);
  return session;
}

void Setup::reportNotices(const Session &session) {
  for (const std::string &notice : noticesOf(session))
    reportWarning(notice);
}

Error Setup::initialize(Session &session) const {
  std::string warning;
  if (Error error = initializeStates(session, initialization, &warning))
    return error;
  if (!warning.empty())
    reportWarning(warning);
  return Error::success();
}
