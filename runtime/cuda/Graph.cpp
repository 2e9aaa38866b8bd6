// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Graph.h"

#include "cuda/ContextSwitch.h"
#include "cuda/Error.h"
#include "cuda/GraphKernels.h"
#include "cuda/GraphMemsets.h"

using namespace tert;
using namespace tert::cuda;

std::unique_ptr<CudaGraph> CudaGraph::endCapture(cudaStream_t stream,
                                                 EventTimer *timer) {
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "recording a graph");
  struct Destroy {
    void operator()(cudaGraph_t graph) const { cudaGraphDestroy(graph); }
  };
  std::unique_ptr<std::remove_pointer_t<cudaGraph_t>, Destroy> owner(graph);
  replaceMemsets(graph);
  std::optional<std::vector<RecordedKernel>> kernels;
  if (timer)
    kernels = timeKernels(graph, *timer);
  cudaGraphExec_t executable = nullptr;
  check(cudaGraphInstantiate(&executable, graph, 0),
        "making a graph ready to run");
  std::unique_ptr<CudaGraph> made(new CudaGraph(stream, executable));
  if (kernels)
    made->recorded = std::move(*kernels);
  else if (timer)
    made->notTimed = "what was recorded does not run in one line, and kernels "
                     "that run concurrently cannot be timed individually";
  // Otherwise the first launch would do this.
  check(cudaGraphUpload(executable, stream), "uploading a graph");
  if (!isChain(graph)) {
    check(cudaStreamSynchronize(stream), "uploading a graph");
    switchContexts();
  }
  return made;
}

CudaGraph::~CudaGraph() { cudaGraphExecDestroy(executable); }

void CudaGraph::launch() {
  check(cudaGraphLaunch(executable, stream), "launching a graph");
}
