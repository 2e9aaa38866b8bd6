// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-gather-lookups: gathers the rows of embedding gradients instead of
// reducing tables.

#include "te/Dialect/TE/IR/Cost.h"
#include "te/Dialect/TE/IR/Mesh.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Distribution/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TEGATHERLOOKUPS
#include "te/Dialect/TE/Transforms/Distribution/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "te-gather-lookups"

using namespace mlir;
using namespace mlir::te;

namespace {
/// An all-reduced sum, one term of which is the gradient of lookups.
struct LookupSum {
  shard::AllReduceOp collective;
  EmbeddingGradOp lookups;
  /// From the addition of the lookups to the one that is all-reduced; each is
  /// read once, by the next.
  SmallVector<AddOp> additions;
};

struct TEGatherLookups : te::impl::TEGatherLookupsBase<TEGatherLookups> {
  void runOnOperation() override;

private:
  void rewrite(LookupSum &sum, int64_t ranks);
};
} // namespace

/// Finds the gradient of lookups among the terms of `value`, outermost addition
/// first.
static EmbeddingGradOp findLookups(Value value,
                                   SmallVectorImpl<AddOp> &additions) {
  if (!value.hasOneUse())
    return {};
  if (auto lookups = value.getDefiningOp<EmbeddingGradOp>())
    return lookups;
  auto add = value.getDefiningOp<AddOp>();
  if (!add || add.getA().getType() != add.getB().getType())
    return {};
  additions.push_back(add);
  for (Value term : {add.getA(), add.getB()})
    if (EmbeddingGradOp lookups = findLookups(term, additions))
      return lookups;
  additions.pop_back();
  return {};
}

/// The sum that `collective` reduces, if gathering the lookups' rows is faster.
static std::optional<LookupSum> findSum(shard::AllReduceOp collective,
                                        int64_t ranks) {
  auto type = dyn_cast<RankedTensorType>(collective.getInput().getType());
  if (!type || collective.getReduction() != shard::ReductionKind::Sum ||
      collective.getResult().getType() != type ||
      !type.getElementType().isF32())
    return std::nullopt;
  LookupSum sum = {collective, {}, {}};
  sum.lookups = findLookups(collective.getInput(), sum.additions);
  // If it is the only term, the table itself is all-reduced.
  if (!sum.lookups || sum.additions.empty())
    return std::nullopt;
  std::reverse(sum.additions.begin(), sum.additions.end());
  if (double(ranks) * (getBytes(sum.lookups.getIds().getType()) +
                       getBytes(sum.lookups.getDy().getType())) >=
      getBytes(type)) {
    LDBG() << "left, the rows of all ranks are more bytes than the table: "
           << collective;
    return std::nullopt;
  }
  LDBG() << "taken: " << collective;
  return sum;
}

/// Sets the insertion point after those of the values that the block defines.
static void setInsertionPointAfter(OpBuilder &builder, ValueRange values) {
  Operation *last = nullptr;
  for (Value value : values)
    if (Operation *op = value.getDefiningOp();
        op && (!last || last->isBeforeInBlock(op)))
      last = op;
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(values.front().getParentBlock());
}

void TEGatherLookups::rewrite(LookupSum &sum, int64_t ranks) {
  shard::AllReduceOp collective = sum.collective;
  EmbeddingGradOp lookups = sum.lookups;
  OpBuilder builder(collective);
  // The same sum without the lookups, as early as possible.
  Value last = lookups.getDtable(), rest;
  for (AddOp add : sum.additions) {
    Value other = add.getA() == last ? add.getB() : add.getA();
    last = add.getY();
    if (!rest) {
      rest = other;
      continue;
    }
    setInsertionPointAfter(builder, {other, rest});
    rest = AddOp::create(builder, add.getLoc(), last.getType(), other, rest);
  }
  setInsertionPointAfter(builder, rest);
  Location loc = collective.getLoc();
  Value early = shard::AllReduceOp::create(
      builder, loc, rest, collective.getGrid(), collective.getGridAxes(),
      shard::ReductionKind::Sum);

  auto gather = [&](Value rows) -> Value {
    auto type = cast<RankedTensorType>(rows.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.front() *= ranks;
    return shard::AllGatherOp::create(
        builder, loc, type.clone(shape), collective.getGrid(),
        collective.getGridAxes(), rows, APInt(64, 0));
  };
  // The ids go after it, where nothing waits for either; the rows as soon as
  // they are available.
  setInsertionPointAfter(builder, {early, lookups.getIds()});
  Value ids = gather(lookups.getIds());
  setInsertionPointAfter(builder, lookups.getDy());
  Value dy = gather(lookups.getDy());
  builder.setInsertionPoint(collective);
  Value all = EmbeddingGradOp::create(builder, lookups.getLoc(),
                                      lookups.getDtable().getType(), ids, dy);
  Value whole = AddOp::create(builder, sum.additions.front().getLoc(),
                              all.getType(), early, all);
  collective.replaceAllUsesWith(whole);
  collective.erase();
  for (AddOp add : llvm::reverse(sum.additions))
    add.erase();
  lookups.erase();
  ++numGathered;
}

void TEGatherLookups::runOnOperation() {
  func::FuncOp function = getOperation();
  FailureOr<std::optional<Mesh>> mesh =
      Mesh::get(function->getParentOfType<ModuleOp>());
  if (failed(mesh))
    return signalPassFailure();
  if (!*mesh)
    return;
  SmallVector<shard::AllReduceOp> collectives;
  // What a sum is made of is ordered where it is all of one block.
  if (function.getBody().hasOneBlock())
    llvm::append_range(collectives, function.getOps<shard::AllReduceOp>());
  for (shard::AllReduceOp collective : collectives) {
    int64_t ranks = 1;
    for (shard::GridAxis axis : collective.getGridAxes())
      ranks *= (*mesh)->getAxes()[axis].size;
    if (std::optional<LookupSum> sum = findSum(collective, ranks))
      rewrite(*sum, ranks);
  }
}
