// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-reuse-inputs: results go over inputs that are no longer needed.

#include "te/Dialect/TERT/Transforms/Passes.h"

#include "BufferBox.h"
#include "JoinDimensions.h"
#include "te/Dialect/TERT/IR/MemoryInterfaces.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTREUSEINPUTS
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-reuse-inputs"

using namespace mlir;
using namespace mlir::te;

namespace {

/// A call and the changes that would let it overwrite its input with its
/// result.
class Reuse {
public:
  Reuse(Operation *call, Value input, Value result)
      : call(call), input(input), result(result) {}

  /// Moves the result there if that is legal and saves memory.
  void tryApply();

private:
  bool findBuffers();
  bool isInputFree();
  bool isResultNew();
  bool canMove();

  Operation *call;
  Value input, result;
  memref::AllocOp from, to;
  /// The elements of `from` that the input covers.
  BufferBox box;
  bool coversAll = true;
  /// The last uses of the buffers.
  Operation *lastOfFrom, *lastOfTo;
};

} // namespace

static bool isView(Operation *op) {
  return isa_and_present<memref::SubViewOp, memref::ExpandShapeOp,
                         memref::CollapseShapeOp>(op);
}

bool Reuse::findBuffers() {
  to = result.getDefiningOp<memref::AllocOp>();
  Value root = input;
  memref::SubViewOp slice;
  for (; isView(root.getDefiningOp());
       root = root.getDefiningOp()->getOperand(0))
    slice = dyn_cast<memref::SubViewOp>(root.getDefiningOp());
  from = root.getDefiningOp<memref::AllocOp>();
  if (!from || !to || from == to || from->getBlock() != call->getBlock() ||
      to->getBlock() != call->getBlock())
    return false;
  if (slice) {
    std::optional<BufferBox> covered = getBox(slice);
    if (!covered)
      return false;
    box = *covered;
  }
  // Padding rows do not count.
  coversAll = from.getType().getNumElements() <=
              cast<MemRefType>(input.getType()).getNumElements() / 8 * 9;
  return true;
}

/// True if the input's memory is not accessed after the call.
bool Reuse::isInputFree() {
  lastOfFrom = call;
  return allUses(from, [&](OpOperand &use, const BufferBox &useBox) {
    Operation *user = use.getOwner();
    // Another operand with this memory would read new values.
    if (user == call)
      return llvm::count(user->getOperands(), use.get()) <=
             (use.get() == input);
    if (isMemoryEffectFree(user))
      return true;
    Operation *ancestor = call->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor)
      return false;
    if (!call->isBeforeInBlock(ancestor))
      return true;
    if (lastOfFrom->isBeforeInBlock(ancestor))
      lastOfFrom = ancestor;
    return !useBox.overlaps(box);
  });
}

/// The call is the first to touch the result's buffer.
bool Reuse::isResultNew() {
  lastOfTo = call;
  return allUses(to, [&](OpOperand &use, const BufferBox &) {
    Operation *user = use.getOwner();
    Operation *ancestor = call->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || ancestor->isBeforeInBlock(call))
      return false;
    if (lastOfTo->isBeforeInBlock(ancestor))
      lastOfTo = ancestor;
    return user != call ||
           llvm::count(user->getOperands(), use.get()) <= (use.get() == result);
  });
}

/// True if all users of the result accept its layout there.
bool Reuse::canMove() {
  auto type = cast<MemRefType>(input.getType());
  if (type == result.getType())
    return true;
  return llvm::all_of(to->getUses(), [&](OpOperand &use) {
    if (auto runtimeCall =
            dyn_cast<tert::RuntimeCallOpInterface>(use.getOwner()))
      return runtimeCall.getLayoutRequirement(use).isMetBy(type);
    return isa<linalg::GenericOp>(use.getOwner());
  });
}

void Reuse::tryApply() {
  const char *problem =
      !findBuffers()   ? "input and result are not in two buffers of this block"
      : !isInputFree() ? "the input is accessed later"
      : !isResultNew() ? "the result's buffer is accessed before"
      : !canMove()     ? "a reader of the result does not take its layout there"
      // Reusing part of a buffer is not worth keeping all of it alive for
      // longer.
      : !coversAll && lastOfFrom->isBeforeInBlock(lastOfTo)
          ? "a larger buffer would live longer"
          : nullptr;
  if (problem) {
    LDBG() << "left, " << problem << ": " << *call;
    return;
  }
  LDBG() << "taken: " << *call;
  to.replaceAllUsesWith(input);
  to.erase();
}

static void reuseInputs(Block &block) {
  for (auto call : block.getOps<tert::InPlaceCallOpInterface>()) {
    if (!hasStaticLayouts(call))
      continue;
    for (OpOperand &init :
         cast<DestinationStyleOpInterface>(call.getOperation())
             .getDpsInitsMutable())
      if (OpOperand *input = call.getOverwritableInput(init))
        Reuse(call, input->get(), init.get()).tryApply();
  }
}

namespace {
struct TERTReuseInputs : te::impl::TERTReuseInputsBase<TERTReuseInputs> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      reuseInputs(block);
  }
};
} // namespace
