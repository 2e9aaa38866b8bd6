// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuning of this device's matrix products.
#ifndef TERT_CUDA_GEMMTUNER_H
#define TERT_CUDA_GEMMTUNER_H

#include "cuda/Gemm.h"
#include "program/Tuner.h"

namespace tert::cuda {

class GemmTuner final : public Tuner {
public:
  GemmTuner(Gemm &gemm, LaunchContext &launch);

  const std::string &device() const override { return deviceText; }
  void load(const std::string &problem, const std::string &plan) override {
    gemm.preload(problem, plan);
  }
  tert_tuning_usage usage() const override;
  TuningRecord search(size_t index) override;

private:
  Gemm &gemm;
  LaunchContext &launch;
  std::string deviceText;
};

} // namespace tert::cuda

#endif // TERT_CUDA_GEMMTUNER_H
