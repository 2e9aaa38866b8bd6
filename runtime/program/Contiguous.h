// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts of contiguous elements.
#ifndef TERT_PROGRAM_CONTIGUOUS_H
#define TERT_PROGRAM_CONTIGUOUS_H

#include "program/Tensor.h"

namespace tert {

/// The dtype and sizes of `tensor` in packed row-major order.
inline tert_layout contiguousLike(const tert_tensor &tensor) {
  tert_layout layout = *tensor.layout;
  int64_t stride = 1;
  for (int32_t dim = layout.rank; dim-- > 0; stride *= layout.sizes[dim])
    layout.strides[dim] = stride;
  return layout;
}

/// `count` consecutive elements.
inline tert_layout vectorLayout(int32_t dtype, int64_t count) {
  return {dtype, 1, {count}, {1}};
}

} // namespace tert

#endif // TERT_PROGRAM_CONTIGUOUS_H
