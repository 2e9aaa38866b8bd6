// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formatting of --help.

#ifndef TE_RUN_HELP_H
#define TE_RUN_HELP_H

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace tert::run {

/// Columns of a line of help: those of the narrowest terminal.
constexpr size_t helpColumns = 80;

/// Wraps `text` at spaces into lines of at most `columns`; a longer word has
/// its own line.
std::string wrap(const std::string &text, size_t columns);

/// A formatter of help in helpColumns.
std::shared_ptr<CLI::FormatterBase> makeHelpFormatter();

} // namespace tert::run

#endif // TE_RUN_HELP_H
