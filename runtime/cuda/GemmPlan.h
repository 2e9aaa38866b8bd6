// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One matrix product, ready to be run any number of times.
#ifndef TERT_CUDA_GEMMPLAN_H
#define TERT_CUDA_GEMMPLAN_H

#include "tuning/GemmProblem.h"

#include <cstddef>
#include <string>
#include <vector>

#include <cublasLt.h>

namespace tert::cuda {

/// Where the operands of one run lie on the device.
struct GemmOperands {
  const void *a = nullptr, *b = nullptr;
  void *d = nullptr;
  const void *bias = nullptr;
  /// What is added, laid out like d; where it is null, d itself.
  const void *addend = nullptr;
  /// Factors of a and b; FP8 only.
  const float *aScale = nullptr, *bScale = nullptr;
};

class GemmPlan {
public:
  /// What an algorithm may use; algorithms that want more are not considered.
  static constexpr size_t maxWorkspaceBytes = size_t(64) << 20;

  /// Descriptors, and the first algorithm that cuBLASLt's heuristics propose.
  /// Throws TERT_UNSUPPORTED when they propose none.
  GemmPlan(cublasLtHandle_t handle, const GemmProblem &problem);
  ~GemmPlan();
  GemmPlan(const GemmPlan &) = delete;
  GemmPlan &operator=(const GemmPlan &) = delete;

  const GemmProblem &problem() const { return about; }

  /// Up to `count` algorithms, the one thought best first. All of them sum in
  /// f32 to the end, in one order.
  std::vector<cublasLtMatmulHeuristicResult_t> candidates(int count) const;
  void setAlgorithm(const cublasLtMatmulHeuristicResult_t &candidate) {
    algorithm = candidate;
  }

  /// The algorithm as a text, valid for this problem, GPU and cuBLASLt.
  std::string algorithmText() const;
  /// Takes such a text. False, and nothing changes, when cuBLASLt refuses it.
  bool setAlgorithm(const std::string &text);

  /// What run() needs, aligned to 256 bytes.
  size_t workspaceBytes() const { return algorithm.workspaceSize; }
  void run(const GemmOperands &operands, void *workspace, cudaStream_t stream);

private:
  /// The heuristics look at whether these are set, not at where they point.
  void setPlaceholders() const;
  void setPointers(const GemmOperands &operands);

  cublasLtHandle_t handle;
  GemmProblem about;
  cublasLtMatmulDesc_t operation = nullptr;
  // cuBLASLt is column-major, so its first operand is our second one, and its
  // result our result transposed.
  cublasLtMatrixLayout_t first = nullptr, second = nullptr, result = nullptr;
  cublasLtMatmulHeuristicResult_t algorithm = {};
};

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMPLAN_H
