// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares functions with what te-raise or te-to-linalg, and a model with what
// te-import-linalg makes of it, both evaluated in float64 on counter-based
// random values: within [-1, 1), or what `test.range = [LOW, HIGH]` on an
// argument says.

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

/// Integers are positions in small tensors.
static double choose(func::FuncOp function, unsigned argument, int64_t index) {
  auto type = cast<RankedTensorType>(function.getArgument(argument).getType());
  bool isInteger = isa<IntegerType>(type.getElementType());
  double low = isInteger ? 0 : -1, high = isInteger ? 3 : 1;
  if (auto range =
          function.getArgAttrOfType<ArrayAttr>(argument, "test.range")) {
    low = cast<FloatAttr>(range[0]).getValueAsDouble();
    high = cast<FloatAttr>(range[1]).getValueAsDouble();
  }
  double number =
      low + (high - low) * (counterUniform(argument, index) + 1) / 2;
  return isInteger ? std::floor(number) : number;
}

/// Compares `function` with `other`, which was made of it.
static LogicalResult compare(func::FuncOp function, func::FuncOp other) {
  SmallVector<HostTensor> arguments;
  for (auto [stream, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensorType = cast<RankedTensorType>(type);
    HostTensor &tensor = arguments.emplace_back(tensorType.getShape());
    for (auto [i, element] : llvm::enumerate(tensor.data))
      element = choose(function, stream, i);
  }
  FailureOr<SmallVector<HostTensor>> expected = evaluate(function, arguments);
  FailureOr<SmallVector<HostTensor>> results = evaluate(other, arguments);
  if (failed(expected) || failed(results))
    return failure();
  double worst = 0, largest = 0;
  for (auto [a, b] : llvm::zip_equal(*expected, *results))
    for (int64_t i = 0, e = a.size(); i < e; ++i) {
      // Where one of them alone is no number, worst becomes none.
      bool areSame = a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]));
      if (!areSame && !(std::abs(a[i] - b[i]) <= worst))
        worst = std::abs(a[i] - b[i]);
      if (std::isfinite(a[i]))
        largest = std::max(largest, std::abs(a[i]));
    }
  // What a constant was rounded to is the one thing that may differ.
  if (!(largest > 0) || !(worst <= 1e-6 * largest))
    return function.emitError()
           << "computes something else than what was made of it: "
           << std::to_string(worst) << " of at most "
           << std::to_string(largest);
  llvm::outs() << function.getSymName() << ": the same within "
               << llvm::format("%.1e", worst / largest) << "\n";
  return success();
}

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
};

/// The only public function is the model.
struct CheckImport : PassWrapper<CheckImport, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckImport)
  StringRef getArgument() const override { return "test-te-check-import"; }
  StringRef getDescription() const override {
    return "Compare models with what te-import-linalg and te-raise make of "
           "them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    createTEImportLinalg()->getDependentDialects(registry);
    createTERaise()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    OwningOpRef<ModuleOp> before(cast<ModuleOp>(getOperation()->clone()));
    OpPassManager import(ModuleOp::getOperationName());
    import.addPass(createTEImportLinalg());
    import.addPass(createTERaise());
    if (failed(runPipeline(import, getOperation())))
      return signalPassFailure();
    auto forward = getOperation().lookupSymbol<func::FuncOp>("forward");
    for (auto function : before->getOps<func::FuncOp>())
      if (function.isPublic() && failed(compare(function, forward)))
        return signalPassFailure();
  }
};
} // namespace

namespace {
struct CheckLinalg : PassWrapper<CheckLinalg, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckLinalg)
  StringRef getArgument() const override { return "test-te-check-linalg"; }
  StringRef getDescription() const override {
    return "Compare functions with what te-to-linalg makes of them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    createTEToLinalg()->getDependentDialects(registry);
  }

  void runOnOperation() override {
    OwningOpRef<ModuleOp> before(cast<ModuleOp>(getOperation()->clone()));
    OpPassManager lower(ModuleOp::getOperationName());
    lower.addPass(createTEToLinalg());
    if (failed(runPipeline(lower, getOperation())))
      return signalPassFailure();
    for (auto function : before->getOps<func::FuncOp>()) {
      auto lowered =
          getOperation().lookupSymbol<func::FuncOp>(function.getSymName());
      if (failed(compare(function, lowered)))
        return signalPassFailure();
    }
  }
};
} // namespace

void mlir::te::test::registerCheckRaisePass() {
  PassRegistration<CheckLinalg>();
  PassRegistration<CheckRaise>();
  PassRegistration<CheckImport>();
}
