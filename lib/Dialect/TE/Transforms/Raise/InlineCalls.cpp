// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Raise/InlineCalls.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::te;

bool mlir::te::hasUnknownRegions(ModuleOp module) {
  auto walk = module.walk([](Operation *op) {
    return op->getNumRegions() && !op->isRegistered() ? WalkResult::interrupt()
                                                      : WalkResult::advance();
  });
  return walk.wasInterrupted();
}

namespace {
struct InlineCalls : PassWrapper<InlineCalls, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(InlineCalls)

  StringRef getName() const override { return "InlineCalls"; }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (hasUnknownRegions(module))
      return;
    OpPassManager inliner(ModuleOp::getOperationName());
    inliner.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    if (failed(runPipeline(inliner, module)))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> mlir::te::createInlineCalls() {
  return std::make_unique<InlineCalls>();
}
