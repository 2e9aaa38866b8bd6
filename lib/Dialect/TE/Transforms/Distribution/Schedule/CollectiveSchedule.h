// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-schedule-collectives' order of one entry's ops: collectives and the work
// that overlaps them in ScheduleCollectives.cpp, work that can run at any time
// in ScheduleReadyWork.cpp, and the wait of data parallel ranks at the end of
// the backward pass in ScheduleRows.cpp.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SCHEDULE_COLLECTIVESCHEDULE_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SCHEDULE_COLLECTIVESCHEDULE_H

#include "Distribution/Schedule/CollectiveCosts.h"
#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

#include <optional>

namespace mlir::te {

/// Work moves past at most this many collectives: its operands or results would
/// otherwise stay allocated for long. Collectives in flight together count
/// once.
inline constexpr unsigned kReach = 2;
/// Work that takes less than this fraction of the missing time is not moved.
inline constexpr double kMinFraction = 1.0 / 16;

/// Ops that make a collective's operand from the entry's arguments alone, and
/// so can run at any time.
struct ReadyWork {
  Operation *collective;
  /// In program order.
  SmallVector<Operation *> ops;
  double seconds = 0;
  bool isTaken = false;
};

/// Schedules the ops of one entry.
class CollectiveSchedule {
public:
  CollectiveSchedule(func::FuncOp function, const CollectiveCosts &time,
                     const CostModel &costs);

  void run();
  /// Moves gradients of weights next to the gathers of lookups' rows.
  void fillRows();

  unsigned numHoisted = 0, numMoved = 0;

private:
  double getSeconds(Operation *op) const;

  enum class Behind { Op, Sum, Part };
  Operation *findReader(Operation *op, Behind behind = Behind::Op) const;
  bool isUrgent(Operation *collective) const {
    return !findReader(collective)->hasTrait<OpTrait::IsTerminator>();
  }
  bool isMovable(Operation *op) const {
    return isPure(op) && !op->hasTrait<OpTrait::IsTerminator>() &&
           !time.isCollective(op) && !claimed.contains(op) &&
           !updaters.contains(op);
  }
  SmallVector<Operation *> findUpdates(Operation *op, Operation *until) const;
  bool sinkUpdatesOf(Operation *op, Operation *collective);

  Operation *findSource(Operation *collective,
                        llvm::SetVector<Operation *> &chain) const;
  Operation *findSource(Operation *collective) const {
    llvm::SetVector<Operation *> chain;
    return findSource(collective, chain);
  }
  Operation *findCompanion(Operation *collective) const;
  bool hoist(Operation *collective);
  void fill(Operation *collective);
  std::optional<ReadyWork> findReadyWork(Operation *collective) const;
  bool startEarlier(ReadyWork &ready);
  void placeReady();
  double takeReady(Operation *collective, double wanted);
  void sinkUpdates();
  Operation *findBefore(Operation *collective, double wanted) const;
  double takeFromBefore(Operation *collective, double wanted);
  double takeFromBehind(Operation *collective, double wanted);
  void letOthersFirst();

  Block &body;
  const CollectiveCosts &time;
  const CostModel &costs;
  SmallVector<Operation *> collectives;
  /// For ops that make new values of arguments, the arguments.
  llvm::DenseMap<Operation *, SmallVector<Value>> updaters;
  /// Ops already chosen to overlap a collective.
  llvm::DenseSet<Operation *> claimed;
  /// Ready work of collectives that have been placed.
  SmallVector<ReadyWork> readyWork;
  llvm::DenseSet<Operation *> placed;
};

/// True if an op launches no kernel: it becomes a view of a buffer.
bool isLight(Operation *op);

/// Moves ops after `place`, keeping their order.
void moveBehind(Operation *place, SmallVector<Operation *> ops);

/// Adds the users of the results of `ops` that stand before `place`: views of
/// them and their sums over ranks.
void addViews(llvm::SetVector<Operation *> &ops, Operation *place);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SCHEDULE_COLLECTIVESCHEDULE_H
