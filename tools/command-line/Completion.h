// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scripts by which shells complete a tool's commands, options and values.

#ifndef TE_TOOLS_COMMAND_LINE_COMPLETION_H
#define TE_TOOLS_COMMAND_LINE_COMPLETION_H

#include <CLI/CLI.hpp>
#include <string>

namespace tert::cli {

/// The script for `shell`: "bash", "zsh" or "fish"; empty for another.
std::string makeCompletion(const CLI::App &app, const std::string &shell);

} // namespace tert::cli

#endif // TE_TOOLS_COMMAND_LINE_COMPLETION_H
