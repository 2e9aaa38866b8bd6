// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arguments.h"

#include <charconv>
#include <cmath>

using namespace tert;

std::string run::checkNumber(const std::string &text) {
  const char *begin = text.data(), *end = begin + text.size();
  double value = 0;
  auto [rest, error] =
      std::from_chars(begin + (!text.empty() && *begin == '+'), end, value);
  // from_chars accepts "nan" and "inf", and reports numbers out of a double's
  // range.
  if (error == std::errc::invalid_argument || rest != end)
    return "takes a number, not '" + text + "'";
  if (error != std::errc() || !std::isfinite(static_cast<float>(value)))
    return "takes a finite number of float32's range, not '" + text + "'";
  if (value != 0 && static_cast<float>(value) == 0)
    return "takes 0 or a number that float32 can hold, not '" + text + "'";
  return {};
}

/// For 32 or 64 bits, the width of the option's variable.
template <typename Int> static std::string checkWholeNumber(std::string &text) {
  const char *end = text.data() + text.size();
  Int value = 0;
  auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && rest == end) {
    text = std::to_string(value); // A leading zero would make it octal.
    return {};
  }
  return "takes an integer" +
         std::string(std::is_unsigned_v<Int> ? " from 0" : "") + " to " +
         std::to_string(std::numeric_limits<Int>::max()) + ", not '" + text +
         "'";
}

static std::string checkAnyNumber(std::string &text) {
  return run::checkNumber(text);
}

/// Accepts a number for which `holds` is true; `words` describes it.
static CLI::Validator numberThat(bool (*holds)(double), const char *words) {
  return CLI::Validator(
      [holds, words](std::string &text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && holds(value)
                   ? std::string()
                   : "takes " + std::string(words) + ", not '" + text + "'";
      },
      /*description=*/"");
}

CLI::Validator run::notNegative() {
  return numberThat([](double value) { return value >= 0; },
                    "a number from 0 on");
}

CLI::Validator run::positive() {
  return numberThat([](double value) { return value > 0; }, "a number above 0");
}

static std::string checkName(std::string &text) {
  return text.empty() ? "is given, but empty" : "";
}

void run::rejectInvalidValues(CLI::App &app) {
  for (CLI::App *command : app.get_subcommands({}))
    for (CLI::Option *option : command->get_options()) {
      // "UINT:POSITIVE" for an option with a validator.
      std::string type = option->get_type_name();
      type.erase(std::min(type.find(':'), type.size()));
      auto check = type == "FLOAT"  ? checkAnyNumber
                   : type == "UINT" ? checkWholeNumber<uint64_t>
                   : type == "INT"  ? checkWholeNumber<int32_t>
                   : option->get_items_expected_max() == 0 ||
                           type.find('|') != std::string::npos
                       ? nullptr
                       : checkName;
      // Transformations come before other checks.
      if (check)
        option->transform(CLI::Validator(check, /*description=*/""));
    }
}
