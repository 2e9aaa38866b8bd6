// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-recompute-copies: makes column-wise copies where they are read.

#include "../BufferBytes.h"
#include "../Footprint.h"
#include "te/Analysis/BufferLiveness.h"
#include "te/Dialect/TERT/IR/MemoryInterfaces.h"
#include "te/Dialect/TERT/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTRECOMPUTECOPIES
#include "te/Dialect/TERT/Transforms/Memory/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-recompute-copies"

using namespace mlir;
using namespace mlir::te;

/// Bytes that a scale takes in the arena.
static constexpr int64_t kNegligibleBytes = 256;

/// The buffer that a value is a view of; null if unknown.
static Value getBuffer(Value value) {
  Value buffer = Footprint::getBuffer(value);
  return isa<BlockArgument>(buffer) ||
                 buffer.getDefiningOp<memref::AllocOp>() ||
                 buffer.getDefiningOp<memref::GetGlobalOp>()
             ? buffer
             : Value();
}

namespace {

/// A copy that stays allocated until it is read, as does its source.
class WaitingCopy {
public:
  WaitingCopy(tert::RecomputableCallOpInterface call,
              const BufferLiveness &liveness)
      : call(call), liveness(liveness) {}

  /// True if the copy is live at `position` and can be recomputed after it:
  /// along with a gradient, or reading at most `traffic` bytes per byte.
  bool match(unsigned position, double traffic);
  /// True if that still holds after others were recomputed: ops move then, and
  /// the gradient may be `taken`.
  bool matchAgain(const llvm::SmallPtrSetImpl<Operation *> &taken);
  Operation *getGradient() const { return gradient; }
  Operation *getCall() { return call; }
  /// Recomputes it there.
  void recompute();

private:
  /// Calls fn(op, whether it may write) for every access to the buffer.
  template <typename Fn> bool allUsers(Value buffer, const Fn &fn) const;
  bool findReaders();
  void sortReaders();
  bool findGradient(unsigned position);
  bool canBeMadeIn(Operation *candidate);
  /// True if `candidate` may move before all readers, past the ops between.
  /// Finds the views that have to move with it.
  bool canHoist(Operation *candidate);
  /// True if the operands of the call are available and unchanged at `place`.
  bool areInputsKept(Operation *place);
  /// True if results of the call that `reader` reads are unchanged at `place`.
  bool areStatisticsKept(Operation *reader, Operation *place);
  int64_t getInputBytes();

  tert::RecomputableCallOpInterface call;
  const BufferLiveness &liveness;
  /// In program order.
  SmallVector<Operation *> readers;
  /// The call that also makes the copy; null: a call before the first reader
  /// does.
  Operation *gradient = nullptr;
  /// The gradient moves up to the last reader, with the views that it needs.
  bool hoists = false;
  SmallVector<Operation *> hoistedViews;
};

} // namespace

template <typename Fn>
bool WaitingCopy::allUsers(Value buffer, const Fn &fn) const {
  return allUses(buffer, [&](OpOperand &use, const BufferBox &) {
    Operation *user = use.getOwner();
    if (user->getBlock() != call->getBlock())
      return false;
    if (isMemoryEffectFree(user))
      return true;
    auto destination = dyn_cast<DestinationStyleOpInterface>(user);
    return fn(user, !destination || destination.isDpsInit(&use));
  });
}

void WaitingCopy::sortReaders() {
  llvm::sort(readers,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
}

/// Requires that only the call writes the copy.
bool WaitingCopy::findReaders() {
  Value copy = call.getLaterCopy();
  if (!copy || !copy.getDefiningOp<memref::AllocOp>())
    return false;
  bool isPrivate = allUsers(copy, [&](Operation *user, bool writes) {
    if (user != call)
      readers.push_back(user);
    return user == call || (!writes && call->isBeforeInBlock(user));
  });
  sortReaders();
  return isPrivate && !readers.empty();
}

bool WaitingCopy::areInputsKept(Operation *place) {
  for (OpOperand &operand : call->getOpOperands()) {
    if (cast<DestinationStyleOpInterface>(call.getOperation())
            .isDpsInit(&operand))
      continue;
    Value buffer = getBuffer(operand.get());
    if (!buffer)
      return false;
    // A scale may be kept longer; keeping a matrix would save nothing.
    bool isThere = !buffer.getDefiningOp<memref::AllocOp>() ||
                   bytesOf(buffer) <= kNegligibleBytes;
    bool isUnchanged = allUsers(buffer, [&](Operation *user, bool writes) {
      isThere |= !user->isBeforeInBlock(place);
      return !writes || user->isBeforeInBlock(call) ||
             !user->isBeforeInBlock(place);
    });
    if (!isThere || !isUnchanged)
      return false;
  }
  return true;
}

bool WaitingCopy::areStatisticsKept(Operation *reader, Operation *place) {
  return llvm::all_of(
      cast<DestinationStyleOpInterface>(call.getOperation())
          .getDpsInitsMutable(),
      [&](OpOperand &init) {
        if (!llvm::is_contained(reader->getOperands(), init.get()))
          return true;
        Value buffer = getBuffer(init.get());
        return buffer && allUsers(buffer, [&](Operation *user, bool writes) {
                 return !writes || user == call ||
                        user->isBeforeInBlock(call) ||
                        !user->isBeforeInBlock(place);
               });
      });
}

bool WaitingCopy::canHoist(Operation *candidate) {
  Operation *last = readers.back();
  Footprint moved;
  if (!last->isBeforeInBlock(candidate) || !moved.add(candidate))
    return false;
  llvm::SmallPtrSet<Operation *, 8> needed;
  auto need = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        needed.insert(producer);
  };
  need(candidate);
  hoistedViews.clear();
  for (Operation *op = candidate->getPrevNode(); op != last;
       op = op->getPrevNode()) {
    Footprint footprint;
    if (needed.contains(op)) {
      if (!isMemoryEffectFree(op) && !isa<memref::AllocOp>(op))
        return false;
      need(op);
      hoistedViews.push_back(op);
    } else if (!footprint.add(op) || moved.conflictsWith(footprint)) {
      return false;
    }
  }
  std::reverse(hoistedViews.begin(), hoistedViews.end());
  return llvm::none_of(readers, [&](Operation *reader) {
    Footprint footprint;
    return !footprint.add(reader) || moved.conflictsWith(footprint);
  });
}

bool WaitingCopy::canBeMadeIn(Operation *candidate) {
  auto areValuesKept = [&](Operation *place) {
    return areInputsKept(place) && areStatisticsKept(candidate, place);
  };
  if (areValuesKept(candidate) && canMoveBehind(readers, candidate)) {
    hoists = false;
    return true;
  }
  // Scales may change in between.
  hoists = canHoist(candidate) && canMoveBehind(readers, readers.back()) &&
           areValuesKept(readers.back()->getNextNode());
  return hoists;
}

bool WaitingCopy::findGradient(unsigned position) {
  for (Value operand : call->getOperands())
    for (Operation *user : operand.getUsers())
      if (user->getBlock() == call->getBlock() &&
          liveness.getPosition(user) > position && call.canRecomputeIn(user) &&
          canBeMadeIn(user)) {
        gradient = user;
        return true;
      }
  return false;
}

bool WaitingCopy::matchAgain(const llvm::SmallPtrSetImpl<Operation *> &taken) {
  sortReaders();
  return gradient ? !taken.contains(gradient) && canBeMadeIn(gradient)
                  : areInputsKept(readers.front());
}

int64_t WaitingCopy::getInputBytes() {
  int64_t bytes = 0;
  for (OpOperand &operand : call->getOpOperands())
    if (!cast<DestinationStyleOpInterface>(call.getOperation())
             .isDpsInit(&operand))
      bytes += bytesOf(operand.get());
  return bytes;
}

bool WaitingCopy::match(unsigned position, double traffic) {
  if (liveness.getPosition(call) >= position || !findReaders() ||
      liveness.getPosition(readers.front()) <= position)
    return false;
  if (findGradient(position) ||
      (getInputBytes() <= traffic * bytesOf(call.getLaterCopy()) &&
       areInputsKept(readers.front())))
    return true;
  LDBG() << "left, live at the peak, but its inputs are not, or take "
         << getInputBytes() << " bytes to read: " << *call;
  return false;
}

void WaitingCopy::recompute() {
  OpBuilder builder(readers.front());
  if (!gradient) {
    call.recompute(builder);
    return;
  }
  if (hoists) {
    Operation *last = readers.back();
    hoistedViews.push_back(gradient);
    for (Operation *op : hoistedViews) {
      op->moveAfter(last);
      last = op;
    }
  }
  SmallVector<Operation *> late;
  for (Operation *reader : readers)
    if (reader->isBeforeInBlock(gradient))
      late.push_back(reader);
  Operation *last = call.recomputeIn(builder, gradient);
  for (Operation *reader : late) {
    reader->moveAfter(last);
    last = reader;
  }
}

namespace {
struct TERTRecomputeCopies
    : te::impl::TERTRecomputeCopiesBase<TERTRecomputeCopies> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    while (!function.isDeclaration() && function.getBody().hasOneBlock()) {
      FailureOr<unsigned> count = recomputeAtPeak(function);
      if (failed(count))
        return signalPassFailure();
      if (*count == 0)
        break;
      numRecomputed += *count;
    }
  }

private:
  /// Returns the number of copies that are no longer live at peak memory.
  FailureOr<unsigned> recomputeAtPeak(func::FuncOp function) {
    FailureOr<BufferLiveness> liveness = BufferLiveness::computeFor(function);
    if (failed(liveness))
      return failure();
    SmallVector<WaitingCopy> copies;
    for (auto call :
         function.front().getOps<tert::RecomputableCallOpInterface>())
      if (WaitingCopy copy(call, *liveness);
          copy.match(liveness->getPeakPosition(), traffic))
        copies.push_back(copy);
    llvm::SmallPtrSet<Operation *, 32> taken;
    unsigned count = 0;
    for (WaitingCopy &copy : copies) {
      if (!copy.matchAgain(taken)) {
        LDBG() << "left, another copy takes its gradient or moves its readers: "
               << *copy.getCall();
        continue;
      }
      LDBG() << "taken, recomputed "
             << (copy.getGradient() ? "with a gradient: " : "by itself: ")
             << *copy.getCall();
      taken.insert(copy.getGradient());
      copy.recompute();
      ++count;
    }
    return count;
  }
};
} // namespace
