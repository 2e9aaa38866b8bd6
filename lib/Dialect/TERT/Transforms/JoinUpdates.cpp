// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-join-updates: one call updates all parameters.

#include "Footprint.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTJOINUPDATES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

namespace {

/// Calls that are to become one.
class Group {
public:
  bool empty() const { return calls.empty(); }
  /// Whether `call` has the scalars of the group.
  bool isAlike(tert::AdamWOp call) const;
  bool conflictsWith(const Footprint &other) const {
    return footprint.conflictsWith(other);
  }
  void add(tert::AdamWOp call);
  /// Joins the calls where the last of them is and forgets them. Returns how
  /// many there were, or 0 for one that stays alone.
  unsigned join();

private:
  SmallVector<tert::AdamWOp> calls;
  Footprint footprint;
};

} // namespace

static std::array<Value, 7> getScalars(tert::AdamWOp op) {
  return {op.getCoefficient(), op.getLr(),  op.getBeta1(),
          op.getBeta2(),       op.getEps(), op.getWeightDecay(),
          op.getStep()};
}

bool Group::isAlike(tert::AdamWOp call) const {
  tert::AdamWOp first = calls.front();
  return getScalars(first) == getScalars(call);
}

void Group::add(tert::AdamWOp call) {
  calls.push_back(call);
  footprint.add(call);
}

unsigned Group::join() {
  SmallVector<tert::AdamWOp> joined;
  std::swap(joined, calls);
  footprint = Footprint();
  if (joined.size() < 2)
    return 0;
  SmallVector<Value> gradients, scales, params, expAvgs, expAvgSqs, rowwise,
      columnwise, amaxes;
  SmallVector<int32_t> decays, copies;
  for (tert::AdamWOp call : joined) {
    gradients.push_back(call.getGradient());
    params.push_back(call.getParam());
    expAvgs.push_back(call.getExpAvg());
    expAvgSqs.push_back(call.getExpAvgSq());
    decays.push_back(call.getDecay());
    int32_t has = 0;
    auto addIf = [&](SmallVector<Value> &list, Value value, int32_t part) {
      if (!value)
        return;
      list.push_back(value);
      has |= part;
    };
    addIf(rowwise, call.getRowwise(), tert::Rowwise);
    addIf(columnwise, call.getColumnwise(), tert::Columnwise);
    addIf(amaxes, call.getAmax(), tert::Amax);
    // A call without copies has no use for a scale.
    if (has & (tert::Rowwise | tert::Columnwise))
      scales.push_back(call.getScale());
    copies.push_back(has);
  }
  tert::AdamWOp last = joined.back();
  OpBuilder builder(last);
  tert::MultiAdamWOp::create(
      builder, joined.front().getLoc(), TypeRange(), gradients,
      last.getCoefficient(), last.getLr(), last.getBeta1(), last.getBeta2(),
      last.getEps(), last.getWeightDecay(), last.getStep(), scales, params,
      expAvgs, expAvgSqs, rowwise, columnwise, amaxes, decays, copies);
  for (tert::AdamWOp call : joined)
    call.erase();
  return joined.size();
}

namespace {
struct TERTJoinUpdates : te::impl::TERTJoinUpdatesBase<TERTJoinUpdates> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        joinIn(block);
  }

private:
  void joinIn(Block &block) {
    Group group;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      Footprint footprint;
      bool isKnown = footprint.add(&op);
      auto call = dyn_cast<tert::AdamWOp>(op);
      if (call &&
          !llvm::all_of(call->getOperandTypes(), llvm::IsaPred<MemRefType>))
        continue;
      if (!group.empty() && (!isKnown || group.conflictsWith(footprint) ||
                             (call && !group.isAlike(call))))
        numJoined += group.join();
      if (call)
        group.add(call);
    }
    numJoined += group.join();
  }
};
} // namespace
