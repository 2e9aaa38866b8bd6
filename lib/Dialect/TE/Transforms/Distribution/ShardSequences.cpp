// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-shard-sequences: shards each sequence over ranks along the axis cp.

#include "Distribution/LossTerms.h"
#include "Distribution/SequencePlan.h"
#include "Distribution/SequenceShards.h"
#include "Training/EntryEditor.h"
#include "te/Analysis/IdRanges.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"
#include "te/Support/DeadOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

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
  LogicalResult share(func::FuncOp function, const AxisRanks &mesh);
};

/// Rewrites one function into the program of each rank.
class ShardedSequenceBuilder {
public:
  ShardedSequenceBuilder(func::FuncOp function, const SequencePlan &plan,
                         const AxisRanks &mesh)
      : function(function), plan(plan), mesh(mesh),
        builder(function.getContext()),
        parts(builder, mesh, plan.isBalanced()) {}

  LogicalResult run();

private:
  /// Forms of an old value.
  struct Forms {
    Value part;
    /// For a value made in shards: gathered for an output, and for ops that
    /// compute something different from it on each rank.
    Value whole, keys;
    /// te.vary of a replicated value.
    Value varying;
  };

  FailureOr<Value> getPart(Operation *reader, Value of, const DimSplit &cut);
  FailureOr<Value> getWhole(Operation *reader, Value of);
  LogicalResult buildPart(Operation *op, const OpSharding &sharding);

  func::FuncOp function;
  const SequencePlan &plan;
  const AxisRanks &mesh;
  OpBuilder builder;
  SequenceShards parts;
  llvm::DenseMap<Value, Forms> forms;
};
} // namespace

/// The cotangent of a value computed from parameters is this rank's term of a
/// sum, as for the parameters; an input's is the full one.
static LogicalResult checkSources(Operation *reader, Value of,
                                  const Sources &sources) {
  if (sources.parameters && sources.floatInputs)
    return reader->emitError() << "reads " << of.getType()
                               << ", which each rank computes in full from a "
                                  "parameter and an input; "
                                  "context parallel ranks cannot do that";
  return success();
}

FailureOr<Value> ShardedSequenceBuilder::getPart(Operation *reader, Value of,
                                                 const DimSplit &cut) {
  Forms &own = forms[of];
  if (own.part)
    return own.part;
  Sources sources = plan.getSources(of);
  if (failed(checkSources(reader, of, sources)))
    return failure();
  return own.part = sources.parameters ? parts.lookUp(of.getLoc(), of, cut)
                                       : parts.slice(of.getLoc(), of, cut);
}

FailureOr<Value> ShardedSequenceBuilder::getWhole(Operation *reader, Value of) {
  Forms &own = forms[of];
  if (plan.isSharded(of)) {
    if (!own.keys)
      own.keys = parts.gather(of.getLoc(), own.part, *plan.lookup(of),
                              /*varies=*/true);
    return own.keys;
  }
  // The cotangent of a value computed from parameters alone is this rank's
  // term, as for the parameters; an input's is the full one.
  Sources sources = plan.getSources(of);
  if (!sources.floatInputs || !isa<FloatType>(getElementTypeOrSelf(of)))
    return of;
  if (failed(checkSources(reader, of, sources)))
    return failure();
  if (!own.varying)
    own.varying = parts.vary(of.getLoc(), of);
  return own.varying;
}

LogicalResult ShardedSequenceBuilder::buildPart(Operation *op,
                                                const OpSharding &sharding) {
  SmallVector<Value> operands;
  for (auto [operand, cut] :
       llvm::zip_equal(op->getOperands(), sharding.operands)) {
    FailureOr<Value> form =
        cut ? getPart(op, operand, *cut) : getWhole(op, operand);
    if (failed(form))
      return failure();
    operands.push_back(*form);
  }
  SmallVector<Type> types;
  for (auto [result, cut] : llvm::zip_equal(op->getResults(), sharding.results))
    types.push_back(cut ? getPartType(tensorType(result), *cut, mesh.ranks)
                        : result.getType());
  SmallVector<Value> part;
  if (auto attention = dyn_cast<AttentionOp>(op)) {
    part = cloneOnParts(builder, op, operands, types);
    if (dependsOnPositions(attention)) {
      auto own = part.front().getDefiningOp<AttentionOp>();
      own.setQueryAxes(1 << mesh.axis);
      own.setBalanced(plan.isBalanced());
    }
  } else {
    part = cast<ShardableOpInterface>(op).buildPart(builder, operands, types,
                                                    sharding, mesh);
  }
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    Value own = part[i];
    // A rank may have left out unused values.
    if (!own)
      continue;
    if (sharding.sums.test(i))
      result.replaceAllUsesWith(parts.sum(op->getLoc(), own));
    else if (sharding.results[i])
      forms[result].part = own;
    else
      result.replaceAllUsesWith(own);
  }
  return success();
}

LogicalResult ShardedSequenceBuilder::run() {
  Block &body = function.getBody().front();
  SmallVector<Operation *> replaced;
  for (Operation &op : llvm::make_early_inc_range(body)) {
    builder.setInsertionPoint(&op);
    if (const OpSharding *sharding = plan.lookup(&op)) {
      if (failed(buildPart(&op, *sharding)))
        return failure();
      replaced.push_back(&op);
    }
  }
  // Outputs are those of the full batch, in order.
  Operation *terminator = body.getTerminator();
  builder.setInsertionPoint(terminator);
  for (OpOperand &output : terminator->getOpOperands())
    if (Value value = output.get(); plan.isSharded(value)) {
      Forms &own = forms[value];
      if (!own.whole)
        own.whole = parts.gather(value.getLoc(), own.part, *plan.lookup(value),
                                 /*varies=*/false);
      output.set(own.whole);
    }
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
  eraseDeadOps(body);
  return success();
}

LogicalResult TEShardSequences::share(func::FuncOp function,
                                      const AxisRanks &mesh) {
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
  if (failed(plan.build()) ||
      failed(ShardedSequenceBuilder(function, plan, mesh).run()))
    return failure();
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
