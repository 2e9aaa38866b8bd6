// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Help.h"

#include <sstream>

using namespace tert;

std::string run::wrap(const std::string &text, size_t columns) {
  std::istringstream words(text);
  std::string lines;
  size_t used = 0;
  for (std::string word; words >> word; used += word.size()) {
    if (used && used + 1 + word.size() > columns) {
      lines += "\n";
      used = 0;
    } else if (used) {
      lines += " ";
      ++used;
    }
    lines += word;
  }
  return lines;
}

namespace {
constexpr size_t namesColumns = 30;

/// The library's formatter prints descriptions as one line, whatever their
/// length.
class HelpFormatter : public CLI::Formatter {
public:
  HelpFormatter() { column_width(namesColumns); }

  std::string make_option_desc(const CLI::Option *option) const override {
    return run::wrap(Formatter::make_option_desc(option),
                     run::helpColumns - namesColumns);
  }
  /// Paragraphs of prose; indented lines are commands.
  std::string make_footer(const CLI::App *app) const override {
    std::istringstream lines(app->get_footer());
    std::string footer;
    for (std::string line; std::getline(lines, line);)
      footer +=
          (line.rfind(' ', 0) == 0 ? line : run::wrap(line, run::helpColumns)) +
          "\n";
    return footer;
  }
  std::string make_subcommand(const CLI::App *command) const override {
    std::ostringstream out;
    CLI::detail::format_help(
        out, command->get_display_name(true),
        run::wrap(command->get_description(), run::helpColumns - namesColumns),
        namesColumns);
    return out.str();
  }
};
} // namespace

std::shared_ptr<CLI::FormatterBase> run::makeHelpFormatter() {
  return std::make_shared<HelpFormatter>();
}
