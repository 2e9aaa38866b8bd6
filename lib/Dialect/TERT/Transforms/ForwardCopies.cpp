// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tert-forward-copies: values are computed where they are copied to.

#include "te/Dialect/TERT/Transforms/Passes.h"

#include "BufferBox.h"
#include "JoinDimensions.h"
#include "te/Dialect/TERT/IR/MemoryInterfaces.h"
#include "te/Support/Moving.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {
#define GEN_PASS_DEF_TERTFORWARDCOPIES
#include "te/Dialect/TERT/Transforms/Passes.h.inc"
} // namespace mlir::te

#define DEBUG_TYPE "tert-forward-copies"

using namespace mlir;
using namespace mlir::te;

namespace {

bool isReshape(Operation *op) {
  return isa_and_present<memref::ExpandShapeOp, memref::CollapseShapeOp>(op);
}

/// A copy and the changes that would make it unnecessary, or a call that may
/// overwrite its operand and the changes that would let it.
class Forwarding {
public:
  explicit Forwarding(tert::CopyOp copy)
      : copy(copy), from(&copy.getXMutable()), to(copy.getY()), isCopy(true) {}
  Forwarding(Operation *call, OpOperand *input, Value result)
      : copy(call), from(input), to(result), isCopy(false) {}

  /// Computes the value at its destination if that is legal and saves memory:
  /// the copy is then removed, or the call made in place.
  void tryApply();

private:
  bool findSource();
  bool findDestination();
  bool findFirstUse();
  bool isDestinationFree();
  bool addsInPlace(Operation *user, Value alias);
  /// True if the op has operands with this memory besides `expected`: in place
  /// they would read new values.
  bool readsTwice(Value alias, Value expected) {
    return llvm::count(copy->getOperands(), alias) > (alias == expected);
  }
  bool findReplacementTypes();
  void apply();

  Operation *copy;
  OpOperand *from; ///< the copied value
  Value to;
  bool isCopy;
  memref::AllocOp source;
  /// From the copy's operand back to the allocation.
  SmallVector<Operation *> reshapes;

  Value root;
  /// From the copy's operand back to the root.
  SmallVector<Operation *> views;
  BufferBox box;

  Operation *firstUse = nullptr;
  /// The destination after undoing each of the reshapes.
  SmallVector<MemRefType> types;
};

} // namespace

bool Forwarding::findSource() {
  Value value = from->get();
  while (isReshape(value.getDefiningOp())) {
    reshapes.push_back(value.getDefiningOp());
    value = value.getDefiningOp()->getOperand(0);
  }
  source = value.getDefiningOp<memref::AllocOp>();
  return source && source->getBlock() == copy->getBlock();
}

bool Forwarding::findDestination() {
  root = to;
  while (Operation *op = root.getDefiningOp()) {
    auto slice = dyn_cast<memref::SubViewOp>(op);
    if (!slice && !isReshape(op))
      break;
    if (op->getNumOperands() != 1)
      return false;
    views.push_back(op);
    root = op->getOperand(0);
  }
  if (!views.empty())
    if (auto slice = dyn_cast<memref::SubViewOp>(views.back())) {
      std::optional<BufferBox> covered = getBox(slice);
      if (!covered)
        return false;
      box = *covered;
    }
  auto alloc = root.getDefiningOp<memref::AllocOp>();
  if (alloc == source)
    return false;
  return isa<BlockArgument>(root) ||
         (alloc && alloc->getBlock() == copy->getBlock());
}

/// The copy must be the last use of the allocation.
bool Forwarding::findFirstUse() {
  firstUse = copy;
  return allUses(source, [&](OpOperand &use, const BufferBox &) {
    Operation *user = use.getOwner();
    Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || copy->isBeforeInBlock(ancestor))
      return false;
    if (!isMemoryEffectFree(user) && ancestor->isBeforeInBlock(firstUse))
      firstUse = ancestor;
    return user != copy || !readsTwice(use.get(), from->get());
  });
}

/// True if `user` is an elementwise sum that reads the destination's old value
/// as `alias` where it will write the new one: an accumulation into a state.
bool Forwarding::addsInPlace(Operation *user, Value alias) {
  auto add = dyn_cast<tert::AddOp>(user);
  if (!add || user != firstUse)
    return false;
  auto isWhole = [&](Value value) {
    auto type = cast<MemRefType>(value.getType());
    return type.getLayout().isIdentity() &&
           type.getNumElements() ==
               cast<MemRefType>(root.getType()).getNumElements();
  };
  return isWhole(root) && isWhole(alias) && isWhole(to) &&
         alias != add.getY() && alias.getType() == add.getY().getType();
}

/// True if the destination is not accessed while its value is computed.
bool Forwarding::isDestinationFree() {
  return allUses(root, [&](OpOperand &use, const BufferBox &useBox) {
    Operation *user = use.getOwner();
    if (isMemoryEffectFree(user) || addsInPlace(user, use.get()))
      return true;
    if (user == copy)
      return !readsTwice(use.get(), to);
    Operation *ancestor = copy->getBlock()->findAncestorOpInBlock(*user);
    return ancestor &&
           (ancestor->isBeforeInBlock(firstUse) ||
            !ancestor->isBeforeInBlock(copy) || !useBox.overlaps(box));
  });
}

/// The destination must be a memref that the allocation's users can take: of
/// the same type, or strided where all of them are runtime calls that take such
/// strides or become generated kernels.
bool Forwarding::findReplacementTypes() {
  MemRefType type = cast<MemRefType>(to.getType());
  for (Operation *reshape : reshapes) {
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(reshape)) {
      FailureOr<MemRefType> expanded =
          memref::ExpandShapeOp::computeExpandedType(
              type, collapse.getSrcType().getShape(),
              collapse.getReassociationIndices());
      if (failed(expanded))
        return false;
      type = *expanded;
    } else {
      auto groups =
          cast<memref::ExpandShapeOp>(reshape).getReassociationIndices();
      if (!memref::CollapseShapeOp::isGuaranteedCollapsible(type, groups))
        return false;
      type = memref::CollapseShapeOp::computeCollapsedType(type, groups);
    }
    types.push_back(type);
  }
  if (type == source.getType())
    return true;
  auto takesStrides = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto call = dyn_cast<tert::RuntimeCallOpInterface>(user))
      return call.getLayoutRequirement(use).isMetBy(type);
    return isa<linalg::GenericOp>(user) ||
           (!reshapes.empty() && user == reshapes.back());
  };
  return llvm::all_of(source->getUses(), takesStrides) &&
         llvm::all_of(reshapes, [](Operation *op) { return op->hasOneUse(); });
}

void Forwarding::apply() {
  if (auto alloc = root.getDefiningOp<memref::AllocOp>();
      alloc && source->isBeforeInBlock(alloc))
    moveKeepingOrder(alloc, source);
  OpBuilder builder(source);
  Value destination = root;
  for (Operation *view : llvm::reverse(views)) {
    Operation *clone = builder.clone(*view);
    clone->setOperand(0, destination);
    destination = clone->getResult(0);
  }
  for (auto [reshape, type] : llvm::zip(reshapes, types)) {
    if (auto collapse = dyn_cast<memref::CollapseShapeOp>(reshape))
      destination = memref::ExpandShapeOp::create(
          builder, reshape->getLoc(), type, destination,
          collapse.getReassociationIndices());
    else
      destination = memref::CollapseShapeOp::create(
          builder, reshape->getLoc(), destination,
          cast<memref::ExpandShapeOp>(reshape).getReassociationIndices());
  }
  if (isCopy)
    copy->erase();
  else
    from->set(to);
  for (Operation *reshape : reshapes)
    if (reshape->use_empty())
      reshape->erase();
  source.replaceAllUsesWith(destination);
  source.erase();
}

void Forwarding::tryApply() {
  auto elementOf = [](Value value) {
    return cast<MemRefType>(value.getType()).getElementType();
  };
  const char *problem =
      elementOf(from->get()) != elementOf(to) ? "it converts elements"
      : !findSource()        ? "its source is not a buffer of this block"
      : !findDestination()   ? "its destination is not a box of another buffer"
      : !findFirstUse()      ? "its source is read later"
      : !isDestinationFree() ? "its destination is accessed meanwhile"
      : !findReplacementTypes()
          ? "a user does not take the destination's layout"
          : nullptr;
  if (problem) {
    LDBG() << "left, " << problem << ": " << *copy;
    return;
  }
  LDBG() << "taken: " << *copy;
  apply();
}

static void forwardCopies(Block &block) {
  for (auto copy : llvm::make_early_inc_range(block.getOps<tert::CopyOp>()))
    if (hasStaticLayouts(copy))
      Forwarding(copy).tryApply();
  for (auto call : block.getOps<tert::InPlaceCallOpInterface>()) {
    if (!hasStaticLayouts(call))
      continue;
    for (OpOperand &init :
         cast<DestinationStyleOpInterface>(call.getOperation())
             .getDpsInitsMutable())
      if (OpOperand *input = call.getOverwritableInput(init))
        Forwarding(call, input, init.get()).tryApply();
  }
}

namespace {
struct TERTForwardCopies : te::impl::TERTForwardCopiesBase<TERTForwardCopies> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      forwardCopies(block);
  }
};
} // namespace
