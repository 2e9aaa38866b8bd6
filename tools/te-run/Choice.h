// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flags that take one of several words.

#ifndef TE_RUN_CHOICE_H
#define TE_RUN_CHOICE_H

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tert::run {

/// Adds a flag whose values are words for the values of an enumeration: shown
/// in the help as "bytes|u16", in messages as a list.
template <typename Enum>
CLI::Option *addChoice(CLI::App &command, const std::string &flag, Enum &value,
                       const std::vector<std::pair<std::string, Enum>> &words,
                       const std::string &about) {
  std::string type, list;
  for (size_t i = 0; i < words.size(); ++i) {
    type += (i ? "|" : "") + words[i].first;
    list += (i == 0                 ? ""
             : i + 1 < words.size() ? ", "
                                    : " or ") +
            words[i].first;
  }
  CLI::Validator choice(
      [words, list](std::string &text) {
        for (const auto &[word, meaning] : words)
          if (CLI::detail::to_lower(text) == word) {
            text = std::to_string(static_cast<int>(meaning));
            return std::string();
          }
        return "takes " + list + ", not '" + text + "'";
      },
      /*description=*/"", "choice");
  return command.add_option(flag, value, about)
      ->transform(choice)
      ->type_name(type);
}

} // namespace tert::run

#endif // TE_RUN_CHOICE_H
