// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target "cpu": the machine that compiles.

#include "te/Target/Targets.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Kernels are functions of the program; nothing is tuned or measured.
struct CPUTarget : TargetInfo {
  StringRef getName() const override { return "cpu"; }
  StringRef getDescription() const override { return "this machine's CPU"; }
  StringRef getBackend() const override { return "cpu"; }
  KernelForm getKernelForm() const override { return KernelForm::Tasks; }
  /// Not every CPU has instructions for bf16.
  bool convertsBF16() const override { return false; }
  bool takesScaleBlocks() const override { return true; }
  bool takesScaleType(FloatType type) const override {
    return type.isF32() || isa<Float8E8M0FNUType>(type);
  }
};
} // namespace

std::unique_ptr<TargetInfo> mlir::te::createCPUTarget() {
  return std::make_unique<CPUTarget>();
}

void mlir::te::registerTargets(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TEDialect *dialect) {
    TargetRegistry &targets = TargetRegistry::get(*dialect);
    targets.add(createCPUTarget());
    targets.add(createHopperTarget());
    targets.add(createAmpereTarget());
    targets.add(createAdaTarget());
    targets.add(createBlackwellTarget());
  });
}
