// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command lines of te-compile and te-run have in common.

#ifndef TE_TOOLS_COMMAND_LINE_COMMANDLINE_H
#define TE_TOOLS_COMMAND_LINE_COMMANDLINE_H

#include "command-line/Messages.h"

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace tert::cli {

/// What is wrong with a command line, in a sentence.
struct UsageError : CLI::ParseError {
  explicit UsageError(const std::string &message)
      : ParseError("UsageError", message, exitUsage) {}
};

/// Adds --help, --help-all and --version, and, which help does not show,
/// --completion SHELL and --man. Commands that are added later inherit the
/// first two.
void addCommonOptions(CLI::App &app, const std::string &version);

/// Reads a command line. Long options may have one dash as well as two, and
/// their value may follow "=" or be the next argument; an option that may be
/// repeated takes several, once the command has its arguments. Returns the exit
/// code when there is nothing more to do: what was asked for is printed, or
/// what is wrong, with what was probably meant. A command with the option
/// --config (SettingsFile.h) has the options of that file as well; those that
/// are given take the place of the file's. `read` gets all arguments in one
/// form, those of the file among them.
std::optional<int> parse(CLI::App &app, int argc, char **argv,
                         std::vector<std::string> *read = nullptr);

} // namespace tert::cli

#endif // TE_TOOLS_COMMAND_LINE_COMMANDLINE_H
