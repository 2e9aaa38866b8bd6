// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Setup.h"

#include "Output.h"
#include "session/Initialization.h"

#include <CLI/CLI.hpp>

using namespace tert::run;
using namespace tert::session;

void Setup::addTo(CLI::App &command) {
  command
      .add_option("ARTIFACT", artifact,
                  "The program that te-compile wrote (model.so)")
      ->required();
  command.add_option(
      "--device", device.device,
      "Where to run: cpu, or cuda:0, cuda:1, … for a program compiled "
      "for a GPU; without it the device that the program is for");
  command
      .add_option("--threads", device.numThreads,
                  "CPU threads; 0 means every core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  command.add_option(
      "--weights", weights,
      "Parameters to use instead of the .safetensors beside the artifact; a "
      "checkpoint will do. Floats of another type are converted when every "
      "value stays the same");
  command
      .add_option("--seed", seed,
                  "Of parameters that are made at random and of the order of "
                  "the data")
      ->capture_default_str();
}

Expected<std::unique_ptr<Session>> Setup::open() const {
  Expected<Artifact> opened = Artifact::open(artifact);
  if (!opened)
    return opened.takeError();
  return Session::create(std::move(*opened), device);
}

Error Setup::initialize(Session &session) const {
  std::string warning;
  if (Error error = initializeStates(session, {weights, seed}, &warning))
    return error;
  if (!warning.empty())
    reportWarning(warning);
  return Error::success();
}
