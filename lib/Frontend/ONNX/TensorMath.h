// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the importers of gathers and scatters, with the tensor math that
// they use.

#ifndef TE_LIB_FRONTEND_ONNX_TENSORMATH_H
#define TE_LIB_FRONTEND_ONNX_TENSORMATH_H

#include "../Common/TensorMath.h"
#include "GraphImporter.h"

namespace mlir::te::onnx_import {

/// A dimension counted from the front, or a note.
FailureOr<int64_t> getAxis(GraphImporter &importer, const Node &node,
                           int64_t axis, int64_t rank);

/// The diagonal of a Trilu of tensors of `shape`.
FailureOr<int64_t> getDiagonal(GraphImporter &importer, const Node &node,
                               ArrayRef<int64_t> shape);

/// Notes a constant input of positions that is out of bounds: the last
/// dimension of the input has one position for each of `sizes`, or all
/// positions are in one dimension.
LogicalResult checkPositions(GraphImporter &importer, const Node &node,
                             size_t input, ArrayRef<int64_t> sizes);

/// Imports a product over dimensions.
LogicalResult importProduct(GraphImporter &importer, const Node &node);

/// Imports a Gather of elements of `value` along any dimension.
LogicalResult importGatherAlong(GraphImporter &importer, const Node &node,
                                Value value);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_TENSORMATH_H
