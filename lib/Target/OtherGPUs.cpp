// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets "sm_80", "sm_89" and "sm_120": NVIDIA's GPUs on which nothing was
// measured.

#include "HopperCosts.h"
#include "te/Target/MachineCode.h"
#include "te/Target/Targets.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Kernels are PTX, and the same backend as Hopper's runs them.
struct UnmeasuredGPU : TargetInfo {
  UnmeasuredGPU(StringRef name, StringRef description, const DataSheet &sheet)
      : name(name), description(description), sheet(sheet) {}

  StringRef getName() const override { return name; }
  StringRef getDescription() const override { return description; }
  StringRef getBackend() const override { return "cuda"; }
  KernelForm getKernelForm() const override { return KernelForm::Blocks; }
  bool convertsBF16() const override { return true; }
  bool multipliesFP8() const override { return sheet.f8 > 0; }
  FailureOr<std::string> compileKernels(ModuleOp kernels) const override {
    return compileToPTX(kernels, name);
  }
  CostModelAttrInterface getCostModel(MLIRContext *context) const override {
    return getDataSheetCosts(context, sheet);
  }

private:
  StringRef name, description;
  DataSheet sheet;
};
} // namespace

std::unique_ptr<TargetInfo> mlir::te::createAmpereTarget() {
  return std::make_unique<UnmeasuredGPU>(
      "sm_80", "an Ampere GPU (A100), without FP8",
      DataSheet{"NVIDIA A100 80GB", 0, 3.12e14, 1.95e13, 2.04e12, 108});
}

std::unique_ptr<TargetInfo> mlir::te::createAdaTarget() {
  return std::make_unique<UnmeasuredGPU>(
      "sm_89", "an Ada GPU (L40S, RTX 4090)",
      DataSheet{"NVIDIA L40S", 7.33e14, 3.62e14, 9.16e13, 8.64e11, 142});
}

std::unique_ptr<TargetInfo> mlir::te::createBlackwellTarget() {
  return std::make_unique<UnmeasuredGPU>(
      "sm_120", "a Blackwell GPU (RTX 5090, RTX PRO 6000)",
      DataSheet{"NVIDIA GeForce RTX 5090", 4.19e14, 2.095e14, 1.048e14,
                1.792e12, 170});
}
