// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every option of every command, and values that it must not take.

#include "Arguments.h"
#include "Commands.h"

#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

using namespace tert::run;

namespace {
/// The parser's message for `te-run COMMAND FLAG VALUE`.
std::string messageOf(const std::string &command, const std::string &flag,
                      const std::string &value) {
  CLI::App app("", "te-run");
  Run run;
  const CommandLine none;
  addCommands(app, run, none);
  std::vector<std::string> words = {value, flag, command}; // Last one first.
  try {
    app.parse(words);
  } catch (const CLI::ParseError &error) {
    return error.what();
  }
  return {};
}

struct Flag {
  std::string command, name;
};

/// The options whose values are of a type.
std::vector<Flag> flagsOf(const std::string &type) {
  CLI::App app("", "te-run");
  Run run;
  const CommandLine none;
  addCommands(app, run, none);
  std::vector<Flag> flags;
  for (CLI::App *command : app.get_subcommands({}))
    for (CLI::Option *option : command->get_options())
      if (option->get_type_name().rfind(type, 0) == 0 &&
          !option->get_lnames().empty())
        flags.push_back(
            {command->get_name(), "--" + option->get_lnames().front()});
  return flags;
}

void expectRefused(const std::vector<Flag> &flags, size_t least,
                   const std::vector<std::string> &values) {
  EXPECT_GE(flags.size(), least);
  for (const Flag &flag : flags)
    for (const std::string &value : values)
      EXPECT_EQ(messageOf(flag.command, flag.name, value).rfind(flag.name, 0),
                0u)
          << flag.command << " " << flag.name << "=" << value << ": "
          << messageOf(flag.command, flag.name, value);
}
} // namespace

TEST(Arguments, NumbersAreFiniteAndFit) {
  expectRefused(flagsOf("FLOAT"), 11,
                {"nan", "-nan", "inf", "-inf", "1e39", "-1e39", "1e400",
                 "1e-60", "1x", "x", "0x10"});
}

TEST(Arguments, WholeNumbersAreNotClamped) {
  const std::vector<std::string> never = {"nan",
                                          "inf",
                                          "1.5",
                                          "1e3",
                                          "1x",
                                          "0x10",
                                          "18446744073709551616",
                                          "99999999999999999999999",
                                          "-18446744073709551617"};
  expectRefused(flagsOf("UINT"), 15, never);
  expectRefused(flagsOf("UINT"), 15, {"-1"});
  expectRefused(flagsOf("INT"), 5, never);
  expectRefused(flagsOf("INT"), 5, {"2147483648"});
}

TEST(Arguments, NamesAreNotEmpty) {
  expectRefused(flagsOf("TEXT"), 5, {""});
  expectRefused(flagsOf("FILE"), 10, {""});
  expectRefused(flagsOf("DEVICE"), 8, {""});
}

TEST(Arguments, WhatFloat32HoldsIsTaken) {
  for (const char *text : {"0", "-0.0", "1e-3", "+0.5", "3.4e38", "1e-45"})
    EXPECT_EQ(checkNumber(text), "") << text;
}
