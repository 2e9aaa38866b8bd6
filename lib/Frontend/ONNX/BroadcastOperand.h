// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of pointwise nodes, repeated to one shape as NumPy does.

#ifndef TE_LIB_FRONTEND_ONNX_BROADCASTOPERAND_H
#define TE_LIB_FRONTEND_ONNX_BROADCASTOPERAND_H

#include "GraphImporter.h"
#include "te/Support/TensorType.h"

namespace mlir::te::onnx_import {

/// An input of a pointwise node: a value, or the one number a constant repeats.
struct Operand {
  Value value;
  std::optional<double> number;
  Shape shape;
};

/// The element types that a node computes with.
enum class ElementKinds {
  Floats,
  Numbers, ///< floats or integers
  Any,     ///< truth values as well
};

/// An input of such elements. Null and a note when it is missing or made of
/// others.
FailureOr<Operand> getOperand(GraphImporter &importer, const Node &node,
                              size_t index,
                              ElementKinds elements = ElementKinds::Floats);
/// An input of booleans.
FailureOr<Operand> getCondition(GraphImporter &importer, const Node &node,
                                size_t index);

/// The shape that all operands repeat to, or a note.
FailureOr<Shape> getResultShape(GraphImporter &importer, const Node &node,
                                ArrayRef<Operand> operands);

/// Leading dimensions folded.
RankedTensorType getMatrixType(ArrayRef<int64_t> shape, Type elementType);

/// The operand repeated to a matrix of the folded result.
Value expandOperand(GraphImporter &importer, Location loc,
                    const Operand &operand, ArrayRef<int64_t> shape,
                    RankedTensorType matrix);

/// A value as a vector of `size` floats, when its shape is [size] or [1, size];
/// null otherwise.
Value toVector(GraphImporter &importer, Location loc, Value value,
               int64_t size);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_BROADCASTOPERAND_H
