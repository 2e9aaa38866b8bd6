// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse-loss: the loss and its gradient in one pass over the logits, a part
// of the rows after the other.

#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

namespace mlir::te {
#define GEN_PASS_DEF_TEFUSELOSS
#include "te/Dialect/TE/Transforms/Passes.h.inc"
} // namespace mlir::te

using namespace mlir;
using namespace mlir::te;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static RankedTensorType withRows(RankedTensorType type, int64_t rows) {
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = rows;
  return type.clone(shape);
}

namespace {

/// A loss whose logits nothing but itself and its gradient reads.
struct Head {
  CrossEntropyOp loss;
  CrossEntropyGradOp grad;

  /// Finds the gradient; without it, says why the two stay apart.
  static FailureOr<Head> find(CrossEntropyOp loss, StringRef &reason);
};

/// The linear layer around the loss: logits = x · op(w) + bias, and the two
/// products that read their gradient.
struct Projection {
  MatmulOp fprop, dgrad, wgrad;

  static FailureOr<Projection> find(const Head &head, StringRef &reason);
};

} // namespace

FailureOr<Head> Head::find(CrossEntropyOp loss, StringRef &reason) {
  Head head{loss, nullptr};
  for (Operation *user : loss.getLogits().getUsers()) {
    if (user == loss)
      continue;
    auto grad = dyn_cast<CrossEntropyGradOp>(user);
    if (!grad || head.grad || grad.getLse() != loss.getLse()) {
      reason = "the logits are needed elsewhere";
      return failure();
    }
    head.grad = grad;
  }
  if (!head.grad) {
    reason = "it has no gradient";
    return failure();
  }
  auto comesBefore = [&](Operation *user) {
    Operation *ancestor = head.grad->getBlock()->findAncestorOpInBlock(*user);
    return !ancestor || ancestor->isBeforeInBlock(head.grad);
  };
  auto readsOnly = [&](Value value) {
    return llvm::all_of(value.getUsers(),
                        [&](Operation *user) { return user == head.grad; });
  };
  if (!readsOnly(loss.getLse()) || !readsOnly(loss.getCount()) ||
      head.grad.getDlogits().getType() != loss.getLogits().getType() ||
      head.grad->getBlock() != loss->getBlock() ||
      llvm::any_of(loss.getLoss().getUsers(), comesBefore)) {
    reason = "its gradient is not taken in the form it could be fused in";
    return failure();
  }
  return head;
}

FailureOr<Projection> Projection::find(const Head &head, StringRef &reason) {
  reason = "the logits do not come from a linear layer in high precision whose "
           "gradients are all that is computed from theirs";
  CrossEntropyOp loss = head.loss;
  CrossEntropyGradOp grad = head.grad;
  // The products move to where the gradient is.
  auto isThere = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return !op || op == grad || op->getBlock() != grad->getBlock() ||
           op->isBeforeInBlock(grad);
  };
  Projection projection;
  projection.fprop = loss.getLogits().getDefiningOp<MatmulOp>();
  if (!projection.fprop || projection.fprop.getTransposeA() ||
      projection.fprop.getAddend() ||
      projection.fprop->getBlock() != loss->getBlock())
    return failure();
  for (Operation *user : grad.getDlogits().getUsers()) {
    auto product = dyn_cast<MatmulOp>(user);
    if (!product || product.getBias() || product.getAddend() ||
        !isThere(product.getA()) || !isThere(product.getB()))
      return failure();
    bool isDgrad = product.getRole() == MatmulRole::Dgrad &&
                   product.getA() == grad.getDlogits() &&
                   !product.getTransposeA();
    // Sums over rows: either operand may be the gradient, and both hold one
    // row per token.
    bool isWgrad = product.getRole() == MatmulRole::Wgrad &&
                   product.getTransposeA() && !product.getTransposeB() &&
                   product.getA() != product.getB() &&
                   (product.getA() == projection.fprop.getA() ||
                    product.getB() == projection.fprop.getA());
    MatmulOp &place = isDgrad ? projection.dgrad : projection.wgrad;
    if (place || (!isDgrad && !isWgrad))
      return failure();
    place = product;
  }
  if (!projection.wgrad && !projection.dgrad)
    return failure();
  return projection;
}

namespace {

class FuseLossPass : public te::impl::TEFuseLossBase<FuseLossPass> {
public:
  using Base::Base;

  void runOnOperation() override {
    if (maxBytes <= 0) {
      getOperation().emitError()
          << "te-fuse-loss: max-bytes must be positive, got "
          << maxBytes.getValue();
      return signalPassFailure();
    }
    if (rowMultiple <= 0) {
      getOperation().emitError()
          << "te-fuse-loss: row-multiple must be positive, got "
          << rowMultiple.getValue();
      return signalPassFailure();
    }
    SmallVector<CrossEntropyOp> losses;
    getOperation().walk([&](CrossEntropyOp op) { losses.push_back(op); });
    for (CrossEntropyOp loss : losses)
      fuse(loss);
  }

private:
  void fuse(CrossEntropyOp loss);
  SmallVector<int64_t> partition(RankedTensorType logits) const;
};

} // namespace

/// Rows of the parts in which the logits stay below the limit.
SmallVector<int64_t> FuseLossPass::partition(RankedTensorType logits) const {
  int64_t rows = logits.getDimSize(0);
  double bytes = double(logits.getNumElements()) *
                 llvm::divideCeil(logits.getElementTypeBitWidth(), 8);
  auto count = static_cast<int64_t>(std::ceil(bytes / double(maxBytes)));
  int64_t part =
      llvm::alignTo(llvm::divideCeil(rows, std::max<int64_t>(count, 1)),
                    rowMultiple.getValue());
  SmallVector<int64_t> parts;
  for (int64_t first = 0; first < rows; first += part)
    parts.push_back(std::min(part, rows - first));
  return parts;
}

/// Pieces of a tensor along its rows; the tensor itself when there is one.
static SmallVector<Value> split(OpBuilder &builder, Location loc, Value value,
                                ArrayRef<int64_t> parts) {
  if (parts.size() == 1)
    return {value};
  RankedTensorType type = typeOf(value);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<Value> pieces;
  int64_t first = 0;
  for (int64_t rows : parts) {
    RankedTensorType piece = withRows(type, rows);
    offsets[0] = builder.getIndexAttr(first);
    first += rows;
    pieces.push_back(tensor::ExtractSliceOp::create(
        builder, loc, piece, value, offsets,
        getAsIndexOpFoldResult(builder.getContext(), piece.getShape()),
        strides));
  }
  return pieces;
}

static Value join(OpBuilder &builder, Location loc, ArrayRef<Value> pieces) {
  return pieces.size() == 1
             ? pieces.front()
             : tensor::ConcatOp::create(builder, loc, /*dim=*/0, pieces)
                   .getResult();
}

/// `op` with other operands, for a part of its rows.
static Value clonePart(OpBuilder &builder, MatmulOp op, Value from, Value to,
                       Value x, Value xPart, RankedTensorType type) {
  IRMapping mapping;
  mapping.map(from, to);
  if (x)
    mapping.map(x, xPart);
  auto clone = cast<MatmulOp>(builder.clone(*op, mapping));
  clone.getD().setType(type);
  return clone.getD();
}

void FuseLossPass::fuse(CrossEntropyOp loss) {
  auto func = loss->getParentOfType<func::FuncOp>();
  auto options = [&](StringRef name) {
    return remark::RemarkOpts::name(name)
        .category("te-fuse-loss")
        .function(func ? func.getName() : StringRef());
  };
  Location loc = loss.getLoc();
  StringRef reason;
  FailureOr<Head> head = Head::find(loss, reason);
  if (failed(head)) {
    remark::missed(loc, options("Apart")) << remark::reason("{0}", reason);
    return;
  }
  CrossEntropyGradOp grad = head->grad;
  Value logits = loss.getLogits();
  SmallVector<int64_t> parts = partition(typeOf(logits));
  FailureOr<Projection> projection = failure();
  if (parts.size() > 1) {
    projection = Projection::find(*head, reason);
    if (failed(projection)) {
      remark::missed(loc, options("Whole")) << remark::reason("{0}", reason);
      parts = {typeOf(logits).getDimSize(0)};
    }
  }

  // The gradient's place: all that the loss and the gradient need is there.
  IRRewriter builder(grad);
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  auto zeros = [&](RankedTensorType type) -> Value {
    return arith::ConstantOp::create(
        builder, loc,
        SplatElementsAttr::get(type,
                               builder.getZeroAttr(type.getElementType())));
  };
  Value count = CountLabelsOp::create(builder, loc, scalar, loss.getLabels(),
                                      typeOf(logits).getDimSize(1),
                                      loss.getIgnoreIndex());
  SmallVector<Value> labels = split(builder, loc, loss.getLabels(), parts);
  SmallVector<Value> inputs;
  if (succeeded(projection))
    inputs = split(builder, loc, projection->fprop.getA(), parts);
  Value sum = zeros(scalar), dweight;
  SmallVector<Value> dinputs;
  for (auto [i, rows] : llvm::enumerate(parts)) {
    Value part = logits;
    if (succeeded(projection))
      part = clonePart(builder, projection->fprop, projection->fprop.getA(),
                       inputs[i], Value(), Value(),
                       withRows(typeOf(logits), rows));
    auto fused = CrossEntropyWithGradOp::create(
        builder, loc, part.getType(), scalar, grad.getDloss(), labels[i], count,
        part, sum, loss.getIgnoreIndex(), loss.getReduction());
    sum = fused.getNewLoss();
    if (failed(projection)) {
      builder.replaceOp(grad, fused.getDlogits());
      continue;
    }
    if (MatmulOp dgrad = projection->dgrad)
      dinputs.push_back(clonePart(builder, dgrad, grad.getDlogits(),
                                  fused.getDlogits(), Value(), Value(),
                                  withRows(dgrad.getD().getType(), rows)));
    if (MatmulOp wgrad = projection->wgrad) {
      Value product = clonePart(builder, wgrad, grad.getDlogits(),
                                fused.getDlogits(), projection->fprop.getA(),
                                inputs[i], wgrad.getD().getType());
      if (dweight)
        product.getDefiningOp<MatmulOp>().getAddendMutable().assign(dweight);
      dweight = product;
    }
  }
  if (succeeded(projection)) {
    if (MatmulOp dgrad = projection->dgrad)
      builder.replaceOp(dgrad, join(builder, dgrad.getLoc(), dinputs));
    if (MatmulOp wgrad = projection->wgrad)
      builder.replaceOp(wgrad, dweight);
    builder.eraseOp(grad);
  }
  builder.replaceAllUsesWith(loss.getLoss(), sum);
  builder.eraseOp(loss);
  if (succeeded(projection))
    builder.eraseOp(projection->fprop);
  ++numFused;
  numParts += parts.size();
  remark::passed(loc, options("Fused"))
      << remark::add("the gradient replaces the logits")
      << remark::metric("Parts", parts.size())
      << remark::metric("Rows", parts.front());
}
