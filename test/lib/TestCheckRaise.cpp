// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares functions with what te-raise or te-to-linalg, and a model with what
// te-import-linalg makes of it, both evaluated in float64 on counter-based
// random values: within [-1, 1), or what `test.range = [LOW, HIGH]` on an
// argument says. The gradients of what te-raise makes are compared with central
// differences of the function.

#include "FiniteDifferences.h"
#include "RangedArguments.h"
#include "TestPasses.h"
#include "te/Analysis/EntryInterface.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Pipelines/Pipelines.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

/// Compares `function` with `other`, which was made of it.
static LogicalResult compare(func::FuncOp function, func::FuncOp other) {
  SmallVector<HostTensor> arguments = makeRangedArguments(function);
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

/// What makes @vjp of a raised @forward.
static void addVjp(OpPassManager &passes) {
  // What is not recognised becomes differentiable.
  passes.addPass(createLinalgGeneralizeNamedOpsPass());
  passes.addNestedPass<func::FuncOp>(createTEFuseElementwise());
  EntryOptions options;
  options.entries = {"vjp"};
  options.loss = "none";
  buildEntryPipeline(passes, options);
}

/// The number behind the last letter of "grad.a12" or "cotangent.r3".
static unsigned getNumber(StringRef name) {
  unsigned number = 0;
  (void)name.rsplit('.').second.drop_front().getAsInteger(10, number);
  return number;
}

/// The largest error of a gradient of `vjp`, whose arguments are a0, a1, ...
/// and the cotangents of results r0, r1, ..., against differences of
/// `function`.
static FailureOr<double> measureGradients(func::FuncOp function,
                                          func::FuncOp vjp) {
  FailureOr<EntryInterface> interface = EntryInterface::get(vjp);
  SmallVector<HostTensor> arguments = makeRangedArguments(function);
  FailureOr<SmallVector<HostTensor>> outputs = evaluate(function, arguments);
  if (failed(interface) || failed(outputs))
    return failure();
  SmallVector<HostTensor> cotangents(function.getNumResults());
  SmallVector<HostTensor> vjpArguments;
  for (unsigned i = 0; i < vjp.getNumArguments(); ++i) {
    const BoundaryValue &value = interface->getArgument(i);
    if (StringRef(value.name).starts_with("a")) {
      vjpArguments.push_back(arguments[getNumber("." + value.name)]);
      continue;
    }
    unsigned result = getNumber(value.name);
    HostTensor &cotangent = cotangents[result];
    cotangent = HostTensor(value.type.getShape());
    // Hidden scores have no slope.
    for (auto [k, element] : llvm::enumerate(cotangent.data))
      if (std::isfinite((*outputs)[result][k]))
        element = counterUniform(500 + i, k);
    vjpArguments.push_back(cotangent);
  }
  FailureOr<SmallVector<HostTensor>> results = evaluate(vjp, vjpArguments);
  if (failed(results))
    return failure();
  // Σ over results of <cotangent, result>.
  auto loss = [&]() -> std::optional<double> {
    FailureOr<SmallVector<HostTensor>> values = evaluate(function, arguments);
    if (failed(values))
      return std::nullopt;
    double sum = 0;
    for (auto [value, cotangent] : llvm::zip_equal(*values, cotangents))
      for (int64_t i = 0, e = cotangent.size(); i < e; ++i)
        sum += cotangent[i] == 0 ? 0 : value[i] * cotangent[i];
    return sum;
  };
  double worst = 0;
  for (const BoundaryValue &value : interface->values) {
    if (value.role != BoundaryRole::Output ||
        !StringRef(value.name).starts_with("grad."))
      continue;
    std::optional<double> error = compareWithDifferences(
        arguments[getNumber(value.name)], (*results)[*value.result], loss,
        /*samples=*/8, /*stream=*/1000 + *value.result);
    if (!error)
      return failure();
    if (!(*error <= worst))
      worst = *error;
  }
  return worst;
}

namespace {
struct CheckRaise : PassWrapper<CheckRaise, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckRaise)
  StringRef getArgument() const override { return "test-te-check-raise"; }
  StringRef getDescription() const override {
    return "Compare functions, and their gradients, with what te-raise makes "
           "of them";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager all(ModuleOp::getOperationName());
    all.addPass(createTERaise());
    addVjp(all);
    all.getDependentDialects(registry);
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
      if (failed(compare(function, raised)) ||
          failed(compareGradients(function, raised)))
        return signalPassFailure();
    }
  }

  /// A module within this one, whose @vjp is that of `function`.
  FailureOr<ModuleOp> buildVjp(func::FuncOp function) {
    auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto module = ModuleOp::create(builder, function.getLoc());
    builder.setInsertionPointToStart(module.getBody());
    auto forward = cast<func::FuncOp>(builder.clone(*function));
    forward.setName("forward");
    auto name = [&](StringRef role, char letter, unsigned i) {
      return builder.getDictionaryAttr(builder.getNamedAttr(
          role, builder.getStringAttr(letter + std::to_string(i))));
    };
    for (unsigned i = 0; i < forward.getNumArguments(); ++i)
      forward.setArgAttrs(i, name(kInputAttr, 'a', i));
    for (unsigned i = 0; i < forward.getNumResults(); ++i)
      forward.setResultAttrs(i, name(kOutputAttr, 'r', i));
    OpPassManager passes(ModuleOp::getOperationName());
    addVjp(passes);
    if (succeeded(runPipeline(passes, module)))
      return module;
    module.erase();
    return failure();
  }

  LogicalResult compareGradients(func::FuncOp function, func::FuncOp raised) {
    FailureOr<ModuleOp> module = buildVjp(raised);
    if (failed(module))
      return failure();
    FailureOr<double> worst =
        measureGradients(function, module->lookupSymbol<func::FuncOp>("vjp"));
    module->erase();
    if (failed(worst))
      return failure();
    if (!(*worst <= 1e-6))
      return function.emitError()
             << "has other gradients than what it is raised to, by "
             << std::to_string(*worst) << " of their largest element";
    llvm::outs() << function.getSymName() << ": gradients within "
                 << llvm::format("%.1e", *worst) << "\n";
    return success();
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
