// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of pointwise nodes, broadcast to one shape with NumPy's rules.

#ifndef TE_LIB_FRONTEND_ONNX_BROADCASTOPERAND_H
#define TE_LIB_FRONTEND_ONNX_BROADCASTOPERAND_H

#include "TensorMath.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::te::onnx_import {

/// An input of a pointwise node: a value, or the number of a splat constant.
struct Operand {
  Value value;
  std::optional<double> number;
  Shape shape;
};

/// The element types that a node supports.
enum class ElementKinds {
  Floats,
  Numbers, ///< floats or integers
  Any,     ///< booleans as well
};

/// An input of such elements. Null and a note if it is missing or of other
/// types.
FailureOr<Operand> getOperand(GraphImporter &importer, const Node &node,
                              size_t index,
                              ElementKinds elements = ElementKinds::Floats);
/// An input of booleans.
FailureOr<Operand> getCondition(GraphImporter &importer, const Node &node,
                                size_t index);

/// The broadcast shape of all operands, or a note.
FailureOr<Shape> getResultShape(GraphImporter &importer, const Node &node,
                                ArrayRef<Operand> operands);

/// The matrix type with leading dimensions folded.
RankedTensorType getMatrixType(ArrayRef<int64_t> shape, Type elementType);

/// The operand broadcast to a matrix of the folded result.
Value expandOperand(GraphImporter &importer, Location loc,
                    const Operand &operand, ArrayRef<int64_t> shape,
                    RankedTensorType matrix);

/// A value as a vector of `size` floats, if its shape is [size] or [1, size];
/// null otherwise.
Value toVector(GraphImporter &importer, Location loc, Value value,
               int64_t size);

/// Arithmetic on tensors of one type.
class Formula : public TensorMath {
public:
  Formula(GraphImporter &importer, Location loc, RankedTensorType type)
      : TensorMath(importer, loc), type(type) {}

  Value number(double value) { return TensorMath::number(type, value); }
  Value add(Value a, Value b) { return apply<arith::AddFOp>(a, b); }
  Value mul(Value a, Value b) { return apply<arith::MulFOp>(a, b); }
  Value max(Value a, Value b) { return apply<arith::MaximumFOp>(a, b); }
  Value min(Value a, Value b) { return apply<arith::MinimumFOp>(a, b); }
  Value exp(Value a) { return apply<math::ExpOp>(a); }
  Value isPositive(Value a) {
    return compare(arith::CmpFPredicate::OGT, a, number(0));
  }
  /// log(1 + exp(a)), without overflow.
  Value softplus(Value a) {
    Value decay = exp(apply<arith::NegFOp>(apply<math::AbsFOp>(a)));
    return add(max(a, number(0)), apply<math::Log1pOp>(decay));
  }

private:
  RankedTensorType type;
};

/// Imports y = f(x) of floats; `build` gets x folded to a matrix.
LogicalResult importFormula(GraphImporter &importer, const Node &node,
                            function_ref<Value(Formula &, Value)> build);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_BROADCASTOPERAND_H
