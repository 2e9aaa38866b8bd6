// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --help prints, and what else is made of the options' descriptions.
//
// A description's first sentence, up to a full stop or a semicolon, is all that
// --help has room for. Lines after it, "word  meaning", are values.

#ifndef TE_TOOLS_COMMAND_LINE_HELP_H
#define TE_TOOLS_COMMAND_LINE_HELP_H

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tert::cli {

/// Columns of a line of help: those of the narrowest terminal.
constexpr size_t helpColumns = 80;

/// The group of the options that --help lists; --help-all has all of them.
constexpr const char *commonGroup = "Options";

/// `text` in lines of at most `columns`, broken at spaces; a longer word has a
/// line of its own.
std::string wrap(const std::string &text, size_t columns);

/// An entry of a list in helpColumns: `text` beside `names`, or below where
/// those are long.
std::string makeEntry(const std::string &names, const std::string &text);

/// For help in helpColumns.
std::shared_ptr<CLI::FormatterBase> makeHelpFormatter();

/// An option in words.
struct OptionText {
  explicit OptionText(const CLI::Option &option);

  /// "-h", "--help", or the name of an argument.
  std::vector<std::string> names;
  /// What stands for its value: "FILE", "cosine|linear"; empty: a flag.
  std::string value;
  /// The first sentence, with the default, and all of the rest.
  std::string summary, rest;
  /// Values with what they mean, of some or all that there are.
  std::vector<std::pair<std::string, std::string>> values;
  /// Whether the value is the path of a file or folder.
  bool isPath;
};

/// The options of `app` that help may show, by group, common ones first;
/// arguments without a dash are the first group, named "Arguments".
std::vector<std::pair<std::string, std::vector<const CLI::Option *>>>
listOptions(const CLI::App &app);

/// Moves the options of those names to commonGroup.
void makeCommon(CLI::App &app, const std::vector<std::string> &names);

} // namespace tert::cli

#endif // TE_TOOLS_COMMAND_LINE_HELP_H
