// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

Table::Table(ArrayRef<StringRef> headings) {
  for (StringRef heading : headings) {
    Column column;
    column.isRight = heading.consume_back(">");
    column.heading = heading.str();
    columns.push_back(std::move(column));
  }
}

/// Everything that a reader sees of a row.
static std::string makeKey(const Table::Row &cells) {
  std::string key;
  for (const TableCell &cell : cells) {
    for (const TableLine &line : cell.lines)
      key += line.label + '\t' + std::to_string(int(line.style)) + line.text +
             '\n';
    key += '\f';
  }
  return key;
}

void Table::add(Row cells) {
  auto [place, isNew] = places.try_emplace(makeKey(cells), rows.size());
  if (isNew)
    rows.push_back({std::move(cells)});
  else
    ++rows[place->second].count;
}

void Table::foldLayers(size_t names, std::optional<size_t> numbers) {
  foldedNames = names;
  foldedNumbers = numbers;
}

std::optional<int64_t> mlir::te::takeLayerNumber(std::string &name) {
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

/// "0-11", "0-22 by 2", or such runs and single numbers with commas between:
/// "0, 2-5".
static std::string joinNumbers(std::vector<int64_t> numbers) {
  llvm::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  // The numbers from `first` that are equally far apart.
  auto countRun = [&](size_t first, int64_t step) {
    size_t last = first;
    while (last + 1 < numbers.size() &&
           numbers[last + 1] - numbers[last] == step)
      ++last;
    return last - first + 1;
  };
  auto print = [&](size_t first, size_t count) {
    return std::to_string(numbers[first]) + "-" +
           std::to_string(numbers[first + count - 1]);
  };
  const int64_t step = numbers.size() > 2 ? numbers[1] - numbers[0] : 1;
  if (step > 1 && countRun(0, step) == numbers.size())
    return print(0, numbers.size()) + " by " + std::to_string(step);
  std::string list;
  for (size_t first = 0; first < numbers.size();) {
    // Two are as short one by one.
    size_t count = countRun(first, 1);
    count = count > 2 ? count : 1;
    list += (list.empty() ? "" : ", ") +
            (count > 1 ? print(first, count) : std::to_string(numbers[first]));
    first += count;
  }
  return list;
}

static std::string fillIn(StringRef pattern, StringRef number) {
  std::string result;
  for (char character : pattern)
    result += character ? std::string(1, character) : number.str();
  return result;
}

std::string mlir::te::putLayerNumbers(StringRef name,
                                      std::vector<int64_t> numbers) {
  const bool isOne = numbers.size() < 2;
  std::string number = joinNumbers(std::move(numbers));
  return fillIn(name, isOne ? number : "{" + number + "}");
}

/// The numbers as a glob that matches the names of these layers, as rules of a
/// policy need it: "{0,2}", or "*" for many from 0 on.
static std::string makeGlob(ArrayRef<int64_t> numbers) {
  constexpr size_t kMostListed = 8;
  std::vector<int64_t> sorted(numbers);
  llvm::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  if (sorted.size() > kMostListed && sorted.front() == 0 &&
      sorted.back() == int64_t(sorted.size()) - 1)
    return "*";
  std::string list;
  for (int64_t number : sorted)
    list += (list.empty() ? "" : ",") + std::to_string(number);
  return sorted.size() < 2 ? list : "{" + list + "}";
}

/// What other cells say of the layer, they say of all that are equal.
static void replaceName(Table::Row &cells, StringRef name, StringRef pattern) {
  if (llvm::all_of(name, llvm::isDigit))
    return;
  for (TableCell &cell : cells)
    for (TableLine &line : cell.lines)
      for (size_t place = 0;
           (place = line.text.find(name, place)) != std::string::npos;
           place += pattern.size())
        line.text.replace(place, name.size(), pattern.str());
}

/// The text of a cell of one line.
static StringRef getText(const TableCell &cell) {
  return cell.lines.empty() ? StringRef() : StringRef(cell.lines.front().text);
}

std::vector<Table::CountedRow> Table::foldRows() const {
  if (!foldedNames)
    return rows;
  struct Group {
    CountedRow row; ///< without its number
    std::vector<int64_t> layers, numbers;
  };
  std::vector<Group> groups;
  llvm::StringMap<size_t> known;
  for (const CountedRow &row : rows) {
    Group group{row, {}, {}};
    if (std::string name = getText(row.cells[*foldedNames]).str();
        auto layer = takeLayerNumber(name)) {
      group.layers.push_back(*layer);
      replaceName(group.row.cells, getText(row.cells[*foldedNames]), name);
      group.row.cells[*foldedNames].lines.front().text = name;
    }
    int64_t number;
    if (foldedNumbers &&
        !getText(row.cells[*foldedNumbers]).getAsInteger(10, number)) {
      group.numbers.push_back(number);
      group.row.cells[*foldedNumbers].lines.front().text.clear();
    }
    auto [place, isNew] =
        known.try_emplace(makeKey(group.row.cells) + std::to_string(row.count) +
                              (group.layers.empty() ? "" : "\n"),
                          groups.size());
    if (isNew) {
      groups.push_back(std::move(group));
      continue;
    }
    llvm::append_range(groups[place->second].layers, group.layers);
    llvm::append_range(groups[place->second].numbers, group.numbers);
  }
  std::vector<CountedRow> folded;
  for (Group &group : groups) {
    if (!group.layers.empty()) {
      std::string &name = group.row.cells[*foldedNames].lines.front().text;
      name = putLayerNumbers(name, group.layers);
      for (TableCell &cell : group.row.cells)
        for (TableLine &line : cell.lines)
          if (line.text.find('\0') != std::string::npos)
            line.text = fillIn(line.text, makeGlob(group.layers));
    }
    if (!group.numbers.empty())
      group.row.cells[*foldedNumbers].lines.front().text =
          joinNumbers(std::move(group.numbers));
    folded.push_back(std::move(group.row));
  }
  return folded;
}

Table::Contents Table::getContents() const {
  std::vector<CountedRow> folded = foldRows();
  std::vector<bool> isUsed(columns.size());
  bool hasCounts = false;
  for (const CountedRow &row : folded) {
    for (auto [index, cell] : llvm::enumerate(row.cells))
      isUsed[index] = isUsed[index] || !cell.lines.empty();
    hasCounts |= row.count > 1;
  }
  Contents contents;
  for (auto [column, used] : llvm::zip_equal(columns, isUsed))
    if (used)
      contents.columns.push_back(column);
  if (hasCounts)
    contents.columns.push_back({"times", true});
  for (CountedRow &row : folded) {
    Row &cells = contents.rows.emplace_back();
    for (auto [cell, used] : llvm::zip_equal(row.cells, isUsed))
      if (used)
        cells.push_back(std::move(cell));
    if (hasCounts)
      cells.push_back(row.count > 1 ? std::to_string(row.count) : "");
  }
  return contents;
}

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

/// A bar would end the cell, a line break the table.
static std::string escapeMarkdown(StringRef text) {
  std::string result;
  for (char character : text) {
    if (character == '|')
      result += '\\';
    result += character == '\n' || character == '\r' ? ' ' : character;
  }
  return result;
}

static std::string toMarkdown(const TableLine &line) {
  std::string text = escapeMarkdown(line.text);
  switch (line.style) {
  case TableLine::Style::Text:
    break;
  case TableLine::Style::Code:
    // A backtick would end it.
    text =
        StringRef(text).contains('`') ? "`` " + text + " ``" : "`" + text + "`";
    break;
  case TableLine::Style::Fp8:
    text = "FP8 " + text;
    break;
  case TableLine::Style::High:
    text = "high " + text;
    break;
  }
  return line.label.empty() ? text : escapeMarkdown(line.label) + ": " + text;
}

void Table::writeMarkdown(raw_ostream &os) const {
  Contents contents = getContents();
  std::vector<size_t> widths;
  std::vector<std::string> headings, rules;
  for (const Column &column : contents.columns) {
    widths.push_back(column.heading.size());
    headings.push_back(column.heading);
  }
  std::vector<std::vector<std::string>> lines;
  for (const Row &row : contents.rows) {
    std::vector<std::string> &line = lines.emplace_back();
    for (auto [width, cell] : llvm::zip_equal(widths, row)) {
      line.push_back(
          llvm::join(llvm::map_range(cell.lines, toMarkdown), "<br>"));
      width = std::max(width, line.back().size());
    }
  }
  auto write = [&](const std::vector<std::string> &line) {
    for (auto [width, column, text] :
         llvm::zip_equal(widths, contents.columns, line)) {
      size_t padding = width - text.size();
      os << "| ";
      if (column.isRight)
        os.indent(padding);
      os << text;
      if (!column.isRight)
        os.indent(padding);
      os << " ";
    }
    os << "|\n";
  };
  for (auto [width, column] : llvm::zip_equal(widths, contents.columns)) {
    rules.emplace_back(width, '-');
    if (column.isRight && width > 0)
      rules.back().back() = ':';
  }
  write(headings);
  write(rules);
  for (const auto &line : lines)
    write(line);
}
