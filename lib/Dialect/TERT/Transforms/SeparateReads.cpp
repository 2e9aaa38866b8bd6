// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-separate-reads: many reads of one tensor, for One-Shot Analysis.

#include "te/Dialect/TERT/Transforms/Passes.h"

#include "te/Dialect/TERT/IR/TERT.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#include <limits>

namespace mlir::te {
#define GEN_PASS_DEF_TERTSEPARATEREADS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-separate-reads"

using namespace mlir;
using namespace mlir::te;

/// Values with fewer reads are left as they are.
static constexpr size_t kManyReads = 8;

namespace {

class ReadSeparation {
public:
  explicit ReadSeparation(Block &block) : block(block) {
    unsigned position = 0;
    for (Operation &op : block)
      positions[&op] = position++;
  }

  void separate(Value value);

private:
  static constexpr unsigned kNever = std::numeric_limits<unsigned>::max();

  /// The position of the last op that reads memory through this use; nullopt if
  /// the use may do more than read.
  std::optional<unsigned> findLastRead(OpOperand &use) const;
  /// The position of the first op that might write the memory of `value`
  /// through a tensor that it was made from; nullopt if that may be before the
  /// value itself.
  std::optional<unsigned> findFirstWriteBehind(Value value) const;

  Block &block;
  DenseMap<Operation *, unsigned> positions;
};

} // namespace

std::optional<unsigned> ReadSeparation::findLastRead(OpOperand &use) const {
  Operation *user = use.getOwner();
  auto position = positions.find(user);
  if (position == positions.end())
    return std::nullopt; // captured by a region
  if (isa<tert::RuntimeCallOpInterface, linalg::LinalgOp>(user)) {
    if (!cast<DestinationStyleOpInterface>(user).isDpsInput(&use))
      return std::nullopt;
    return position->second;
  }
  if (!isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
           tensor::CollapseShapeOp>(user))
    return std::nullopt;
  unsigned last = position->second;
  for (OpOperand &next : user->getUses()) {
    std::optional<unsigned> read = findLastRead(next);
    if (!read)
      return std::nullopt;
    last = std::max(last, *read);
  }
  return last;
}

std::optional<unsigned>
ReadSeparation::findFirstWriteBehind(Value value) const {
  unsigned first = kNever;
  while (auto result = dyn_cast<OpResult>(value)) {
    Operation *op = result.getOwner();
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    if (!destination)
      return isa<tensor::EmptyOp>(op) ? std::optional(first) : std::nullopt;
    OpOperand *init = destination.getTiedOpOperand(result);
    unsigned made = positions.lookup(op);
    for (OpOperand &use : init->get().getUses()) {
      if (&use == init || findLastRead(use))
        continue;
      unsigned position = positions.lookup(use.getOwner());
      if (position <= made)
        return std::nullopt;
      first = std::min(first, position);
    }
    value = init->get();
  }
  return first;
}

void ReadSeparation::separate(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() ||
      !llvm::hasNItemsOrMore(value.getUses(), kManyReads))
    return;
  std::optional<unsigned> firstWrite = findFirstWriteBehind(value);
  if (!firstWrite) {
    LDBG() << "left, its memory may be written before: " << value;
    return;
  }
  SmallVector<std::pair<OpOperand *, unsigned>> reads;
  for (OpOperand &use : value.getUses()) {
    if (std::optional<unsigned> last = findLastRead(use)) {
      reads.emplace_back(&use, *last);
      continue;
    }
    auto position =
        positions.find(block.findAncestorOpInBlock(*use.getOwner()));
    firstWrite = std::min(*firstWrite, position->second);
  }
  llvm::erase_if(reads, [&](auto read) { return read.second >= *firstWrite; });
  if (reads.size() < kManyReads) {
    LDBG() << "left, only " << reads.size()
           << " reads come before the first write: " << value;
    return;
  }
  LDBG() << "taken, " << reads.size() << " reads: " << value;

  OpBuilder builder(block.getParent()->getContext());
  builder.setInsertionPointAfterValue(value);
  auto buffer = bufferization::ToBufferOp::create(
      builder, value.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()), value,
      /*read_only=*/true);
  for (auto [use, last] : reads) {
    builder.setInsertionPoint(use->getOwner());
    use->set(bufferization::ToTensorOp::create(builder, value.getLoc(), type,
                                               buffer, /*restrict=*/true));
  }
}

static void separateReads(Block &block) {
  ReadSeparation separation(block);
  SmallVector<Value> values(block.getArguments());
  for (Operation &op : block)
    llvm::append_range(values, op.getResults());
  for (Value value : values)
    separation.separate(value);
}

namespace {
struct TERTSeparateReads : te::impl::TERTSeparateReadsBase<TERTSeparateReads> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      separateReads(block);
  }
};
} // namespace
