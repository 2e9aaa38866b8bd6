// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-join-updates: updates all parameters in one call.

#include "Footprint.h"
#include "JoinCalls.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTJOINUPDATES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-join-updates"

using namespace mlir;
using namespace mlir::te;

namespace {

/// Calls to merge into one.
class CallGroup {
public:
  bool empty() const { return calls.empty(); }
  /// True if `call` can be merged with those of the group.
  bool isAlike(Operation *call) { return calls.front().isAlike(call); }
  bool isOfKind(Operation *call) { return calls.front().isOfKind(call); }
  bool conflictsWith(const Footprint &other) const {
    return footprint.conflictsWith(other);
  }
  void add(tert::UpdateCallOpInterface call);
  /// Merges the calls at the position of the last of them and clears the group.
  /// Returns their number, or 0 for a single call, which stays.
  unsigned join();

private:
  SmallVector<tert::UpdateCallOpInterface> calls;
  Footprint footprint;
};

} // namespace

void CallGroup::add(tert::UpdateCallOpInterface call) {
  calls.push_back(call);
  footprint.add(call);
}

unsigned CallGroup::join() {
  SmallVector<tert::UpdateCallOpInterface> joined;
  std::swap(joined, calls);
  footprint = Footprint();
  if (joined.size() < 2)
    return 0;
  LDBG() << "taken, " << joined.size() << " calls as one at " << joined.back();
  SmallVector<Operation *> ops(joined.begin(), joined.end());
  OpBuilder builder(ops.back());
  joined.back().join(builder, ops.front()->getLoc(), ops);
  for (Operation *op : ops)
    op->erase();
  return ops.size();
}

/// Calls of one kind do not wait for those of another.
unsigned mlir::te::joinCalls(Block &block,
                             llvm::function_ref<bool(Operation *)> takes) {
  unsigned numJoined = 0;
  // One for each kind of call, as kinds do not end each other's groups.
  SmallVector<CallGroup> groups;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    Footprint footprint;
    bool isKnown = footprint.add(&op);
    auto call = dyn_cast<tert::UpdateCallOpInterface>(op);
    if (call && !takes(&op))
      call = {};
    if (call &&
        !llvm::all_of(call->getOperandTypes(), llvm::IsaPred<MemRefType>))
      continue;
    for (CallGroup &group : groups)
      if (!isKnown || group.conflictsWith(footprint) ||
          (call && group.isOfKind(call) && !group.isAlike(call))) {
        LDBG() << "calls so far are not joined with later ones because of "
               << op;
        numJoined += group.join();
      }
    llvm::erase_if(groups,
                   [](const CallGroup &group) { return group.empty(); });
    if (!call)
      continue;
    auto *own = llvm::find_if(
        groups, [&](CallGroup &group) { return group.isOfKind(call); });
    if (own == groups.end())
      own = &groups.emplace_back();
    own->add(call);
  }
  for (CallGroup &group : groups)
    numJoined += group.join();
  return numJoined;
}

namespace {
struct TERTJoinUpdates : te::impl::TERTJoinUpdatesBase<TERTJoinUpdates> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      numJoined += joinCalls(block, [](Operation *call) {
        return !isa<CollectiveOpInterface>(call);
      });
  }
};
} // namespace
