// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Timing of a graph's individual kernels.
#ifndef TERT_CUDA_GRAPHKERNELS_H
#define TERT_CUDA_GRAPHKERNELS_H

#include "cuda/EventTimer.h"

#include <cuda_runtime.h>
#include <optional>
#include <vector>

namespace tert::cuda {

/// True if the graph is linear.
bool isChain(cudaGraph_t graph);

/// Inserts a mark of `timer` after every kernel and copy of the graph that has
/// none, and returns them with their names and marks. Changes nothing and
/// returns nothing if the graph is not linear, as when it was recorded from
/// several streams.
std::optional<std::vector<RecordedKernel>> timeKernels(cudaGraph_t graph,
                                                       EventTimer &timer);

} // namespace tert::cuda

#endif // TERT_CUDA_GRAPHKERNELS_H
