// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-align-scales: copies scale factors to addresses aligned for matrix
// units.

#include "Footprint.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTALIGNSCALES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-align-scales"

using namespace mlir;
using namespace mlir::te;

/// Distance between factors, in f32 elements: 16 bytes.
static constexpr int64_t slotStride = 4;

namespace {

/// One element of a vector of factors.
struct Slot {
  Value vector;
  int64_t index;
};

/// The spread copy of a vector, valid until the vector is written.
struct Spread {
  Value copy;
  Footprint reads; ///< the vector
};

} // namespace

/// The slot of a scale operand, if it is a static element of a dense vector
/// that is a separate buffer.
static std::optional<Slot> getSlot(Value scale) {
  auto slice = scale.getDefiningOp<memref::SubViewOp>();
  if (!slice || slice.getType().getRank() != 0 ||
      slice.getSourceType().getRank() != 1 ||
      !slice.getSourceType().hasStaticShape() ||
      !slice.getSourceType().getLayout().isIdentity() ||
      !slice.getOffsets().empty())
    return std::nullopt;
  return Slot{slice.getSource(), slice.getStaticOffset(0)};
}

/// A copy of the vector whose elements are 16 bytes apart.
static Value spread(OpBuilder &builder, Location loc, Value vector) {
  auto type = cast<MemRefType>(vector.getType());
  int64_t size = type.getDimSize(0);
  auto spreadType = MemRefType::get({size, slotStride}, type.getElementType());
  Value copy = memref::AllocOp::create(builder, loc, spreadType);
  const SmallVector<OpFoldResult> zeros(2, builder.getIndexAttr(0));
  const SmallVector<OpFoldResult> ones(2, builder.getIndexAttr(1));
  const SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(size),
                                           builder.getIndexAttr(1)};
  auto columnType = memref::SubViewOp::inferRankReducedResultType(
      {size}, spreadType, zeros, sizes, ones);
  Value column = memref::SubViewOp::create(builder, loc, columnType, copy,
                                           zeros, sizes, ones);
  tert::CopyOp::create(builder, loc, TypeRange(), vector, column);
  return copy;
}

static Value slotOf(OpBuilder &builder, Location loc, Value copy,
                    int64_t index) {
  const SmallVector<OpFoldResult> offsets = {builder.getIndexAttr(index),
                                             builder.getIndexAttr(0)};
  const SmallVector<OpFoldResult> ones(2, builder.getIndexAttr(1));
  auto type = memref::SubViewOp::inferRankReducedResultType(
      {}, cast<MemRefType>(copy.getType()), offsets, ones, ones);
  return memref::SubViewOp::create(builder, loc, type, copy, offsets, ones,
                                   ones);
}

namespace {
struct TERTAlignScales : te::impl::TERTAlignScalesBase<TERTAlignScales> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      alignIn(block);
  }

private:
  void alignIn(Block &block) {
    llvm::MapVector<Value, Spread> spreads;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (auto product = dyn_cast<tert::ScaledMatmulOp>(op))
        for (OpOperand *operand :
             {&product.getAScaleInvMutable(), &product.getBScaleInvMutable()})
          align(*operand, spreads);
      Footprint footprint;
      if (!footprint.add(&op)) {
        spreads.clear();
        continue;
      }
      spreads.remove_if([&](auto &entry) {
        return entry.second.reads.conflictsWith(footprint);
      });
    }
  }

  void align(OpOperand &operand, llvm::MapVector<Value, Spread> &spreads) {
    std::optional<Slot> slot = getSlot(operand.get());
    if (!slot) {
      LDBG() << "left, not an element of a dense vector: " << operand.get();
      return;
    }
    Operation *op = operand.getOwner();
    OpBuilder builder(op);
    Spread &entry = spreads[slot->vector];
    if (!entry.copy) {
      entry.copy = spread(builder, op->getLoc(), slot->vector);
      entry.reads.addRead(slot->vector);
    }
    operand.set(slotOf(builder, op->getLoc(), entry.copy, slot->index));
    ++numAligned;
  }
};
} // namespace
