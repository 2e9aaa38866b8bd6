// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of reports and plans: what they contain, in whatever form they are
// written.

#ifndef TE_LIB_DRIVER_TABLE_H
#define TE_LIB_DRIVER_TABLE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::te {

/// A line of a cell.
struct TableLine {
  enum class Style {
    Text,
    Code, ///< a name in a model or program
    Fp8,  ///< of a product in FP8
    High, ///< of a product in high precision
  };
  std::string text;
  Style style = Style::Text;
  /// What the line is of, if not of everything: "train".
  std::string label;
};

struct TableCell {
  TableCell() = default;
  /// One line; none if the text is empty.
  TableCell(StringRef text, TableLine::Style style = TableLine::Style::Text) {
    if (!text.empty())
      lines.push_back({text.str(), style, ""});
  }
  TableCell(const std::string &text) : TableCell(StringRef(text)) {}
  TableCell(const char *text) : TableCell(StringRef(text)) {}
  TableCell(const llvm::formatv_object_base &text) : TableCell(text.str()) {}
  TableCell(std::vector<TableLine> lines) : lines(std::move(lines)) {}

  /// A name in a model or program, or nothing.
  static TableCell code(StringRef name) {
    return {name, TableLine::Style::Code};
  }

  std::vector<TableLine> lines;
  /// From 0 to 1: the share that the cell's number is of all, for a bar.
  double share = 0;
};

class Table {
public:
  struct Column {
    std::string heading;
    bool isRight = false;
  };
  using Row = std::vector<TableCell>;

  /// Columns whose heading ends with '>' are aligned to the right.
  explicit Table(ArrayRef<StringRef> headings);

  /// Makes one row of those that differ in nothing but a number in the name of
  /// column `names`, as equal layers do: "h.{0-11}.attn"; where other cells
  /// have that name, it becomes a glob, "h.{0,1}.attn". The cells of the column
  /// `numbers` are whole numbers, which are joined as well: "0-22 by 2".
  void foldLayers(size_t names, std::optional<size_t> numbers = std::nullopt);

  /// Adds a row. Equal rows (of several entries, say) are told once, with their
  /// number in a last column "times".
  void add(Row cells);

  bool empty() const { return rows.empty(); }

  /// What is written: rows are folded, and columns in which every row is empty
  /// are left out.
  struct Contents {
    std::vector<Column> columns;
    std::vector<Row> rows;
  };
  Contents getContents() const;

  /// As a table that reads well as text and as Markdown.
  void writeMarkdown(raw_ostream &os) const;

private:
  struct CountedRow {
    Row cells;
    int count = 1;
  };
  /// The rows with those that are equal but for a number made one.
  std::vector<CountedRow> foldRows() const;

  std::vector<Column> columns;
  std::vector<CountedRow> rows;
  llvm::StringMap<size_t> places; ///< of rows, by their cells
  std::optional<size_t> foldedNames, foldedNumbers;
};

/// The first number of a name, the layer's, gives way to '\0', which no name
/// has; so does that of each further part of a joined name, "{h.0.q,h.0.k}", if
/// it is the same. Returns the number, or nothing for names without one.
std::optional<int64_t> takeLayerNumber(std::string &name);

/// Puts the numbers of equal layers into the place that takeLayerNumber() left:
/// "h.{0-11}.attn", "h.{0-22 by 2}.attn", "h.{0, 3-7}.attn", "h.3.attn".
std::string putLayerNumbers(StringRef name, std::vector<int64_t> numbers);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_TABLE_H
