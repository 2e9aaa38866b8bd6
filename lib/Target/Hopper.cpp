// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target "sm_90": Hopper GPUs.

#include "HopperCosts.h"
#include "te/Target/MachineCode.h"
#include "te/Target/Targets.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Kernels are PTX, matrix products and attention are tuned.
struct HopperTarget : TargetInfo {
  StringRef getName() const override { return "sm_90"; }
  StringRef getDescription() const override {
    return "a Hopper GPU (H100, H200)";
  }
  StringRef getBackend() const override { return "cuda"; }
  KernelForm getKernelForm() const override { return KernelForm::Blocks; }
  bool convertsBF16() const override { return true; }
  FailureOr<std::string> compileKernels(ModuleOp kernels) const override {
    return compileToPTX(kernels, getName());
  }
  bool takesScaleBlocks() const override { return true; }
  int64_t getExpertRows() const override { return 128; }
  bool hasTuning() const override { return true; }
  CostModelAttrInterface getCostModel(MLIRContext *context) const override {
    return getHopperCosts(context);
  }
  CostModelAttrInterface
  getTunedCostModel(MLIRContext *context, StringRef path, StringRef device,
                    std::string &warning) const override {
    return getTunedHopperCosts(context, getName(), path, device, warning);
  }
};
} // namespace

std::unique_ptr<TargetInfo> mlir::te::createHopperTarget() {
  return std::make_unique<HopperTarget>();
}
