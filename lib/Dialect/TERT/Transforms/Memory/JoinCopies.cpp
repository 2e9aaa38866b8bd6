// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-join-copies: one call for several copies.

#include "../Footprint.h"
#include "te/Dialect/TE/IR/Cost.h"
#include "te/Dialect/TERT/IR/ExchangeOps.h"
#include "te/Dialect/TERT/IR/MovementOps.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTJOINCOPIES
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

/// A temporary of so many bytes may live some calls longer.
static constexpr int64_t kSmallBytes = 64 << 10;

namespace {
/// Copies that are to become one.
class Group {
public:
  bool conflictsWith(const Footprint &other) const {
    return footprint.conflictsWith(other);
  }
  void add(tert::CopyOp copy) {
    copies.push_back(copy);
    footprint.add(copy);
  }
  /// Joins the copies where the last of them is and forgets them. Returns how
  /// many there were, or 0 for one that stays alone.
  unsigned join();

private:
  SmallVector<tert::CopyOp> copies;
  Footprint footprint;
};

struct TERTJoinCopies : te::impl::TERTJoinCopiesBase<TERTJoinCopies> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (Block &block : function.getBody())
        joinIn(block);
  }

private:
  bool canJoin(tert::CopyOp copy) const;
  void joinIn(Block &block);
};
} // namespace

unsigned Group::join() {
  SmallVector<tert::CopyOp> joined;
  std::swap(joined, copies);
  footprint = Footprint();
  if (joined.size() < 2)
    return 0;
  SmallVector<Value> x, y;
  for (tert::CopyOp copy : joined) {
    x.push_back(copy.getX());
    y.push_back(copy.getY());
  }
  OpBuilder builder(joined.back());
  tert::MultiCopyOp::create(builder, joined.front().getLoc(), TypeRange(), x,
                            y);
  for (tert::CopyOp copy : joined)
    copy.erase();
  return x.size();
}

/// Whether a copy may be made somewhat later, and beside others.
bool TERTJoinCopies::canJoin(tert::CopyOp copy) const {
  if (!llvm::all_of(copy->getOperandTypes(), llvm::IsaPred<MemRefType>) ||
      std::max(getBytes(copy.getX().getType()),
               getBytes(copy.getY().getType())) > double(maxBytes))
    return false;
  Value source = Footprint::getBuffer(copy.getX());
  // Within one buffer it depends on the order of the elements.
  return source != Footprint::getBuffer(copy.getY()) &&
         (isa<BlockArgument>(source) ||
          getBytes(source.getType()) <= kSmallBytes);
}

void TERTJoinCopies::joinIn(Block &block) {
  Group group;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    Footprint footprint;
    if (!footprint.add(&op) || group.conflictsWith(footprint) ||
        isa<tert::AwaitOp>(op))
      numJoined += group.join();
    if (auto copy = dyn_cast<tert::CopyOp>(op); copy && canJoin(copy))
      group.add(copy);
  }
  numJoined += group.join();
}
