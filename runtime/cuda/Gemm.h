// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrix products by cuBLASLt.
#ifndef TERT_CUDA_GEMM_H
#define TERT_CUDA_GEMM_H

#include "cuda/GemmPlan.h"
#include "cuda/Launch.h"

#include <map>
#include <memory>

namespace tert::cuda {

/// The matrix products of one context. A problem's plan (descriptors and an
/// algorithm) is built when the problem first occurs and is kept, so sites with
/// equal shapes share it.
class Gemm {
public:
  Gemm();
  ~Gemm();
  Gemm(const Gemm &) = delete;
  Gemm &operator=(const Gemm &) = delete;

  void matmul(LaunchContext &launch, const tert_site &site,
              const tert_tensor &a, const tert_tensor &b,
              const tert_tensor *bias, const tert_tensor &d, bool transposeA,
              bool transposeB, bool addToD);
  /// Dimensions must be multiples of 16 and rows 16-byte aligned: Hopper's FP8
  /// units support nothing else (the compiler pads).
  void scaledMatmul(LaunchContext &launch, const tert_site &site,
                    const tert_scaled &a, const tert_scaled &b,
                    const tert_tensor *bias, const tert_tensor *addend,
                    const tert_tensor &d, tert_accumulate accumulate);

  /// Sets the algorithm that the plan for a problem (keyText) will use.
  void preload(const std::string &problem, const std::string &algorithm) {
    preloaded[problem] = algorithm;
  }

  /// The plan of one problem, and the origin of its algorithm.
  struct Planned {
    std::unique_ptr<GemmPlan> plan;
    enum class Choice { Heuristic, Tuned, Refused };
    Choice choice = Choice::Heuristic;
  };
  using Plans = std::map<GemmProblem, Planned>;
  Plans &planned() { return plans; }

private:
  /// `operands` without the bias, which is converted as cuBLASLt requires.
  void run(LaunchContext &launch, const tert_site &site,
           const GemmProblem &problem, GemmOperands operands,
           const tert_tensor *bias);
  GemmPlan &planFor(const GemmProblem &problem);

  cublasLtHandle_t handle = nullptr;
  std::map<std::string, std::string> preloaded;
  Plans plans;
};

} // namespace tert::cuda

#endif // TERT_CUDA_GEMM_H
