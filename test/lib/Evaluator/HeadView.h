// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the heads of a tensor are.

#ifndef TE_TEST_LIB_EVALUATOR_HEADVIEW_H
#define TE_TEST_LIB_EVALUATOR_HEADVIEW_H

#include "Evaluator.h"

namespace mlir::te::test {

/// Batch, sequence, heads and head dimension of an attention operand.
struct HeadView {
  HeadView(const HostTensor &tensor, AttentionLayout layout) {
    SmallVector<int64_t> strides = stridesOf(tensor.shape);
    // Positions of batch, sequence and heads among the dimensions.
    SmallVector<int, 3> at;
    switch (layout) {
    case AttentionLayout::BSHD:
      at = {0, 1, 2};
      break;
    case AttentionLayout::BHSD:
      at = {0, 2, 1};
      break;
    case AttentionLayout::SBHD:
      at = {1, 0, 2};
      break;
    }
    batch = tensor.shape[at[0]], sequence = tensor.shape[at[1]],
    heads = tensor.shape[at[2]], dim = tensor.shape[3];
    strideB = strides[at[0]], strideS = strides[at[1]],
    strideH = strides[at[2]];
  }
  int64_t at(int64_t b, int64_t s, int64_t h, int64_t d) const {
    return b * strideB + s * strideS + h * strideH + d;
  }
  int64_t batch, sequence, heads, dim;
  int64_t strideB, strideS, strideH;
};

} // namespace mlir::te::test

#endif // TE_TEST_LIB_EVALUATOR_HEADVIEW_H
