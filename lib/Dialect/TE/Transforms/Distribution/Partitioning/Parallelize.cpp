// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-parallelize: turns entries into the program of every rank of a mesh.

#include "Distribution/States/GradientSum.h"
#include "Training/EntryEditor.h"
#include "Training/LateDivision.h"
#include "te/Analysis/IdRanges.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEPARALLELIZE
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class TEParallelize : public te::impl::TEParallelizeBase<TEParallelize> {
public:
  using TEParallelizeBase::TEParallelizeBase;

  void runOnOperation() override {
    if (mesh.empty())
      return;
    // A rank's shard of a table no longer shows the ranges.
    declareIdRanges(getOperation());
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult shareGradients(func::FuncOp function, Mesh &grid,
                               ArrayRef<shard::GridAxis> axes,
                               ArrayRef<shard::GridAxis> batchAxes);
  void finishModel();
  void shareGuard(EntryEditor &entry, Mesh &grid, shard::GridAxis axis);
  void shareLoss(EntryEditor &entry, Mesh &grid,
                 ArrayRef<shard::GridAxis> axes);
};
} // namespace

LogicalResult TEParallelize::run() {
  Location loc = getOperation().getLoc();
  FailureOr<SmallVector<MeshAxis>> axes = parseMesh(mesh, loc);
  FailureOr<std::optional<Mesh>> before = Mesh::get(getOperation());
  if (failed(axes) || failed(before))
    return failure();
  // te-shard-sequences, te-shard-model and te-shard-experts make the mesh where
  // ranks share the model.
  if (*before && ((*before)->getAxes() != ArrayRef(*axes) ||
                  llvm::all_of(*axes, [](const MeshAxis &axis) {
                    return axis.name == kDataAxis;
                  })))
    return emitError(loc) << "the module is for a mesh already";
  if (*before)
    finishModel();
  Mesh grid = *before ? **before : Mesh::create(getOperation(), *axes);
  std::optional<shard::GridAxis> context = grid.findAxis(kContextAxis);
  SmallVector<shard::GridAxis> batchAxes;
  for (auto [number, axis] : llvm::enumerate(grid.getAxes()))
    if (hasOwnBatches(axis.name))
      batchAxes.push_back(number);
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    const EntryKind *kind = getEntryKind(function);
    if (!kind)
      continue;
    // Other results stay those of the rank's batch: they are reduced, if at
    // all, before they change what the ranks have in common. Ranks along cp
    // share one batch and hold terms of its gradients.
    SmallVector<shard::GridAxis> summed;
    if (kind->hasUpdates)
      summed = batchAxes;
    if (context && kind->hasGradients && !kind->accumulates)
      summed.push_back(*context);
    llvm::sort(summed);
    if (!summed.empty() &&
        failed(shareGradients(function, grid, summed,
                              kind->hasUpdates ? ArrayRef(batchAxes)
                                               : ArrayRef<shard::GridAxis>())))
      return failure();
  }
  return success();
}

/// At this point the gradients of values that vary between ranks exist.
void TEParallelize::finishModel() {
  getOperation().walk([](VaryOp op) {
    op.getY().replaceAllUsesWith(op.getX());
    op.erase();
  });
}

/// A value that is not finite on one rank counts as such on all.
void TEParallelize::shareGuard(EntryEditor &entry, Mesh &grid,
                               shard::GridAxis axis) {
  std::optional<unsigned> guard = entry.findResult(kGradientGuardAttr);
  if (!guard)
    return;
  OpBuilder &builder = entry.getBuilder();
  Location loc = NameLoc::get(builder.getStringAttr("guard"), entry.getLoc());
  auto collective = ReduceScalarsOp::create(
      builder, loc, /*max=*/Type(),
      RankedTensorType::get({1}, builder.getF32Type()),
      /*maxima=*/ValueRange(), entry.getResult(*guard), grid.getName(), axis);
  entry.getBody().getTerminator()->setOperand(
      *guard, extractElement(builder, loc, collective.getSum(), 0));
}

/// Reduces the loss, the number of its terms and of dropped rows over all
/// ranks' batches.
void TEParallelize::shareLoss(EntryEditor &entry, Mesh &grid,
                              ArrayRef<shard::GridAxis> axes) {
  std::optional<unsigned> loss, divisor = entry.findResult(kLossDivisorAttr);
  std::optional<unsigned> guard = entry.findResult(kGradientGuardAttr), dropped;
  auto scalar = RankedTensorType::get({}, entry.getBuilder().getF32Type());
  for (const EntryValue &output : entry.getValues(BoundaryRole::Output))
    if (output.name() == "loss" && output.type() == scalar)
      loss = output.boundary.result;
    else if (output.name() == kDroppedRows)
      dropped = output.boundary.result;
  if (!loss)
    return;

  OpBuilder &builder = entry.getBuilder();
  Location loc = NameLoc::get(builder.getStringAttr("loss"), entry.getLoc());
  // A mean is reduced as the sum that it was divided from.
  SmallVector<Value> terms = {entry.getResult(*loss)};
  SmallVector<unsigned> results = {*loss};
  if (divisor) {
    terms[0] = arith::MulFOp::create(builder, loc, terms[0],
                                     entry.getResult(*divisor));
    terms.push_back(entry.getResult(*divisor));
    results.push_back(*divisor);
  }
  if (guard) {
    terms.push_back(entry.getResult(*guard));
    results.push_back(*guard);
  }
  if (dropped) {
    terms.push_back(entry.getResult(*dropped));
    results.push_back(*dropped);
  }
  auto collective = ReduceScalarsOp::create(
      builder, loc, /*max=*/Type(),
      RankedTensorType::get({int64_t(terms.size())}, builder.getF32Type()),
      /*maxima=*/ValueRange(), terms, grid.getName(), axes);
  SmallVector<Value> sums;
  for (size_t i = 0; i < terms.size(); ++i)
    sums.push_back(extractElement(builder, loc, collective.getSum(), i));
  if (divisor)
    sums[0] = divideOrZero(builder, loc, sums[0], sums[1]);
  for (auto [result, sum] : llvm::zip_equal(results, sums))
    entry.getBody().getTerminator()->setOperand(result, sum);
}

/// Reduces over the ranks the gradients of their batches, or of their shards of
/// one.
LogicalResult
TEParallelize::shareGradients(func::FuncOp function, Mesh &grid,
                              ArrayRef<shard::GridAxis> axes,
                              ArrayRef<shard::GridAxis> batchAxes) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  OpBuilder &builder = entry->getBuilder();
  Operation *terminator = entry->getBody().getTerminator();
  llvm::StringMap<SmallVector<shard::GridAxis>> axesOf;
  for (const EntryValue &param : entry->getValues(BoundaryRole::Param)) {
    SmallVector<shard::GridAxis> &summed = axesOf[param.name()];
    summed.assign(axes.begin(), axes.end());
    // A rank has all of the gradient of its own experts.
    if (auto shard = function.getArgAttrOfType<ShardAttr>(
            *param.boundary.argument, kShardAttr))
      llvm::erase_if(summed, [&](shard::GridAxis axis) {
        return shard.getDimAxes() >> axis & 1;
      });
  }
  for (const EntryGradient &gradient : entry->getGradients()) {
    // Gradients of inputs are those of this rank's batch, in full.
    auto found = axesOf.find(gradient.of);
    if (found == axesOf.end() || found->second.empty())
      continue;
    // A sum of zeros stays zero.
    if (matchPattern(gradient.value, m_AnyZeroFloat()))
      continue;
    // As soon as it is available, so that the collective can start.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(gradient.value);
    // If it is a sum over other ranks already, one all-reduce does both.
    if (auto sum = GradientSum::findUnshared(gradient.value)) {
      SmallVector<shard::GridAxis> summed(sum.getGridAxes());
      llvm::append_range(summed, found->second);
      llvm::sort(summed);
      sum.setGridAxes(summed);
    } else {
      terminator->setOperand(
          gradient.result,
          shard::AllReduceOp::create(
              builder, gradient.value.getLoc(), gradient.value, grid.getName(),
              ArrayRef(found->second), shard::ReductionKind::Sum));
    }
    ++numReduced;
  }

  // The loss is already reduced over the ranks along cp.
  if (llvm::is_contained(axes, grid.findAxis(kContextAxis)))
    shareGuard(*entry, grid, *grid.findAxis(kContextAxis));
  if (!batchAxes.empty())
    shareLoss(*entry, grid, batchAxes);
  return entry->finish();
}
