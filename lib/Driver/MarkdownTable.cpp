// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MarkdownTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

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

void MarkdownTable::foldLayers(size_t names, std::optional<size_t> numbers) {
  foldedNames = names;
  foldedNumbers = numbers;
}

/// The first number of a name, the layer's, gives way to a character that no
/// name has; so does that of each further part of a joined name,
/// "{h.0.q,h.0.k}", if it is the same. Nothing for names without one.
static std::optional<int64_t> takeNumber(std::string &name) {
  std::optional<int64_t> number;
  std::string result;
  bool isTaken = false; // of this part
  llvm::StringRef rest = name;
  while (!rest.empty()) {
    llvm::StringRef text = rest.take_until(llvm::isDigit);
    result += text.str();
    rest = rest.drop_front(text.size());
    if (text.contains(','))
      isTaken = false;
    llvm::StringRef digits = rest.take_while(llvm::isDigit);
    rest = rest.drop_front(digits.size());
    int64_t value;
    const bool isNumber = !digits.getAsInteger(10, value) &&
                          (digits.size() == 1 || digits.front() != '0');
    if (!isTaken && isNumber && value == number.value_or(value)) {
      number = value;
      result += '\0';
    } else {
      result += digits.str();
    }
    isTaken = true;
  }
  name = std::move(result);
  return number;
}

/// "0-11", "0-22 by 2", or what there is with commas between.
static std::string joinNumbers(std::vector<int64_t> numbers) {
  llvm::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  const int64_t step = numbers.size() > 1 ? numbers[1] - numbers[0] : 1;
  bool isRange = numbers.size() > 2;
  for (size_t i = 1; i < numbers.size(); ++i)
    isRange &= numbers[i] - numbers[i - 1] == step;
  if (isRange)
    return std::to_string(numbers.front()) + "-" +
           std::to_string(numbers.back()) +
           (step == 1 ? "" : " by " + std::to_string(step));
  return llvm::join(
      llvm::map_range(numbers,
                      [](int64_t number) { return std::to_string(number); }),
      ", ");
}

std::vector<MarkdownTable::Row> MarkdownTable::foldRows() const {
  if (!foldedNames)
    return rows;
  struct Group {
    Row row; ///< without its number
    std::vector<int64_t> layers, numbers;
  };
  std::vector<Group> groups;
  llvm::StringMap<size_t> known;
  for (const Row &row : rows) {
    Group group{row, {}, {}};
    std::string &name = group.row.cells[*foldedNames];
    if (auto layer = takeNumber(name))
      group.layers.push_back(*layer);
    int64_t number;
    if (foldedNumbers &&
        !llvm::StringRef(row.cells[*foldedNumbers]).getAsInteger(10, number)) {
      group.numbers.push_back(number);
      group.row.cells[*foldedNumbers].clear();
    }
    auto [place, isNew] = known.try_emplace(
        llvm::join(group.row.cells, "\n") + "\n" + std::to_string(row.count) +
            (group.layers.empty() ? "" : "\n"),
        groups.size());
    if (isNew) {
      groups.push_back(std::move(group));
      continue;
    }
    llvm::append_range(groups[place->second].layers, group.layers);
    llvm::append_range(groups[place->second].numbers, group.numbers);
  }
  std::vector<Row> folded;
  for (Group &group : groups) {
    std::string number = joinNumbers(group.layers), name;
    if (group.layers.size() > 1)
      number = "{" + number + "}";
    for (char character : group.row.cells[*foldedNames])
      name += character ? std::string(1, character) : number;
    group.row.cells[*foldedNames] = std::move(name);
    if (foldedNumbers && !group.numbers.empty())
      group.row.cells[*foldedNumbers] = joinNumbers(group.numbers);
    folded.push_back(std::move(group.row));
  }
  return folded;
}

void MarkdownTable::write(llvm::raw_ostream &os) const {
  std::vector<std::string> headings = this->headings;
  std::vector<bool> right = this->right;
  headings.push_back("times");
  right.push_back(true);
  std::vector<std::vector<std::string>> lines;
  for (const Row &row : foldRows()) {
    lines.push_back(row.cells);
    lines.back().push_back(row.count > 1 ? std::to_string(row.count) : "");
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
