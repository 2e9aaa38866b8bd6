// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One matrix product that can be run any number of times.
#ifndef TERT_CUDA_GEMMPLAN_H
#define TERT_CUDA_GEMMPLAN_H

#include "tuning/GemmProblem.h"

#include <cstddef>
#include <string>
#include <vector>

#include <cublasLt.h>

namespace tert::cuda {

/// Device addresses of the operands of one run.
struct GemmOperands {
  const void *a = nullptr, *b = nullptr;
  void *d = nullptr;
  const void *bias = nullptr;
  /// Addend with the layout of d; if null, d itself.
  const void *addend = nullptr;
  /// Scale factors of a and b, as many as their modes need; FP8 only.
  const float *aScale = nullptr, *bScale = nullptr;
};

class GemmPlan {
public:
  /// Workspace limit; algorithms that require more are not considered.
  static constexpr size_t maxWorkspaceBytes = size_t(64) << 20;

  /// Creates the descriptors and takes the first algorithm that cuBLASLt's
  /// heuristics propose. Throws TERT_UNSUPPORTED if they propose none.
  GemmPlan(cublasLtHandle_t handle, const GemmProblem &problem);
  ~GemmPlan();
  GemmPlan(const GemmPlan &) = delete;
  GemmPlan &operator=(const GemmPlan &) = delete;

  const GemmProblem &problem() const { return about; }

  /// Up to `count` algorithms, the presumably fastest first. All of them
  /// accumulate in f32, in a fixed order.
  std::vector<cublasLtMatmulHeuristicResult_t> candidates(int count) const;
  void setAlgorithm(const cublasLtMatmulHeuristicResult_t &candidate) {
    algorithm = candidate;
  }

  /// The algorithm as text, valid for this problem, GPU and cuBLASLt.
  std::string algorithmText() const;
  /// Sets the algorithm from such a text. Returns false and changes nothing if
  /// cuBLASLt refuses it.
  bool setAlgorithm(const std::string &text);

  /// Workspace of run(), aligned to 256 bytes.
  size_t workspaceBytes() const { return algorithm.workspaceSize; }
  void run(const GemmOperands &operands, void *workspace, cudaStream_t stream);

private:
  /// The heuristics depend on whether these are set, not on their addresses.
  void setPlaceholders() const;
  void setPointers(const GemmOperands &operands);

  cublasLtHandle_t handle;
  GemmProblem about;
  cublasLtMatmulDesc_t operation = nullptr;
  // cuBLASLt is column-major: its first operand is our second one, and its
  // result is our result transposed.
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;
  cublasLtMatmulHeuristicResult_t algorithm = {};
};

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMPLAN_H
