// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "Completion.h"
#include "Help.h"
#include "ManPage.h"
#include "Messages.h"
#include "SettingsFile.h"
#include "support/Suggest.h"

#include <algorithm>
#include <deque>
#include <iostream>

using namespace tert;
using cli::UsageError;
using session::didYouMean;

void cli::addCommonOptions(CLI::App &app, const std::string &version) {
  app.formatter(makeHelpFormatter());
  app.set_help_flag("-h,--help", "Show the options that most people need");
  app.set_help_all_flag("--help-all", "Show all options");
  app.set_version_flag("--version", version, "Show the version");
  app.add_option_function<std::string>(
         "--completion",
         [&app](const std::string &shell) {
           const std::string script = makeCompletion(app, shell);
           if (script.empty())
             throw UsageError("--completion takes bash, zsh or fish, not '" +
                              shell + "'");
           std::cout << script;
           throw CLI::Success();
         })
      ->trigger_on_parse()
      ->group("");
  app.add_flag_callback("--man",
                        [&app, version] {
                          std::cout << makeManPage(app, version);
                          throw CLI::Success();
                        })
      ->trigger_on_parse()
      ->group("");
}

namespace {
/// Reads arguments into the one form that the library takes, and says what is
/// wrong with their names.
class Reader {
public:
  Reader(const CLI::App &app, int argc, char **argv)
      : app(app), command(&app), rest(argv + 1, argv + argc) {}

  std::vector<std::string> run() {
    while (!rest.empty())
      takeOne(next());
    addSettings();
    if (command == &app && app.get_require_subcommand_min() > 0 &&
        result.empty())
      throw UsageError("a command is needed: " + listCommands());
    return std::move(result);
  }

  std::string getCommand() const {
    return command == &app ? app.get_name()
                           : app.get_name() + " " + command->get_name();
  }

private:
  std::string next() {
    std::string argument = rest.front();
    rest.pop_front();
    return argument;
  }

  void takeOne(const std::string &argument) {
    if (argument.size() < 2 || argument[0] != '-')
      return takeArgument(argument);
    if (argument == "--") {
      result.push_back(argument);
      result.insert(result.end(), rest.begin(), rest.end());
      rest.clear();
      return;
    }
    std::string name = argument.substr(argument[1] == '-' ? 2 : 1);
    std::optional<std::string> value;
    if (size_t equals = name.find('='); equals != std::string::npos) {
      value = name.substr(equals + 1);
      name.erase(equals);
    }
    const CLI::Option *option = find(name);
    // "-ofile"
    if (!option && argument[1] != '-' && (option = find(name.substr(0, 1)))) {
      value = argument.substr(2);
      name.erase(1);
    }
    if (!option)
      throw UsageError(explainUnknown(name));
    takeOption(*option, name, value);
  }

  void takeOption(const CLI::Option &option, const std::string &name,
                  const std::optional<std::string> &value) {
    // Of the tool, wherever it stands.
    if (name == "version")
      return void(result.insert(result.begin(), "--version"));
    const std::string flag = (name.size() == 1 ? "-" : "--") + name;
    given.push_back(&option);
    list = option.get_expected_max() > 1;
    listFlag = flag;
    if (option.get_items_expected_max() == 0)
      return result.push_back(value ? flag + "=" + *value : flag);
    if (!value && rest.empty())
      throw UsageError("the option '" + flag + "' needs a value");
    result.push_back(flag);
    result.push_back(value ? *value : next());
    if (name == cli::settingsOption)
      settingsFile = result.back();
  }

  /// The options of a file that are not given.
  void addSettings() {
    if (settingsFile.empty())
      return;
    for (const cli::Setting &setting : cli::readSettings(settingsFile)) {
      const bool isArgument = isPositional(setting.name);
      const CLI::Option *option = isArgument ? nullptr : find(setting.name);
      if (!isArgument && (!option || setting.name == cli::settingsOption))
        throw UsageError("in '" + settingsFile +
                         "': " + explainUnknown(setting.name));
      if (isArgument
              ? numArguments > 0
              : std::find(given.begin(), given.end(), option) != given.end())
        continue;
      const std::string flag = "--" + setting.name;
      const bool isFlag = option && option->get_items_expected_max() == 0;
      for (const std::string &value : setting.values) {
        if (isFlag)
          result.push_back(value == "true" ? flag : flag + "=" + value);
        else if (option)
          result.insert(result.end(), {flag, value});
        else
          result.push_back(value);
      }
    }
  }

  /// How many arguments the command takes with the options so far.
  size_t countArguments() const {
    size_t count = 0;
    for (const CLI::Option *option : command->get_options())
      count += option->get_positional() && !isExcluded(*option);
    return count;
  }

  bool isExcluded(const CLI::Option &argument) const {
    for (const CLI::Option *option : given)
      for (const CLI::Option *excluded : option->get_excludes())
        if (excluded == &argument)
          return true;
    return false;
  }

  bool isPositional(const std::string &name) const {
    for (const CLI::Option *option : command->get_options())
      if (option->get_positional() &&
          option->get_name(/*positional=*/true) == name)
        return true;
    return false;
  }

  /// The first argument of a tool with commands is one.
  void takeArgument(const std::string &argument) {
    if (command == &app && app.get_require_subcommand_min() > 0) {
      std::vector<std::string> names;
      for (const CLI::App *known : app.get_subcommands({})) {
        names.push_back(known->get_name());
        if (known->get_name() == argument)
          command = known;
      }
      if (command == &app) {
        throw UsageError("there is no command '" + argument + "'" +
                         didYouMean(argument, names) +
                         " The commands are: " + listCommands());
      }
    } else if (list && numArguments == countArguments()) {
      // One more value, as where a shell has expanded a glob.
      result.insert(result.end(), {listFlag, argument});
      return;
    } else {
      ++numArguments;
    }
    result.push_back(argument);
  }

  const CLI::Option *find(const std::string &name) const {
    const bool isLong = name.size() > 1;
    for (const CLI::Option *option : command->get_options())
      if (isLong ? option->check_lname(name) : option->check_sname(name))
        return option;
    return name == "version" ? app.get_version_ptr() : nullptr;
  }

  std::string explainUnknown(const std::string &name) const {
    std::vector<std::string> names;
    for (const CLI::Option *option : command->get_options())
      for (const std::string &known : option->get_lnames())
        if (!option->get_group().empty())
          names.push_back("--" + known);
    const std::string flag = "--" + name;
    const std::string meant = didYouMean(flag, names);
    return "'" + getCommand() + "' has no option '" + flag + "'" + meant;
  }

  std::string listCommands() const {
    std::string list;
    for (const CLI::App *known : app.get_subcommands({}))
      list += (list.empty() ? "" : ", ") + known->get_name();
    return list;
  }

  const CLI::App &app;
  const CLI::App *command;
  std::deque<std::string> rest;
  std::vector<std::string> result;
  std::vector<const CLI::Option *> given;
  size_t numArguments = 0; ///< Of the command, without a dash.
  /// The newest option, if it takes any number of values.
  bool list = false;
  std::string listFlag;
  std::string settingsFile; ///< Of --config.
};
} // namespace

/// The library's message, or a better one.
static std::string explain(const CLI::ParseError &error, const CLI::App &app) {
  const CLI::App *command = &app;
  for (const CLI::App *chosen : app.get_subcommands())
    command = chosen;
  if (error.get_name() == "RequiredError")
    for (const CLI::Option *option : command->get_options())
      if (option->get_required() && option->count() == 0) {
        const cli::OptionText text(*option);
        return text.names.front() + " is missing: " +
               text.summary.substr(0, text.summary.find(" (required)"));
      }
  const std::string message = error.what();
  // Its name is the one of the tool.
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    return "unexpected argument '" + message.substr(message.find(": ") + 2) +
           "'";
  return message;
}

std::optional<int> cli::parse(CLI::App &app, int argc, char **argv,
                              std::vector<std::string> *read) {
  Reader reader(app, argc, argv);
  std::string message;
  try {
    std::vector<std::string> arguments = reader.run();
    if (read)
      *read = arguments;
    // The library takes them from the end.
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
    return std::nullopt;
  } catch (const CLI::Success &request) {
    return request.get_name() == "Success" ? 0 : app.exit(request);
  } catch (const CLI::ParseError &error) {
    message = explain(error, app);
  }
  return reportUsage(app.get_name(), reader.getCommand(), message);
}
