// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares every function with what te-raise makes of it, both evaluated in
// float64 on counter-based random values.

#include "ReferenceEvaluator.h"
#include "TestPasses.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

namespace {
struct CheckRaise : PassWrapper<CheckRaise, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckRaise)
  StringRef getArgument() const override { return "test-te-check-raise"; }
  StringRef getDescription() const override {
    return "Compare functions with what te-raise makes of them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    createTERaise()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    OwningOpRef<ModuleOp> before(cast<ModuleOp>(getOperation()->clone()));
    OpPassManager raise(ModuleOp::getOperationName());
    raise.addPass(createTERaise());
    if (failed(runPipeline(raise, getOperation())))
      return signalPassFailure();
    for (auto function : before->getOps<func::FuncOp>()) {
      auto raised =
          getOperation().lookupSymbol<func::FuncOp>(function.getSymName());
      if (failed(compare(function, raised)))
        return signalPassFailure();
    }
  }

  static LogicalResult compare(func::FuncOp function, func::FuncOp raised) {
    SmallVector<HostTensor> arguments;
    for (auto [stream, type] : llvm::enumerate(function.getArgumentTypes())) {
      HostTensor &tensor =
          arguments.emplace_back(cast<RankedTensorType>(type).getShape());
      for (auto [i, element] : llvm::enumerate(tensor.data))
        element = counterUniform(stream, i);
    }
    FailureOr<SmallVector<HostTensor>> expected = evaluate(function, arguments);
    FailureOr<SmallVector<HostTensor>> results = evaluate(raised, arguments);
    if (failed(expected) || failed(results))
      return failure();
    double worst = 0, largest = 0;
    for (auto [a, b] : llvm::zip_equal(*expected, *results))
      for (int64_t i = 0, e = a.size(); i < e; ++i) {
        worst = std::max(worst, std::abs(a[i] - b[i]));
        largest = std::max(largest, std::abs(a[i]));
      }
    // What a constant was rounded to is the one thing that may differ.
    if (!(largest > 0) || !(worst <= 1e-6 * largest))
      return function.emitError()
             << "computes something else than what it is raised to: "
             << std::to_string(worst) << " of at most "
             << std::to_string(largest);
    llvm::outs() << function.getSymName() << ": the same within "
                 << llvm::format("%.1e", worst / largest) << "\n";
    return success();
  }
};
} // namespace

void mlir::te::test::registerCheckRaisePass() {
  PassRegistration<CheckRaise>();
}
