// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of collectives that depend on arguments alone are made while another
// collective is in flight.

#include "Distribution/ExchangeSchedule.h"

using namespace mlir;
using namespace mlir::te;

/// The ops that make a collective's operand, if they need only arguments.
std::optional<ReadyWork>
ExchangeSchedule::findReadyWork(Operation *exchange) const {
  ReadyWork ready{exchange, {}};
  SetVector<Operation *> ops;
  SmallVector<Operation *> todo = {exchange};
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
bool ExchangeSchedule::exchangeEarlier(ReadyWork &ready) {
  SetVector<Operation *> moved;
  SmallVector<Operation *> together = {ready.exchange};
  moved.insert_range(ready.ops);
  Operation *source = findSource(ready.exchange);
  for (Operation *other : exchanges)
    if (ready.exchange->isBeforeInBlock(other) && findSource(other) == source)
      if (std::optional<ReadyWork> same = findReadyWork(other)) {
        moved.insert_range(same->ops);
        together.push_back(other);
      }
  double needed = 0;
  for (Operation *exchange : together) {
    moved.insert(exchange);
    needed += time.getSeconds(exchange);
  }
  Operation *place = nullptr;
  for (Operation *op = findReader(ready.exchange)->getPrevNode(); op && !place;
       op = op->getPrevNode()) {
    if (moved.contains(op))
      continue;
    if (!time.isExchange(op))
      needed -= getSeconds(op);
    else if (needed <= 0 && isUrgent(op))
      place = op;
    else
      needed += time.getSeconds(op);
  }
  // Operands made before that point are sent as soon as they are made, anyway.
  if (!place || !source || !place->isBeforeInBlock(source))
    return false;
  while (time.isExchange(place->getNextNode()) &&
         !moved.contains(place->getNextNode()))
    place = place->getNextNode();
  moved.remove_if([&](Operation *op) { return op->isBeforeInBlock(place); });
  moveBehind(place, moved.takeVector());
  placed.insert_range(together);
  return true;
}

/// Places collectives whose operands are made from arguments alone. Otherwise
/// they stay where their results are read, with all that they need.
void ExchangeSchedule::placeReady() {
  for (Operation *exchange : exchanges) {
    if (placed.contains(exchange) || !isUrgent(exchange))
      continue;
    std::optional<ReadyWork> ready = findReadyWork(exchange);
    if (!ready || ready->seconds == 0 || !exchangeEarlier(*ready))
      continue;
    for (Operation *op : ready->ops)
      if (!isLight(op))
        claimed.insert(op);
    readyWork.push_back(std::move(*ready));
  }
}

/// Makes the operand of a later collective while `exchange` is in flight.
void ExchangeSchedule::takeReady(Operation *exchange, double wanted) {
  Operation *const reader = findReader(exchange);
  Operation *place = reader;
  for (Operation *user : exchange->getUsers())
    if (Operation *op = body.findAncestorOpInBlock(*user);
        op->isBeforeInBlock(place))
      place = op;
  for (ReadyWork &ready : readyWork) {
    // Results needed much later would occupy memory for long.
    unsigned passed = 0;
    for (Operation *op = reader; op && op != ready.exchange;
         op = op->getNextNode())
      passed += time.isExchange(op) && isUrgent(op) && !findCompanion(op);
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
}
