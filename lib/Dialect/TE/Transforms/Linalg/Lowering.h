// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the files that lower te ops to linalg.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LOWERING_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LOWERING_H

#include "Linalg/Formula.h"

#include "te/Dialect/TE/IR/ScaleShape.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Linalg/LinalgLowering.h"

namespace mlir::te {

/// The replacements of an op's results.
class Lowered {
public:
  explicit Lowered(Operation *op) : values(op->getNumResults()) {}

  /// False if `result` is null or has no users, and need not be computed.
  bool needs(Value result) const { return result && !result.use_empty(); }
  /// Sets `value` in the element type of `result`, if that is needed.
  void set(Formula &formula, Value result, Value value) {
    if (needs(result))
      values[cast<OpResult>(result).getResultNumber()] = formula.convert(
          value, cast<RankedTensorType>(result.getType()).getElementType());
  }
  SmallVector<Value> take() { return std::move(values); }

private:
  SmallVector<Value> values;
};

/// sat(x * scale) in FP8: to nearest even, saturated; NaN is preserved.
Value saturate(Scalars &scalars, Value x, Value scale, Type format);

/// A scale of an FP8 matrix in a formula: one, or of the element's block.
class BlockScale {
public:
  BlockScale(Value scale, Value matrix);

  /// Adds one scale to a formula's terms; others are read by position.
  void addTo(SmallVectorImpl<Term> &terms);
  /// That of the element at the indices `row` and `column`, from the terms'
  /// values.
  Value get(Scalars &scalars, ValueRange x, char row, char column) const;
  /// True if elements of a row have several.
  bool variesInRows() const;

private:
  Value scale;
  ScaleBlock block;
  std::optional<unsigned> number; ///< of the term
};

/// Lowers the FP8 copies of `value`, which `op` quantizes, and its amax, as far
/// as they are used.
void lowerQuantization(Formula &formula, QuantizingOpInterface op, Value value,
                       Lowered &lowered);

/// kind(x), and its derivative.
Value activate(Scalars &scalars, ActivationKind kind, Value x);
Value activateDerivative(Scalars &scalars, ActivationKind kind, Value x);

/// gamma, or 1 + gamma.
Value getFactor(Scalars &scalars, Value gamma, bool zeroCentered);

/// Lowers the sum of a matrix's rows, if it is used.
void lowerRowSum(Formula &formula, Value result, Value matrix,
                 Lowered &lowered);

/// Implements LinalgLoweringOpInterface by a function that writes an op's
/// formula.
template <typename Op, void (*lower)(Op, Formula &, Lowered &)>
struct LinalgLowering
    : LinalgLoweringOpInterface::ExternalModel<LinalgLowering<Op, lower>, Op> {
  SmallVector<Value> lowerToLinalg(Operation *op, OpBuilder &builder) const {
    Formula formula(builder, op->getLoc());
    Lowered lowered(op);
    lower(cast<Op>(op), formula, lowered);
    return lowered.take();
  }
};
template <typename Op, void (*lower)(Op, Formula &, Lowered &)>
void attachLowering(MLIRContext *context) {
  Op::template attachInterface<LinalgLowering<Op, lower>>(*context);
}

/// True if an op is attention of queries that depend on the rank.
bool isPartOfQueries(Operation *op);

// One for each file.
void attachLayerLowerings(MLIRContext *context);
void attachAttentionLowerings(MLIRContext *context);
void attachDropoutLowerings(MLIRContext *context);
void attachPrecisionLowerings(MLIRContext *context);
void attachTrainingLowerings(MLIRContext *context);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LOWERING_H
