// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows sorted by expert, for tert_group_rows and for products of rows in any
// order.
#ifndef TERT_CUDA_KERNELS_GROUPROWS_H
#define TERT_CUDA_KERNELS_GROUPROWS_H

#include "cuda/Launch.h"

namespace tert::cuda {

/// tert_group_rows.
struct Grouping {
  const int32_t *experts;
  int32_t *source, *slot, *groups; ///< slot may be null
  int32_t rows, places, count, alignment;
  int32_t ranks = 1;
};

/// Most experts that rows can be grouped by: counters of them are in shared
/// memory.
constexpr int64_t maxGroups = 8192;

/// Enqueues the grouping. Rows without an expert, or with one that does not
/// exist, have no place; the latter are reported to `errors` unless its record
/// is null.
void groupRows(LaunchContext &launch, const Grouping &grouping,
               const DataErrorSink &errors);

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_GROUPROWS_H
