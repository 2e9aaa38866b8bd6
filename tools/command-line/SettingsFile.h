// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of a command in a TOML file.

#ifndef TE_TOOLS_COMMAND_LINE_SETTINGSFILE_H
#define TE_TOOLS_COMMAND_LINE_SETTINGSFILE_H

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace tert::cli {

/// The name of the option that reads such a file.
constexpr const char *settingsOption = "config";

/// A line `NAME = VALUE`, `true` for a flag; several values of an option that
/// may be repeated are an array. Names are those of options, without dashes, or
/// of arguments (ARTIFACT).
struct Setting {
  std::string name;
  std::vector<std::string> values;
};

/// Reads a file. Throws UsageError, with the file's name, for one that cannot
/// be read, has sections, or a text that is not closed.
std::vector<Setting> readSettings(const std::string &path);

/// Such a file: the options in `arguments`, which are those that cli::parse()
/// has read, without those named in `left`; and, as comments, all other options
/// that have a default. `title` is its first line.
std::string writeSettings(const std::string &title, const CLI::App &command,
                          const std::vector<std::string> &arguments,
                          const std::vector<std::string> &left);

} // namespace tert::cli

#endif // TE_TOOLS_COMMAND_LINE_SETTINGSFILE_H
