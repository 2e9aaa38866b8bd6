// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes, of tensors with elements for every expert, those of the experts
// that rows have chosen: a row for each row and choice.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_CHOSENROWS_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_CHOSENROWS_H

#include "Raise/OneHotMasks.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::te {

/// Builds values of the chosen experts. Those of all experts are named by
/// loops: of rows, of experts, perhaps of positions in an expert's capacity,
/// and of features.
class ChosenRows {
public:
  /// Rows, [R, F]. In a row without an expert they may be known to be zero, and
  /// so may those that they replace, in a place without a row.
  struct Rows {
    Value value;
    bool isZero = false, wasZero = false;
    explicit operator bool() const { return value != nullptr; }
  };

  /// Of masks whose facts are known: `rows` are the loops of rows of the
  /// result.
  ChosenRows(OpBuilder &builder, Location loc, OneHotMasks &masks,
             unsigned experts, ArrayRef<Digit> rows);

  /// Rows that have no place, whose positions are `mask`'s, have no expert.
  /// Returns false if the positions of the mask are not known.
  bool setPlaces(const LabelledValue &mask, int64_t capacity,
                 bool multipliesRows);

  /// The experts' numbers and those of rows without one are computed; false if
  /// the choices are not one number for each row and choice.
  bool buildGroups();

  /// The elements with all of `features`, [R, F]; null if not known how. Those
  /// without features are a mask's, [R], at the chosen experts and positions.
  Rows buildRows(const LabelledValue &value, ArrayRef<Digit> features);
  Value buildMask(const LabelledValue &mask) {
    return buildRows(mask, {}).value;
  }
  /// Products of rows with the matrices of their experts, summed over `sums`.
  Rows buildProduct(const LabelledValue &inputs, const LabelledValue &matrices,
                    ArrayRef<Digit> sums, ArrayRef<Digit> features,
                    Type element);
  /// Whether a value has elements for each expert, and none for rows.
  bool areMatrices(const LabelledValue &value, ArrayRef<Digit> features) const;
  /// The rows that have an expert.
  Value getKept() const { return isKept; }

  ArrayRef<Digit> getRows() const { return rows; }
  bool isRow(const Digit &digit) const {
    return llvm::is_contained(rows, digit);
  }
  int64_t getChoices() const { return countOf(choices); }
  int64_t getNumRows() const { return countOf(rows) * countOf(choices); }
  /// Whether rows that a mask multiplies with zero were left without an expert.
  bool dropsZeros() const { return droppedMask != nullptr; }
  /// Whether every result of what was replaced is used by that alone, or
  /// `user`.
  bool replacesAll(Operation *user) const;
  /// Multiplications of the products that were built, and of what they replace.
  double getProducts() const { return products; }
  double getReplaced() const { return replaced; }

private:
  struct Digital {
    Digits rows, features;
    bool hasExperts = false, hasPositions = false, isKnown = true;
  };

  Digital classify(const LabelledValue &value,
                   ArrayRef<Digit> features = {}) const;
  bool isExperts(const Digit &digit) const;
  Value gather(const LabelledValue &value, ArrayRef<Digit> features);
  Value lookUp(const LabelledValue &table, ArrayRef<Digit> features);
  Value repeatTo(Value value, ArrayRef<Digit> from, ArrayRef<Digit> features);
  Rows buildDispatch(linalg::GenericOp op, const LabelledValue &value,
                     ArrayRef<Digit> features);
  Rows buildKernel(linalg::GenericOp op, const LabelledValue &value,
                   ArrayRef<Digit> features);
  Rows computeRows(LabelledValue value, ArrayRef<Digit> features);
  Rows cloneRows(Operation *op, const LabelledValue &value,
                 ArrayRef<Digit> features);
  RankedTensorType getRowsType(Value value, ArrayRef<Digit> features) const;
  Value splat(RankedTensorType type, double number);

  OpBuilder &builder;
  Location loc;
  OneHotMasks &masks;
  unsigned experts;
  /// Of rows, and of the choices of each.
  Digits rows, choices, all;
  std::optional<Fact> place;
  int64_t below = Fact::kAlways;
  bool multipliesRows = false;
  Value droppedMask;
  /// [R]: the chosen experts' numbers as they are; the same as int32, -1 for
  /// none; whether there is one.
  Value ids, groups, isKept;
  llvm::DenseMap<Value, SmallVector<std::tuple<Labels, Digits, Rows>, 1>> known;
  llvm::SmallSetVector<Operation *, 16> visited;
  double products = 0, replaced = 0;
};

/// How often the body of an op runs.
double countWork(linalg::LinalgOp op);

/// True if a kernel adds up products of its two inputs.
bool addsProducts(linalg::GenericOp op);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_CHOSENROWS_H
