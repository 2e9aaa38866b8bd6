// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Distribution/Propagation/ShardingPlan.h"

using namespace mlir;
using namespace mlir::te;

/// How often boundaries propagate to one value's readers and producer. Each of
/// them can add some; chains of them are seldom longer.
static constexpr unsigned kMaxRefinements = 32;

static std::string describeRest(const Cut &cut, int64_t ranks) {
  const int64_t *block = llvm::find_if(
      cut.blocks, [&](int64_t size) { return size % ranks != 0; });
  return std::to_string(*block) + " is no multiple of " + std::to_string(ranks);
}

LogicalResult SharedValues::share(Value value, const DimSplit &cut) {
  if (!cut.cut.isDivisibleBy(pieces)) {
    obstacle = {value.getDefiningOp(), describeRest(cut.cut, pieces)};
    return failure();
  }
  // An incompatible op is left out and all starts over: what it added may not
  // belong to the rest.
  do {
    found = {};
    gathering.clear();
    worklist.clear();
    numReports.clear();
    again = false;
    if (succeeded(setCut(value.getDefiningOp(), value, cut)) &&
        succeeded(propagate()))
      return success();
  } while (again);
  return failure();
}

LogicalResult SharedValues::shareReader(OpOperand &use, const DimSplit &cut) {
  Operation *op = use.getOwner();
  if (failed(visit(op, /*ofResult=*/false, use.getOperandNumber(), cut)))
    return failure();
  if (found.lookup(op)->operands[use.getOperandNumber()] == cut)
    return success();
  return block(op, "other values of '" + op->getName().getStringRef().str() +
                       "' have no equal shards along it");
}

bool SharedValues::hasRowParallel() const {
  return llvm::any_of(found.ops, [](const auto &of) {
    return isRowParallel(of.first, of.second);
  });
}

/// Leaves `op` out, or fails if it must be sharded.
LogicalResult SharedValues::block(Operation *op, std::string reason) {
  obstacle = {op, std::move(reason)};
  if (readers == Readers::MayGather) {
    blocked.insert(op);
    again = true;
  }
  return failure();
}

LogicalResult SharedValues::refuseSize(Operation *op, const Cut &cut) {
  return block(op, describeRest(cut, pieces));
}

LogicalResult SharedValues::reconcile(Operation *op, Value value, DimSplit &own,
                                      const DimSplit &cut) {
  constexpr char kTwoShardings[] =
      "one of its values would need two different shardings";
  std::optional<Cut> refined;
  // Rows are split once: finer shards of them would not be contiguous.
  if (own.dim == cut.dim && readers == Readers::MustShare)
    refined = own.cut.refine(cut.cut);
  if (!refined)
    return block(op, kTwoShardings);
  if (!refined->isDivisibleBy(pieces))
    return refuseSize(op, *refined);
  if (*refined != own.cut) {
    own.cut = *refined;
    worklist.insert(value);
  }
  // Sends the other boundaries back to values with fewer, unless refinement
  // does not converge.
  if (*refined != cut.cut) {
    if (++numReports[value] > kMaxRefinements)
      return block(op, kTwoShardings);
    worklist.insert(value);
  }
  return success();
}

std::optional<LogicalResult> SharedValues::decide(Operation *op, bool ofResult,
                                                  unsigned, const DimSplit &) {
  if (blocked.contains(op))
    return success();
  if (!isTaken(op))
    return std::nullopt;
  if (ofResult || readers == Readers::MayGather)
    return success();
  obstacle = {op, "ranks share '" + op->getName().getStringRef().str() +
                      "' in another way"};
  return failure();
}

LogicalResult SharedValues::leaveOut(Operation *op, std::string reason) {
  if (readers == Readers::MustShare) {
    obstacle = {op, std::move(reason)};
    return failure();
  }
  // It was sharded because of another value.
  if (found.lookup(op))
    return block(op, std::move(reason));
  gathering.push_back({op, std::move(reason)});
  return success();
}
