// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/States/EntrySharder.h"
#include "Distribution/States/ShardCopies.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Dialect/TE/IR/Cotangent.h"

using namespace mlir;
using namespace mlir::te;

/// `part`, the rank's shard of a sum along the axis, summed along the other
/// axes of `sum` as well.
Value EntrySharder::addUpAlongOthers(shard::AllReduceOp sum, Value part) {
  auto others =
      llvm::filter_to_vector(sum.getGridAxes(), [&](shard::GridAxis other) {
        return other != axis.axis;
      });
  if (others.empty())
    return part;
  return shard::AllReduceOp::create(rewriter, sum.getLoc(), part, axis.grid,
                                    others, shard::ReductionKind::Sum);
}

/// The rank's shard of a gradient that is a sum over the ranks, or zeros.
Value EntrySharder::getGradientPart(const Update &of) {
  GradientSum &sum = of.update.sum;
  OpBuilder::InsertionGuard guard(rewriter);
  if (!sum) {
    Value gradient = of.update.op->getOperand(of.update.gradient);
    return createZeros(
        rewriter, gradient.getLoc(),
        of.parts->getPartType(getElementTypeOrSelf(gradient.getType())));
  }
  Value &part = parts[sum.collective];
  if (!part) {
    rewriter.setInsertionPoint(sum.collective);
    part = of.parts->scatterSum(rewriter, sum.collective.getLoc(),
                                sum.collective.getInput());
    part = addUpAlongOthers(sum.collective, part);
  }
  if (sum.lookups && withLookups.insert(sum.collective).second) {
    rewriter.setInsertionPoint(sum.addition);
    EmbeddingGradOp lookups = sum.lookups;
    part = AddEmbeddingPartOp::create(
        rewriter, lookups.getLoc(), part, lookups.getIds(), lookups.getDy(),
        cast<RankedTensorType>(lookups.getDtable().getType()).getDimSize(0),
        axis.grid, ArrayRef(axis.axis));
  }
  return part;
}

/// Sums of gradients over microbatches become sums of the ranks' shards.
void EntrySharder::shardSums() {
  for (BlockArgument argument : body.getArguments()) {
    unsigned index = argument.getArgNumber();
    const FlatShards *of = plan.find(function, index);
    if (!of || !isSum(argument))
      continue;
    auto name = function.getArgAttrOfType<StringAttr>(index, kStateAttr);
    auto add = cast<AddOp>(*argument.user_begin());
    Value gradient = add.getA() == argument ? add.getB() : add.getA();
    rewriter.setInsertionPoint(add);
    Value part = of->scatterSum(rewriter, add.getLoc(), gradient);
    Value sum = AddOp::create(rewriter, add.getLoc(), argument.getType(),
                              argument, part);
    OpOperand &use = *add.getY().use_begin();
    if (auto collective = dyn_cast<shard::AllReduceOp>(use.getOwner())) {
      parts[collective] = addUpAlongOthers(collective, sum);
      body.getTerminator()->setOperand(
          *findResult(function, kStateAttr, name),
          createZeros(rewriter, add.getLoc(),
                      cast<RankedTensorType>(argument.getType())));
    } else {
      use.set(sum);
    }
  }
}

/// The update of a shard, which quantizes nothing.
Operation *EntrySharder::buildUpdate(const Update &of) {
  const ShardedUpdate &update = of.update;
  Operation *op = update.op;
  Value gradient = getGradientPart(of);
  // Parameter and states have their types already.
  Type part = op->getOperand(update.param).getType();
  if (auto whole = dyn_cast<UpdateOp>(op))
    return UpdateOp::create(
        rewriter, op->getLoc(), part, TypeRange(whole.getStates()),
        TypeRange(whole.getStateScales()), /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(), whole.getOptimizer(), gradient,
        whole.getCoefficient(), whole.getScalars(), whole.getStep(),
        /*scale=*/Value(), whole.getParam(), whole.getStates(),
        whole.getStateScales(), whole.getDecayAttr());
  Operation *clone = rewriter.clone(*op);
  clone->setOperand(update.gradient, gradient);
  for (OpResult result : clone->getResults())
    result.setType(part);
  return clone;
}

void EntrySharder::shardUpdates() {
  // Copies are gathered while later updates run, so long updates without copies
  // are last. Short ones are launched with those of the first bucket.
  auto placeOf = [](const Update &of) {
    if (of.getCopyBytes() != 0)
      return 1;
    return of.parts->getPartSize() < kShortUpdate ? 0 : 2;
  };
  SmallVector<Update, 0> ordered;
  for (int place : {0, 1, 2})
    llvm::copy_if(updates, std::back_inserter(ordered),
                  [&](const Update &of) { return placeOf(of) == place; });
  rewriter.setInsertionPoint(body.getTerminator());
  int64_t bytes = 0;
  for (const Update &update : ordered) {
    if (bytes >= kBucketBytes || placeOf(update) == 2) {
      gatherPending();
      bytes = 0;
    }
    bytes += update.getCopyBytes();
    // At the end, unless something reads the new values.
    bool isLast = llvm::all_of(update.update.results, [&](unsigned result) {
      return findFirstReader(body, update.update.op->getResult(result)) ==
             body.getTerminator();
    });
    rewriter.setInsertionPoint(isLast ? body.getTerminator()
                                      : update.update.op);
    Operation *op = buildUpdate(update);
    rewriter.setInsertionPoint(body.getTerminator());
    const Quantization &quantization = update.quantization;
    unsigned param = update.update.results.front();
    Value newParam = op->getResult(param);
    if (quantization.scale) {
      Value copy =
          quantization.rowwise ? quantization.rowwise : quantization.columnwise;
      auto producer = cast<QuantizingProducerOpInterface>(op);
      rewriter.setInsertionPoint(op);
      QuantizedResults made = producer.quantizeResult(
          rewriter, param, quantization.scale,
          copy ? getShardCopyType(*update.parts,
                                  cast<RankedTensorType>(copy.getType()),
                                  copy == quantization.columnwise)
               : RankedTensorType(),
          /*columnwise=*/Type(), /*keepResult=*/true);
      rewriter.setInsertionPoint(body.getTerminator());
      replaceAmax(quantization.amax, made.amax);
      pending.push_back({update.parts, /*joined=*/nullptr, op->getLoc(),
                         made.rowwise, quantization});
      rewriter.eraseOp(op);
      newParam = made.highPrecision;
      op = newParam.getDefiningOp();
    }
    for (unsigned result : update.update.results) {
      Value whole = update.update.op->getResult(result);
      Value part = op->getResult(result);
      for (OpOperand &use : llvm::make_early_inc_range(whole.getUses())) {
        if (returnsShard(use))
          use.set(part);
        else
          shardRead(use, part, *update.parts);
      }
    }
  }
  gatherPending();
}

/// Gathers the copies that have been made. What is transposed waits until it is
/// read: the gather can go on until then.
void EntrySharder::gatherPending() {
  for (PendingCopies &copies : pending) {
    Value rowwise = copies.whole.rowwise, columnwise = copies.whole.columnwise;
    if (!rowwise && !columnwise)
      continue;
    auto type =
        cast<RankedTensorType>((rowwise ? rowwise : columnwise).getType());
    if (!rowwise)
      type = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                   type.getElementType());
    for (OpOperand &use : llvm::make_early_inc_range(
             rowwise ? rowwise.getUses() : columnwise.getUses()))
      if (rowwise && returnsShard(use))
        use.set(copies.rowwise);
    if ((!rowwise || rowwise.use_empty()) &&
        (!columnwise || columnwise.use_empty()))
      continue;
    Value all = copies.joined ? gatherJoined(rewriter, copies.loc,
                                             *copies.joined, copies.rowwise)
                              : gatherCopy(rewriter, copies.loc, *copies.parts,
                                           copies.rowwise, type);
    if (rowwise)
      rowwise.replaceAllUsesWith(all);
    if (!columnwise || columnwise.use_empty())
      continue;
    Operation *reader = findFirstReader(body, columnwise);
    if (reader == body.getTerminator()) {
      returned.push_back({columnwise, all});
      continue;
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(reader);
    columnwise.replaceAllUsesWith(
        transposeTo(rewriter, copies.loc, all, {1, 0}));
  }
  pending.clear();
}

/// An op that quantizes a parameter, or `weight`, quantizes the rank's shard.
void EntrySharder::quantizePart(QuantizeOp op, Value part,
                                const FlatShards *parts,
                                const JoinedWeight *weight) {
  Quantization whole = op.getQuantization();
  Location loc = op.getLoc();
  RankedTensorType copy;
  if (Value of = whole.rowwise ? whole.rowwise : whole.columnwise) {
    copy = cast<RankedTensorType>(of.getType());
    copy = weight ? cast<RankedTensorType>(part.getType())
                        .clone(copy.getElementType())
                  : getShardCopyType(*parts, copy, of == whole.columnwise);
  }
  auto made = QuantizeOp::create(rewriter, loc, copy, /*columnwise=*/Type(),
                                 whole.amax ? whole.amax.getType() : Type(),
                                 /*dbias=*/Type(), part, whole.scale);
  replaceAmax(whole.amax, made.getAmax());
  pending.push_back({parts, weight, loc, made.getRowwise(), whole});
  gatherPending();
}
