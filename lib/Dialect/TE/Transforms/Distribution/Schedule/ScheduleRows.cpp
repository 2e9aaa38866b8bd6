// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of weights overlap the gathers of lookups' rows at the end of the
// data parallel backward pass.

#include "Distribution/Schedule/CollectiveSchedule.h"
#include "te/Dialect/TE/IR/CollectiveOps.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "te-schedule-collectives"

using namespace mlir;
using namespace mlir::te;

/// Gradients of weights wait for a collective of lookups' rows only if they are
/// made at most this many times its duration before it.
static constexpr double kReachOfRows = 16;
/// A gradient that takes more than this multiple of the missing time stays.
static constexpr double kMostOfMissing = 2;

/// Moves the updates of the operands of `op` after `collective`. Fails if a new
/// value is needed before.
bool CollectiveSchedule::sinkUpdatesOf(Operation *op, Operation *collective) {
  SmallVector<Operation *> updates = findUpdates(op, collective);
  if (!llvm::all_of(updates, [&](Operation *update) {
        return isPure(update) &&
               collective->isBeforeInBlock(findReader(update));
      }))
    return false;
  for (Operation *update : updates) {
    if (collective->isBeforeInBlock(update))
      continue;
    SetVector<Operation *> moved;
    moved.insert(update);
    addViews(moved, collective);
    moveBehind(collective, moved.takeVector());
  }
  return true;
}

/// True if a collective gathers rows that lookups add to a table's gradient.
static bool isOfRows(Operation *collective) {
  return isa<shard::AllGatherOp>(collective) &&
         llvm::any_of(collective->getUsers(), [&](Operation *user) {
           Value rows = collective->getResult(0);
           if (auto add = dyn_cast<AddEmbeddingPartOp>(user))
             return add.getDy() == rows;
           auto lookups = dyn_cast<EmbeddingGradOp>(user);
           return lookups && lookups.getDy() == rows;
         });
}

/// The rows are gathered at the end of the backward pass, so only earlier work
/// that is moved behind the gather's start can overlap with it. The latest
/// gradients move first: they have the least time for their own reduction
/// anyway. Gradients that take much longer than the missing time stay: their
/// reduction would not end in time.
void CollectiveSchedule::fillRows() {
  for (Operation *collective : collectives) {
    if (!isOfRows(collective))
      continue;
    const double wanted = time.getSeconds(collective);
    double missing = wanted;
    Operation *reader = findReader(collective);
    for (Operation *op = collective->getNextNode(); op != reader;
         op = op->getNextNode())
      missing -= getSeconds(op);
    double passed = 0;
    bool isFirst = true;
    for (Operation *op = collective->getPrevNode(), *previous;
         op && missing > wanted * kMinFraction &&
         passed < wanted * kReachOfRows;
         op = previous) {
      previous = op->getPrevNode();
      const double seconds = getSeconds(op);
      passed += seconds;
      if (!isa<MatmulOp, ScaledMatmulOp>(op) || !isMovable(op) ||
          seconds < wanted * kMinFraction ||
          (!isFirst && seconds > missing * kMostOfMissing) ||
          !collective->isBeforeInBlock(findReader(op, Behind::Part)) ||
          !sinkUpdatesOf(op, collective))
        continue;
      LDBG() << "moved beside " << *collective << ": " << *op;
      SetVector<Operation *> moved;
      moved.insert(op);
      addViews(moved, collective);
      moveBehind(collective, moved.takeVector());
      missing -= seconds;
      isFirst = false;
      ++numMoved;
    }
  }
}
