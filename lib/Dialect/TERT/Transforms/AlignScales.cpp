// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-align-scales: copies scale factors to addresses aligned for matrix
// units, and gives those of blocks the strides that these read.

#include "Footprint.h"
#include "te/Dialect/TE/IR/ScaleShape.h"
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

//===----------------------------------------------------------------------===//
// Scales of blocks
//===----------------------------------------------------------------------===//

/// The blocks that a buffer has the scales of, if a product reads it and all
/// that access it take its rows or its columns without gaps.
static std::optional<ScaleBlock> getBlockOf(memref::AllocOp buffer) {
  std::optional<ScaleBlock> block;
  for (OpOperand &use : buffer->getUses()) {
    auto call = dyn_cast<tert::RuntimeCallOpInterface>(use.getOwner());
    using Strides = tert::LayoutRequirement::Strides;
    if (!call || !llvm::is_contained({Strides::Any, Strides::UnitInEither},
                                     call.getLayoutRequirement(use).strides))
      return std::nullopt;
    auto product = dyn_cast<tert::ScaledMatmulOp>(use.getOwner());
    if (!product)
      continue;
    Value matrix =
        use.get() == product.getAScaleInv() ? product.getA() : product.getB();
    block = getScaleBlock(cast<ShapedType>(matrix.getType()).getShape(),
                          buffer.getType().getShape());
  }
  return block;
}

/// A buffer [rows, columns] whose rows are `stride` elements apart.
static Value createPadded(OpBuilder &builder, Location loc, int64_t rows,
                          int64_t columns, int64_t stride, Type element) {
  Value buffer = memref::AllocOp::create(
      builder, loc, MemRefType::get({rows, stride}, element));
  if (stride == columns)
    return buffer;
  const SmallVector<OpFoldResult> zeros(2, builder.getIndexAttr(0));
  const SmallVector<OpFoldResult> ones(2, builder.getIndexAttr(1));
  const SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(rows),
                                           builder.getIndexAttr(columns)};
  return memref::SubViewOp::create(builder, loc, buffer, zeros, sizes, ones);
}

/// Gives a buffer of scales the strides that products read. True if they are
/// others than before.
static bool orderScales(memref::AllocOp buffer) {
  MemRefType type = buffer.getType();
  if (type.getRank() != 2 || !type.getElementType().isF32() ||
      !type.getLayout().isIdentity() || type.getNumElements() == 0)
    return false;
  std::optional<ScaleBlock> block = getBlockOf(buffer);
  if (!block)
    return false;
  const bool isOfRows = block->rows == 1;
  const int64_t rows = type.getDimSize(isOfRows ? 1 : 0),
                columns = type.getDimSize(isOfRows ? 0 : 1);
  const int64_t stride = llvm::alignTo(columns, slotStride);
  // Nothing changes for one row, which is in its place however it is read.
  if (rows == 1 || (!isOfRows && stride == columns))
    return false;
  OpBuilder builder(buffer);
  Location loc = buffer.getLoc();
  Value ordered =
      createPadded(builder, loc, rows, columns, stride, type.getElementType());
  if (isOfRows)
    ordered = memref::TransposeOp::create(
        builder, loc, ordered,
        AffineMapAttr::get(AffineMap::getPermutationMap(
            ArrayRef<unsigned>{1, 0}, builder.getContext())));
  buffer.replaceAllUsesWith(ordered);
  buffer.erase();
  return true;
}

namespace {
struct TERTAlignScales : te::impl::TERTAlignScalesBase<TERTAlignScales> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      alignIn(block);
    SmallVector<memref::AllocOp> buffers;
    getOperation().walk([&](memref::AllocOp op) { buffers.push_back(op); });
    for (memref::AllocOp buffer : buffers)
      numOrdered += orderScales(buffer);
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
