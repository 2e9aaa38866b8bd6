// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DonatedMemory.h"

#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/ViewOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tert-plan-memory"

using namespace mlir;
using namespace mlir::te;

namespace {
/// The memory of one argument.
class Donation {
public:
  explicit Donation(const BufferInterval &own) : own(own) {}

  int64_t getSize() const { return own.bytes; }
  /// Takes a place for the buffer, at the lowest offset that is free while it
  /// is in use; nullopt if there is none.
  std::optional<int64_t> place(const BufferInterval &buffer, int64_t alignment);
  /// A view of the buffer's type, instead of its allocation.
  void replace(memref::AllocOp alloc, int64_t offset);

private:
  BufferInterval own;
  /// Buffers that have a place, and where.
  SmallVector<std::pair<BufferInterval, int64_t>> placed;
  Value bytes;
};
} // namespace

std::optional<int64_t> Donation::place(const BufferInterval &buffer,
                                       int64_t alignment) {
  if (buffer.firstUse <= own.lastUse)
    return std::nullopt;
  SmallVector<std::pair<int64_t, int64_t>> taken; // offset, end
  for (auto &[other, offset] : placed)
    if (other.overlaps(buffer))
      taken.push_back({offset, offset + other.bytes});
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + buffer.bytes <= begin)
      break;
    offset = std::max<int64_t>(offset, llvm::alignTo(end, alignment));
  }
  if (offset + buffer.bytes > own.bytes)
    return std::nullopt;
  placed.push_back({buffer, offset});
  return offset;
}

void Donation::replace(memref::AllocOp alloc, int64_t offset) {
  Location loc = alloc.getLoc();
  OpBuilder builder(alloc);
  if (!bytes) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(alloc->getBlock());
    bytes = tert::BytesOp::create(
        builder, own.buffer.getLoc(),
        MemRefType::get({own.bytes}, builder.getI8Type()), own.buffer);
  }
  Value shift = arith::ConstantIndexOp::create(builder, loc, offset);
  Value view = memref::ViewOp::create(builder, loc, alloc.getType(), bytes,
                                      shift, ValueRange());
  alloc.replaceAllUsesWith(view);
}

LogicalResult mlir::te::reuseDonated(func::FuncOp function, int64_t alignment) {
  SmallVector<BlockArgument> arguments = llvm::filter_to_vector(
      function.getArguments(), [&](BlockArgument argument) {
        return bool(function.getArgAttr(argument.getArgNumber(), kDonatedAttr));
      });
  if (arguments.empty())
    return success();
  FailureOr<BufferLiveness> liveness =
      BufferLiveness::compute(function.front());
  if (failed(liveness))
    return failure();
  SmallVector<Donation> donations;
  for (BlockArgument argument : arguments) {
    FailureOr<BufferInterval> interval =
        liveness->measure(function.front(), argument);
    if (failed(interval))
      return failure();
    donations.emplace_back(*interval);
  }
  llvm::stable_sort(donations, [](const Donation &a, const Donation &b) {
    return a.getSize() < b.getSize();
  });
  SmallVector<BufferInterval> buffers(liveness->getIntervals());
  llvm::stable_sort(buffers,
                    [](const BufferInterval &a, const BufferInterval &b) {
                      return a.bytes > b.bytes;
                    });
  for (const BufferInterval &buffer : buffers) {
    auto alloc = buffer.buffer.getDefiningOp<memref::AllocOp>();
    if (buffer.bytes == 0)
      continue;
    for (Donation &donation : donations)
      if (std::optional<int64_t> offset = donation.place(buffer, alignment)) {
        LDBG() << buffer.bytes << " bytes at " << *offset
               << " of a donated argument: " << buffer.buffer;
        donation.replace(alloc, *offset);
        break;
      }
  }
  return success();
}
