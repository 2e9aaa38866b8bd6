// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of expert products in another order: sorted by expert, or on the ranks
// that have the experts.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_EXPERTROWS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_EXPERTROWS_H

#include "te/Dialect/TE/IR/LayerOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::te {

/// Products of ungrouped rows, by block and experts.
using ExpertProducts =
    llvm::MapVector<std::pair<Block *, Value>, SmallVector<ExpertMatmulOp>>;
ExpertProducts findExpertProducts(func::FuncOp function);

/// Moves the products of one block that read the same experts, and what is
/// between them row by row, to the places of a te.group_rows.
class ExpertRows {
public:
  /// Creates the order in front of `first`. With several ranks it is that of a
  /// rank's rows by the ranks that have their experts, of which products have
  /// only the rank's own.
  ExpertRows(IRRewriter &rewriter, ExpertMatmulOp first, int64_t places,
             int64_t alignment, int64_t ranks = 1);
  virtual ~ExpertRows() = default;

  /// Replaces a product, the first in the block that is not replaced yet.
  void move(ExpertMatmulOp product);
  /// The place of each row.
  Value getSlots() { return order.getSlot(); }

protected:
  /// Sends what rows in the order's places have, [P, ...], to the rank that
  /// multiplies them, or back: an involution.
  virtual Value exchange(Value rows) { return rows; }

  IRRewriter &rewriter;

private:
  Value getGroups();
  Value toPlaces(Value value);
  Value movePermuted(Value value);
  bool comesFromPlaces(Value value);
  Value permute(Value value);

  GroupRowsOp order;
  /// The expert of each place where it is multiplied.
  Value groups;
  int64_t rows;
  /// Values [S, ...] and what they are in the order of the places, [P, ...].
  llvm::DenseMap<Value, Value> permuted;
  /// Whether an expert product's result reaches a value by ops that work row by
  /// row.
  llvm::DenseMap<Value, bool> known;
};

/// Has te.unpermute add up the rows of a token, each times a weight, where a
/// kernel does nothing else with what it reads.
void combineExpertRows(IRRewriter &rewriter, func::FuncOp function);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_EXPERTROWS_H
