// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-quantize: replaces fp8 regions by quantized tensors, scaled matmuls and
// one update of the scaling state.

#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Target/TargetInfo.h"

#include "Precision/Layers.h"
#include "Precision/QuantizeFunction.h"
#include "Training/EntryEditor.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEQUANTIZE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct QuantizePass : public te::impl::TEQuantizeBase<QuantizePass> {
  using Base::Base;
  /// Parses the recipe here since its dialect may have to be loaded, which
  /// passes cannot do while they run.
  LogicalResult initialize(MLIRContext *context) override {
    recipeAttribute = parseRecipe(recipe, UnknownLoc::get(context));
    return success(bool(recipeAttribute));
  }
  void runOnOperation() override;

private:
  FailureOr<ScalingUse> findUse(func::FuncOp func, const QuantizePlan &plan);
  LogicalResult checkBlocks(const QuantizePlan &plan);

  RecipeAttrInterface recipeAttribute;
};
} // namespace

/// How a function uses the scaling state, if there is one.
FailureOr<ScalingUse> QuantizePass::findUse(func::FuncOp func,
                                            const QuantizePlan &plan) {
  const EntryKind *kind = getEntryKind(func);
  if (kind && kind->accumulates)
    return ScalingUse::Records;
  if (plan.weights.empty())
    return kind && kind->hasGradients ? ScalingUse::Updates : ScalingUse::Reads;
  StringRef updated, kept;
  for (auto &[param, weight] : plan.weights)
    if (!weight.isFrozen)
      (findParamResult(func, param) ? updated : kept) = param;
  // With frozen weights alone, the scales of their inputs are updated as
  // elsewhere: once a step.
  if (updated.empty() && kept.empty())
    return updatesParameters(func) ? ScalingUse::Updates : ScalingUse::Reads;
  if (!updated.empty() && !kept.empty())
    return func.emitError()
           << "updates the parameter '" << updated << "' but not '" << kept
           << "', which another entry updates; FP8 weights and their scales "
           << "are updated together";
  return updated.empty() ? ScalingUse::Reads : ScalingUse::Updates;
}

/// Scales of blocks need kernels that take them, and one rank.
LogicalResult QuantizePass::checkBlocks(const QuantizePlan &plan) {
  const QuantizedTensor *first = nullptr;
  for (const FunctionPlan &function : plan.functions)
    for (const QuantizedTensor &tensor : function.tensors)
      if (auto type = cast<RankedTensorType>(tensor.source.getType());
          !first &&
          !recipeAttribute.getScaleShape(tensor.role, type.getShape()).empty())
        first = &tensor;
  if (!first)
    return success();
  ModuleOp module = getOperation();
  auto refuse = [&](StringRef scales = "several scales a tensor") {
    return module.emitError()
           << "the recipe " << recipeAttribute.getRecipeName() << " has "
           << scales << ", which ";
  };
  const char *instead = "; choose a recipe with one, such as current_scaling";
  FailureOr<std::optional<Mesh>> mesh = Mesh::get(module);
  if (failed(mesh))
    return failure();
  if (*mesh)
    return refuse() << "the ranks of a mesh do not share yet" << instead
                    << ", or train on one rank";
  if (target.empty() && !module->hasAttr(kTargetAttr))
    return success();
  const TargetInfo *info = requireTarget(module, target, getArgument());
  if (!info)
    return failure();
  if (FloatType type = recipeAttribute.getScaleInvType();
      !info->takesScaleType(type)) {
    std::string scales = "scales of type ";
    llvm::raw_string_ostream(scales) << type;
    return refuse(scales) << "the target " << info->getName()
                          << " has no kernels for; choose a recipe with scales "
                          << "of f32, such as current_scaling";
  }
  if (!info->takesScaleBlocks())
    return refuse() << "the target " << info->getName() << " has no kernels for"
                    << instead;
  return success();
}

/// Moves the ops of all regions back into their function; returns the ops of
/// fp8 regions that have an FP8 form, in program order.
static SmallVector<Fp8OpInterface> dissolveRegions(func::FuncOp func) {
  SmallVector<Fp8OpInterface> chosen;
  func.walk([&](Fp8OpInterface op) {
    auto region = op->getParentOfType<RegionOp>();
    if (region && region.getPrecision() == Precision::Fp8)
      chosen.push_back(op);
  });
  func.walk([](RegionOp region) {
    Block &body = region.getBody().front();
    Operation *yield = body.getTerminator();
    region.replaceAllUsesWith(yield->getOperands());
    yield->erase();
    region->getBlock()->getOperations().splice(region->getIterator(),
                                               body.getOperations());
    region.erase();
  });
  return chosen;
}

void QuantizePass::runOnOperation() {
  ModuleOp module = getOperation();
  if (module->hasAttr(kSlotsAttr)) {
    module.emitError() << "is quantized already: it has 'te.slots'";
    return signalPassFailure();
  }

  SmallVector<std::pair<func::FuncOp, SmallVector<Fp8OpInterface>>> chosen;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isDeclaration())
      continue;
    SmallVector<Fp8OpInterface> ops = dissolveRegions(func);
    if (func.getBody().hasOneBlock()) {
      chosen.push_back({func, std::move(ops)});
    } else if (!ops.empty()) {
      func.emitError() << "has FP8 ops and several blocks; te-quantize takes "
                       << "functions without control flow";
      return signalPassFailure();
    }
  }
  if (failed(nameLayers(module)))
    return signalPassFailure();
  FailureOr<QuantizePlan> plan = makeQuantizePlan(chosen, recipeAttribute);
  if (failed(plan))
    return signalPassFailure();
  if (plan->slots.empty())
    return;
  if (failed(checkBlocks(*plan)))
    return signalPassFailure();
  FailureOr<StateSet> states = makeStates(module, *plan, recipeAttribute);
  if (failed(states))
    return signalPassFailure();

  Callers callers(module);
  func::FuncOp updater;
  for (const FunctionPlan &function : plan->functions) {
    FailureOr<ScalingUse> use = findUse(function.func, *plan);
    if (failed(use))
      return signalPassFailure();
    // Without state there is nothing to update.
    if (states->scaling.empty())
      use = ScalingUse::Reads;
    const bool updatesWeights =
        *use == ScalingUse::Updates && !plan->weights.empty();
    if (function.ops.empty() && !updatesWeights)
      continue;
    func::FuncOp func = function.func;
    if (Operation *caller = callers.find(func)) {
      InFlightDiagnostic diagnostic =
          func.emitError()
          << "@" << func.getName()
          << " gets scaling state as arguments and results, but "
          << describeFunctionOf(caller)
          << " calls it; run the pass 'inline' before te-partition";
      diagnostic.attachNote(caller->getLoc()) << "called here";
      return signalPassFailure();
    }
    if (updatesWeights)
      updater = function.func;
    numQuantized +=
        quantizeFunction(function, *plan, *states, recipeAttribute, *use);
    numFp8Ops += function.ops.size();
  }
  if (updater) {
    if (failed(makeInit(*plan, *states, recipeAttribute, updater)))
      return signalPassFailure();
    numQuantized += plan->weights.size();
  }
  if (fastDgrad)
    module.walk([](ScaledProductOpInterface op) {
      if (op.getRole() == MatmulRole::Dgrad)
        op.setAccumulate(Accumulate::Fast);
    });

  numSlots = plan->slots.size();
  OpBuilder builder(&getContext());
  SmallVector<Attribute> names, formats;
  for (const Slot &slot : plan->slots) {
    names.push_back(builder.getStringAttr(slot.name));
    formats.push_back(TypeAttr::get(slot.format));
  }
  module->setAttr(kSlotsAttr, builder.getArrayAttr(names));
  module->setAttr(kSlotFormatsAttr, builder.getArrayAttr(formats));
  module->setAttr(kRecipeAttr, recipeAttribute);
}
