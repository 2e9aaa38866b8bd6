// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs of kernels alone.
#ifndef TERT_CUDA_GRAPHMEMSETS_H
#define TERT_CUDA_GRAPHMEMSETS_H

#include <cuda_runtime.h>

namespace tert::cuda {

/// Puts a kernel of ours in the place of every memset of the graph; libraries
/// clear their workspaces with those. The driver launches a chain of kernels in
/// one piece, 1000 of them in 3 µs of the host's time; every node of another
/// kind ends a piece and costs over a microsecond (measured on an H200, driver
/// 580).
void replaceMemsets(cudaGraph_t graph);

} // namespace tert::cuda

#endif // TERT_CUDA_GRAPHMEMSETS_H
