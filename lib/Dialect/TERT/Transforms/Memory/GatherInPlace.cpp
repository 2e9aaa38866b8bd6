// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-gather-in-place: places a rank's shards in the full tensors.

#include "../BufferBytes.h"
#include "../Footprint.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Dialect/TERT/IR/ViewOps.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"
#include "te/Support/SkipOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTGATHERINPLACE
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-gather-in-place"

using namespace mlir;
using namespace mlir::te;

/// Alignment of buffers, in bytes.
static constexpr int64_t kAlignment = 256;
/// Alignment of rows of gathered columns, in bytes.
static constexpr int64_t kRowAlignment = 64;

static bool isReshape(Operation *op) {
  return isa_and_nonnull<memref::ExpandShapeOp, memref::CollapseShapeOp>(op);
}

/// True if `op` is a view that can be made anywhere after its source.
static bool isView(Operation *op) {
  return (isReshape(op) || isa_and_nonnull<memref::SubViewOp>(op)) &&
         op->getNumOperands() == 1;
}

/// The value that `value` is a view of.
static Value getRoot(Value value) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// Clones the views from the root to `value` at the insertion point.
static Value cloneViews(OpBuilder &builder, Value value) {
  Operation *op = value.getDefiningOp();
  if (!isView(op))
    return value;
  Value source = cloneViews(builder, op->getOperand(0));
  Operation *clone = builder.clone(*op);
  clone->setOperand(0, source);
  return clone->getResult(0);
}

namespace {

/// A rank's shard and the full tensor, in different buffers.
struct InPlaceShard {
  static std::optional<InPlaceShard> get(Operation *call, Value part,
                                         Value whole, uint32_t axes);
  /// Matches columns that are gathered.
  static std::optional<InPlaceShard> get(tert::CollectiveSequenceOp gather);

  /// Places the shard in the full tensor from its first use on.
  void place();

  Operation *call;
  memref::AllocOp part;
  Value whole, root; ///< the root of the full tensor's view
  int32_t axes, ranks;
  MemRefType type;  ///< the shard in the full tensor
  int64_t distance; ///< between the shards of consecutive ranks
};

struct TERTGatherInPlace : te::impl::TERTGatherInPlaceBase<TERTGatherInPlace> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration() || !function.getBody().hasOneBlock())
      return;
    Block &block = function.front();
    for (auto slice :
         llvm::make_early_inc_range(block.getOps<tert::AllSliceOp>()))
      numSlices += placeSlice(slice);
    for (auto gather : block.getOps<tert::CollectiveOp>())
      if (gather.getKind() == CollectiveKind::AllGather)
        for (auto [part, whole] : llvm::zip(gather.getX(), gather.getY()))
          numGathered +=
              placeGathered(function, InPlaceShard::get(gather, part, whole,
                                                        gather.getAxes()));
    for (auto gather : block.getOps<tert::CollectiveSequenceOp>())
      if (gather.getKind() == CollectiveKind::AllGather)
        numGathered += placeGathered(function, InPlaceShard::get(gather));
  }

private:
  bool placeSlice(tert::AllSliceOp slice);
  bool placeGathered(func::FuncOp function, std::optional<InPlaceShard> parts);
};

} // namespace

std::optional<InPlaceShard> InPlaceShard::get(Operation *call, Value part,
                                              Value whole, uint32_t axes) {
  // The shard may be a reshape of its allocation.
  auto alloc = skipOps<memref::ExpandShapeOp, memref::CollapseShapeOp>(part)
                   .getDefiningOp<memref::AllocOp>();
  auto type = dyn_cast<MemRefType>(whole.getType());
  if (!alloc || alloc->getBlock() != call->getBlock() || !type ||
      !memref::isStaticShapeAndContiguousRowMajor(type) ||
      !alloc.getType().hasStaticShape() ||
      !alloc.getType().getLayout().isIdentity())
    return std::nullopt;
  const int64_t own = alloc.getType().getNumElements();
  if (own == 0 || type.getNumElements() % own != 0 ||
      bytesOf(alloc.getType()) % kAlignment != 0) {
    LDBG() << "left, shards are not multiples of " << kAlignment
           << " bytes: " << *call;
    return std::nullopt;
  }
  Value root = getRoot(whole);
  auto argument = dyn_cast<BlockArgument>(root);
  auto buffer = root.getDefiningOp<memref::AllocOp>();
  if (argument ? argument.getOwner() != call->getBlock()
               : !buffer || buffer == alloc ||
                     buffer->getBlock() != call->getBlock())
    return std::nullopt;
  return InPlaceShard{call,
                      alloc,
                      whole,
                      root,
                      int32_t(axes),
                      int32_t(type.getNumElements() / own),
                      alloc.getType(),
                      own};
}

std::optional<InPlaceShard>
InPlaceShard::get(tert::CollectiveSequenceOp gather) {
  if (gather.getBalanced())
    return std::nullopt;
  std::optional<InPlaceShard> parts =
      get(gather, gather.getX(), gather.getY(), gather.getAxes());
  // Shapes other than the collective's say nothing about dimensions.
  if (!parts || parts->part.getResult() != gather.getX())
    return std::nullopt;
  MemRefType part = parts->part.getType();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(cast<MemRefType>(parts->whole.getType())
                 .getStridesAndOffset(strides, offset)))
    return std::nullopt;
  parts->distance = part.getDimSize(gather.getDim()) * strides[gather.getDim()];
  parts->type =
      MemRefType::get(part.getShape(), part.getElementType(),
                      StridedLayoutAttr::get(part.getContext(), 0, strides));
  if (parts->distance * part.getElementTypeBitWidth() / 8 % kRowAlignment != 0)
    return std::nullopt;
  for (OpOperand &use : parts->part->getUses()) {
    auto call = dyn_cast<tert::RuntimeCallOpInterface>(use.getOwner());
    if (!call || (call != gather &&
                  !call.getLayoutRequirement(use).isMetBy(parts->type)))
      return std::nullopt;
  }
  return parts;
}

void InPlaceShard::place() {
  Operation *first = call;
  for (Operation *user : part->getUsers())
    if (Operation *inBlock = part->getBlock()->findAncestorOpInBlock(*user);
        inBlock->isBeforeInBlock(first))
      first = inBlock;
  if (auto buffer = root.getDefiningOp<memref::AllocOp>();
      buffer && first->isBeforeInBlock(buffer))
    buffer->moveBefore(first);
  OpBuilder builder(first);
  Value placed = tert::LocatePartOp::create(
      builder, call->getLoc(), type, cloneViews(builder, whole), uint32_t(axes),
      uint32_t(ranks), distance);
  part.replaceAllUsesWith(placed);
  part.erase();
}

/// True if the use only reads memory.
static bool onlyReads(OpOperand &use) {
  auto interface = dyn_cast<MemoryEffectOpInterface>(use.getOwner());
  if (!interface || use.getOwner()->getNumRegions() != 0)
    return false;
  SmallVector<MemoryEffects::EffectInstance> effects;
  interface.getEffects(effects);
  return llvm::all_of(effects, [&](const auto &effect) {
    return effect.getValue() && (effect.getValue() != use.get() ||
                                 isa<MemoryEffects::Read>(effect.getEffect()));
  });
}

bool TERTGatherInPlace::placeSlice(tert::AllSliceOp slice) {
  std::optional<InPlaceShard> parts =
      InPlaceShard::get(slice, slice.getY(), slice.getX(), slice.getAxes());
  // A full tensor that is not an argument would live as long as its shard.
  if (!parts || !isa<BlockArgument>(parts->root))
    return false;
  Operation *last = slice;
  if (!allUses(parts->part, [&](OpOperand &use, const BufferBox &) {
        Operation *inBlock =
            slice->getBlock()->findAncestorOpInBlock(*use.getOwner());
        if (!inBlock)
          return false;
        if (use.getOwner() == slice)
          return slice->getNumOperands() == 2;
        if (isMemoryEffectFree(use.getOwner()) &&
            !inBlock->hasTrait<OpTrait::IsTerminator>())
          return true;
        if (inBlock->isBeforeInBlock(slice) || !onlyReads(use))
          return false;
        if (last->isBeforeInBlock(inBlock))
          last = inBlock;
        return true;
      }))
    return false;
  Footprint reads;
  reads.addRead(parts->whole);
  Operation *end = last->getNextNode();
  if (reads.findConflict(slice->getNextNode(), end) != end)
    return false;
  parts->place();
  slice.erase();
  return true;
}

bool TERTGatherInPlace::placeGathered(func::FuncOp function,
                                      std::optional<InPlaceShard> parts) {
  if (!parts)
    return false;
  Operation *const gather = parts->call;
  // The gather is the last op that accesses the shard, and does so once.
  Operation *first = gather;
  unsigned numGathered = 0;
  if (!allUses(parts->part, [&](OpOperand &use, const BufferBox &) {
        Operation *inBlock =
            gather->getBlock()->findAncestorOpInBlock(*use.getOwner());
        if (inBlock == gather)
          return ++numGathered == 1;
        if (!inBlock || !inBlock->isBeforeInBlock(gather))
          return false;
        if (!isMemoryEffectFree(use.getOwner()) &&
            inBlock->isBeforeInBlock(first))
          first = inBlock;
        return true;
      })) {
    LDBG() << "left, the gather is not the last to read the shard: " << *gather;
    return false;
  }
  if (llvm::count_if(gather->getOperands(), [&](Value operand) {
        return Footprint::getBuffer(operand) == parts->root;
      }) != 1)
    return false;
  // The full tensor is not accessed meanwhile.
  Footprint made;
  made.addWrite(parts->whole);
  if (Operation *op = made.findConflict(first, gather); op != gather) {
    LDBG() << "left, the full tensor is accessed while the shard is made, by "
           << *op << ": " << *gather;
    return false;
  }
  const unsigned numCalls = llvm::count_if(
      llvm::make_range(first->getIterator(), gather->getIterator()),
      llvm::IsaPred<tert::RuntimeCallOpInterface>);
  auto argument = dyn_cast<BlockArgument>(parts->root);
  const bool isThere =
      argument && !function.getArgAttr(argument.getArgNumber(), kOutputAttr);
  if (!isThere && numCalls > maxCalls) {
    LDBG() << "left, the full tensor would be live for " << numCalls
           << " calls more: " << *gather;
    return false;
  }
  LDBG() << "taken: " << *gather;
  parts->place();
  return true;
}
