// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-clip-gradients: entries say by what their gradients are to be multiplied.

#include "Training/EntryEditor.h"
#include "Training/LateDivision.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/Transforms/Passes.h"

namespace mlir::te {
#define GEN_PASS_DEF_TECLIPGRADIENTS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
struct TEClipGradients
    : public mlir::te::impl::TEClipGradientsBase<TEClipGradients> {
  using TEClipGradientsBase::TEClipGradientsBase;

  void runOnOperation() override {
    FailureOr<SmallVector<func::FuncOp>> functions =
        findEntries(getOperation(), entries,
                    [](const EntryKind &kind) { return kind.hasUpdates; });
    if (failed(functions))
      return signalPassFailure();
    for (func::FuncOp function : *functions)
      if (failed(clip(function)))
        return signalPassFailure();
  }

private:
  LogicalResult clip(func::FuncOp function);
};
} // namespace

LogicalResult TEClipGradients::clip(func::FuncOp function) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  SmallVector<Value> gradients = llvm::map_to_vector(
      entry->getGradients(), [](const EntryGradient &of) { return of.value; });
  if (gradients.empty())
    return entry->error()
           << "has no gradients to clip; te-add-gradients adds them";
  if (entry->findCoefficient())
    return entry->error() << "has a coefficient of its gradients already";

  Value maxNorm = entry->addScalar("max_grad_norm", maxGradNorm,
                                   /*behind=*/{kInputAttr, kScalarAttr});
  OpBuilder &builder = entry->getBuilder();
  Location loc =
      NameLoc::get(builder.getStringAttr("optimizer"), entry->getLoc());
  Type scalar = maxNorm.getType();
  Value norm = GlobalNormOp::create(builder, loc, scalar, gradients);
  SmallVector<Value> guards;
  Value factor;
  if (std::optional<unsigned> guard = entry->findResult(kGradientGuardAttr))
    guards.push_back(entry->getResult(*guard));
  if (std::optional<unsigned> divisor = entry->findResult(kLossDivisorAttr)) {
    factor = divideOrZero(builder, loc, createFloat(builder, loc, 1.0f),
                          entry->getResult(*divisor));
    norm = arith::MulFOp::create(builder, loc, norm, factor);
  }
  Value coefficient =
      ClipCoefficientOp::create(builder, loc, scalar, norm, maxNorm, guards);
  if (factor)
    coefficient = arith::MulFOp::create(builder, loc, coefficient, factor);
  entry->eraseResults([&](unsigned result) {
    return function.getResultAttr(result, kGradientGuardAttr) ||
           function.getResultAttr(result, kLossDivisorAttr);
  });
  entry->addResult(norm, {entry->attr(kOutputAttr, "grad_norm")});
  entry->addResult(coefficient, {entry->attr(kOutputAttr, "grad_coefficient"),
                                 entry->attr(kGradientCoefficientAttr,
                                             builder.getUnitAttr())});
  return entry->finish();
}
