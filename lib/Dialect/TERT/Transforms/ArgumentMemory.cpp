// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ArgumentMemory.h"

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
/// The memory of one argument, which is an output, or an input that is donated.
class ArgumentMemory {
public:
  ArgumentMemory(const BufferInterval &own, bool isOutput)
      : own(own), isOutput(isOutput) {}

  int64_t getSize() const { return own.bytes; }
  /// Takes a place for the buffer, at the lowest offset that is free while it
  /// is in use; nullopt if there is none.
  std::optional<int64_t> place(const BufferInterval &buffer, int64_t alignment);
  /// A view of the buffer's type, instead of its allocation.
  void replace(memref::AllocOp alloc, int64_t offset);

private:
  bool isFreeFor(const BufferInterval &buffer) const {
    return isOutput ? buffer.lastUse < own.firstUse
                    : own.lastUse < buffer.firstUse;
  }

  BufferInterval own;
  bool isOutput;
  /// Buffers that have a place, and where.
  SmallVector<std::pair<BufferInterval, int64_t>> placed;
  Value bytes;
};
} // namespace

std::optional<int64_t> ArgumentMemory::place(const BufferInterval &buffer,
                                             int64_t alignment) {
  if (!isFreeFor(buffer))
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

void ArgumentMemory::replace(memref::AllocOp alloc, int64_t offset) {
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

/// The arguments that lend their memory, with their own lifetimes.
static FailureOr<SmallVector<ArgumentMemory>>
findArguments(func::FuncOp function, const BufferLiveness &liveness,
              function_ref<bool(BlockArgument)> hasPlace) {
  SmallVector<ArgumentMemory> found;
  for (BlockArgument argument : function.getArguments()) {
    unsigned number = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    bool isOutput = function.getArgAttr(number, kOutputAttr) && type &&
                    type.hasStaticShape() && type.getLayout().isIdentity() &&
                    !hasPlace(argument);
    if (!isOutput && !function.getArgAttr(number, kDonatedAttr))
      continue;
    FailureOr<BufferInterval> interval =
        liveness.measure(function.front(), argument);
    if (failed(interval))
      return failure();
    found.emplace_back(*interval, isOutput);
  }
  llvm::stable_sort(found,
                    [](const ArgumentMemory &a, const ArgumentMemory &b) {
                      return a.getSize() < b.getSize();
                    });
  return found;
}

LogicalResult
mlir::te::reuseArguments(func::FuncOp function,
                         function_ref<bool(BlockArgument)> hasPlace,
                         int64_t alignment) {
  FailureOr<BufferLiveness> liveness =
      BufferLiveness::compute(function.front());
  if (failed(liveness))
    return failure();
  FailureOr<SmallVector<ArgumentMemory>> arguments =
      findArguments(function, *liveness, hasPlace);
  if (failed(arguments))
    return failure();
  SmallVector<BufferInterval> buffers(liveness->getIntervals());
  llvm::stable_sort(buffers,
                    [](const BufferInterval &a, const BufferInterval &b) {
                      return a.bytes > b.bytes;
                    });
  for (const BufferInterval &buffer : buffers) {
    if (buffer.bytes == 0)
      continue;
    for (ArgumentMemory &argument : *arguments)
      if (std::optional<int64_t> offset = argument.place(buffer, alignment)) {
        LDBG() << buffer.bytes << " bytes at " << *offset
               << " of an argument: " << buffer.buffer;
        argument.replace(buffer.buffer.getDefiningOp<memref::AllocOp>(),
                         *offset);
        break;
      }
  }
  return success();
}
