// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run: runs programs compiled by te-compile.

#include "Commands.h"
#include "Help.h"
#include "Output.h"
#include "Suggest.h"
#include "session/Error.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <clocale>
#include <csignal>
#include <exception>

using namespace tert;
using namespace tert::run;

static std::string didYouMean(const std::string &word,
                              const std::vector<std::string> &candidates) {
  std::string meant = nearest(word, candidates);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

/// The parser's message, or a better one for a mistyped name.
static std::string explain(const CLI::ParseError &error, const CLI::App &app,
                           int argc, char **argv) {
  if (app.get_subcommands().empty()) {
    std::vector<std::string> commands;
    std::string list;
    for (const CLI::App *command : app.get_subcommands({})) {
      commands.push_back(command->get_name());
      list += (list.empty() ? "" : ", ") + commands.back();
    }
    if (argc > 1 && argv[1][0] != '-')
      return "there is no command '" + std::string(argv[1]) + "'" +
             didYouMean(argv[1], commands) + " The commands are: " + list;
    return argc > 1 ? error.what() : "a command is needed: " + list;
  }
  const CLI::App &command = *app.get_subcommands().front();
  std::vector<std::string> flags;
  for (const CLI::Option *option : command.get_options())
    for (const std::string &name : option->get_lnames())
      flags.push_back("--" + name);
  for (int i = 2; i < argc; ++i) {
    std::string flag = argv[i];
    flag.erase(std::min(flag.find('='), flag.size()));
    if (flag.rfind("--", 0) == 0 &&
        std::find(flags.begin(), flags.end(), flag) == flags.end())
      return "'" + command.get_name() + "' has no flag '" + flag + "'" +
             didYouMean(flag, flags);
  }
  return error.what();
}

static int parseAndRun(int argc, char **argv) {
  CLI::App app("Runs programs that te-compile compiled: calls them, trains "
               "them, times them.",
               "te-run");
  app.set_version_flag("--version", "te-run " TE_RUN_VERSION);
  app.require_subcommand(1);
  app.formatter(makeHelpFormatter());
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
  addCommands(app, run, std::vector<std::string>(argv, argv + argc));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) { // --help, --version
    return app.exit(request);
  } catch (const CLI::ParseError &error) {
    std::string command;
    for (const CLI::App *chosen : app.get_subcommands())
      command = chosen->get_name();
    return reportUsage(explain(error, app, argc, argv), command);
  }
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
