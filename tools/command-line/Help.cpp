// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Help.h"

#include <algorithm>
#include <sstream>

using namespace tert;
using cli::OptionText;

std::string cli::wrap(const std::string &text, size_t columns) {
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

/// Where the first sentence ends, not within parentheses.
static size_t findEndOfSentence(const std::string &text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    const bool isEnd = text[i] == ';' || text[i] == '.';
    if (depth == 0 && isEnd && i + 1 < text.size() && text[i + 1] == ' ')
      return i;
  }
  return text.size();
}

/// "N" for what the library calls "INT:INT in [0 - 4096]".
static std::string nameValue(const CLI::Option &option) {
  if (option.get_items_expected_max() == 0)
    return {};
  std::string type = option.get_type_name();
  if (type.find('|') != std::string::npos)
    return type;
  const std::string first = type.substr(0, type.find(':'));
  if (first == "INT" || first == "UINT")
    return "N";
  return first == "FLOAT" ? "X" : type;
}

OptionText::OptionText(const CLI::Option &option) : value(nameValue(option)) {
  if (option.get_positional())
    names.push_back(option.get_name(true, false));
  for (const std::string &name : option.get_snames())
    names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    names.push_back("--" + name);
  std::istringstream lines(option.get_description());
  std::string text, line;
  std::getline(lines, text);
  const size_t end = findEndOfSentence(text);
  summary = text.substr(0, end);
  rest = text.substr(end);
  if (!option.get_default_str().empty())
    summary += " (default " + option.get_default_str() + ")";
  else if (option.get_required() && !option.get_positional())
    summary += " (required)";
  std::string needs;
  for (const CLI::Option *other : option.get_needs())
    needs += (needs.empty() ? "" : ", ") + other->get_name();
  if (!needs.empty())
    rest += (rest.empty() ? ". Needs " : "; needs ") + needs;
  while (std::getline(lines, line)) {
    const size_t gap = std::min(line.find("  "), line.size());
    values.emplace_back(line.substr(0, gap),
                        line.substr(std::min(gap + 2, line.size())));
  }
  if (values.empty() && value.find('|') != std::string::npos)
    for (const std::string &word : CLI::detail::split(value, '|'))
      values.emplace_back(word, "");
  isPath = value == "FILE" || value == "FOLDER";
}

static bool isOfEveryTool(const CLI::Option &option) {
  return option.check_lname("help") || option.check_lname("help-all") ||
         option.check_lname("version");
}

std::vector<std::pair<std::string, std::vector<const CLI::Option *>>>
cli::listOptions(const CLI::App &app) {
  std::vector<std::pair<std::string, std::vector<const CLI::Option *>>> groups =
      {{"Arguments", {}}, {commonGroup, {}}};
  for (bool isLast : {false, true})
    for (const CLI::Option *option : app.get_options()) {
      const std::string name =
          option->get_positional() ? "Arguments" : option->get_group();
      if (name.empty() || isOfEveryTool(*option) != isLast)
        continue;
      auto group =
          std::find_if(groups.begin(), groups.end(),
                       [&](const auto &group) { return group.first == name; });
      if (group == groups.end())
        group = groups.insert(groups.end(), {name, {}});
      group->second.push_back(option);
    }
  groups.erase(
      std::remove_if(groups.begin(), groups.end(),
                     [](const auto &group) { return group.second.empty(); }),
      groups.end());
  return groups;
}

void cli::makeCommon(CLI::App &app, const std::vector<std::string> &names) {
  for (const std::string &name : names)
    app.get_option(name)->group(commonGroup);
}

static constexpr size_t namesColumns = 28;

std::string cli::makeEntry(const std::string &names, const std::string &text) {
  const std::string indent(namesColumns, ' ');
  std::string entry = names;
  if (names.size() + 2 > namesColumns)
    entry += "\n" + indent;
  else
    entry.append(namesColumns - names.size(), ' ');
  for (char c : wrap(text, helpColumns - namesColumns))
    entry += c == '\n' ? "\n" + indent : std::string(1, c);
  return entry + "\n";
}

namespace {
class HelpFormatter : public CLI::Formatter {
public:
  std::string make_help(const CLI::App *app, std::string name,
                        CLI::AppFormatMode mode) const override {
    const bool isAll = mode == CLI::AppFormatMode::All;
    std::string help = cli::wrap(app->get_description(), cli::helpColumns);
    help += "\n\nUsage: " + name + " [OPTIONS]";
    if (app->get_require_subcommand_min() > 0)
      help += " COMMAND";
    bool isCut = false;
    std::string lists;
    for (const auto &[group, options] : cli::listOptions(*app)) {
      const bool isArgument = options.front()->get_positional();
      for (const CLI::Option *option : options)
        if (isArgument)
          help += " " + option->get_name(true, false);
      if (!isAll && !isArgument && group != cli::commonGroup) {
        isCut = true;
        continue;
      }
      lists += "\n" + group + ":\n";
      for (const CLI::Option *option : options)
        lists += make_option(option, isAll);
    }
    help += "\n" + lists + makeCommands(*app, name, isAll);
    if (isCut)
      help += "\n'" + name + " --help-all' lists all options.\n";
    return help + makeFooter(*app);
  }

private:
  std::string make_option(const CLI::Option *option,
                          bool isAll) const override {
    const OptionText text(*option);
    std::string names = option->get_positional()       ? "  "
                        : text.names.front()[1] == '-' ? "      "
                                                       : "  ";
    for (size_t i = 0; i < text.names.size(); ++i)
      names += (i ? ", " : "") + text.names[i];
    if (!text.value.empty() && !option->get_positional())
      names += " " + text.value;
    if (!isAll)
      return cli::makeEntry(names, text.summary);
    std::string entry = cli::makeEntry(names, text.summary + text.rest);
    for (const auto &[word, meaning] : text.values)
      if (!meaning.empty())
        entry += cli::makeEntry("        " + word, meaning);
    return entry;
  }

  static std::string makeCommands(const CLI::App &app, const std::string &name,
                                  bool isAll) {
    std::string list, all;
    for (const CLI::App *command : app.get_subcommands({})) {
      list += cli::makeEntry("  " + command->get_name(),
                             command->get_description());
      if (isAll)
        all += "\n" + command->help(name, CLI::AppFormatMode::All);
    }
    return (list.empty() ? "" : "\nCommands:\n" + list) + all;
  }

  /// Paragraphs of prose; lines that are indented are commands.
  static std::string makeFooter(const CLI::App &app) {
    std::istringstream lines(app.get_footer());
    std::string footer = "\n";
    for (std::string line; std::getline(lines, line);)
      footer +=
          (line.rfind(' ', 0) == 0 ? line : cli::wrap(line, cli::helpColumns)) +
          "\n";
    return footer;
  }
};
} // namespace

std::shared_ptr<CLI::FormatterBase> cli::makeHelpFormatter() {
  return std::make_shared<HelpFormatter>();
}
