// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of weights run beside the gathers of lookups' rows, with which the
// backward pass of data parallel ranks ends.

#include "Distribution/ExchangeSchedule.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

using namespace mlir;
using namespace mlir::te;

/// Gradients of weights wait for an exchange of lookups' rows if no more than
/// so many times the time it takes passes from where they are made.
static constexpr double kReachOfRows = 16;
/// One that takes so many times as long as what is missing does not.
static constexpr double kMostOfMissing = 2;

/// Has the new values of what `op` reads made behind `exchange`. Fails where
/// somebody needs one before.
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

/// Whether an exchange is of rows that lookups add to a table's gradient.
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

/// The rows are what the backward pass ends with, so that nothing is left to
/// run beside them but what has been made before. The latest gradients go
/// first: they have the least time to be exchanged in anyway. Others that take
/// much longer than what is missing stay: their sums would be waited for.
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
