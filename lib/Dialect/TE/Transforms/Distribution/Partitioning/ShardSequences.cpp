// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-shard-sequences: shards each sequence over ranks along the axis cp.

#include "Distribution/Partitioning/PartitionBody.h"
#include "Distribution/Propagation/LossTerms.h"
#include "Distribution/Propagation/SequencePlan.h"
#include "Training/EntryEditor.h"
#include "te/Analysis/IdRanges.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESHARDSEQUENCES
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {
class TEShardSequences
    : public te::impl::TEShardSequencesBase<TEShardSequences> {
public:
  using TEShardSequencesBase::TEShardSequencesBase;

  void runOnOperation() override {
    if (failed(run()))
      signalPassFailure();
  }

private:
  LogicalResult run();
  LogicalResult share(func::FuncOp function, AxisRanks mesh);
};

/// The values of one function. Gradients of parameters are sums over the ranks
/// (te-parallelize), and so are the cotangents of all that is computed from
/// parameters alone.
class SequenceValues : public ShardedValues {
public:
  SequenceValues(OpBuilder &builder, const AxisRanks &mesh,
                 const SequencePlan &plan)
      : ShardedValues(builder, mesh), plan(plan) {}

  Value getVarying(Value of) override {
    return plan.getShardings().isMadeInShards(of) || plan.getSources(of).wholes
               ? ShardedValues::getVarying(of)
               : getWhole(of);
  }

private:
  Value takePart(Value of, const DimSplit &cut) override {
    return plan.getSources(of).parameters
               ? lookUp(of.getLoc(), getWhole(of), cut)
               : ShardedValues::takePart(of, cut);
  }
  Value lookUp(Location loc, Value whole, const DimSplit &cut);

  const SequencePlan &plan;
};
} // namespace

/// As slice, for floats that are looked up by row: the cotangent of `whole` is
/// that of the shard in its rows and zero elsewhere.
Value SequenceValues::lookUp(Location loc, Value whole, const DimSplit &cut) {
  RankedTensorType type = tensorType(whole);
  // Rows run along the dimensions up to the sharded one.
  ArrayRef<int64_t> shape = type.getShape();
  const int64_t outer = llvm::product_of(shape.take_front(cut.dim));
  const int64_t rows = outer * shape[cut.dim];
  const int64_t columns = llvm::product_of(shape.drop_front(cut.dim + 1));
  Value table = reshapeTo(builder, loc, whole, {rows, columns});
  Value positions = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          RankedTensorType::get({rows}, builder.getI64Type()),
          ArrayRef(llvm::to_vector(llvm::seq<int64_t>(0, rows)))));
  Value own = slice(loc, positions,
                    {0, Cut::of(outer * cut.cut.outer, cut.cut.blocks)});
  Value part = EmbeddingOp::create(
      builder, loc, type.clone({rows / mesh.ranks, columns}), own, table);
  return reshapeTo(builder, loc, part,
                   getPartType(type, cut, mesh.ranks).getShape());
}

LogicalResult TEShardSequences::share(func::FuncOp function, AxisRanks mesh) {
  if (failed(EntryEditor::get(function)))
    return failure();
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    if (auto loss = dyn_cast<CrossEntropyOp>(op))
      divideApart(loss);
    else if (auto loss = dyn_cast<SquaredErrorOp>(op))
      divideApart(loss);
  }
  separateUses(function.getBody().front());
  SequencePlan plan(function, mesh.ranks);
  if (failed(plan.build()))
    return failure();
  mesh.ofSequences = true;
  mesh.balanced = plan.isBalanced();
  OpBuilder builder(function.getContext());
  SequenceValues values(builder, mesh, plan);
  partitionBody(function, plan.getShardings(), mesh, builder, values);
  ++numShared;
  return success();
}

LogicalResult TEShardSequences::run() {
  if (mesh.empty())
    return success();
  FailureOr<std::optional<AxisRanks>> ranks =
      findAxisRanks(getOperation(), mesh, kContextAxis);
  if (failed(ranks) || !*ranks)
    return ranks;
  // A rank's shard of ids or of a table no longer shows the ranges.
  declareIdRanges(getOperation());
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!getEntryName(function).empty() && failed(share(function, **ranks)))
      return failure();
  return success();
}
