// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/ShardingPlan.h"

#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#include <numeric>

#define DEBUG_TYPE "te-shard-model"

using namespace mlir;
using namespace mlir::te;

static LinearOpInterface getLinear(Operation *op) {
  auto linear = dyn_cast<LinearOpInterface>(op);
  return linear && linear.isLinear() ? linear : LinearOpInterface();
}

bool mlir::te::isRowParallel(Operation *op, const OpSharding &sharding) {
  return getLinear(op) && sharding.sums.test(0);
}

/// The split of the full dimension that a rule requests.
static std::optional<DimSplit> getRequestedSplit(Value parameter,
                                                 const ShardRule &rule) {
  if (!rule.dim)
    return std::nullopt;
  return DimSplit{*rule.dim, Cut::whole(tensorDim(parameter, *rule.dim))};
}

void ShardingPlan::shareRequested() {
  auto isTaken = [&](Operation *op) { return ops.contains(op); };
  for (const auto &wanted : requested.get()) {
    Value parameter = wanted.first;
    const ShardRule *rule = wanted.second;
    std::optional<DimSplit> cut = getRequestedSplit(parameter, *rule);
    if (!cut || cuts.contains(parameter))
      continue;
    SharedValues values(ranks, SharedValues::Readers::MustShare, requested,
                        isTaken);
    if (failed(values.share(parameter, *cut))) {
      LDBG() << "--shard='" << rule->text << "' alone, because "
             << values.getObstacle().reason;
      continue;
    }
    add(values.getShardings());
    numPairs += values.hasRowParallel();
  }
}

LogicalResult ShardingPlan::shareAlone(Value parameter, const DimSplit &cut,
                                       SharedValues::Obstacle &obstacle) {
  auto isTaken = [&](Operation *op) { return ops.contains(op); };
  for (OpOperand &use : parameter.getUses()) {
    Operation *op = use.getOwner();
    const OpSharding *taken = lookup(op);
    if (taken && taken->operands[use.getOperandNumber()] == cut)
      continue;
    SharedValues values(ranks, SharedValues::Readers::MustShare, requested,
                        isTaken);
    if (failed(values.shareReader(use, cut))) {
      obstacle = values.getObstacle();
      return failure();
    }
    // Other parameters get the matching split; what is computed is sliced.
    for (const auto &[value, own] : values.getShardings().cuts)
      if (isa<BlockArgument>(value) || value.getDefiningOp() == op)
        cuts.insert({value, own});
    ops.insert({op, *values.getShardings().lookup(op)});
  }
  return success();
}

LogicalResult ShardingPlan::shareRequestedAlone() {
  for (const auto &wanted : requested.get()) {
    Value parameter = wanted.first;
    const ShardRule *rule = wanted.second;
    std::optional<DimSplit> cut = getRequestedSplit(parameter, *rule);
    if (!cut)
      continue;
    auto error = [&](Operation *at) {
      return emitError(at ? at->getLoc() : parameter.getLoc())
             << "--shard='" << rule->text << "': " << ranks
             << " tensor parallel ranks cannot share dimension " << *rule->dim
             << " of '" << getArgumentText(parameter, kParamAttr) << "', ";
    };
    if (cut->cut.getSize() % ranks != 0)
      return error(nullptr)
             << "which has " << cut->cut.getSize()
             << " elements, not a multiple of " << ranks
             << "; shard another dimension, or choose a number of ranks that "
                "divides it";
    // Some of its readers may already be sharded because of other values.
    DimSplit own = cuts.insert({parameter, *cut}).first->second;
    SharedValues::Obstacle obstacle;
    if (failed(shareAlone(parameter, own, obstacle)))
      return error(obstacle.op)
             << "because " << obstacle.reason
             << "; shard another dimension, or leave it to the compiler";
  }
  return success();
}

void ShardingPlan::shareClasses(ValueRange logits) {
  auto isTaken = [&](Operation *op) { return ops.contains(op); };
  for (Value value : logits) {
    SharedValues values(ranks, SharedValues::Readers::MayGather, requested,
                        isTaken);
    if (!cuts.contains(value) &&
        succeeded(values.share(value, {1, Cut::whole(tensorDim(value, 1))})))
      add(values.getShardings());
  }
}

namespace {
/// The number of heads of attention.
struct Heads {
  explicit Heads(AttentionOp op)
      : dim(getHeadDim(op.getLayout())), queries(tensorDim(op.getQ(), dim)),
        keys(tensorDim(op.getK(), dim)) {}
  /// True if ranks can share them. Several ranks may read one key head.
  bool canBeShared(int64_t ranks) const {
    return queries % ranks == 0 && (ranks % keys == 0 || keys % ranks == 0);
  }
  /// A number that any number of ranks must divide.
  int64_t getDivisor() const {
    return keys == 1 ? queries : std::gcd(queries, keys);
  }

  unsigned dim; ///< queries, keys and results
  int64_t queries, keys;
};
} // namespace

/// A rank has complete heads; replicating attention would be correct but
/// useless.
static LogicalResult checkHeads(const SharedValues::Obstacle &obstacle,
                                int64_t ranks) {
  auto attention = dyn_cast_or_null<AttentionOp>(obstacle.op);
  if (!attention)
    return success();
  const Heads heads(attention);
  if (heads.canBeShared(ranks))
    return success();
  return attention.emitError()
         << "has " << heads.queries << " query heads and " << heads.keys
         << " key heads, which " << ranks
         << " tensor parallel ranks cannot divide: each needs complete ones, "
            "as "
            "many as the others; choose a number of ranks that divides "
         << heads.getDivisor() << ", and more ranks along dp instead";
}

LogicalResult ShardingPlan::shareFeatures() {
  auto isTaken = [&](Operation *op) { return ops.contains(op); };
  for (Operation &op : block) {
    LinearOpInterface linear = getLinear(&op);
    if (!linear || isTaken(&op))
      continue;
    Value features = op.getResult(0);
    SharedValues values(ranks, SharedValues::Readers::MustShare, requested,
                        isTaken);
    LogicalResult shared =
        values.share(features, {1, Cut::whole(tensorDim(features, 1))});
    if (failed(shared) && failed(checkHeads(values.getObstacle(), ranks)))
      return failure();
    // Excluded if the user's rules for its parameters contradict it.
    bool isIncluded = succeeded(shared) && values.getShardings().lookup(&op);
    if (isIncluded && values.hasRowParallel()) {
      LDBG() << "column-parallel, with the layers that read it: " << op;
      add(values.getShardings());
      ++numPairs;
      continue;
    }
    auto remark = remark::missed(
        op.getLoc(),
        remark::RemarkOpts::name("WholeWeight").category("te-shard-model"));
    remark << remark::reason(
        "every rank holds the full weight of this layer, because {0}",
        failed(shared) ? values.getObstacle().reason
        : isIncluded   ? "what it computes reaches no layer behind it along "
                         "the features alone"
                       : "--shard says otherwise about its parameters");
  }
  for (auto attention : block.getOps<AttentionOp>())
    shareHeads(attention);
  return success();
}

void ShardingPlan::shareHeads(AttentionOp attention) {
  const Heads heads(attention);
  if (ops.contains(attention) || heads.keys >= ranks ||
      !heads.canBeShared(ranks))
    return;
  // Replicates the producers of keys, and of queries made along with them: each
  // rank takes its heads of these, as far before attention as possible.
  SetVector<Operation *> whole;
  auto addProducers = [&](Value value) {
    BackwardSliceOptions options;
    options.inclusive = true;
    options.omitUsesFromAbove = false;
    (void)getBackwardSlice(value, &whole, options);
  };
  addProducers(attention.getK());
  addProducers(attention.getV());
  auto isTaken = [&](Operation *op) {
    return ops.contains(op) || whole.contains(op) ||
           (op != attention && llvm::any_of(op->getOperands(), [&](Value of) {
              return of.getDefiningOp() && whole.contains(of.getDefiningOp());
            }));
  };
  for (bool takesQueries : {false, true}) {
    if (takesQueries)
      addProducers(attention.getQ());
    SharedValues values(ranks, SharedValues::Readers::MustShare, requested,
                        isTaken);
    if (failed(values.share(attention.getO(),
                            {heads.dim, Cut::whole(heads.queries)})) ||
        !values.hasRowParallel())
      continue;
    add(values.getShardings());
    ++numPairs;
    return;
  }
}

void ShardingPlan::shareRows() {
  auto isTaken = [&](Operation *op) { return ops.contains(op); };
  for (Operation &op : block) {
    auto taken = ops.find(&op);
    if (taken == ops.end() || !isRowParallel(&op, taken->second))
      continue;
    Value sum = op.getResult(0);
    if (cuts.contains(sum))
      continue;
    SharedValues values(ranks, SharedValues::Readers::MayGather, requested,
                        isTaken);
    bool shared =
        succeeded(values.share(sum, {0, Cut::whole(tensorDim(sum, 0))}));
    auto missed = [&](Operation *at, StringRef what, StringRef reason) {
      auto remark = remark::missed(
          at->getLoc(),
          remark::RemarkOpts::name("WholeRows").category("te-shard-model"));
      remark << remark::reason("{0}, because {1}", what, reason);
    };
    if (!shared || values.getShardings().cuts.empty()) {
      missed(&op,
             "every rank computes all rows of what is between layers that "
             "ranks share",
             values.getObstacle().reason);
      continue;
    }
    for (const SharedValues::Obstacle &obstacle : values.getGathering())
      if (!obstacle.op->hasTrait<OpTrait::IsTerminator>())
        missed(obstacle.op, "every rank computes all of this", obstacle.reason);
    add(values.getShardings());
  }
}
