// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run: runs programs compiled by te-compile.

#include "Commands.h"
#include "Output.h"
#include "command-line/CommandLine.h"
#include "support/Error.h"

#include <CLI/CLI.hpp>
#include <clocale>
#include <csignal>
#include <exception>

using namespace tert;
using namespace tert::run;

static int parseAndRun(int argc, char **argv) {
  CLI::App app("Runs programs that te-compile compiled: calls them, trains "
               "them, times them.",
               "te-run");
  cli::addCommonOptions(app, "te-run " TE_RUN_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  te-run info gpt.so\n"
      "  te-run train gpt.so --data input.txt --steps 500 --lr 1e-3 \\\n"
      "         --checkpoint run --plot run/loss.svg\n"
      "  te-run grad gpt.so --inputs batch.safetensors --outputs "
      "grads.safetensors\n"
      "  te-run compare grads.safetensors reference.safetensors\n"
      "  te-run export run/step-00000500.safetensors -o "
      "model.safetensors\n\n"
      "'te-run COMMAND --help' tells more about each.\n"
      "Exit codes: 0 done, 1 failure, 2 wrong usage, 3 a training stopped "
      "because its steps were skipped, 4 because its loss exploded, 130 "
      "interrupted.");
  Run run;
  CommandLine commandLine;
  commandLine.typed.assign(argv, argv + argc);
  addCommands(app, run, commandLine);
  if (std::optional<int> code = cli::parse(app, argc, argv, &commandLine.read))
    return *code;
  return run();
}

int main(int argc, char **argv) {
  std::setlocale(LC_CTYPE, "");
  // A file size limit is then reported as an error of write().
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return parseAndRun(argc, argv);
  } catch (const std::bad_alloc &) {
    return reportError(session::Error("out of memory"));
  } catch (const std::exception &exception) {
    return reportError(session::Error(exception.what()));
  }
}
