// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates the ops that exporters use to compute shapes, position ids,
// rotary tables and masks.

#ifndef TE_LIB_FRONTEND_ONNX_CONSTANTFOLDING_H
#define TE_LIB_FRONTEND_ONNX_CONSTANTFOLDING_H

#include "../Common/ConstantTensor.h"
#include "Node.h"

namespace mlir::te::onnx_import {

using namespace frontend;

/// The arguments of an evaluator: the node, its inputs (null: left out), and
/// storage for its results. Evaluators check everything they read: ranks, axes,
/// sizes, overflow.
class FoldContext {
public:
  FoldContext(const Node &node, ArrayRef<const ConstantTensor *> inputs,
              int64_t maxBytes)
      : node(node), inputs(inputs), maxBytes(maxBytes) {}

  const Node &node;
  SmallVector<ConstantTensor, 2> results;
  std::string error;

  size_t getNumInputs() const { return inputs.size(); }
  bool hasInput(size_t index) const {
    return index < inputs.size() && inputs[index];
  }
  /// A required input.
  FailureOr<const ConstantTensor *> getInput(size_t index);
  /// A required input of integers.
  FailureOr<SmallVector<int64_t>> getInts(size_t index);
  /// `axis` counted from the front.
  FailureOr<int64_t> normalizeAxis(int64_t axis, int64_t rank);
  /// Number of elements of a result, limited to the allowed bytes.
  FailureOr<int64_t> checkSize(ArrayRef<int64_t> shape,
                               int64_t elementSize = sizeof(int64_t));
  /// Row-major copy of a tensor, or the tensor itself if it is row-major.
  FailureOr<ConstantTensor> makeContiguous(const ConstantTensor &tensor);

  LogicalResult fail(const Twine &message);
  LogicalResult succeed(ConstantTensor result);

private:
  ArrayRef<const ConstantTensor *> inputs;
  int64_t maxBytes;
};

using FoldFunction = LogicalResult (*)(FoldContext &);
using FoldTable = llvm::StringMap<FoldFunction>;

/// The evaluators by op type, from all files.
FoldTable getFoldTable();
void populateElementwiseFolds(FoldTable &table);
void populateShapeFolds(FoldTable &table);
void populateIndexingFolds(FoldTable &table);
void populateReductionFolds(FoldTable &table);

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

#endif // TE_LIB_FRONTEND_ONNX_CONSTANTFOLDING_H
