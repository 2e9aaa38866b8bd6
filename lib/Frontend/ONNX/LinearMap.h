// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear maps with constant coefficients along dimensions of a tensor.

#ifndef TE_LIB_FRONTEND_ONNX_LINEARMAP_H
#define TE_LIB_FRONTEND_ONNX_LINEARMAP_H

#include "TensorMath.h"

#include <vector>

namespace mlir::te::onnx_import {

/// Multiplies x with a matrix of float32, whose rows are the dimensions `dims`
/// of x, and whose columns, of the sizes `to`, replace them. In float32; the
/// result has x's element type. Null and a note if the matrix exceeds the limit
/// of constants.
Value mapDimensions(GraphImporter &importer, const Node &node, Value x,
                    ArrayRef<int64_t> dims, std::vector<float> matrix,
                    ArrayRef<int64_t> to);

/// Most coefficients of a matrix, checked before it is made.
inline constexpr int64_t kMostCoefficients = int64_t(1) << 26;

/// Operators that are such maps: DFT, Resize.
void populateFourierHandlers(HandlerTable &table);
void populateResizeHandlers(HandlerTable &table);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_LINEARMAP_H
