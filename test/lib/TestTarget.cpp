// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target from outside: kernels in blocks, an image that names them, and the
// costs of Hopper.

#include "TestPasses.h"
#include "te/Target/Targets.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::te;

namespace {
struct TestTarget : TargetInfo {
  StringRef getName() const override { return "test_gpu"; }
  StringRef getDescription() const override { return "a GPU of the tests"; }
  StringRef getBackend() const override { return "test"; }
  KernelForm getKernelForm() const override { return KernelForm::Blocks; }
  bool convertsBF16() const override { return false; }
  FailureOr<std::string> compileKernels(ModuleOp kernels) const override {
    std::string names = "kernels:";
    for (auto kernel : kernels.getOps<LLVM::LLVMFuncOp>())
      names += " " + kernel.getName().str();
    return names;
  }
  CostModelAttrInterface getCostModel(MLIRContext *context) const override {
    return createHopperTarget()->getCostModel(context);
  }
};
} // namespace

void mlir::te::test::registerTestTarget(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TEDialect *dialect) {
    TargetRegistry::get(*dialect).add(std::make_unique<TestTarget>());
  });
}
