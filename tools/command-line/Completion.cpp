// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Completion.h"

#include "Help.h"

#include <algorithm>
#include <functional>

using namespace tert;
using cli::OptionText;

namespace {
/// The options that help shows, in words.
std::vector<OptionText> listTexts(const CLI::App &app) {
  std::vector<OptionText> texts;
  for (const auto &[group, options] : cli::listOptions(app))
    for (const CLI::Option *option : options)
      if (!option->get_positional())
        texts.emplace_back(*option);
  return texts;
}

/// Values that can be typed as they stand, not forms such as "output:NAME".
std::string listWords(const OptionText &text) {
  std::string words;
  for (const auto &[word, meaning] : text.values)
    if (std::all_of(word.begin(), word.end(), [](unsigned char c) {
          return std::islower(c) || std::isdigit(c) || c == '-' || c == '_';
        }))
      words += (words.empty() ? "" : " ") + word;
  return words;
}

std::string joinNames(const std::vector<std::string> &names,
                      const std::string &separator) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : separator) + name;
  return text;
}

/// `text` with a backslash before each of `special`.
std::string escape(const std::string &text, const std::string &special) {
  std::string escaped;
  for (char c : text)
    escaped +=
        (special.find(c) == std::string::npos ? "" : "\\") + std::string(1, c);
  return escaped;
}

/// As one word of a shell.
std::string quote(const std::string &text) {
  return "'" + CLI::detail::find_and_replace(text, "'", "'\\''") + "'";
}

std::string nameFunction(const CLI::App &app) {
  return CLI::detail::find_and_replace("_" + app.get_name(), "-", "_");
}

/// The tool itself, and its commands, each with the name that chooses it.
void forEachCommand(
    const CLI::App &app,
    const std::function<void(const CLI::App &, const std::string &)> &visit) {
  visit(app, "");
  for (const CLI::App *command : app.get_subcommands({}))
    visit(*command, command->get_name());
}

std::string listCommands(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::App *command : app.get_subcommands({}))
    names.push_back(command->get_name());
  return joinNames(names, " ");
}

std::string makeBash(const CLI::App &app) {
  const std::string function = nameFunction(app), commands = listCommands(app);
  std::string values, words;
  forEachCommand(app, [&](const CLI::App &command, const std::string &name) {
    std::vector<std::string> names;
    for (const OptionText &text : listTexts(command)) {
      names.insert(names.end(), text.names.begin(), text.names.end());
      if (text.value.empty())
        continue;
      std::vector<std::string> cases;
      for (const std::string &option : text.names)
        cases.push_back(quote(name + " " + option));
      values += "  " + joinNames(cases, " | ") + ") ";
      values += text.isPath ? "compopt -o default; return"
                            : "words=" + quote(listWords(text));
      values += " ;;\n";
    }
    words += "  " + quote(name) + ") words=" + quote(joinNames(names, " ")) +
             " ;;\n";
  });
  std::string script =
      function + "() {\n"
                 "  local word=$2 before=$3 command= words=\n"
                 "  COMPREPLY=()\n"
                 "  # --option=value is three words.\n"
                 "  [[ $word == = ]] && word=\n"
                 "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}\n";
  if (!commands.empty())
    script += "  if ((COMP_CWORD > 1)); then command=${COMP_WORDS[1]}; fi\n";
  script += "  case \"$command $before\" in\n" + values +
            "  *)\n"
            "    if [[ $word != -* ]]; then\n";
  script +=
      commands.empty()
          ? "      compopt -o default; return\n"
          : "      if [[ -n $command ]]; then compopt -o default; return; "
            "fi\n      words=" +
                quote(commands) + "\n";
  script += "    else\n"
            "      case $command in\n" +
            words +
            "      esac\n"
            "    fi ;;\n"
            "  esac\n"
            "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
            "}\n"
            "complete -F " +
            function + " " + app.get_name() + "\n";
  return script;
}

/// What _arguments takes: one word an option.
std::string makeZshArguments(const CLI::App &app) {
  std::string arguments = "_arguments";
  for (const OptionText &text : listTexts(app)) {
    std::string value;
    if (text.isPath)
      value = ":" + escape(text.value, ":") + ":_files";
    else if (!text.value.empty())
      value = ":" + escape(text.value, ":") + ":(" + listWords(text) + ")";
    for (const std::string &name : text.names)
      arguments += " \\\n      " +
                   quote("*" + name +
                         (value.empty()    ? ""
                          : name[1] == '-' ? "="
                                           : "") +
                         "[" + escape(text.summary, "[]:\\") + "]" + value);
  }
  return arguments + " \\\n      '*:file:_files'";
}

std::string makeZsh(const CLI::App &app) {
  const std::string function = nameFunction(app);
  std::string script =
      "#compdef " + app.get_name() + "\n" + function + "() {\n";
  if (listCommands(app).empty())
    return script + "  " + makeZshArguments(app) + "\n}\n" + function +
           " \"$@\"\n";
  script += "  local -a commands=(\n";
  for (const CLI::App *command : app.get_subcommands({}))
    script += "    " +
              quote(command->get_name() + ":" +
                    escape(command->get_description(), ":\\")) +
              "\n";
  script += "  )\n"
            "  if ((CURRENT == 2)); then\n"
            "    _describe command commands\n"
            "    return\n"
            "  fi\n"
            "  local command=$words[2]\n"
            "  shift words\n"
            "  ((CURRENT--))\n"
            "  case $command in\n";
  for (const CLI::App *command : app.get_subcommands({}))
    script += "  " + command->get_name() + ") " + makeZshArguments(*command) +
              " ;;\n";
  return script + "  esac\n}\n" + function + " \"$@\"\n";
}

std::string makeFish(const CLI::App &app) {
  const std::string complete = "complete -c " + app.get_name();
  std::string script;
  for (const CLI::App *command : app.get_subcommands({}))
    script += complete + " -f -n __fish_use_subcommand -a " +
              command->get_name() + " -d " +
              quote(escape(command->get_description(), "\\")) + "\n";
  forEachCommand(app, [&](const CLI::App &command, const std::string &name) {
    const bool hasCommands = !listCommands(app).empty();
    const std::string condition =
        !hasCommands   ? ""
        : name.empty() ? " -n __fish_use_subcommand"
                       : " -n '__fish_seen_subcommand_from " + name + "'";
    for (const OptionText &text : listTexts(command)) {
      script += complete + condition;
      for (const std::string &option : text.names)
        script += option[1] == '-' ? " -l " + option.substr(2)
                                   : " -s " + option.substr(1);
      if (text.isPath)
        script += " -r -F";
      else if (!text.value.empty())
        script += " -x -a " + quote(listWords(text));
      script += " -d " + quote(escape(text.summary, "\\")) + "\n";
    }
  });
  return script;
}
} // namespace

std::string cli::makeCompletion(const CLI::App &app, const std::string &shell) {
  return shell == "bash"   ? makeBash(app)
         : shell == "zsh"  ? makeZsh(app)
         : shell == "fish" ? makeFish(app)
                           : "";
}
