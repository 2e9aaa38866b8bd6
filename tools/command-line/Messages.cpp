// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Messages.h"

#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace tert;
using namespace tert::cli;

bool cli::isTerminal(std::FILE *stream) { return ::isatty(::fileno(stream)); }

bool cli::wantsColours() {
  const char *unwanted = std::getenv("NO_COLOR");
  const char *terminal = std::getenv("TERM");
  return !(unwanted && *unwanted) &&
         !(terminal && std::strcmp(terminal, "dumb") == 0);
}

static const char *codeOf(Colour colour) {
  switch (colour) {
  case Colour::Red:
    return "\033[31m";
  case Colour::Green:
    return "\033[32m";
  case Colour::Yellow:
    return "\033[33m";
  case Colour::Blue:
    return "\033[34m";
  case Colour::Dim:
    return "\033[2m";
  case Colour::Bold:
    return "\033[1m";
  }
  return "";
}

std::string cli::coloured(std::FILE *stream, Colour colour,
                          const std::string &text) {
  return isTerminal(stream) && wantsColours()
             ? codeOf(colour) + text + "\033[0m"
             : text;
}

std::string cli::messageLine(const std::string &tool, Colour colour,
                             const std::string &kind,
                             const std::string &message) {
  return tool + ": " + coloured(stderr, colour, kind + ":") + " " + message;
}

std::string cli::errorLine(const std::string &tool,
                           const std::string &message) {
  return messageLine(tool, Colour::Red, "error", message);
}

int cli::reportUsage(const std::string &tool, const std::string &command,
                     const std::string &message) {
  std::fprintf(stderr, "%s\nRun '%s --help' for what it takes.\n",
               errorLine(tool, message).c_str(), command.c_str());
  return exitUsage;
}
