// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables that read well as text and as Markdown.

#ifndef TE_LIB_DRIVER_MARKDOWNTABLE_H
#define TE_LIB_DRIVER_MARKDOWNTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::te {

class MarkdownTable {
public:
  /// Columns whose heading ends with '>' are aligned to the right.
  explicit MarkdownTable(llvm::ArrayRef<llvm::StringRef> headings);

  /// Makes one row of those that differ in nothing but a number in the name of
  /// column `names`, as equal layers do: "h.{0-11}.attn". The cells of the
  /// column `numbers` are whole numbers, which are joined as well: "0-22 by 2".
  void foldLayers(size_t names, std::optional<size_t> numbers = std::nullopt);

  /// Adds a row. Equal rows (of several entries, say) are told once, with their
  /// number in a last column "times".
  void add(std::vector<std::string> cells);

  bool empty() const { return rows.empty(); }
  /// Columns in which every row is empty are left out.
  void write(llvm::raw_ostream &os) const;

private:
  struct Row {
    std::vector<std::string> cells;
    int count = 1;
  };
  /// The rows with those that are equal but for a number made one.
  std::vector<Row> foldRows() const;

  std::vector<std::string> headings;
  std::vector<bool> right;
  std::vector<Row> rows;
  llvm::StringMap<size_t> places; ///< of rows, by their cells
  std::optional<size_t> foldedNames, foldedNumbers;
};

/// `name` as code, or nothing.
std::string markdownCode(llvm::StringRef name);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_MARKDOWNTABLE_H
