// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The graph of an entry as rows: an operation of the forward pass beside its
// gradients, with equal blocks of rows as one.

#ifndef TE_LIB_DRIVER_REPORT_GRAPHROWS_H
#define TE_LIB_DRIVER_REPORT_GRAPHROWS_H

#include "Report/ReportData.h"

#include <array>

namespace mlir::te {

/// Operations that are drawn as one: of a block and those equal to it, or those
/// of a loss that is computed piece by piece.
struct GraphBox {
  /// The first; null for an empty place.
  const ReportOp *op = nullptr;
  int64_t count = 0; ///< in each block
};

struct GraphRow {
  /// The layer, or the module of an operation that is no product; empty if it
  /// has no name.
  std::string name;
  /// In the forward pass; its dgrad, or the gradient of an operation that is no
  /// product; its wgrad.
  enum Place { Forward, Backward, Wgrad };
  std::array<GraphBox, 3> boxes;
};

/// Rows that come several times, one behind the other, alike in everything but
/// their names' numbers.
struct GraphBlock {
  std::vector<GraphRow> rows;
  int64_t count = 1;
};

struct GraphRows {
  /// In the order of the forward pass; in that of the backward pass from the
  /// end.
  std::vector<GraphBlock> blocks;
  /// After the gradients: one box for all operations of a kernel.
  std::vector<GraphBox> update;
};

/// Whether a row is that of a layer's products.
bool isLayer(const GraphRow &row);

/// The graph must outlive the rows.
GraphRows makeGraphRows(const ReportGraph &graph);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_REPORT_GRAPHROWS_H
