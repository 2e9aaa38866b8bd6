// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-fuse-additions: accumulates the two gradients of a table in place.

#include "../Footprint.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTFUSEADDITIONS
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-fuse-additions"

using namespace mlir;
using namespace mlir::te;

/// The gradient of a lookup that makes `table` for `add` alone; null otherwise.
static tert::EmbeddingGradOp findMaker(tert::AddOp add, Value table) {
  auto alloc = table.getDefiningOp<memref::AllocOp>();
  if (!alloc || !llvm::hasNItems(alloc->getUses(), 2))
    return nullptr;
  for (Operation *user : alloc->getUsers())
    if (auto maker = dyn_cast<tert::EmbeddingGradOp>(user);
        maker && maker->getBlock() == add->getBlock() &&
        maker->isBeforeInBlock(add))
      return maker;
  return nullptr;
}

/// True if `op` may move down to `end`.
static bool canMoveTo(Operation *op, Operation *end) {
  Footprint footprint;
  footprint.add(op);
  return footprint.findConflict(op->getNextNode(), end) == end;
}

namespace {
struct TERTFuseAdditions : te::impl::TERTFuseAdditionsBase<TERTFuseAdditions> {
  void runOnOperation() override {
    SmallVector<tert::AddOp> additions;
    getOperation().walk([&](tert::AddOp op) { additions.push_back(op); });
    for (tert::AddOp add : additions)
      for (auto [table, sum] : {std::pair(add.getB(), add.getA()),
                                std::pair(add.getA(), add.getB())})
        if (fuse(add, table, sum))
          break;
  }

private:
  /// Accumulates `table`, a gradient of lookups, into `sum` in place.
  bool fuse(tert::AddOp add, Value table, Value sum) {
    auto type = dyn_cast<MemRefType>(sum.getType());
    if (!type || sum != add.getY() || sum == table ||
        !type.getElementType().isF32())
      return false;
    tert::EmbeddingGradOp maker = findMaker(add, table);
    if (!maker ||
        cast<MemRefType>(table.getType()).getShape() != type.getShape() ||
        !cast<MemRefType>(table.getType()).getElementType().isF32())
      return false;
    if (!canMoveTo(maker, add)) {
      LDBG() << "left, it cannot move down to the addition: " << maker;
      return false;
    }
    LDBG() << "taken, added into the other gradient in place: " << maker;
    OpBuilder builder(add);
    tert::AddEmbeddingGradOp::create(builder, maker.getLoc(), TypeRange(),
                                     maker.getIds(), maker.getDy(), sum);
    add.erase();
    maker.erase();
    table.getDefiningOp()->erase();
    ++numFused;
    return true;
  }
};
} // namespace
