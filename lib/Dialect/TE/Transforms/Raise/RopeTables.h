// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of cosines and sines for rotary embedding.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ROPETABLES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ROPETABLES_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

#include <optional>

namespace mlir::te {

/// A table that is repeated for all heads, and for all sequences of a batch or
/// with a row for every token.
struct RopeTable {
  /// [rows, size] in any shape, of float32: a constant, or computed from
  /// constants and integers, such as position ids. te.rope's tables have no
  /// gradient.
  Value values;
  /// [rows, size], if known.
  DenseElementsAttr constant;
  int64_t rows;
  /// The order of batch, sequence, heads and head dimension in `heads`.
  AttentionLayout layout;
  SmallVector<int64_t> heads;
};

/// The table that `value` repeats.
std::optional<RopeTable> getRopeTable(Value value);

/// True if both have the same numbers for the same heads.
bool isSameTable(const RopeTable &a, const RopeTable &b);

/// True if both elements of every pair have the same angle: i and i + size / 2,
/// or 2i and 2i + 1 with `interleaved`.
bool hasPairs(const RopeTable &table, bool interleaved);

/// All columns, [rows, size].
Value buildTable(OpBuilder &builder, Location loc, const RopeTable &table);

/// The columns that pairs read, [rows, size / 2], of a table that has pairs.
Value buildPairs(OpBuilder &builder, Location loc, const RopeTable &table,
                 bool interleaved);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ROPETABLES_H
