// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SettingsFile.h"

#include "CommandLine.h"

#include <algorithm>
#include <fstream>

using namespace tert;
using cli::UsageError;

std::vector<cli::Setting> cli::readSettings(const std::string &path) {
  std::ifstream stream(path);
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(stream);
  } catch (const CLI::Error &error) {
    throw UsageError("'" + path +
                     "' is no TOML file of options: " + error.what());
  }
  if (stream.bad() || (!stream.eof() && stream.fail()))
    throw UsageError("cannot read '" + path + "'");
  std::vector<Setting> settings;
  for (const CLI::ConfigItem &item : items) {
    if (!item.parents.empty())
      throw UsageError("'" + path + "' has a section, [" + item.parents.back() +
                       "]; options stand in it without one");
    for (const std::string &value : item.inputs)
      // The library ends a line at a '#' even in a text.
      if (!value.empty() && (value.front() == '"' || value.front() == '\''))
        throw UsageError("'" + path +
                         "' has a text that is not closed, or has "
                         "a '#': " +
                         item.name + " = " + value +
                         "; give such a value on the command line");
    settings.push_back({item.name, item.inputs});
  }
  return settings;
}

/// A value in TOML: a number or truth value as it is, a text in quotes.
static std::string toToml(const std::string &text) {
  double number = 0;
  if (text == "true" || text == "false" ||
      (!text.empty() &&
       text.find_first_not_of("0123456789+-.eE") == text.npos &&
       CLI::detail::lexical_cast(text, number)))
    return text;
  const char quote =
      text.find('"') == text.npos && text.find('\\') == text.npos ? '"' : '\'';
  return quote + text + quote;
}

/// The option of a command, or, without dashes, its argument.
static const CLI::Option *findOption(const CLI::App &command,
                                     const std::string &argument) {
  for (const CLI::Option *option : command.get_options())
    if (argument.rfind("--", 0) == 0  ? option->check_lname(argument.substr(2))
        : argument.rfind('-', 0) == 0 ? option->check_sname(argument.substr(1))
                                      : option->get_positional())
      return option;
  return nullptr;
}

std::string cli::writeSettings(const std::string &title,
                               const CLI::App &command,
                               const std::vector<std::string> &arguments,
                               const std::vector<std::string> &left) {
  std::vector<Setting> settings;
  std::vector<const CLI::Option *> given;
  // The first one is the command.
  for (size_t i = 1; i < arguments.size(); ++i) {
    std::string name = arguments[i], value = "true";
    if (name.rfind('-', 0) == 0) {
      const size_t equals = name.find('=');
      if (equals != name.npos) {
        value = name.substr(equals + 1);
        name.erase(equals);
      }
    }
    const CLI::Option *option = findOption(command, name);
    if (!option)
      continue;
    given.push_back(option);
    if (option->get_positional())
      value = name, name = option->get_name(/*positional=*/true);
    else if (option->get_items_expected_max() > 0 && i + 1 < arguments.size())
      value = arguments[++i];
    name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
    if (std::find(left.begin(), left.end(), name) != left.end())
      continue;
    auto same = std::find_if(
        settings.begin(), settings.end(),
        [&](const Setting &setting) { return setting.name == name; });
    if (same == settings.end())
      settings.push_back({name, {value}});
    else
      same->values.push_back(value);
  }
  std::string text = title + "\n";
  for (const Setting &setting : settings) {
    std::string values;
    for (const std::string &value : setting.values)
      values += (values.empty() ? "" : ", ") + toToml(value);
    text += setting.name + " = " +
            (setting.values.size() > 1 ? "[" + values + "]" : values) + "\n";
  }
  text += "\n# Not given, with their defaults:\n";
  for (const CLI::Option *option : command.get_options())
    if (!option->get_lnames().empty() && !option->get_default_str().empty() &&
        std::find(given.begin(), given.end(), option) == given.end())
      text += "# " + option->get_lnames().front() + " = " +
              toToml(option->get_default_str()) + "\n";
  return text;
}
