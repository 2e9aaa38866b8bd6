// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-join-copies: merges several copies, or fills, into one call.

#include "../Footprint.h"
#include "te/Dialect/TE/IR/Cost.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTJOINCOPIES
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-join-copies"

using namespace mlir;
using namespace mlir::te;

/// Largest temporary, in bytes, whose lifetime may be extended by some calls.
static constexpr int64_t kSmallBytes = 64 << 10;

/// Builds one call that replaces several.
static void createJoint(OpBuilder &builder, ArrayRef<tert::CopyOp> copies) {
  SmallVector<Value> x, y;
  for (tert::CopyOp copy : copies) {
    x.push_back(copy.getX());
    y.push_back(copy.getY());
  }
  tert::MultiCopyOp::create(builder, copies.front()->getLoc(), TypeRange(), x,
                            y);
}

static void createJoint(OpBuilder &builder, ArrayRef<tert::FillOp> fills) {
  SmallVector<Value> y;
  tert::FillOp first = fills.front();
  for (tert::FillOp fill : fills)
    y.push_back(fill.getY());
  tert::MultiFillOp::create(builder, first.getLoc(), TypeRange(), y,
                            first.getValueAttr());
}

namespace {
/// Calls of one kind to merge into one.
template <typename Op> class Group {
public:
  bool conflictsWith(const Footprint &other) const {
    return footprint.conflictsWith(other);
  }
  void add(Op call) {
    calls.push_back(call);
    footprint.add(call);
  }
  /// Merges the calls at the position of the last of them and clears the group.
  /// Returns their number, or 0 for a single call, which stays.
  unsigned join() {
    SmallVector<Op> joined;
    std::swap(joined, calls);
    footprint = Footprint();
    if (joined.size() < 2)
      return 0;
    LDBG() << "taken, " << joined.size() << " calls as one at "
           << joined.back();
    OpBuilder builder(joined.back());
    createJoint(builder, joined);
    for (Op call : joined)
      call->erase();
    return joined.size();
  }
  /// Appends the calls of `other`.
  void take(Group &other) {
    llvm::append_range(calls, other.calls);
    footprint.add(other.footprint);
    other = Group();
  }
  /// The first of them; null if there is none.
  Op getFirst() const { return calls.empty() ? Op() : calls.front(); }

private:
  SmallVector<Op> calls;
  Footprint footprint;
};

struct TERTJoinCopies : te::impl::TERTJoinCopiesBase<TERTJoinCopies> {
  using Base::Base;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      joinIn(block);
  }

private:
  bool canJoin(tert::CopyOp copy) const;
  void joinIn(Block &block);
};
} // namespace

/// True if a copy may be made somewhat later, and in parallel with others.
bool TERTJoinCopies::canJoin(tert::CopyOp copy) const {
  if (!llvm::all_of(copy->getOperandTypes(), llvm::IsaPred<MemRefType>) ||
      std::max(getBytes(copy.getX().getType()),
               getBytes(copy.getY().getType())) > double(maxBytes))
    return false;
  Value source = Footprint::getBuffer(copy.getX());
  // Within one buffer the result depends on the order of the elements.
  return source != Footprint::getBuffer(copy.getY()) &&
         (isa<BlockArgument>(source) ||
          getBytes(source.getType()) <= kSmallBytes);
}

/// True if a fill writes state that is kept between calls, like sums over
/// microbatches: it may move later, and takes no memory.
static bool canJoin(tert::FillOp fill) {
  Value y = fill.getY();
  return isa<MemRefType>(y.getType()) &&
         isa<BlockArgument>(Footprint::getBuffer(y));
}

void TERTJoinCopies::joinIn(Block &block) {
  // Those before the last await that is followed by one, and the others.
  Group<tert::CopyOp> early, copies;
  bool isBehindAwait = false;
  Group<tert::FillOp> fills;
  auto joinCopies = [&] { numJoined += early.join() + copies.join(); };
  for (Operation &op : llvm::make_early_inc_range(block)) {
    Footprint footprint;
    const bool isKnown = footprint.add(&op);
    auto fill = dyn_cast<tert::FillOp>(op);
    if (!isKnown || early.conflictsWith(footprint) ||
        copies.conflictsWith(footprint))
      joinCopies();
    isBehindAwait |= isa<tert::AwaitOp>(op);
    if (!isKnown || fills.conflictsWith(footprint) ||
        (fill && fills.getFirst() &&
         fill.getValueAttr() != fills.getFirst().getValueAttr()))
      numJoined += fills.join();
    if (auto copy = dyn_cast<tert::CopyOp>(op); copy && canJoin(copy)) {
      if (isBehindAwait)
        early.take(copies);
      isBehindAwait = false;
      copies.add(copy);
    }
    if (fill && ::canJoin(fill))
      fills.add(fill);
  }
  joinCopies();
  numJoined += fills.join();
}
