// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_TOOLS_COMMAND_LINE_MANPAGE_H
#define TE_TOOLS_COMMAND_LINE_MANPAGE_H

#include <CLI/CLI.hpp>
#include <string>

namespace tert::cli {

/// The manual page of a tool and its commands, for man(1): what --help-all
/// says.
std::string makeManPage(const CLI::App &app, const std::string &version);

} // namespace tert::cli

#endif // TE_TOOLS_COMMAND_LINE_MANPAGE_H
