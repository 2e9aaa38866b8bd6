// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the te ops' methods have in common.

#ifndef TE_LIB_DIALECT_TE_IR_OPMETHODS_H
#define TE_LIB_DIALECT_TE_IR_OPMETHODS_H

#include "te/Dialect/TE/IR/Formula.h"
#include "te/Dialect/TE/IR/ScaleShape.h"
#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// Of DifferentiableOpInterface and MixedPrecisionOpInterface.
using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;
using Numbers = SmallVector<unsigned>;

inline UnitAttr unitAttr(OpBuilder &builder, bool isSet) {
  return isSet ? builder.getUnitAttr() : UnitAttr();
}

//===-- Verification ------------------------------------------------------===//

/// Emits "expects <what> to have shape [..], but it is <type>" unless `value`
/// has exactly `shape`.
LogicalResult verifyShape(Operation *op, StringRef what, Value value,
                          ArrayRef<int64_t> shape);

/// A value and the shape that it must have, if it is there.
struct ExpectedShape {
  StringRef what;
  Value value;
  ArrayRef<int64_t> shape;
};
LogicalResult verifyShapes(Operation *op, ArrayRef<ExpectedShape> values);

/// Checks that `scale` holds for `matrix`, an FP8 matrix of this shape.
LogicalResult verifyScale(Operation *op, StringRef what, Value scale,
                          ArrayRef<int64_t> matrix);

/// Checks the quantized results of a producer of a [rows, columns] value:
/// sizes (exact or rounded up to kFp8Alignment), one element type for both
/// copies, and that a scale is there exactly when something is quantized.
LogicalResult verifyQuantizedResults(QuantizingOpInterface op,
                                     ArrayRef<int64_t> shape);

//===-- Forms in linalg ---------------------------------------------------===//

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

/// kind(x), and its derivative.
Value activate(Scalars &s, ActivationKind kind, Value x);
Value activateDerivative(Scalars &s, ActivationKind kind, Value x);

//===-- Differentiation ---------------------------------------------------===//

/// The type of a parameter's gradient, whatever the parameter is stored in.
inline RankedTensorType f32Like(Value value) {
  return cast<RankedTensorType>(value.getType())
      .clone(Float32Type::get(value.getContext()));
}

/// Fails unless `differentiable` is the only result that has a cotangent. The
/// others are saved tensors: nothing but the op's own gradient reads them.
LogicalResult onlyCotangentOf(Operation *op, Value differentiable,
                              ValueRange cotangents);

//===-- Ranges ------------------------------------------------------------===//

/// Sets the range of a result that an op computes in float32, and of the amax
/// of its FP8 copies, which are made of the float32 value.
template <typename Op>
void setHandedOut(Op op, RangeInference &ranges, Value result,
                  MagnitudeRange range) {
  ranges.set(result, range);
  ranges.set(op.getAmax(), range);
}

/// The elements of a matrix that are added up for each column of it.
inline int64_t getRows(Value matrix) {
  return cast<RankedTensorType>(matrix.getType()).getDimSize(0);
}

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_IR_OPMETHODS_H
