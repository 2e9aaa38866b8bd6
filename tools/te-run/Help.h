// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --help prints.

#ifndef TE_RUN_HELP_H
#define TE_RUN_HELP_H

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace tert::run {

/// Columns of a line of help: those of the narrowest terminal.
constexpr size_t helpColumns = 80;

/// `text` in lines of at most `columns`, broken at spaces; a longer word has a
/// line of its own.
std::string wrap(const std::string &text, size_t columns);

/// For help in helpColumns.
std::shared_ptr<CLI::FormatterBase> makeHelpFormatter();

} // namespace tert::run

#endif // TE_RUN_HELP_H
