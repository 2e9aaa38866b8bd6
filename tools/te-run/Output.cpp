// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Output.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <cstring>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

using namespace tert;
using namespace tert::run;

int run::terminalWidth(std::FILE *stream) {
  winsize size = {};
  if (::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

bool run::isUnicode() {
  return std::strcmp(::nl_langinfo(CODESET), "UTF-8") == 0;
}

void run::heading(const std::string &text) {
  std::printf("\n%s\n", coloured(stdout, Colour::Bold, text).c_str());
}

int run::reportError(const session::Error &error) {
  std::fprintf(stderr, "%s\n",
               cli::errorLine("te-run", error.message()).c_str());
  return exitFailure;
}

int run::reportUsage(const std::string &message, const std::string &command) {
  return cli::reportUsage(
      "te-run", command.empty() ? "te-run" : "te-run " + command, message);
}

std::string run::warningLine(const std::string &message) {
  return cli::messageLine("te-run", Colour::Yellow, "warning", message);
}

void run::reportWarning(const std::string &message) {
  std::fprintf(stderr, "%s\n", warningLine(message).c_str());
}

/// Number of characters, not bytes, of a UTF-8 text.
static size_t displayWidth(const std::string &text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

void Table::print(std::FILE *stream, const char *indent) const {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t width = displayWidth(columns[i].title);
    for (const std::vector<std::string> &row : rows)
      width = std::max(width, displayWidth(row[i]));
    widths.push_back(width);
  }
  auto line = [&](auto cellOf) {
    std::string text = indent;
    for (size_t i = 0; i < columns.size(); ++i) {
      const std::string &cell = cellOf(i);
      std::string padding(widths[i] - displayWidth(cell), ' ');
      text += i ? "  " : "";
      text +=
          columns[i].align == Align::Right ? padding + cell : cell + padding;
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  };
  std::string title =
      line([&](size_t i) -> const std::string & { return columns[i].title; });
  if (title.find_first_not_of(' ') != std::string::npos)
    std::fprintf(stream, "%s\n", coloured(stream, Colour::Bold, title).c_str());
  auto next = colours.begin();
  for (size_t r = 0; r < rows.size(); ++r) {
    std::string text =
        line([&](size_t i) -> const std::string & { return rows[r][i]; });
    if (next != colours.end() && next->first == r)
      text = coloured(stream, (next++)->second, text);
    std::fprintf(stream, "%s\n", text.c_str());
  }
}
