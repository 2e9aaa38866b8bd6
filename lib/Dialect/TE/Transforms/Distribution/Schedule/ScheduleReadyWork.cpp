// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of collectives that depend on arguments alone are made while another
// collective is in flight.

#include "Distribution/Schedule/CollectiveSchedule.h"

#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "te-schedule-collectives"

using namespace mlir;
using namespace mlir::te;

/// The ops that make a collective's operand, if they need only arguments.
std::optional<ReadyWork>
CollectiveSchedule::findReadyWork(Operation *collective) const {
  ReadyWork ready{collective, {}};
  SetVector<Operation *> ops;
  SmallVector<Operation *> todo = {collective};
  while (!todo.empty())
    for (Value operand : todo.pop_back_val()->getOperands()) {
      Operation *op = operand.getDefiningOp();
      if (!op || ops.contains(op))
        continue;
      if (op->getBlock() != &body || op->getNumRegions() != 0 || !isMovable(op))
        return std::nullopt;
      ops.insert(op);
      todo.push_back(op);
      ready.seconds += getSeconds(op);
    }
  ready.ops = ops.takeVector();
  llvm::sort(ready.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ready;
}

/// Starts the collective, and others of the same kernel's results, after an
/// earlier one: the latest that is followed by enough work for all of them.
bool CollectiveSchedule::startEarlier(ReadyWork &ready) {
  SetVector<Operation *> moved;
  SmallVector<Operation *> together = {ready.collective};
  moved.insert_range(ready.ops);
  Operation *source = findSource(ready.collective);
  for (Operation *other : collectives)
    if (ready.collective->isBeforeInBlock(other) && findSource(other) == source)
      if (std::optional<ReadyWork> same = findReadyWork(other)) {
        moved.insert_range(same->ops);
        together.push_back(other);
      }
  double needed = 0;
  for (Operation *collective : together) {
    moved.insert(collective);
    needed += time.getSeconds(collective);
  }
  Operation *place = nullptr;
  for (Operation *op = findReader(ready.collective)->getPrevNode();
       op && !place; op = op->getPrevNode()) {
    if (moved.contains(op))
      continue;
    if (!time.isCollective(op))
      needed -= getSeconds(op);
    else if (needed <= 0 && isUrgent(op))
      place = op;
    else
      needed += time.getSeconds(op);
  }
  // Operands made before that point are sent as soon as they are made, anyway.
  if (!place || !source || !place->isBeforeInBlock(source)) {
    LDBG() << "not started earlier, no collective before it has enough work "
              "after it: "
           << *ready.collective;
    return false;
  }
  while (time.isCollective(place->getNextNode()) &&
         !moved.contains(place->getNextNode()))
    place = place->getNextNode();
  moved.remove_if([&](Operation *op) { return op->isBeforeInBlock(place); });
  moveBehind(place, moved.takeVector());
  placed.insert_range(together);
  return true;
}

/// Places collectives whose operands are made from arguments alone. Otherwise
/// they stay where their results are read, with all that they need.
void CollectiveSchedule::placeReady() {
  for (Operation *collective : collectives) {
    if (placed.contains(collective) || !isUrgent(collective))
      continue;
    std::optional<ReadyWork> ready = findReadyWork(collective);
    if (!ready || ready->seconds == 0 || !startEarlier(*ready))
      continue;
    for (Operation *op : ready->ops)
      if (!isLight(op))
        claimed.insert(op);
    readyWork.push_back(std::move(*ready));
  }
}

/// Makes the operand of a later collective while `collective` is in flight.
/// Returns the time that is still wanted.
double CollectiveSchedule::takeReady(Operation *collective, double wanted) {
  Operation *const reader = findReader(collective);
  Operation *place = reader;
  for (Operation *user : collective->getUsers())
    if (Operation *op = body.findAncestorOpInBlock(*user);
        op->isBeforeInBlock(place))
      place = op;
  for (ReadyWork &ready : readyWork) {
    // Results needed much later would occupy memory for long.
    unsigned passed = 0;
    for (Operation *op = reader; op && op != ready.collective;
         op = op->getNextNode())
      passed += time.isCollective(op) && isUrgent(op) && !findCompanion(op);
    if (ready.isTaken || 2 * wanted < ready.seconds || passed > kReach ||
        !llvm::all_of(ready.ops, [&](Operation *op) {
          return isLight(op) || reader->isBeforeInBlock(op);
        }))
      continue;
    for (Operation *op : ready.ops)
      if (place->isBeforeInBlock(op))
        op->moveBefore(place);
    ready.isTaken = true;
    wanted -= ready.seconds;
    ++numMoved;
  }
  return wanted;
}
