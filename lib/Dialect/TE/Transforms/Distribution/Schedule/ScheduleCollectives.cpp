// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-schedule-collectives: starts collectives that tensor and context parallel
// ranks wait for early, and overlaps them, and the collective at the end of the
// data parallel backward pass, with independent work.

#include "Distribution/Schedule/CollectiveSchedule.h"
#include "te/Dialect/TE/IR/CollectiveInterface.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TESCHEDULECOLLECTIVES
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-schedule-collectives"

using namespace mlir;
using namespace mlir::te;

namespace {
struct TEScheduleCollectives
    : te::impl::TEScheduleCollectivesBase<TEScheduleCollectives> {
  using TEScheduleCollectivesBase::TEScheduleCollectivesBase;
  void runOnOperation() override;
};

} // namespace

bool mlir::te::isLight(Operation *op) {
  return !getWork(op) && op->getNumRegions() == 0 && isPure(op) &&
         !isa_and_present<shard::ShardDialect>(op->getDialect()) &&
         !isa<CollectiveOpInterface>(op);
}

void mlir::te::moveBehind(Operation *place, SmallVector<Operation *> ops) {
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : ops) {
    op->moveAfter(place);
    place = op;
  }
}

void mlir::te::addViews(SetVector<Operation *> &ops, Operation *place) {
  for (unsigned i = 0; i < ops.size(); ++i)
    for (Operation *user : ops[i]->getUsers())
      if (user->getBlock() == place->getBlock() && user->isBeforeInBlock(place))
        ops.insert(user);
}

CollectiveSchedule::CollectiveSchedule(func::FuncOp function,
                                       const CollectiveCosts &time,
                                       const CostModel &costs)
    : body(function.getBody().front()), time(time), costs(costs) {
  for (Operation &op : body)
    if (time.isCollective(&op))
      collectives.push_back(&op);
  // A parameter or state is the argument and the result of one name.
  llvm::DenseMap<Attribute, Value> states;
  for (StringRef name : {kParamAttr, kStateAttr}) {
    states.clear();
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (Attribute state = function.getArgAttr(i, name))
        states[state] = function.getArgument(i);
    for (OpOperand &result : body.getTerminator()->getOpOperands()) {
      Value old = states.lookup(
          function.getResultAttr(result.getOperandNumber(), name));
      Operation *op = result.get().getDefiningOp();
      while (op && isLight(op) && op->getNumOperands() != 0)
        op = op->getOperand(0).getDefiningOp();
      if (old && op)
        updaters[op].push_back(old);
    }
  }
}

double CollectiveSchedule::getSeconds(Operation *op) const {
  std::optional<Work> work = getWork(op);
  // A rank's shard is copied out of the full tensor.
  if (isa<shard::AllSliceOp>(op)) {
    work.emplace().kernel = "copy";
    work->bytes = 2 * getBytes(op->getResult(0).getType());
  }
  std::optional<Cost> cost =
      work ? costs.getCost(*work) : std::optional<Cost>();
  return cost ? cost->seconds : 0;
}

/// The first op with a kernel that reads the result of `op`, or the terminator;
/// depending on `behind`, the first after the gradient's sum over ranks, or
/// after the rank's shard of that sum.
Operation *CollectiveSchedule::findReader(Operation *op, Behind behind) const {
  Operation *first = body.getTerminator();
  SmallVector<Operation *> todo = {op};
  while (!todo.empty())
    for (Operation *user : todo.pop_back_val()->getUsers()) {
      user = body.findAncestorOpInBlock(*user);
      if (isLight(user) ||
          (behind != Behind::Op && isa<shard::AllReduceOp>(user)) ||
          (behind == Behind::Part && isa<shard::ReduceScatterOp>(user)))
        todo.push_back(user);
      else if (user->isBeforeInBlock(first))
        first = user;
    }
  return first;
}

/// The ops, after `op` and not after `until`, that make the new value of an
/// argument that `op` reads: both share one buffer.
SmallVector<Operation *>
CollectiveSchedule::findUpdates(Operation *op, Operation *until) const {
  SmallVector<Operation *> found;
  SmallVector<Operation *> todo = {op};
  while (!todo.empty())
    for (Value operand : todo.pop_back_val()->getOperands()) {
      if (Operation *producer = operand.getDefiningOp()) {
        if (isLight(producer))
          todo.push_back(producer);
        continue;
      }
      for (auto &[updater, olds] : updaters)
        if (llvm::is_contained(olds, operand) && op->isBeforeInBlock(updater) &&
            !until->isBeforeInBlock(updater))
          found.push_back(updater);
    }
  return found;
}

/// The last kernel whose result the collective reads; null if it depends on
/// arguments alone. Adds the views between to `chain`.
Operation *CollectiveSchedule::findSource(Operation *collective,
                                          SetVector<Operation *> &chain) const {
  SmallVector<Operation *> todo = {collective};
  Operation *last = nullptr;
  while (!todo.empty()) {
    Operation *op = todo.pop_back_val();
    chain.insert(op);
    for (Value operand : op->getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (!producer)
        continue;
      if (isLight(producer))
        todo.push_back(producer);
      else if (!last || last->isBeforeInBlock(producer))
        last = producer;
    }
  }
  return last;
}

/// The collective before `collective`, if its operand comes from the same
/// kernel and it is awaited sooner: `collective` begins when it completes.
Operation *CollectiveSchedule::findCompanion(Operation *collective) const {
  auto *it = llvm::find(collectives, collective);
  if (it == collectives.begin())
    return nullptr;
  Operation *before = *std::prev(it), *source = findSource(collective);
  return source && findSource(before) == source &&
                 findReader(before)->isBeforeInBlock(findReader(collective))
             ? before
             : nullptr;
}

/// Moves it right after the last kernel whose result it reads.
bool CollectiveSchedule::hoist(Operation *collective) {
  SetVector<Operation *> chain;
  Operation *last = findSource(collective, chain);
  // Arguments are available from the start.
  if (!last)
    return false;
  if (Operation *before = findCompanion(collective);
      before && before->isBeforeInBlock(collective))
    last = before;
  bool passesWork = false;
  for (Operation *op = last->getNextNode(); op != collective;
       op = op->getNextNode())
    passesWork |= !isLight(op);
  if (!passesWork)
    return false;
  LDBG() << "starts earlier, after " << *last << ": " << *collective;
  chain.remove_if([&](Operation *op) { return op->isBeforeInBlock(last); });
  moveBehind(last, chain.takeVector());
  return true;
}

/// Of the work before `collective` that is not needed until after it, the
/// smallest that takes as long as `wanted` (the latest of several); else the
/// largest. Null if none is worth moving.
Operation *CollectiveSchedule::findBefore(Operation *collective,
                                          double wanted) const {
  llvm::DenseSet<Operation *> needed;
  auto need = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        needed.insert(producer);
  };
  need(collective);
  Operation *best = nullptr;
  double bestSeconds = 0;
  unsigned passed = 0;
  Operation *behind = collective;
  for (Operation *op = collective->getPrevNode(); op; op = op->getPrevNode()) {
    if (time.isCollective(op) && isUrgent(op) && !findCompanion(op)) {
      passed += findReader(op)->isBeforeInBlock(behind);
      if (passed == kReach)
        break;
      behind = op;
    }
    if (needed.contains(op)) {
      need(op);
      continue;
    }
    const double seconds = getSeconds(op);
    // Small sums are reduced together, and wait for the last.
    const Behind behind =
        isa<MatmulOp, ScaledMatmulOp>(op) ? Behind::Sum : Behind::Op;
    if (isLight(op) || !isMovable(op) || seconds < wanted * kMinFraction ||
        findReader(op, behind)->isBeforeInBlock(collective) ||
        !findUpdates(op, collective).empty())
      continue;
    const bool isBetter = bestSeconds < wanted
                              ? seconds > bestSeconds
                              : seconds >= wanted && seconds < bestSeconds;
    if (isBetter) {
      best = op;
      bestSeconds = seconds;
    }
  }
  return best;
}

/// Moves work that is not yet needed from before `collective` to after it.
double CollectiveSchedule::takeFromBefore(Operation *collective,
                                          double wanted) {
  while (wanted > 0) {
    Operation *op = findBefore(collective, wanted);
    if (!op)
      break;
    SetVector<Operation *> moved;
    moved.insert(op);
    addViews(moved, collective);
    moveBehind(collective, moved.takeVector());
    claimed.insert(op);
    wanted -= getSeconds(op);
    ++numMoved;
  }
  return wanted;
}

/// Moves ready work before the collective's reader: its first user, which may
/// be a copy into a larger tensor.
double CollectiveSchedule::takeFromBehind(Operation *collective,
                                          double wanted) {
  Operation *const reader = findReader(collective);
  Operation *place = reader, *until = reader;
  for (Operation *user : collective->getUsers())
    if (Operation *op = body.findAncestorOpInBlock(*user);
        op->isBeforeInBlock(place))
      place = op;
  const double least = wanted * kMinFraction;
  // Results of other collectives become available only when awaited.
  llvm::DenseSet<Operation *> waiting;
  for (Operation *op = collective; op != reader; op = op->getNextNode())
    if (time.isCollective(op))
      waiting.insert(op);
  unsigned passed = 0;
  for (Operation *op = place, *next;
       !op->hasTrait<OpTrait::IsTerminator>() && wanted > 0; op = next) {
    next = op->getNextNode();
    const bool isBeside = op->isBeforeInBlock(reader);
    if (!isBeside && time.isCollective(op) && isUrgent(op) &&
        !findCompanion(op)) {
      passed += until->isBeforeInBlock(op);
      if (passed == kReach)
        break;
      until = findReader(op);
    }
    bool waits = op == place || op->getNumRegions() > 1;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        waits |= waiting.contains(operand.getDefiningOp());
    });
    const double seconds = getSeconds(op);
    // Ready views come along, whether or not the moved work reads them, as does
    // what already stands before the reader.
    const bool comesAlong =
        isLight(op) || (isBeside && isPure(op) && !time.isCollective(op));
    if (waits || (!comesAlong && (!isMovable(op) || seconds < least))) {
      waiting.insert(op);
      continue;
    }
    op->moveBefore(place);
    if (comesAlong)
      continue;
    claimed.insert(op);
    wanted -= seconds;
    ++numMoved;
  }
  return wanted;
}

void CollectiveSchedule::fill(Operation *collective) {
  Operation *reader = findReader(collective);
  double missing = time.getSeconds(collective);
  SmallVector<Operation *> beside;
  Operation *first = collective->getNextNode();
  if (Operation *before = findCompanion(collective);
      before && collective->isBeforeInBlock(findReader(before)))
    first = findReader(before);
  for (Operation *op = first; op != reader && missing > 0;
       op = op->getNextNode())
    if (double seconds = getSeconds(op); seconds > 0 && !claimed.contains(op)) {
      beside.push_back(op);
      missing -= seconds;
    }
  // The rest of the entry overlaps this one: it can do without these.
  if (missing <= 0 && !isUrgent(collective))
    return;
  claimed.insert_range(beside);
  if (missing > 0)
    missing = takeFromBefore(collective, missing);
  if (missing > 0)
    missing = takeFromBehind(collective, missing);
  if (missing > 0)
    missing = takeReady(collective, missing);
  if (missing > 0)
    LDBG() << "exposed for " << missing * 1e6 << " of "
           << time.getSeconds(collective) * 1e6
           << " us, no other work can move beside it: " << *collective;
}

/// A collective whose result can wait does not delay the next one.
void CollectiveSchedule::letOthersFirst() {
  for (Operation *collective : collectives) {
    if (isUrgent(collective))
      continue;
    double beside = 0;
    for (Operation *op = collective->getNextNode();
         op && beside < time.getSeconds(collective); op = op->getNextNode()) {
      beside += getSeconds(op);
      if (!time.isCollective(op) || !isUrgent(op))
        continue;
      SetVector<Operation *> moved;
      moved.insert(collective);
      addViews(moved, op);
      moveBehind(op, moved.takeVector());
      break;
    }
  }
}

/// New states without readers come last: readers of the old ones may then move
/// after any collective.
void CollectiveSchedule::sinkUpdates() {
  if (collectives.empty())
    return;
  Operation *end = body.getTerminator();
  for (Operation *op = collectives.back()->getPrevNode(), *previous; op;
       op = previous) {
    previous = op->getPrevNode();
    if (!updaters.contains(op) || !isPure(op) || findReader(op) != end)
      continue;
    // Views after it may read the moved results, too.
    SetVector<Operation *> moved;
    moved.insert(op);
    addViews(moved, collectives.back());
    moveBehind(collectives.back(), moved.takeVector());
  }
}

void CollectiveSchedule::run() {
  sinkUpdates();
  llvm::DenseSet<Operation *> hoisted;
  auto hoistUrgent = [&](Operation *collective) {
    if (!placed.contains(collective) && isUrgent(collective) &&
        hoist(collective))
      hoisted.insert(collective);
  };
  placeReady();
  for (Operation *collective : llvm::reverse(collectives)) {
    if (placed.contains(collective))
      continue;
    hoistUrgent(collective);
    fill(collective);
  }
  // Their operands may now be available earlier.
  for (Operation *collective : collectives)
    hoistUrgent(collective);
  numHoisted = hoisted.size() + placed.size();
  letOthersFirst();
}

void TEScheduleCollectives::runOnOperation() {
  func::FuncOp function = getOperation();
  auto module = function->getParentOfType<ModuleOp>();
  FailureOr<std::optional<CollectiveCosts>> time = CollectiveCosts::get(
      module, {kTensorAxis, kContextAxis, kExpertAxis}, cluster);
  if (failed(time))
    return signalPassFailure();
  FailureOr<std::optional<CollectiveCosts>> ofData =
      CollectiveCosts::get(module, {kDataAxis}, cluster);
  if (failed(ofData))
    return signalPassFailure();
  CostModel costs(module);
  if (!costs || !function->hasAttr(kEntryAttr) || function.isExternal() ||
      !function.getBody().hasOneBlock())
    return;
  if (*time) {
    CollectiveSchedule schedule(function, **time, costs);
    schedule.run();
    numHoisted += schedule.numHoisted;
    numMoved += schedule.numMoved;
  }
  if (*ofData) {
    CollectiveSchedule schedule(function, **ofData, costs);
    schedule.fillRows();
    numMoved += schedule.numMoved;
  }
}
