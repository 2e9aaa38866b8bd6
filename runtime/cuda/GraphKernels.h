// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a graph, one by one.
#ifndef TERT_CUDA_GRAPHKERNELS_H
#define TERT_CUDA_GRAPHKERNELS_H

#include "cuda/EventTimer.h"

#include <cuda_runtime.h>
#include <optional>
#include <vector>

namespace tert::cuda {

/// Whether the graph's nodes simply follow each other.
bool isChain(cudaGraph_t graph);

/// Puts a mark of `timer` behind every kernel and copy of the graph
/// that has none, and returns them with their names and marks. Changes nothing
/// and returns nothing where the graph is more than a chain, as it is when it
/// was recorded from more than one stream.
std::optional<std::vector<RecordedKernel>> timeKernels(cudaGraph_t graph,
                                                       EventTimer &timer);

} // namespace tert::cuda

#endif // TERT_CUDA_GRAPHKERNELS_H
