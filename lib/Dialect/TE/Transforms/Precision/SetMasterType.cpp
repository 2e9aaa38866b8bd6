// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-set-master-type: keeps trained matrices in bf16.

#include "Precision/FoldConversions.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Support/Callers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESETMASTERTYPE
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class SetMasterType : public te::impl::TESetMasterTypeBase<SetMasterType> {
public:
  using TESetMasterTypeBase::TESetMasterTypeBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateFoldConversionsPatterns(set);
    patterns = std::move(set);
    return success();
  }
  void runOnOperation() override;

private:
  void findTrained(func::FuncOp function);
  void narrow(func::FuncOp function);

  /// Names of the parameters that become bf16.
  llvm::StringSet<> trained;
  FrozenRewritePatternSet patterns;
};
} // namespace

/// The update whose parameter an operand is.
static UpdateOp getUpdateOf(OpOperand &use) {
  auto update = dyn_cast<UpdateOp>(use.getOwner());
  return update && &update.getParamMutable() == &use ? update : UpdateOp();
}

void SetMasterType::findTrained(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    StringRef name = getArgumentText(argument, kParamAttr);
    if (type && type.getRank() > 1 && type.getElementType().isF32() &&
        !name.empty() && llvm::any_of(argument.getUses(), [](OpOperand &use) {
          return getUpdateOf(use) != nullptr;
        }))
      trained.insert(name);
  }
}

void SetMasterType::narrow(func::FuncOp function) {
  Block &body = function.getBody().front();
  OpBuilder builder(&getContext());
  for (BlockArgument argument : function.getArguments()) {
    if (!trained.contains(getArgumentText(argument, kParamAttr)))
      continue;
    Type wide = argument.getType();
    auto narrow = cast<RankedTensorType>(wide).clone(builder.getBF16Type());
    // All readers but updates get the number in float32, which conversions
    // beside it then undo.
    auto widen = [&](Value value, function_ref<bool(OpOperand &)> keeps) {
      SmallVector<OpOperand *> uses;
      for (OpOperand &use : value.getUses())
        if (!keeps(use))
          uses.push_back(&use);
      value.setType(narrow);
      if (uses.empty())
        return;
      builder.setInsertionPointAfterValue(value);
      Value extended =
          arith::ExtFOp::create(builder, value.getLoc(), wide, value);
      for (OpOperand *use : uses)
        use->set(extended);
    };
    for (OpOperand &use : llvm::make_early_inc_range(argument.getUses()))
      if (UpdateOp update = getUpdateOf(use))
        widen(update.getNewParam(), [&](OpOperand &of) {
          return of.getOwner() == body.getTerminator();
        });
    widen(argument, [](OpOperand &use) { return bool(getUpdateOf(use)); });
    ++numNarrowed;
  }
  function.setType(FunctionType::get(&getContext(), body.getArgumentTypes(),
                                     body.getTerminator()->getOperandTypes()));
}

void SetMasterType::runOnOperation() {
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal() && function.getBody().hasOneBlock()) {
      functions.push_back(function);
      findTrained(function);
    }
  if (trained.empty())
    return;
  if (failed(refuseCallers(getOperation(),
                           "calls a function whose types te-set-master-type "
                           "changes; run the pass 'inline' first")))
    return signalPassFailure();
  GreedyRewriteConfig config;
  config.enableFolding(false).enableConstantCSE(false);
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  for (func::FuncOp function : functions) {
    narrow(function);
    if (failed(applyPatternsGreedily(function, patterns, config)))
      return signalPassFailure();
  }
}
