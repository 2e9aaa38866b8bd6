// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The semantics of ONNX's shape operators, on constants and on computed
// tensors.

#ifndef TE_LIB_FRONTEND_ONNX_SHAPERULES_H
#define TE_LIB_FRONTEND_ONNX_SHAPERULES_H

#include "../Common/ConstantTensor.h"
#include "Node.h"

namespace mlir::te::onnx_import {

using namespace frontend;

/// The shape that all inputs broadcast to, or nullopt.
std::optional<Shape> broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes);

/// The target of a Reshape with sizes `requested`, in which 0 copies a size
/// (unless `allowZero`) and one -1 is inferred.
FailureOr<Shape> resolveReshape(ArrayRef<int64_t> from,
                                ArrayRef<int64_t> requested, bool allowZero,
                                std::string &error);

/// A Slice along one dimension of `size` elements.
struct SliceRange {
  int64_t start, step, count;
};
/// The ranges of a Slice by dimension, checked and clamped.
FailureOr<SmallVector<SliceRange>>
resolveSlice(ArrayRef<int64_t> shape, ArrayRef<int64_t> starts,
             ArrayRef<int64_t> ends, std::optional<ArrayRef<int64_t>> axes,
             std::optional<ArrayRef<int64_t>> steps, std::string &error);

/// The permutation of a Transpose: its attribute, or all dimensions reversed.
FailureOr<SmallVector<int64_t>>
resolvePermutation(const Node &node, int64_t rank, std::string &error);

/// The sizes of the pieces of a Split or SplitToSequence along a dimension of
/// `size` elements.
FailureOr<SmallVector<int64_t>> resolveSplit(int64_t size,
                                             const ConstantTensor *split,
                                             std::optional<int64_t> pieces,
                                             std::string &error);

/// The result shape of Unsqueeze, or of Squeeze.
FailureOr<Shape> resolveUnsqueeze(ArrayRef<int64_t> shape,
                                  ArrayRef<int64_t> axes, std::string &error);
FailureOr<Shape> resolveSqueeze(ArrayRef<int64_t> shape,
                                std::optional<ArrayRef<int64_t>> axes,
                                std::string &error);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_SHAPERULES_H
