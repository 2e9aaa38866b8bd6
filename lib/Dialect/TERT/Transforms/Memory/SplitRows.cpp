// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-split-rows: computes large temporaries some rows at a time.

#include "../BufferBytes.h"
#include "../Footprint.h"
#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TERT/IR/MemoryInterfaces.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTSPLITROWS
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-split-rows"

using namespace mlir;
using namespace mlir::te;
using tert::RowUse;

/// Row boundaries of an FP8 matrix are multiples of 16.
static constexpr int64_t kRowMultiple = 16;

namespace {

/// Consecutive calls that pass temporaries to each other, row by row.
class RowChain {
public:
  /// The calls around `seed` that share temporaries with it.
  static std::optional<RowChain> find(Operation *seed);

  /// Bytes of the temporaries that only these calls access.
  int64_t getTemporaryBytes() const;
  bool canSplit(unsigned parts) const {
    return rows % (parts * kRowMultiple) == 0;
  }
  /// True if the calls are the last that read a matrix whose rows are as large
  /// as those of the temporaries.
  bool hasRoom() const { return bool(room); }
  /// Repeats the calls for 1 / `parts` of the rows at a time. With room, that
  /// applies to the first two slices, and each of the others has as many rows
  /// as all before it: its temporaries reuse the memory of the rows that these
  /// have read.
  void split(unsigned parts) const;
  /// The same calls in a clone of their function.
  RowChain in(const IRMapping &copy) const;
  size_t size() const { return calls.size(); }

private:
  bool isSplittable(Operation *call) const;
  bool sharesRowsAlone() const;
  bool isReadLast(memref::AllocOp matrix) const;
  void findRoom();
  SmallVector<int64_t> getPartRows(unsigned parts) const;
  SmallVector<Value> makeTemporaries(OpBuilder &builder, int64_t partRows,
                                     Value bytes) const;
  Value makeBytesOfRoom() const;

  /// In program order.
  SmallVector<Operation *> calls;
  llvm::SmallSetVector<Value, 4> temporaries;
  int64_t rows = 0;
  /// The matrix whose rows are free once a slice has read them; null if none.
  memref::AllocOp room;
};

} // namespace

static RowUse getRowUse(OpOperand &operand) {
  return cast<tert::RowwiseCallOpInterface>(operand.getOwner())
      .getRowUse(operand);
}

/// The other call of a temporary that one call writes and one reads, both row
/// by row; null if it is anything else.
static Operation *getOtherCall(OpOperand &operand) {
  auto alloc = operand.get().getDefiningOp<memref::AllocOp>();
  if (!alloc || !llvm::hasNItems(alloc->getUses(), 2))
    return nullptr;
  Operation *other = nullptr;
  unsigned writers = 0;
  for (OpOperand &use : alloc->getUses()) {
    auto call = dyn_cast<tert::RowwiseCallOpInterface>(use.getOwner());
    if (!call || call->getBlock() != operand.getOwner()->getBlock() ||
        call.getRowUse(use) != RowUse::Rows)
      return nullptr;
    writers +=
        cast<DestinationStyleOpInterface>(call.getOperation()).isDpsInit(&use);
    if (call != operand.getOwner())
      other = call;
  }
  return writers == 1 ? other : nullptr;
}

std::optional<RowChain> RowChain::find(Operation *seed) {
  RowChain chain;
  chain.calls.push_back(seed);
  for (OpOperand &operand : seed->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      return std::nullopt;
    if (getRowUse(operand) == RowUse::Rows)
      chain.rows = cast<MemRefType>(operand.get().getType()).getDimSize(0);
    Operation *other = getOtherCall(operand);
    if (!other || getRowUse(operand) != RowUse::Rows)
      continue;
    chain.temporaries.insert(operand.get());
    if (!llvm::is_contained(chain.calls, other))
      chain.calls.push_back(other);
  }
  llvm::sort(chain.calls,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  if (chain.temporaries.empty() ||
      !llvm::all_of(
          chain.calls,
          [&](Operation *call) { return chain.isSplittable(call); }) ||
      !canMoveBehind(chain.calls, chain.calls.back()->getPrevNode()) ||
      !chain.sharesRowsAlone())
    return std::nullopt;
  chain.findRoom();
  return chain;
}

/// True if every operand of the call can be split by rows.
bool RowChain::isSplittable(Operation *call) const {
  return llvm::all_of(call->getOpOperands(), [&](OpOperand &operand) {
    auto type = cast<MemRefType>(operand.get().getType());
    switch (getRowUse(operand)) {
    case RowUse::None:
      return true;
    case RowUse::Rows:
      return type.getRank() == 2 && type.getDimSize(0) == rows;
    case RowUse::Columns:
      return type.getRank() == 2 && type.getDimSize(1) == rows;
    case RowUse::Maximum:
      return type.getRank() == 0;
    case RowUse::Sum:
      return false;
    }
    llvm_unreachable("a use of rows");
  });
}

/// True if all temporaries between the calls are used row by row: a call that
/// reads all of one would find only some rows.
bool RowChain::sharesRowsAlone() const {
  SmallVector<OpOperand *> operands;
  for (Operation *call : calls)
    for (OpOperand &operand : call->getOpOperands())
      operands.push_back(&operand);
  auto footprintOf = [](OpOperand &operand) {
    Footprint footprint;
    if (cast<DestinationStyleOpInterface>(operand.getOwner())
            .isDpsInit(&operand))
      footprint.addWrite(operand.get());
    else
      footprint.addRead(operand.get());
    return footprint;
  };
  for (OpOperand *one : operands)
    for (OpOperand *other : operands) {
      const RowUse use = getRowUse(*one);
      bool isRowByRow = one->get() == other->get() &&
                        use == getRowUse(*other) &&
                        (use == RowUse::Rows || use == RowUse::Columns);
      if (one->getOwner() != other->getOwner() && !isRowByRow &&
          footprintOf(*one).conflictsWith(footprintOf(*other)))
        return false;
    }
  return true;
}

/// The type of some rows of the temporary `whole`.
static MemRefType getPartType(Value whole, int64_t partRows) {
  auto type = cast<MemRefType>(whole.getType());
  return MemRefType::get({partRows, type.getDimSize(1)}, type.getElementType());
}

/// True if the calls read `matrix` row by row, and it is not accessed after the
/// last of them.
bool RowChain::isReadLast(memref::AllocOp matrix) const {
  return allUses(matrix, [&](OpOperand &use, const BufferBox &) {
    Operation *user = use.getOwner();
    if (llvm::is_contained(calls, user))
      return use.get() == matrix.getResult() &&
             getRowUse(use) == RowUse::Rows &&
             !cast<DestinationStyleOpInterface>(user).isDpsInit(&use);
    return user->getBlock() == calls.back()->getBlock() &&
           user->isBeforeInBlock(calls.back());
  });
}

void RowChain::findRoom() {
  // Ensures that the temporaries of a slice are proportional to its rows.
  if (llvm::any_of(temporaries, [](Value whole) {
        return bytesOf(getPartType(whole, kRowMultiple)) % kBufferAlignment !=
               0;
      }))
    return;
  for (Operation *call : calls)
    for (Value operand : call->getOperands()) {
      auto matrix = operand.getDefiningOp<memref::AllocOp>();
      if (!matrix || temporaries.contains(operand) ||
          !matrix.getType().hasStaticShape() ||
          !matrix.getType().getLayout().isIdentity() ||
          bytesOf(matrix.getType()) < getTemporaryBytes() ||
          !isReadLast(matrix))
        continue;
      room = matrix;
      return;
    }
}

/// The number of rows of each slice, in order.
SmallVector<int64_t> RowChain::getPartRows(unsigned parts) const {
  const int64_t least = rows / parts;
  if (!room)
    return SmallVector<int64_t>(parts, least);
  SmallVector<int64_t> result = {least};
  for (int64_t done = least; done < rows; done *= 2)
    result.push_back(done);
  return result;
}

/// The temporaries of a slice: consecutive in `bytes`, or newly allocated if
/// that is null.
SmallVector<Value> RowChain::makeTemporaries(OpBuilder &builder,
                                             int64_t partRows,
                                             Value bytes) const {
  int64_t offset = 0;
  return llvm::map_to_vector(temporaries, [&](Value whole) -> Value {
    MemRefType type = getPartType(whole, partRows);
    Location loc = whole.getLoc();
    if (!bytes)
      return memref::AllocOp::create(builder, loc, type);
    Value begin = arith::ConstantIndexOp::create(builder, loc, offset);
    offset += bytesOf(type);
    return memref::ViewOp::create(builder, loc, type, bytes, begin,
                                  ValueRange());
  });
}

/// Makes the matrix a view of bytes, and returns these.
Value RowChain::makeBytesOfRoom() const {
  memref::AllocOp matrix = room;
  OpBuilder builder(matrix);
  Location loc = matrix.getLoc();
  Value bytes = memref::AllocOp::create(
      builder, loc,
      MemRefType::get({bytesOf(matrix.getType())}, builder.getI8Type()));
  Value begin = arith::ConstantIndexOp::create(builder, loc, 0);
  Value view = memref::ViewOp::create(builder, loc, matrix.getType(), bytes,
                                      begin, ValueRange());
  matrix.replaceAllUsesWith(view);
  matrix.erase();
  return bytes;
}

int64_t RowChain::getTemporaryBytes() const {
  int64_t bytes = 0;
  for (Value temporary : temporaries)
    bytes += bytesOf(cast<MemRefType>(temporary.getType()));
  return bytes;
}

RowChain RowChain::in(const IRMapping &copy) const {
  RowChain chain;
  chain.rows = rows;
  if (memref::AllocOp matrix = room)
    chain.room = cast<memref::AllocOp>(copy.lookup(matrix.getOperation()));
  for (Operation *call : calls)
    chain.calls.push_back(copy.lookup(call));
  for (Value temporary : temporaries)
    chain.temporaries.insert(copy.lookup(temporary));
  return chain;
}

void RowChain::split(unsigned parts) const {
  OpBuilder builder(calls.back());
  auto indices = [&](ArrayRef<int64_t> values) {
    return getAsIndexOpFoldResult(builder.getContext(), values);
  };
  auto slice = [&](Location loc, Value whole, ArrayRef<int64_t> offsets,
                   ArrayRef<int64_t> sizes, ArrayRef<int64_t> shape) -> Value {
    SmallVector<int64_t> strides(offsets.size(), 1);
    auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
        shape, cast<MemRefType>(whole.getType()), offsets, sizes, strides));
    return memref::SubViewOp::create(builder, loc, type, whole,
                                     indices(offsets), indices(sizes),
                                     indices(strides));
  };
  const SmallVector<int64_t> partRows = getPartRows(parts);
  Value bytes = room ? makeBytesOfRoom() : Value();
  // Every maximum is that of one value per slice.
  llvm::MapVector<Value, Value> maxima;
  for (Operation *call : calls)
    for (OpOperand &operand : call->getOpOperands())
      if (getRowUse(operand) == RowUse::Maximum)
        maxima[operand.get()] = memref::AllocOp::create(
            builder, call->getLoc(),
            MemRefType::get({static_cast<int64_t>(partRows.size())},
                            builder.getF32Type()));
  int64_t row = 0;
  for (auto [part, count] : llvm::enumerate(partRows)) {
    IRMapping ofPart;
    for (auto [whole, temporary] : llvm::zip_equal(
             temporaries,
             makeTemporaries(builder, count, part == 0 ? Value() : bytes)))
      ofPart.map(whole, temporary);
    for (Operation *call : calls) {
      Location loc = call->getLoc();
      SmallVector<Value> operands;
      for (OpOperand &operand : call->getOpOperands()) {
        Value whole = operand.get();
        auto shape = cast<MemRefType>(whole.getType()).getShape();
        RowUse use = getRowUse(operand);
        if (Value temporary = ofPart.lookupOrNull(whole))
          operands.push_back(temporary);
        else if (use == RowUse::Rows)
          operands.push_back(slice(loc, whole, {row, 0}, {count, shape[1]},
                                   {count, shape[1]}));
        else if (use == RowUse::Columns)
          operands.push_back(slice(loc, whole, {0, row}, {shape[0], count},
                                   {shape[0], count}));
        else if (use == RowUse::Maximum)
          operands.push_back(
              slice(loc, maxima[whole], {static_cast<int64_t>(part)}, {1}, {}));
        else
          operands.push_back(whole);
      }
      builder.clone(*call)->setOperands(operands);
    }
    row += count;
  }
  for (auto [whole, ofParts] : maxima)
    tert::AmaxOp::create(builder, calls.back()->getLoc(), TypeRange(), ofParts,
                         whole, /*transposed=*/false);
  for (Operation *call : llvm::reverse(calls))
    call->erase();
  for (Value temporary : temporaries)
    temporary.getDefiningOp()->erase();
}

namespace {
struct TERTSplitRows : te::impl::TERTSplitRowsBase<TERTSplitRows> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    while (!function.isDeclaration() && function.getBody().hasOneBlock()) {
      FailureOr<bool> changed = splitAtPeak(function);
      if (failed(changed))
        return signalPassFailure();
      if (!*changed)
        break;
    }
  }

private:
  /// Peak memory of `function`, in bytes.
  static FailureOr<int64_t> getPeakBytes(func::FuncOp function) {
    FailureOr<BufferLiveness> liveness = BufferLiveness::computeFor(function);
    if (failed(liveness))
      return failure();
    return liveness->getPeakBytes(/*alignment=*/1);
  }

  /// Splits the calls at peak memory, if that lowers the peak.
  FailureOr<bool> splitAtPeak(func::FuncOp function) {
    FailureOr<BufferLiveness> liveness = BufferLiveness::computeFor(function);
    if (failed(liveness))
      return failure();
    Operation *seed = nullptr;
    for (auto call : function.front().getOps<tert::RowwiseCallOpInterface>())
      if (liveness->getPosition(call) == liveness->getPeakPosition())
        seed = call;
    std::optional<RowChain> chain;
    if (seed)
      chain = RowChain::find(seed);
    if (!chain || chain->getTemporaryBytes() < minBytes) {
      LDBG() << "left, at the peak are no calls that pass each other "
             << minBytes << " bytes row by row";
      return false;
    }

    const int64_t before = liveness->getPeakBytes(/*alignment=*/1);
    SmallVector<std::pair<unsigned, int64_t>> peaks;
    int64_t least = before;
    // With room, only the first two slices are smallest.
    const unsigned most = chain->hasRoom() ? 2 * maxParts : maxParts;
    for (unsigned parts = 2; parts <= most; parts *= 2) {
      if (!chain->canSplit(parts))
        continue;
      IRMapping copy;
      OwningOpRef<func::FuncOp> tried = function.clone(copy);
      chain->in(copy).split(parts);
      FailureOr<int64_t> peak = getPeakBytes(*tried);
      if (failed(peak))
        return failure();
      LDBG() << "tried " << parts << " slices, peak of " << *peak
             << " bytes instead of " << before;
      peaks.emplace_back(parts, *peak);
      least = std::min(least, *peak);
    }
    // More slices are more calls: not for a fiftieth of the memory.
    for (auto [parts, peak] : peaks)
      if (peak <= least + before / 50 && peak <= before - before / 20) {
        LDBG() << "taken, " << parts << " slices at " << *seed;
        numSplit += chain->size();
        chain->split(parts);
        return true;
      }
    return false;
  }
};
} // namespace
