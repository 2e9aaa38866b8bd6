// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MarkdownTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::te;

MarkdownTable::MarkdownTable(llvm::ArrayRef<llvm::StringRef> names) {
  for (llvm::StringRef name : names) {
    right.push_back(name.consume_back(">"));
    headings.push_back(name.str());
  }
}

/// A bar would end the cell, a line break the table.
static std::string escape(llvm::StringRef text) {
  std::string result;
  for (char character : text) {
    if (character == '|')
      result += '\\';
    result += character == '\n' ? ' ' : character;
  }
  return result;
}

void MarkdownTable::add(std::vector<std::string> cells) {
  for (std::string &cell : cells)
    cell = escape(cell);
  auto [place, isNew] =
      places.try_emplace(llvm::join(cells, "\n"), rows.size());
  if (isNew)
    rows.push_back({std::move(cells)});
  else
    ++rows[place->second].count;
}

void MarkdownTable::write(llvm::raw_ostream &os) const {
  std::vector<std::vector<std::string>> lines;
  for (const Row &row : rows) {
    lines.push_back(row.cells);
    if (row.count > 1)
      lines.back().back() += " (" + std::to_string(row.count) + " times)";
  }
  std::vector<size_t> widths(headings.size(), 0);
  for (const auto &line : lines)
    for (auto [width, cell] : llvm::zip_equal(widths, line))
      width = std::max(width, cell.size());
  auto write = [&](const std::vector<std::string> &line) {
    for (size_t i = 0; i < line.size(); ++i) {
      if (widths[i] == 0)
        continue;
      size_t width = std::max(widths[i], headings[i].size());
      size_t padding = width - line[i].size();
      os << "| ";
      if (right[i])
        os.indent(padding);
      os << line[i];
      if (!right[i])
        os.indent(padding);
      os << " ";
    }
    os << "|\n";
  };
  write(headings);
  std::vector<std::string> rules;
  for (size_t i = 0; i < headings.size(); ++i) {
    std::string rule(std::max(widths[i], headings[i].size()), '-');
    if (right[i])
      rule.back() = ':';
    rules.push_back(std::move(rule));
  }
  write(rules);
  for (const auto &line : lines)
    write(line);
}

std::string mlir::te::markdownCode(llvm::StringRef name) {
  return name.empty() ? "" : "`" + name.str() + "`";
}
