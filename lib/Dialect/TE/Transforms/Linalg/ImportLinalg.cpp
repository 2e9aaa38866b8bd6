// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-import-linalg: imports plain MLIR of other compilers as a model.

#include "Linalg/Linalg.h"
#include "Linalg/PlainForm.h"

#include "te/Analysis/Contraction.h"
#include "te/Analysis/GeneratedKernel.h"
#include "te/Dialect/TE/IR/HostDialect.h"
#include "te/Dialect/TE/IR/ModelFunction.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Raise/InlineCalls.h"
#include "te/Support/ElementTypes.h"
#include "te/Support/UnsupportedList.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEIMPORTLINALG
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Unsupported ops
//===----------------------------------------------------------------------===//

static bool isGlobal(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name.starts_with("util.global") || name.starts_with("ml_program.");
}

/// Reasons that hold anywhere, before anything is rewritten.
static std::optional<std::string> getForeignProblem(Operation *op) {
  if (isGlobal(op))
    return "what lives in globals is not trained; make it an argument of the "
           "model";
  if (!op->isRegistered())
    return "its dialect is not known here; lower it to linalg, arith, math, "
           "tensor and scf first, or load it with --load-dialect-plugin";
  auto isDynamic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  if (llvm::any_of(op->getResultTypes(), isDynamic))
    return "its shape is known only at run time; fix the batch size and the "
           "sequence length where the model is exported";
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    for (OpOperand &init : linalgOp.getDpsInitsMutable())
      if (init.get().getDefiningOp<tensor::EmptyOp>() &&
          linalgOp.payloadUsesValueFromOperand(&init))
        return "it goes on from a tensor.empty, whose elements may be "
               "anything; fill it with linalg.fill";
  // Upstream folds a pad that crops and pads alike to its source.
  auto isNegative = [](OpFoldResult count) {
    return getConstantIntValue(count).value_or(0) < 0;
  };
  if (auto pad = dyn_cast<tensor::PadOp>(op))
    if (llvm::any_of(pad.getMixedLowPad(), isNegative) ||
        llvm::any_of(pad.getMixedHighPad(), isNegative))
      return "it pads with fewer elements than none; cut with "
             "tensor.extract_slice";
  // Float64 between float32 values is narrowed; the rest is listed then.
  auto isDouble = [](Type type) { return getElementTypeOrSelf(type).isF64(); };
  const bool isNarrowed =
      isa_and_present<arith::ArithDialect, math::MathDialect,
                      linalg::LinalgDialect, tensor::TensorDialect>(
          op->getDialect()) &&
      (llvm::any_of(op->getOperandTypes(), isDouble) ||
       llvm::any_of(op->getResultTypes(), isDouble));
  if (!isNarrowed)
    if (auto reason = getElementTypesProblem(op))
      return reason;
  std::optional<std::string> rounding = getRoundingProblem(op);
  if (isa<linalg::LinalgOp>(op))
    op->walk([&](Operation *inner) {
      if (auto reason = getRoundingProblem(inner))
        rounding =
            ("'" + inner->getName().getStringRef() + "' in its body " + *reason)
                .str();
    });
  return rounding;
}

/// The reason that a remaining op cannot be compiled; nullopt if it can.
static std::optional<std::string> getRemainingProblem(Operation *op) {
  if (isa_and_present<TEDialect>(op->getDialect()) ||
      isa<RuntimeOpInterface>(op) || isLoweredByHost(op) ||
      isa<tensor::EmptyOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return std::nullopt;
  if (isa<scf::ForOp, scf::ForallOp>(op))
    return "how often it runs depends on the model's inputs; only loops with "
           "fixed bounds are unrolled";
  if (isa<scf::WhileOp>(op))
    return "how often it runs depends on the model's inputs; only loops whose "
           "condition depends on constants are unrolled";
  if (isa<scf::IfOp, scf::IndexSwitchOp>(op))
    return "its way depends on the model's inputs; compute both and choose "
           "with arith.select";
  if (isa<func::CallOp>(op))
    return "what it calls has no body here, or calls itself";
  if (isa<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::PadOp>(op)) {
    for (Value operand : op->getOperands())
      if (operand.getType().isIndex())
        return "its position depends on the model's inputs; only fixed ones "
               "can be compiled";
    return isa<tensor::PadOp>(op)
               ? std::optional<std::string>("it pads with what is no fixed "
                                            "number")
               : std::nullopt;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    if (isa<linalg::TransposeOp, linalg::BroadcastOp, linalg::FillOp>(op) ||
        succeeded(Contraction::get(linalgOp)))
      return std::nullopt;
    auto generic = dyn_cast<linalg::GenericOp>(op);
    return generic ? getKernelProblem(generic) : std::optional<std::string>("");
  }
  if (isElementwiseOnTensors(op) || isa<DataMovementOpInterface>(op))
    return std::nullopt;
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    for (auto [index, size] : llvm::zip_equal(
             extract.getIndices(), extract.getTensor().getType().getShape()))
      if (std::optional<int64_t> position = getConstantIntValue(index))
        if (*position < 0 || *position >= size)
          return "it reads at " + std::to_string(*position) + " of " +
                 std::to_string(size) + " elements";
  // te-raise turns scalars that a kernel reads into tensors.
  bool isScalar =
      op->getNumRegions() == 0 &&
      llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
  if (isScalar &&
      (isa<tensor::ExtractOp>(op) || OpTrait::hasElementwiseMappableTraits(op)))
    return std::nullopt;
  if (isa<tensor::SplatOp, tensor::FromElementsOp>(op))
    return std::nullopt;
  return "";
}

using Why = llvm::function_ref<std::optional<std::string>(Operation *)>;

static void list(Operation *root, Why why, UnsupportedList &problems) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == root)
      return WalkResult::advance();
    if (auto reason = why(op)) {
      problems.add(op->getName().getStringRef(), *reason, getModulePath(op),
                   op->getLoc());
      return WalkResult::skip();
    }
    // The bodies of structured ops belong to them.
    return isa<linalg::LinalgOp>(op) ? WalkResult::skip()
                                     : WalkResult::advance();
  });
}

static LogicalResult refuse(const UnsupportedList &problems, Location loc) {
  if (problems.empty())
    return success();
  return problems.emit(
      loc, "this model cannot be compiled as it is; docs/mlir.md says "
           "what can");
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TEImportLinalg : te::impl::TEImportLinalgBase<TEImportLinalg> {
  using TEImportLinalgBase::TEImportLinalgBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    TEImportLinalgBase::getDependentDialects(registry);
    registerTosaLoweringDialects(registry);
  }

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  /// Reduces the module to the model, with its callees inlined.
  FailureOr<func::FuncOp> isolate(const ModelChoice &choice);
  void simplify(func::FuncOp function,
                function_ref<void(RewritePatternSet &)> populate);
};
} // namespace

/// The number of operations of a function with all calls inlined. Forty
/// functions, each of which calls the next twice, exceed any machine.
static int64_t countInlined(func::FuncOp function, SymbolTable &symbols,
                            llvm::DenseMap<Operation *, int64_t> &counts,
                            int64_t depth = 0) {
  constexpr int64_t kMostCalls = 1000; // nesting depth
  if (depth > kMostCalls)
    return kMostOps + 1;
  // A recursive function is not inlined.
  auto [known, isNew] = counts.try_emplace(function, 0);
  if (!isNew)
    return known->second;
  int64_t count = 0;
  function.walk([&](Operation *op) {
    ++count;
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee()))
        count += countInlined(callee, symbols, counts, depth + 1);
    count = std::min(count, kMostOps + 1);
  });
  return counts[function] = count;
}

FailureOr<func::FuncOp> TEImportLinalg::isolate(const ModelChoice &choice) {
  ModuleOp module = getOperation();
  FailureOr<func::FuncOp> found = findModel(module, choice);
  if (failed(found))
    return failure();
  func::FuncOp function = *found;
  SymbolTable symbols(module);
  llvm::DenseMap<Operation *, int64_t> counts;
  if (countInlined(function, symbols, counts) > kMostOps)
    return function.emitError() << "has more than " << kMostOps
                                << " operations with those of the functions "
                                   "that it calls";
  // Functions that the model does not call are irrelevant.
  for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (counts.contains(other))
      other.setPrivate();
    else
      other.erase();
  }
  function.setPublic();
  OpPassManager inliner(ModuleOp::getOperationName());
  inliner.addPass(createInlineCalls());
  if (failed(runPipeline(inliner, module)))
    return failure();
  // If nothing was inlined, calls are listed with the rest.
  if (!hasUnknownRegions(module))
    for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (other != function)
        other.erase();
  function.setName("forward");
  function->removeAttr(kModelAttr);
  return function;
}

void TEImportLinalg::simplify(
    func::FuncOp function, function_ref<void(RewritePatternSet &)> populate) {
  RewritePatternSet patterns(&getContext());
  populate(patterns);
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // A result that did not converge is equally valid.
  (void)applyPatternsGreedily(function, std::move(patterns), config);
}

LogicalResult TEImportLinalg::run() {
  ModuleOp module = getOperation();
  SmallVector<std::string> wanted(parameters.begin(), parameters.end());
  ModelChoice choice{model, wanted};
  if (failed(adoptForeignFunctions(module)))
    return failure();
  FailureOr<func::FuncOp> isolated = isolate(choice);
  if (failed(isolated))
    return failure();
  func::FuncOp function = *isolated;
  llvm::DenseMap<Operation *, std::string> misfits =
      takeForeignGlobals(module, function);
  UnsupportedList foreign;
  list(
      module,
      [&](Operation *op) {
        auto misfit = misfits.find(op);
        return misfit == misfits.end() ? getForeignProblem(op)
                                       : std::optional(misfit->second);
      },
      foreign);
  if (failed(refuse(foreign, function.getLoc())) ||
      failed(refuseEncodings(module)) || failed(assignRoles(function, choice)))
    return failure();
  if (hasTosa(function)) {
    UnsupportedList control;
    list(function, getTosaProblem, control);
    if (failed(refuse(control, function.getLoc())))
      return failure();
    OpPassManager lowering(ModuleOp::getOperationName());
    addTosaLowering(lowering);
    if (failed(runPipeline(lowering, module)))
      return failure();
  }

  foldConstants(function);
  simplify(function, populateTensorPatterns);
  if (failed(unrollLoops(function)))
    return failure();
  simplify(function, populateTensorPatterns);
  foldConstants(function);
  normalizeStructuredOps(function);
  UnsupportedList doubles;
  narrowDoubles(function, doubles);
  if (failed(refuse(doubles, function.getLoc())))
    return failure();
  writeStructuredOps(function);
  simplify(function, populateTensorPatterns);
  foldConstants(function);
  simplify(function, populateTensorPatterns);
  simplify(function, populateSumPatterns);
  IRRewriter rewriter(&getContext());
  DominanceInfo dominance(function);
  eliminateCommonSubExpressions(rewriter, dominance, function);

  UnsupportedList left;
  list(function, getRemainingProblem, left);
  return refuse(left, function.getLoc());
}
