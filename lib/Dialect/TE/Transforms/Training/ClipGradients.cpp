// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-clip-gradients: makes entries return the factor that clips their
// gradients.

#include "Training/EntryEditor.h"
#include "Training/LateDivision.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

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

/// The norm of all gradients. For sharded parameters a rank has the gradients
/// of its shards: the norms are reduced over the ranks of those axes.
static FailureOr<Value> buildNorm(EntryEditor &entry, Location loc,
                                  ArrayRef<EntryGradient> gradients) {
  OpBuilder &builder = entry.getBuilder();
  func::FuncOp function = entry.getFunction();
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  llvm::StringMap<int32_t> axesOf;
  for (const EntryValue &param : entry.getValues(BoundaryRole::Param))
    if (auto shard = function.getArgAttrOfType<ShardAttr>(
            *param.boundary.argument, kShardAttr))
      axesOf[param.name()] = shard.getDimAxes();
  llvm::MapVector<int32_t, SmallVector<Value>> groups;
  for (const EntryGradient &gradient : gradients)
    groups[axesOf.lookup(gradient.of)].push_back(gradient.value);
  if (groups.size() == 1 && groups.front().first == 0)
    return GlobalNormOp::create(builder, loc, scalar, groups.front().second)
        .getResult();

  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(function->getParentOfType<ModuleOp>());
  if (failed(mesh))
    return failure();
  SmallVector<Value> norms;
  for (auto &[set, values] : groups) {
    Value norm = GlobalNormOp::create(builder, loc, scalar, values);
    if (set == 0) {
      norms.push_back(norm);
      continue;
    }
    int64_t ranks = 1;
    SmallVector<shard::GridAxis> axes;
    if (*mesh)
      for (auto [i, axis] : llvm::enumerate((*mesh)->getAxes()))
        if (set >> i & 1) {
          axes.push_back(i);
          ranks *= axis.size;
        }
    if (axes.empty())
      return entry.error() << "has sharded parameters, but "
                              "the module has no mesh";
    Value own =
        tensor::ExpandShapeOp::create(builder, loc, scalar.clone({1}), norm,
                                      ArrayRef<ReassociationIndices>{});
    norms.push_back(shard::AllGatherOp::create(
        builder, loc, scalar.clone({ranks}), (*mesh)->getName(), axes, own,
        APInt(64, 0)));
  }
  return GlobalNormOp::create(builder, loc, scalar, norms).getResult();
}

LogicalResult TEClipGradients::clip(func::FuncOp function) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  SmallVector<EntryGradient> gradients = entry->getGradients();
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
  FailureOr<Value> built = buildNorm(*entry, loc, gradients);
  if (failed(built))
    return failure();
  Value norm = *built;
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
