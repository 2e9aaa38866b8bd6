// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA graphs.
#ifndef TERT_CUDA_GRAPH_H
#define TERT_CUDA_GRAPH_H

#include "program/Backend.h"

#include <cuda_runtime.h>

namespace tert::cuda {

class CudaGraph final : public Graph {
public:
  /// Ends the capture of `stream`; everything enqueued since it began becomes
  /// the graph.
  static std::unique_ptr<CudaGraph> endCapture(cudaStream_t stream);
  ~CudaGraph() override;

  void launch() override;

private:
  CudaGraph(cudaStream_t stream, cudaGraphExec_t executable)
      : stream(stream), executable(executable) {}
  cudaStream_t stream;
  cudaGraphExec_t executable;
};

} // namespace tert::cuda

#endif // TERT_CUDA_GRAPH_H
