// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA graphs.
#ifndef TERT_CUDA_GRAPH_H
#define TERT_CUDA_GRAPH_H

#include "cuda/EventTimer.h"

#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <vector>

namespace tert::cuda {

class CudaGraph final : public Graph {
public:
  /// Ends the capture of `stream` and returns everything enqueued since its
  /// begin as a graph. With `timer`, its kernels are timed.
  static std::unique_ptr<CudaGraph> endCapture(cudaStream_t stream,
                                               EventTimer *timer = nullptr);
  ~CudaGraph() override;

  void launch() override;
  const std::vector<RecordedKernel> &kernels() const override {
    return recorded;
  }

  std::string whyNoKernels() const override { return notTimed; }

private:
  CudaGraph(cudaStream_t stream, cudaGraphExec_t executable)
      : stream(stream), executable(executable) {}
  cudaStream_t stream;
  cudaGraphExec_t executable;
  std::vector<RecordedKernel> recorded;
  std::string notTimed;
};

} // namespace tert::cuda

#endif // TERT_CUDA_GRAPH_H
