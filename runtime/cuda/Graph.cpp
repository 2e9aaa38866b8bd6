// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Graph.h"

#include "cuda/Error.h"

using namespace tert;
using namespace tert::cuda;

std::unique_ptr<CudaGraph> CudaGraph::endCapture(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "recording a graph");
  cudaGraphExec_t executable = nullptr;
  cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphDestroy(graph);
  check(status, "making a graph ready to run");
  // The first launch would do this.
  check(cudaGraphUpload(executable, stream), "uploading a graph");
  return std::unique_ptr<CudaGraph>(new CudaGraph(stream, executable));
}

CudaGraph::~CudaGraph() { cudaGraphExecDestroy(executable); }

void CudaGraph::launch() {
  check(cudaGraphLaunch(executable, stream), "launching a graph");
}
