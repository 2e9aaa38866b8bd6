// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One number per row of logits, as a sum of the terms of losses.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ROWSCORES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ROWSCORES_H

#include "mlir/IR/Value.h"

#include <optional>

namespace mlir::te {

/// Expresses a number for every row i of logits [rows, classes] as
///
///   picked * logits[i, labels[i]] + lse * log Σ_v exp(logits[i, v]) + rest
///
/// where the rest, such as the rows' maxima, is a multiple of opaque values.
/// Cancelling terms are dropped: log_softmax subtracts the maximum before and
/// after the logarithm.
class RowScores {
public:
  explicit RowScores(int64_t rows) : rows(rows) {}

  /// Adds `factor` times `value`, which has one element for each row. Returns
  /// false if it reads other logits or labels than before.
  bool add(Value value, double factor);
  /// Adds `factor` times the sums of the rows of `value`, [rows, classes], if
  /// that has one term in each: a product with a one-hot vector.
  bool addOneHot(Value value, double factor);

  /// True if it is picked * (logits[i, labels[i]] - log Σ exp(logits[i])).
  bool isLogProbability() const;

  double getPicked() const { return picked; }
  int64_t getClasses() const { return classes; }
  /// In any shape.
  Value getLogits() const { return logits; }
  /// Integers, one for each row, in any shape.
  Value getLabels() const { return labels; }
  /// True if rows whose label is not a class count as 0; else they are an error
  /// at run time, as ids outside a table are.
  bool skipsOutside() const { return isOneHot; }

private:
  bool addScores(Value value, double factor);
  bool addLogarithm(Value sum, double factor);
  bool addLookup(Value value, double factor);
  bool setLogits(Value value);
  bool setLabels(Value value);
  bool setClasses(int64_t count);
  void addOther(Value value, double factor);
  Value readPositions(Value ids);
  Value readClass(Value position) const;
  bool isInside(Value condition) const;

  int64_t rows, classes = 0;
  unsigned depth = 0;
  /// Number of terms of the sum; a product with a one-hot vector counts once.
  unsigned terms = 0;
  Value logits, labels;
  bool isOneHot = false;
  double picked = 0, lse = 0;
  SmallVector<std::pair<Value, double>> others;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_ROWSCORES_H
