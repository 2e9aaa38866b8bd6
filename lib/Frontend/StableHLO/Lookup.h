// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Positions of a gather or scatter as rows of a matrix, the form of lookups and
// updates.

#ifndef TE_LIB_FRONTEND_STABLEHLO_LOOKUP_H
#define TE_LIB_FRONTEND_STABLEHLO_LOOKUP_H

#include "ModuleImporter.h"

#include <array>

namespace mlir::te::stablehlo_import {

/// A dimension whose position comes from the indices.
struct IndexedDim {
  int64_t dim;
  /// The component of an index vector that is the position, or, for a batch
  /// dimension, its number in the batch; the other is -1.
  int64_t part, batch;
  /// Number of elements from that position on.
  int64_t window;
};

/// The dimension numbers that a gather and a scatter share, checked against the
/// types of operand and indices.
struct IndexNumbers {
  SmallVector<int64_t> removed, batching, indexBatching, map;
  int64_t vectorDim = 0;
  /// The operand's dimensions that slices have, in order.
  SmallVector<int64_t> kept;
  /// The sizes of the indices without the dimension of index vectors.
  SmallVector<int64_t> batch;

  /// `names`: of the first four lists. Returns nullopt if they do not fit.
  static std::optional<IndexNumbers> get(const HloOp &op,
                                         const DimensionNumbers &numbers,
                                         std::array<StringRef, 4> names);
  /// How an index moves in a dimension, of which slices have `size` elements;
  /// nullopt if none does.
  std::optional<IndexedDim> find(int64_t dim, int64_t size) const;
};

/// The tensor [D...] that is read or written, as a matrix: the indexed
/// dimensions are its rows, the others its columns.
struct RowPositions {
  /// The indexed dimensions, in the row-major order of rows, and the others.
  SmallVector<int64_t> rowDims, columnDims;
  int64_t numRows = 1, numColumns = 1;
  /// The shape of the lookups: their batch, then the windows of more than one
  /// element.
  SmallVector<int64_t> shape;
  /// The rows, row-major in `shape`: constant, or computed.
  std::optional<SmallVector<int64_t>> known;
  Value computed;

  /// The treatment of a position outside the tensor: a gather clamps it, a
  /// scatter drops it.
  enum class Outside { Clamp, Drop };
  static FailureOr<RowPositions> get(ModuleImporter &importer, const HloOp &op,
                                     ArrayRef<int64_t> dims,
                                     ArrayRef<IndexedDim> indexed,
                                     int64_t indexVectorDim, Outside outside);

  /// rowDims, then columnDims.
  SmallVector<int64_t> getOrder() const;
};

/// True if `where` only tests that the ids of the te.embedding that `x` comes
/// from are inside its table: the op checks that itself.
bool isLookupInside(Value x, Value where);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_LOOKUP_H
