// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/States/EntrySharder.h"

#include "Distribution/Partitioning/Reshard.h"
#include "Distribution/States/ShardCopies.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"
#include "te/Support/DeadOps.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

Operation *mlir::te::findFirstReader(Block &block, Value value) {
  Operation *first = block.getTerminator();
  for (Operation *user : value.getUsers())
    if (Operation *op = block.findAncestorOpInBlock(*user);
        op->isBeforeInBlock(first))
      first = op;
  return first;
}

/// In the order of results.
void EntrySharder::findUpdates() {
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    auto name = function.getResultAttrOfType<StringAttr>(i, kParamAttr);
    auto *found = name ? plan.parameters.find(name) : plan.parameters.end();
    if (found == plan.parameters.end())
      continue;
    ShardedUpdate &update = found->second.updates.find(function)->second;
    Quantization quantization = {};
    if (auto op = dyn_cast<QuantizingOpInterface>(update.op))
      quantization = op.getQuantization();
    updates.push_back({update, &found->second.parts, quantization});
  }
}

/// Gives arguments and results shard types, and their #te.shard.
void EntrySharder::changeBoundary() {
  MLIRContext *context = function.getContext();
  llvm::StringMap<ShardAttr> shards;
  SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
  for (BlockArgument argument : body.getArguments()) {
    unsigned index = argument.getArgNumber();
    NamedAttrList attrs(function.getArgAttrDict(index));
    if (const FlatShards *parts = plan.find(function, index)) {
      ShardAttr shard = parts->getShard(
          cast<RankedTensorType>(argument.getType()),
          function.getArgAttrOfType<ShardAttr>(index, kShardAttr));
      argument.setType(
          parts->getPartType(getElementTypeOrSelf(argument.getType())));
      attrs.set(kShardAttr, shard);
      for (StringRef role : {kParamAttr, kStateAttr})
        if (auto name = dyn_cast_or_null<StringAttr>(attrs.get(role)))
          shards[name] = shard;
    }
    argumentAttrs.push_back(attrs.getDictionary(context));
  }
  for (unsigned i = 0, e = function.getNumResults(); i < e; ++i) {
    NamedAttrList attrs(function.getResultAttrDict(i));
    for (StringRef role : {kParamAttr, kStateAttr})
      if (auto name = dyn_cast_or_null<StringAttr>(attrs.get(role)))
        if (ShardAttr shard = shards.lookup(name))
          attrs.set(kShardAttr, shard);
    resultAttrs.push_back(attrs.getDictionary(context));
  }
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
}

/// Adds this amax to the step's all-reduce if that comes in between.
bool EntrySharder::addToCollective(Value whole, Value part) {
  Operation *reader = findFirstReader(body, whole);
  for (auto collective : body.getOps<ReduceScalarsOp>()) {
    if (collective.getMaxima().empty() ||
        collective.getGridAxes() != ArrayRef(axis.axis) ||
        !part.getDefiningOp()->isBeforeInBlock(collective) ||
        !collective->isBeforeInBlock(reader) ||
        !llvm::all_of(collective.getMax().getUsers(),
                      llvm::IsaPred<tensor::ExtractSliceOp>))
      continue;
    SmallVector<Value> maxima(collective.getMaxima());
    maxima.push_back(part);
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointAfter(collective);
    auto larger = ReduceScalarsOp::create(
        rewriter, collective.getLoc(),
        RankedTensorType::get({int64_t(maxima.size())}, rewriter.getF32Type()),
        collective.getSum() ? collective.getSum().getType() : Type(), maxima,
        collective.getSums(), axis.grid, ArrayRef(axis.axis));
    whole.replaceAllUsesWith(extractElement(
        rewriter, collective.getLoc(), larger.getMax(), maxima.size() - 1));
    // Elements are extracted from a longer vector.
    collective.getMax().replaceAllUsesWith(larger.getMax());
    if (collective.getSum())
      collective.getSum().replaceAllUsesWith(larger.getSum());
    rewriter.eraseOp(collective);
    return true;
  }
  return false;
}

void EntrySharder::reduceAmaxes() {
  Location loc =
      NameLoc::get(rewriter.getStringAttr("scales"), function.getLoc());
  auto replace = [&](ArrayRef<std::pair<Value, Value>> pairs) {
    if (pairs.empty())
      return;
    auto amaxes =
        llvm::map_to_vector(pairs, [](const auto &of) { return of.second; });
    auto collective = ReduceScalarsOp::create(
        rewriter, loc,
        RankedTensorType::get({int64_t(amaxes.size())}, rewriter.getF32Type()),
        /*sum=*/Type(), amaxes, /*sums=*/ValueRange(), axis.grid,
        ArrayRef(axis.axis));
    for (auto [i, of] : llvm::enumerate(pairs))
      Value(of.first).replaceAllUsesExcept(
          extractElement(rewriter, loc, collective.getMax(), i), collective);
  };
  // The amaxes of arguments are available at the beginning.
  SmallVector<std::pair<Value, Value>> first, last;
  for (AmaxOp op : llvm::reverse(early)) {
    if (op != &body.front())
      rewriter.moveOpBefore(op, &body.front());
    if (Operation *join = op.getX().getDefiningOp())
      rewriter.moveOpBefore(join, op);
  }
  for (AmaxOp op : early)
    first.push_back({op.getAmax(), op.getAmax()});
  if (!early.empty())
    rewriter.setInsertionPointAfter(early.back());
  replace(first);
  llvm::erase_if(amaxes, [&](const auto &of) {
    return addToCollective(of.first, of.second);
  });
  for (const auto &of : amaxes) {
    if (findFirstReader(body, of.first) == body.getTerminator()) {
      last.push_back(of);
      continue;
    }
    rewriter.setInsertionPointAfterValue(of.second);
    replace(of);
  }
  rewriter.setInsertionPoint(body.getTerminator());
  replace(last);
}

void EntrySharder::run() {
  findUpdates();
  changeBoundary();
  shardJoinedWeights();
  for (BlockArgument argument : body.getArguments())
    if (const FlatShards *of = plan.find(function, argument.getArgNumber());
        of && !isSum(argument))
      findReads(argument, *of);
  findTransposedReads();
  splitReads();
  gatherReads();
  shardSums();
  shardUpdates();
  // Before the ops that wait for the last gathers.
  reduceAmaxes();
  // After all gathers, each of which can take until then.
  rewriter.setInsertionPoint(body.getTerminator());
  for (auto [columnwise, all] : returned)
    columnwise.replaceAllUsesWith(
        transposeTo(rewriter, columnwise.getLoc(), all, {1, 0}));
  shareNorms(function, axis, parts);
  // Rewritten ops are dead, and were kept for queries until here.
  eraseDeadOps(body);
  (void)function.eraseArguments(erasedArguments);
  function.setFunctionType(
      FunctionType::get(function.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
}

void mlir::te::shareNorms(func::FuncOp entry, const ShardAxis &axis,
                          const llvm::DenseMap<Operation *, Value> &parts) {
  for (auto norm : llvm::make_early_inc_range(
           entry.getBody().front().getOps<GlobalNormOp>())) {
    SmallVector<Value> gradients;
    SmallVector<int32_t> isPart;
    bool hasSum = false;
    for (Value gradient : norm.getGradients()) {
      GradientSum sum = GradientSum::find(gradient, axis);
      Value part = sum ? parts.lookup(sum.collective) : Value();
      hasSum |= bool(sum);
      gradients.push_back(part ? part : gradient);
      isPart.push_back(bool(part));
    }
    // Norms of values that ranks do not reduce stay local.
    if (!hasSum)
      continue;
    OpBuilder builder(norm);
    Value shared =
        ReduceNormOp::create(builder, norm.getLoc(), norm.getType(), gradients,
                             isPart, axis.grid, ArrayRef(axis.axis));
    norm.replaceAllUsesWith(shared);
    norm.erase();
  }
}
