// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/ShardingPlan.h"

using namespace mlir;
using namespace mlir::te;

/// How often boundaries propagate to one value's readers and producer. Each of
/// them can add some; chains of them are seldom longer.
static constexpr unsigned kMaxRefinements = 32;

LogicalResult SharedValues::share(Value value, const DimSplit &cut) {
  if (!cut.cut.isDivisibleBy(ranks)) {
    obstacle = {value.getDefiningOp(), describeRest(cut.cut)};
    return failure();
  }
  // An incompatible op is left out and all starts over: what it added may not
  // belong to the rest.
  do {
    cuts.clear();
    ops.clear();
    gathering.clear();
    worklist.clear();
    numReports.clear();
    again = false;
    if (failed(spread(value, cut)))
      return failure();
  } while (again);
  return success();
}

LogicalResult SharedValues::spread(Value value, const DimSplit &cut) {
  if (failed(setCut(value.getDefiningOp(), value, cut)))
    return failure();
  while (!worklist.empty() && !again) {
    Value next = worklist.pop_back_val();
    DimSplit own = cuts.lookup(next);
    if (Operation *producer = next.getDefiningOp())
      if (failed(visit(producer, /*ofResult=*/true,
                       cast<OpResult>(next).getResultNumber(), own)))
        return failure();
    for (OpOperand &use : llvm::make_early_inc_range(next.getUses()))
      if (failed(visit(use.getOwner(), /*ofResult=*/false,
                       use.getOperandNumber(), own)))
        return failure();
  }
  return success();
}

std::string SharedValues::describeRest(const Cut &cut) const {
  const int64_t *block = llvm::find_if(
      cut.blocks, [&](int64_t size) { return size % ranks != 0; });
  return std::to_string(*block) + " is no multiple of " + std::to_string(ranks);
}

/// Leaves `op` out, or fails if it must be sharded.
LogicalResult SharedValues::block(Operation *op, std::string reason) {
  obstacle = {op, std::move(reason)};
  if (readers == Readers::MustShare)
    return failure();
  blocked.insert(op);
  again = true;
  return success();
}

LogicalResult SharedValues::setCut(Operation *op, Value value,
                                   const DimSplit &cut) {
  if (!cut.cut.isDivisibleBy(ranks))
    return block(op, describeRest(cut.cut));
  auto [it, inserted] = cuts.insert({value, cut});
  if (inserted) {
    worklist.insert(value);
    return success();
  }
  DimSplit &own = it->second;
  if (own == cut)
    return success();
  std::optional<Cut> refined;
  // Rows are split once: finer shards of them would not be contiguous.
  if (own.dim == cut.dim && readers == Readers::MustShare)
    refined = own.cut.refine(cut.cut);
  if (!refined)
    return block(op, "one of its values would need two different shardings");
  if (!refined->isDivisibleBy(ranks))
    return block(op, describeRest(*refined));
  if (*refined != own.cut) {
    own.cut = *refined;
    worklist.insert(value);
  }
  // Sends the other boundaries back to values with fewer, unless refinement
  // does not converge.
  if (*refined != cut.cut) {
    if (++numReports[value] > kMaxRefinements)
      return block(op, "one of its values would need two different shardings");
    worklist.insert(value);
  }
  return success();
}

LogicalResult SharedValues::visit(Operation *op, bool ofResult, unsigned number,
                                  const DimSplit &cut) {
  if (blocked.contains(op))
    return success();
  if (isTaken(op)) {
    if (ofResult || readers == Readers::MayGather)
      return success();
    obstacle = {op, "ranks share '" + op->getName().getStringRef().str() +
                        "' in another way"};
    return failure();
  }
  std::string reason;
  auto shardable = dyn_cast<ShardableOpInterface>(op);
  FailureOr<OpSharding> sharding = failure();
  if (shardable) {
    sharding = shardable.getSharding(ofResult, number, cut, ranks, reason);
    std::optional<std::string> conflict;
    if (succeeded(sharding))
      conflict = requested.findConflict(op, *sharding);
    if (conflict) {
      reason = std::move(*conflict);
      sharding = failure();
    }
  } else if (!op->hasTrait<OpTrait::IsTerminator>()) {
    reason = ("'" + op->getName().getStringRef() +
              "' does not say how ranks share it (ShardableOpInterface)")
                 .str();
  } else {
    reason = "it is a result of the model";
  }
  if (failed(sharding)) {
    // The full result for one reader is available: each rank takes its shard.
    if (ofResult)
      return success();
    if (readers == Readers::MustShare) {
      obstacle = {op, std::move(reason)};
      return failure();
    }
    // It was sharded because of another value.
    if (ops.count(op))
      return block(op, std::move(reason));
    gathering.push_back({op, std::move(reason)});
    return success();
  }
  auto [it, inserted] = ops.insert({op, *sharding});
  if (!inserted)
    it->second = *sharding;
  auto spreadTo = [&](ValueRange values,
                      ArrayRef<std::optional<DimSplit>> own) -> LogicalResult {
    for (auto [value, wanted] : llvm::zip_equal(values, own))
      if (wanted && !again && failed(setCut(op, value, *wanted)))
        return failure();
    return success();
  };
  if (failed(spreadTo(op->getOperands(), it->second.operands)) ||
      failed(spreadTo(op->getResults(), it->second.results)))
    return failure();
  return success();
}
