// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables that read well as text and as Markdown.

#ifndef TE_LIB_DRIVER_MARKDOWNTABLE_H
#define TE_LIB_DRIVER_MARKDOWNTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace mlir::te {

class MarkdownTable {
public:
  /// Columns whose heading ends with '>' are aligned to the right.
  explicit MarkdownTable(llvm::ArrayRef<llvm::StringRef> headings);

  /// Adds a row. Equal rows (of several entries, say) are told once, with their
  /// number behind the last cell.
  void add(std::vector<std::string> cells);

  bool empty() const { return rows.empty(); }
  /// Columns in which every row is empty are left out.
  void write(llvm::raw_ostream &os) const;

private:
  struct Row {
    std::vector<std::string> cells;
    int count = 1;
  };
  std::vector<std::string> headings;
  std::vector<bool> right;
  std::vector<Row> rows;
  llvm::StringMap<size_t> places; ///< of rows, by their cells
};

/// `name` as code, or nothing.
std::string markdownCode(llvm::StringRef name);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_MARKDOWNTABLE_H
