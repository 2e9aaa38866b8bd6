// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Output of te-run: messages and aligned tables.

#ifndef TE_RUN_OUTPUT_H
#define TE_RUN_OUTPUT_H

#include "command-line/Messages.h"
#include "support/Error.h"
#include "support/Text.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace tert::run {

using session::format;
using session::formatBytes;
using session::formatCount;
using session::formatDuration;
using session::formatLoss;

using cli::Colour;
using cli::coloured;
using cli::exitUsage;
using cli::isTerminal;

/// Failures exit with this code, wrong usage with exitUsage.
constexpr int exitFailure = 1;
/// A training that ended itself: its steps were skipped, its loss exploded.
constexpr int exitSkipping = 3;
constexpr int exitDiverged = 4;
constexpr int exitInterrupted = 130;

/// Columns of a stream's terminal; 80 if unknown.
int terminalWidth(std::FILE *stream);
/// True if the locale supports more than ASCII.
bool isUnicode();

/// A title in bold on stdout, after an empty line.
void heading(const std::string &text);
/// "te-run: error: …" on stderr; returns exitFailure.
int reportError(const session::Error &error);
/// Like reportError, for an invalid command line; returns exitUsage.
int reportUsage(const std::string &message, const std::string &command);
/// "te-run: warning: …" on stderr.
void reportWarning(const std::string &message);
/// That line, without the newline, to be printed elsewhere.
std::string warningLine(const std::string &message);

/// Rows of cells, aligned by column; numbers are right-aligned.
class Table {
public:
  enum class Align { Left, Right };
  struct Column {
    std::string title;
    Align align = Align::Left;
  };
  explicit Table(std::vector<Column> columns) : columns(std::move(columns)) {}
  void add(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  /// A row printed in a colour on terminals.
  void add(std::vector<std::string> cells, Colour colour) {
    colours.emplace_back(rows.size(), colour);
    add(std::move(cells));
  }
  bool empty() const { return rows.empty(); }
  void print(std::FILE *stream, const char *indent = "  ") const;

private:
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::pair<size_t, Colour>> colours;
};

} // namespace tert::run

#endif // TE_RUN_OUTPUT_H
