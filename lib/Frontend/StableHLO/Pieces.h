// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors built piece by piece, as an unrolled loop writes its results: avoids
// slicing what was just concatenated.

#ifndef TE_LIB_FRONTEND_STABLEHLO_PIECES_H
#define TE_LIB_FRONTEND_STABLEHLO_PIECES_H

#include "../Common/TensorBuilder.h"

namespace mlir::te::stablehlo_import {

using namespace frontend;

/// Concatenates the values along `dim`, flattening earlier concatenations along
/// it.
Value joinPieces(TensorBuilder &tensors, Location loc, ArrayRef<Value> values,
                 int64_t dim);
/// A box of a tensor with elements `strides` apart.
Value slicePieces(TensorBuilder &tensors, Location loc, Value value,
                  ArrayRef<int64_t> starts, ArrayRef<int64_t> sizes,
                  ArrayRef<int64_t> strides);
/// A tensor with a box replaced.
Value pastePiece(TensorBuilder &tensors, Location loc, Value value,
                 Value update, ArrayRef<int64_t> starts);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_PIECES_H
