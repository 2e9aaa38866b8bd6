// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns of a matrix that members gather: row by row they would be many
// copies.
#ifndef TERT_NCCL_COLUMNS_H
#define TERT_NCCL_COLUMNS_H

#include "program/Communicator.h"

#include <cuda_runtime.h>

#include <optional>

namespace tert::nccl {

/// Runs that follow one another in a member's part, or lie in its whole, and in
/// the wholes lie at equal distances: the columns that it has of a matrix.
struct Columns {
  char *part, *whole;
  tert_layout layout;  ///< of the part, from its first element to its last
  int64_t rows, bytes; ///< of a row of a part
  int64_t partPitch;   ///< bytes from a row of a part to the next

  /// Parts and wholes of an all_gather, if they are the columns of matrices.
  static std::optional<Columns> get(const TensorList &x, const TensorList &y,
                                    int32_t ranks, const PartOrders &orders);
  /// Copies rows of a part to the place of `member`.
  void copy(const char *from, int64_t pitch, int32_t member,
            cudaStream_t stream) const;
};

} // namespace tert::nccl

#endif // TERT_NCCL_COLUMNS_H
