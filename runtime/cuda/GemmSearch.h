// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the fastest algorithm for a matrix product by timing all that cuBLASLt
// proposes.
#ifndef TERT_CUDA_GEMMSEARCH_H
#define TERT_CUDA_GEMMSEARCH_H

#include "cuda/GemmPlan.h"
#include "cuda/Graph.h"
#include "cuda/Launch.h"
#include "cuda/Stream.h"

#include <memory>
#include <vector>

namespace tert::cuda {

/// An owned allocation of device memory.
class DeviceArray {
public:
  explicit DeviceArray(size_t bytes);
  ~DeviceArray() { cudaFree(memory); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  char *get() const { return memory; }

private:
  char *memory;
};

/// One search. Every algorithm is captured as a graph that runs it over several
/// sets of random operands, together larger than the L2 cache, so that each run
/// reads its operands from memory as in a training step. The graphs alternate,
/// so that clock drift affects all of them.
class GemmSearch {
public:
  struct Result {
    double firstSeconds = 0; ///< of the heuristics' first proposal
    double bestSeconds = 0;  ///< of the plan's final algorithm
  };

  GemmSearch(GemmPlan &plan, LaunchContext &launch);

  /// Sets the plan's algorithm to the fastest one. The first proposal stays
  /// unless another one gains more than the noise of repeated measurements.
  Result run();

private:
  struct Candidate {
    cublasLtMatmulHeuristicResult_t algorithm;
    std::unique_ptr<CudaGraph> graph;
    std::vector<double> seconds; ///< per product

    double median() const;
  };

  void makeOperands();
  /// Null if the algorithm fails.
  std::unique_ptr<CudaGraph>
  record(const cublasLtMatmulHeuristicResult_t &algorithm);
  void measure(Candidate &candidate);

  GemmPlan &plan;
  LaunchContext &launch;
  std::unique_ptr<DeviceArray> memory, workspace;
  std::vector<GemmOperands> sets;
  Event begin, end;
};

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMSEARCH_H
