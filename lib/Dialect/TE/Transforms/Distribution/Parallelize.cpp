// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-parallelize: entries become the program of every rank of a mesh.

#include "Training/EntryEditor.h"
#include "Training/LateDivision.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/GradientResults.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/VocabularyOps.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

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
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult shareData(func::FuncOp function, Mesh &grid,
                          shard::GridAxis axis);
  LogicalResult finishModel();
  void shareLoss(EntryEditor &entry, Mesh &grid, shard::GridAxis axis);
};
} // namespace

LogicalResult TEParallelize::run() {
  Location loc = getOperation().getLoc();
  FailureOr<SmallVector<MeshAxis>> axes = parseMesh(mesh, loc);
  FailureOr<std::optional<Mesh>> before = Mesh::get(getOperation());
  if (failed(axes) || failed(before))
    return failure();
  // te-shard-model makes the mesh where ranks share the model.
  if (*before && ((*before)->getAxes() != ArrayRef(*axes) ||
                  !(*before)->findAxis(kTensorAxis)))
    return emitError(loc) << "the module is for a mesh already";
  if (*before && failed(finishModel()))
    return failure();
  Mesh grid = *before ? **before : Mesh::create(getOperation(), *axes);
  std::optional<shard::GridAxis> data = grid.findAxis(kDataAxis);
  if (!data)
    return success();
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    const EntryKind *kind = findEntryKind(getEntryName(function));
    // What others compute stays that of the rank's batch: it is exchanged, if
    // at all, before it changes what the ranks have in common.
    if (kind && kind->hasUpdates && failed(shareData(function, grid, *data)))
      return failure();
  }
  return success();
}

/// The gradients of what varies between ranks are there, and of what they
/// compute together.
LogicalResult TEParallelize::finishModel() {
  getOperation().walk([](VaryOp op) {
    op.getY().replaceAllUsesWith(op.getX());
    op.erase();
  });
  WalkResult result = getOperation().walk([](VocabularyCrossEntropyOp op) {
    return WalkResult(expandVocabularyCrossEntropy(op));
  });
  return failure(result.wasInterrupted());
}

/// The loss becomes that of all ranks' batches, the number of its terms theirs.
void TEParallelize::shareLoss(EntryEditor &entry, Mesh &grid,
                              shard::GridAxis axis) {
  std::optional<unsigned> loss, divisor = entry.findResult(kLossDivisorAttr);
  std::optional<unsigned> guard = entry.findResult(kGradientGuardAttr);
  auto scalar = RankedTensorType::get({}, entry.getBuilder().getF32Type());
  for (const EntryValue &output : entry.getValues(BoundaryRole::Output))
    if (output.name() == "loss" && output.type() == scalar)
      loss = output.boundary.result;
  if (!loss)
    return;

  OpBuilder &builder = entry.getBuilder();
  Location loc = NameLoc::get(builder.getStringAttr("loss"), entry.getLoc());
  // A mean is shared as the sum that it was divided from.
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
  auto exchange = ReduceScalarsOp::create(
      builder, loc, /*max=*/Type(),
      RankedTensorType::get({int64_t(terms.size())}, builder.getF32Type()),
      /*maxima=*/ValueRange(), terms, grid.getName(), axis);
  SmallVector<Value> sums;
  for (size_t i = 0; i < terms.size(); ++i)
    sums.push_back(extractElement(builder, loc, exchange.getSum(), i));
  if (divisor)
    sums[0] = divideOrZero(builder, loc, sums[0], sums[1]);
  for (auto [result, sum] : llvm::zip_equal(results, sums))
    entry.getBody().getTerminator()->setOperand(result, sum);
}

/// The sum over ranks, in another shape, that the gradient is and nothing else
/// reads.
static shard::AllReduceOp findSum(Value gradient) {
  while (gradient.hasOneUse()) {
    Operation *op = gradient.getDefiningOp();
    if (auto sum = dyn_cast_or_null<shard::AllReduceOp>(op))
      return sum.getReduction() == shard::ReductionKind::Sum
                 ? sum
                 : shard::AllReduceOp();
    if (!isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return {};
    gradient = op->getOperand(0);
  }
  return {};
}

/// Sums over the ranks what each has of its batch.
LogicalResult TEParallelize::shareData(func::FuncOp function, Mesh &grid,
                                       shard::GridAxis axis) {
  FailureOr<EntryEditor> entry = EntryEditor::get(function);
  if (failed(entry))
    return failure();
  OpBuilder &builder = entry->getBuilder();
  Operation *terminator = entry->getBody().getTerminator();
  for (const EntryGradient &gradient : entry->getGradients()) {
    // The sum of nothing is nothing.
    if (matchPattern(gradient.value, m_AnyZeroFloat()))
      continue;
    // As soon as it is there: the exchange can begin.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(gradient.value);
    // Of what is a sum over other ranks already, one exchange makes both.
    if (shard::AllReduceOp sum = findSum(gradient.value)) {
      SmallVector<shard::GridAxis> axes(sum.getGridAxes());
      axes.push_back(axis);
      llvm::sort(axes);
      sum.setGridAxes(axes);
    } else {
      terminator->setOperand(
          gradient.result,
          shard::AllReduceOp::create(builder, gradient.value.getLoc(),
                                     gradient.value, grid.getName(), axis,
                                     shard::ReductionKind::Sum));
    }
    ++numReduced;
  }

  shareLoss(*entry, grid, axis);
  return entry->finish();
}
