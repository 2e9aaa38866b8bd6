// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/Propagation.h"

using namespace mlir;
using namespace mlir::te;

LogicalResult Propagation::propagate() {
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    DimSplit cut = found.cuts.lookup(next);
    if (auto result = dyn_cast<OpResult>(next))
      if (failed(visit(result.getOwner(), /*ofResult=*/true,
                       result.getResultNumber(), cut)))
        return failure();
    if (visitsOnlyShards() && !found.isMadeInShards(next))
      continue;
    for (OpOperand &use : next.getUses())
      if (failed(visit(use.getOwner(), /*ofResult=*/false,
                       use.getOperandNumber(), cut)))
        return failure();
  }
  return success();
}

LogicalResult Propagation::setCut(Operation *op, Value value,
                                  const DimSplit &cut) {
  if (!cut.cut.isDivisibleBy(pieces))
    return refuseSize(op, cut.cut);
  auto [it, inserted] = found.cuts.insert({value, cut});
  // Its readers are visited once its producer is known.
  if (inserted || (visitsOnlyShards() && value.getDefiningOp() == op))
    worklist.insert(value);
  if (inserted || it->second == cut)
    return success();
  return reconcile(op, value, it->second, cut);
}

LogicalResult Propagation::take(Operation *op, const OpSharding &sharding) {
  found.ops.insert_or_assign(op, sharding);
  for (auto [value, cut] :
       llvm::zip_equal(op->getOperands(), sharding.operands))
    if (cut && failed(setCut(op, value, *cut)))
      return failure();
  for (auto [value, cut] : llvm::zip_equal(op->getResults(), sharding.results))
    if (cut && failed(setCut(op, value, *cut)))
      return failure();
  return success();
}

LogicalResult Propagation::visit(Operation *op, bool ofResult, unsigned number,
                                 const DimSplit &cut) {
  if (std::optional<LogicalResult> decided = decide(op, ofResult, number, cut))
    return *decided;
  std::string reason;
  FailureOr<OpSharding> sharding = failure();
  if (auto shardable = dyn_cast<ShardableOpInterface>(op)) {
    sharding = shardable.getSharding(ofResult, number, cut, pieces, reason);
    std::optional<std::string> conflict;
    if (succeeded(sharding))
      conflict = findConflict(op, *sharding);
    if (conflict) {
      reason = std::move(*conflict);
      sharding = failure();
    }
  } else if (op->hasTrait<OpTrait::IsTerminator>()) {
    reason = "it is a result of the model";
  } else {
    reason = ("'" + op->getName().getStringRef() +
              "' does not say how ranks share it (ShardableOpInterface)")
                 .str();
  }
  if (failed(sharding))
    return ofResult ? success() : leaveOut(op, std::move(reason));
  if (found.lookup(op) && failed(change(op, ofResult)))
    return failure();
  return take(op, *sharding);
}
