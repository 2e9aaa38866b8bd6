// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/LossHead.h"

using namespace mlir;
using namespace mlir::te;

/// The interface's own methods, for copies of it that are const.
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

FailureOr<LossHead> LossHead::find(RowwiseLossOpInterface loss,
                                   std::string &reason) {
  LossHead head{loss, nullptr};
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
  auto comesBefore = [&](Operation *user) {
    Operation *ancestor = grad->getBlock()->findAncestorOpInBlock(*user);
    return !ancestor || ancestor->isBeforeInBlock(grad);
  };
  // What is saved for the gradient is not made any more.
  OpResult lossValue = head.getLoss();
  bool savesForOthers = llvm::any_of(loss->getResults(), [&](OpResult result) {
    return result != lossValue &&
           llvm::any_of(result.getUsers(),
                        [&](Operation *user) { return user != grad; });
  });
  if (savesForOthers || head.dlogits.getType() != head.getLogits().getType() ||
      grad->getBlock() != loss->getBlock() ||
      llvm::any_of(lossValue.getUsers(), comesBefore)) {
    reason = "its gradient is not taken in the form it could be fused in";
    return failure();
  }
  return head;
}

FailureOr<Projection> Projection::find(const LossHead &head,
                                       std::string &reason) {
  reason = "the logits do not come from a linear layer in high precision whose "
           "gradients are all that is computed from theirs";
  RowwiseLossOpInterface loss = head.loss;
  Operation *grad = head.getGradient();
  // The products move to where the gradient is.
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
  // Rows are taken of one operand, and classes added to the other.
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
    // Sums over rows: either operand may be the gradient, and both hold one
    // row per token.
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
