// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of weights overlap the gathers of lookups' rows at the end of the
// data parallel backward pass.

#include "Distribution/ExchangeSchedule.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

using namespace mlir;
using namespace mlir::te;

/// Gradients of weights wait for an exchange of lookups' rows only if they are
/// made at most this many times its duration before it.
static constexpr double kReachOfRows = 16;
/// A gradient that takes more than this multiple of the missing time stays.
static constexpr double kMostOfMissing = 2;

/// Moves the updates of the operands of `op` after `exchange`. Fails if a new
/// value is needed before.
bool ExchangeSchedule::sinkUpdatesOf(Operation *op, Operation *exchange) {
  SmallVector<Operation *> updates = findUpdates(op, exchange);
  if (!llvm::all_of(updates, [&](Operation *update) {
        return isPure(update) && exchange->isBeforeInBlock(findReader(update));
      }))
    return false;
  for (Operation *update : updates) {
    if (exchange->isBeforeInBlock(update))
      continue;
    SetVector<Operation *> moved;
    moved.insert(update);
    addViews(moved, exchange);
    moveBehind(exchange, moved.takeVector());
  }
  return true;
}

/// True if a collective exchanges rows that lookups add to a table's gradient.
static bool isOfRows(Operation *exchange) {
  return isa<shard::AllGatherOp>(exchange) &&
         llvm::any_of(exchange->getUsers(), [&](Operation *user) {
           Value rows = exchange->getResult(0);
           if (auto add = dyn_cast<AddEmbeddingPartOp>(user))
             return add.getDy() == rows;
           auto lookups = dyn_cast<EmbeddingGradOp>(user);
           return lookups && lookups.getDy() == rows;
         });
}

/// The rows are exchanged at the end of the backward pass, so only work made
/// earlier can overlap them. The latest gradients move first: they have the
/// least time for their own reduction anyway. Those that take much longer than
/// the missing time stay: their sums would be waited for.
void ExchangeSchedule::fillRows() {
  for (Operation *exchange : exchanges) {
    if (!isOfRows(exchange))
      continue;
    const double wanted = time.getSeconds(exchange);
    double missing = wanted;
    Operation *reader = findReader(exchange);
    for (Operation *op = exchange->getNextNode(); op != reader;
         op = op->getNextNode())
      missing -= getSeconds(op);
    double passed = 0;
    bool isFirst = true;
    for (Operation *op = exchange->getPrevNode(), *previous;
         op && missing > wanted * kLeastPart && passed < wanted * kReachOfRows;
         op = previous) {
      previous = op->getPrevNode();
      const double seconds = getSeconds(op);
      passed += seconds;
      if (!isa<MatmulOp, ScaledMatmulOp>(op) || !isMovable(op) ||
          seconds < wanted * kLeastPart ||
          (!isFirst && seconds > missing * kMostOfMissing) ||
          !exchange->isBeforeInBlock(findReader(op, Behind::Part)) ||
          !sinkUpdatesOf(op, exchange))
        continue;
      SetVector<Operation *> moved;
      moved.insert(op);
      addViews(moved, exchange);
      moveBehind(exchange, moved.takeVector());
      missing -= seconds;
      isFirst = false;
      ++numMoved;
    }
  }
}
