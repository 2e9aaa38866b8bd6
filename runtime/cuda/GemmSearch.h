// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which algorithm multiplies two matrices fastest: all that cuBLASLt proposes,
// timed.
#ifndef TERT_CUDA_GEMMSEARCH_H
#define TERT_CUDA_GEMMSEARCH_H

#include "cuda/GemmPlan.h"
#include "cuda/Graph.h"
#include "cuda/Launch.h"
#include "cuda/Stream.h"

#include <memory>
#include <vector>

namespace tert::cuda {

/// Device memory of its own.
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

/// One search. Every algorithm becomes a graph that runs it over several sets
/// of random operands, together larger than the L2 cache, so that each run
/// finds its operands in memory as in a training step. The graphs take turns,
/// so that the clock's drift meets all of them.
class GemmSearch {
public:
  struct Result {
    double firstSeconds = 0; ///< of what the heuristics propose first
    double bestSeconds = 0;  ///< of what the plan has now
  };

  GemmSearch(GemmPlan &plan, LaunchContext &launch);

  /// Leaves the fastest algorithm in the plan. The first proposal stays unless
  /// another one gains more than what repeated measurements differ by.
  Result run();

private:
  struct Candidate {
    cublasLtMatmulHeuristicResult_t algorithm;
    std::unique_ptr<CudaGraph> graph;
    std::vector<double> seconds; ///< of one product

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
