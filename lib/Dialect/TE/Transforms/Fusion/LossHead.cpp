// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/LossHead.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace mlir::te;

/// The interface's methods are not const.
static LossOpInterface asLoss(RowwiseLossOpInterface loss) {
  return cast<LossOpInterface>(loss.getOperation());
}

Value LossHead::getLogits() const {
  RowwiseLossOpInterface op = loss;
  return op->getOperand(asLoss(op).getLogitsOperand());
}

RankedTensorType LossHead::getLogitsType() const {
  return cast<RankedTensorType>(getLogits().getType());
}

OpResult LossHead::getLoss() const {
  RowwiseLossOpInterface op = loss;
  return op->getResult(op.getLossResult());
}

/// Removes inputs of `op` whose elements it does not read.
static void dropUnreadInputs(linalg::GenericOp op) {
  for (Operation &inside :
       llvm::make_early_inc_range(llvm::reverse(*op.getBody())))
    if (isOpTriviallyDead(&inside))
      inside.erase();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  llvm::BitVector unread(op.getBody()->getNumArguments());
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (op.getMatchingBlockArgument(input).use_empty()) {
      unread.set(input->getOperandNumber());
      continue;
    }
    inputs.push_back(input->get());
    maps.push_back(op.getMatchingIndexingMap(input));
  }
  // Loops need a map that gives their sizes.
  if (unread.none() || op.getNumLoops() != 0)
    return;
  for (OpOperand &init : op.getDpsInitsMutable())
    maps.push_back(op.getMatchingIndexingMap(&init));
  OpBuilder builder(op);
  auto reduced = linalg::GenericOp::create(
      builder, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray());
  reduced.getRegion().takeBody(op.getRegion());
  reduced.getBody()->eraseArguments(unread);
  op.replaceAllUsesWith(reduced.getResults());
  op.erase();
}

/// Removes reads of values computed from a loss that are not needed: the
/// gradient of a division has all operands of the division.
static void dropUnreadInputs(Value loss) {
  // Also of its all-reduced sum.
  SmallVector<Value> values = {loss};
  for (Operation *user : loss.getUsers())
    if (auto sum = dyn_cast<shard::AllReduceOp>(user))
      values.push_back(sum.getResult());
  llvm::SetVector<Operation *> readers;
  for (Value value : values)
    readers.insert_range(value.getUsers());
  for (Operation *reader : readers)
    if (auto generic = dyn_cast<linalg::GenericOp>(reader))
      dropUnreadInputs(generic);
}

/// The ops between a loss and its gradient that depend on the loss, in order;
/// fails if they cannot move after the gradient.
static FailureOr<SmallVector<Operation *>> findFollowers(OpResult loss,
                                                         Operation *grad) {
  llvm::SmallPtrSet<Operation *, 8> dependent = {loss.getOwner()};
  auto depends = [&](Operation *op) {
    return op
        ->walk([&](Operation *inside) {
          return WalkResult(
              failure(llvm::any_of(inside->getOperands(), [&](Value operand) {
                return operand == loss ||
                       (operand.getDefiningOp() != loss.getOwner() &&
                        dependent.contains(operand.getDefiningOp()));
              })));
        })
        .wasInterrupted();
  };
  SmallVector<Operation *> followers;
  for (Operation *op = loss.getOwner()->getNextNode(); op && op != grad;
       op = op->getNextNode()) {
    if (!depends(op))
      continue;
    if (!isMemoryEffectFree(op))
      return failure();
    dependent.insert(op);
    followers.push_back(op);
  }
  if (depends(grad))
    return failure();
  return followers;
}

FailureOr<LossHead> LossHead::find(RowwiseLossOpInterface loss,
                                   std::string &reason) {
  LossHead head{loss, nullptr, {}};
  for (Operation *user : head.getLogits().getUsers()) {
    if (user == loss)
      continue;
    std::string difference;
    Value dlogits = loss.matchGradient(user, difference);
    if ((!dlogits && difference.empty()) || head.dlogits) {
      reason = "the logits are needed elsewhere";
      return failure();
    }
    if (!dlogits) {
      reason = difference;
      return failure();
    }
    head.dlogits = dlogits;
  }
  if (!head.dlogits) {
    reason = "it has no gradient";
    return failure();
  }
  Operation *grad = head.getGradient();
  // Values saved for the gradient are no longer made.
  OpResult lossValue = head.getLoss();
  bool savesForOthers = llvm::any_of(loss->getResults(), [&](OpResult result) {
    return result != lossValue &&
           llvm::any_of(result.getUsers(),
                        [&](Operation *user) { return user != grad; });
  });
  if (savesForOthers || head.dlogits.getType() != head.getLogits().getType() ||
      grad->getBlock() != loss->getBlock() || !loss->isBeforeInBlock(grad)) {
    reason = "its gradient is not taken in the form it could be fused in";
    return failure();
  }
  dropUnreadInputs(lossValue);
  FailureOr<SmallVector<Operation *>> followers =
      findFollowers(lossValue, grad);
  if (failed(followers)) {
    reason = "its gradient depends on what is computed from it";
    return failure();
  }
  head.followers = std::move(*followers);
  return head;
}

FailureOr<Projection> Projection::find(const LossHead &head,
                                       std::string &reason) {
  reason = "the logits do not come from a linear layer in high precision whose "
           "gradients are all that is computed from theirs";
  RowwiseLossOpInterface loss = head.loss;
  Operation *grad = head.getGradient();
  // The products move to the position of the gradient.
  auto isThere = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op == grad || op->getBlock() != grad->getBlock() ||
           op->isBeforeInBlock(grad);
  };
  Projection projection;
  projection.fprop = head.getLogits().getDefiningOp<MatmulOp>();
  if (!projection.fprop || projection.fprop.getTransposeA() ||
      projection.fprop.getAddend() ||
      projection.fprop->getBlock() != loss->getBlock())
    return failure();
  // Rows are sliced from one operand, and classes padded in the other.
  if (projection.fprop.getA() == projection.fprop.getB())
    return failure();
  for (Operation *user : head.dlogits.getUsers()) {
    auto product = dyn_cast<MatmulOp>(user);
    if (!product || product.getBias() || product.getAddend() ||
        !isThere(product.getA()) || !isThere(product.getB()))
      return failure();
    bool isDgrad = product.getRole() == MatmulRole::Dgrad &&
                   product.getA() == head.dlogits && !product.getTransposeA() &&
                   product.getTransposeB() != projection.fprop.getTransposeB();
    // Sums over rows: either operand may be the gradient, and both hold one row
    // per token.
    bool isWgrad = product.getRole() == MatmulRole::Wgrad &&
                   product.getTransposeA() && !product.getTransposeB() &&
                   product.getA() != product.getB() &&
                   (product.getA() == projection.fprop.getA() ||
                    product.getB() == projection.fprop.getA());
    MatmulOp &place = isDgrad ? projection.dgrad : projection.wgrad;
    if (place || (!isDgrad && !isWgrad) ||
        (isDgrad && product.getB() != projection.fprop.getB()))
      return failure();
    place = product;
  }
  if (!projection.wgrad && !projection.dgrad)
    return failure();
  return projection;
}
