// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of tensors that bulk copies between global and shared memory
// take (TMA, from sm_90 on).
#ifndef TERT_CUDA_TENSORMAP_H
#define TERT_CUDA_TENSORMAP_H

#include "program/Tensor.h"

#include <cstdint>
#include <vector>

#include <cuda.h>

namespace tert::cuda {

/// Dimensions from the innermost, whose stride is 1, to the outermost.
struct TensorBox {
  std::vector<int64_t> sizes;   ///< in elements, up to five
  std::vector<int64_t> strides; ///< in elements, of all but the innermost
  /// What one copy moves of the two innermost dimensions. Elements beyond the
  /// tensor are read as zero and not written.
  int64_t columns, rows;
};

/// A box's rows are 128 bytes in shared memory, swizzled. `data` and strides
/// are multiples of 16 bytes. Throws TERT_DEVICE_ERROR if the driver refuses.
CUtensorMap mapTensor(const void *data, tert_dtype dtype, const TensorBox &box);

} // namespace tert::cuda

#endif // TERT_CUDA_TENSORMAP_H
