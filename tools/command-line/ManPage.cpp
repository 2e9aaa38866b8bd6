// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ManPage.h"

#include "Help.h"

#include <sstream>

using namespace tert;

/// Text that roff takes as it stands.
static std::string escape(const std::string &text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  if (!text.empty() && (text[0] == '.' || text[0] == '\''))
    escaped.insert(0, "\\&");
  return CLI::detail::find_and_replace(escaped, "…", "...");
}

static std::string describeOptions(const CLI::App &app) {
  std::string page;
  for (const auto &[group, options] : cli::listOptions(app)) {
    page += ".SS " + escape(group) + "\n";
    for (const CLI::Option *option : options) {
      const cli::OptionText text(*option);
      std::string names;
      for (const std::string &name : text.names)
        names += (names.empty() ? "" : ", ") + name;
      page += ".TP\n\\fB" + escape(names) + "\\fR";
      if (!text.value.empty() && !option->get_positional())
        page += " \\fI" + escape(text.value) + "\\fR";
      page += "\n" + escape(text.summary + text.rest) + "\n";
      for (const auto &[word, meaning] : text.values)
        if (!meaning.empty())
          page +=
              ".br\n\\fB" + escape(word) + "\\fR: " + escape(meaning) + "\n";
    }
  }
  return page;
}

/// Indented lines are commands, which are not filled.
static std::string describeFooter(const std::string &footer) {
  std::istringstream lines(footer);
  std::string page;
  bool isCode = false;
  for (std::string line; std::getline(lines, line);) {
    const bool code = line.rfind(' ', 0) == 0;
    if (code != isCode)
      page += code ? ".nf\n" : ".fi\n.PP\n";
    else if (!code)
      page += ".PP\n";
    isCode = code;
    page += escape(line) + "\n";
  }
  return page + (isCode ? ".fi\n" : "");
}

std::string cli::makeManPage(const CLI::App &app, const std::string &version) {
  const std::string &name = app.get_name();
  std::string page = ".TH " + name + " 1 \"\" " + "\"" + escape(version) +
                     "\" \"TE-MLIR\"\n.SH NAME\n" + escape(name) + " \\- " +
                     escape(app.get_description()) + "\n.SH SYNOPSIS\n.B " +
                     escape(name) + "\n";
  const bool hasCommands = app.get_require_subcommand_min() > 0;
  page += hasCommands ? "COMMAND [OPTIONS]\n" : "[OPTIONS]";
  for (const CLI::Option *option : app.get_options())
    if (option->get_positional())
      page += " " + option->get_name(true, false) + "\n";
  page += ".SH OPTIONS\n" + describeOptions(app);
  for (const CLI::App *command : app.get_subcommands({}))
    page += ".SH " + escape(name + " " + command->get_name()) + "\n" +
            escape(command->get_description()) + ".\n" +
            describeOptions(*command) + describeFooter(command->get_footer());
  return page + ".SH NOTES\n" + describeFooter(app.get_footer());
}
