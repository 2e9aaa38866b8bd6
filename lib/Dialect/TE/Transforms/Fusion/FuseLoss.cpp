// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-fuse-loss: the loss and its gradient in one pass over the logits, a part
// of the rows after the other.

#include "Fusion/LossWork.h"

#include "te/Analysis/CostModel.h"
#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/TypeUtilities.h"
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

  /// Dimension of the weight, and of its gradient, that the classes are along.
  int64_t classDim() { return fprop.getTransposeB() ? 0 : 1; }

  /// The gradients' are null where they are not computed.
  SmallVector<MatmulOp> products() const { return {fprop, dgrad, wgrad}; }
};

} // namespace

/// Why `grad`, which reads the logits of `loss`, is not the gradient of just
/// this loss; empty when it is.
static StringRef whyNotGradientOf(CrossEntropyOp loss,
                                  CrossEntropyGradOp grad) {
  if (grad.getLabels() != loss.getLabels())
    return "the gradient of its logits is taken for other labels";
  if (grad.getIgnoreIndex() != loss.getIgnoreIndex())
    return "the gradient of its logits ignores another label";
  if (grad.getReduction() != loss.getReduction())
    return "the gradient of its logits is that of another reduction";
  if (grad.getLse() != loss.getLse() || grad.getCount() != loss.getCount())
    return "the gradient of its logits takes the sums of another loss";
  return "";
}

FailureOr<Head> Head::find(CrossEntropyOp loss, StringRef &reason) {
  Head head{loss, nullptr};
  for (Operation *user : loss.getLogits().getUsers()) {
    if (user == loss)
      continue;
    auto grad = dyn_cast<CrossEntropyGradOp>(user);
    if (!grad || head.grad) {
      reason = "the logits are needed elsewhere";
      return failure();
    }
    reason = whyNotGradientOf(loss, grad);
    if (!reason.empty())
      return failure();
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
                   !product.getTransposeA() &&
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

namespace {

class FuseLossPass : public te::impl::TEFuseLossBase<FuseLossPass> {
public:
  using Base::Base;

  void runOnOperation() override {
    std::pair<StringRef, int64_t> positive[] = {
        {"max-bytes", maxBytes},
        {"row-multiple", rowMultiple},
        {"class-multiple", classMultiple}};
    for (auto [name, value] : positive)
      if (value <= 0) {
        getOperation().emitError()
            << "te-fuse-loss: " << name << " must be positive, got " << value;
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

/// The part of `value` that begins with element `first` of dimension `dim`.
static Value slice(OpBuilder &builder, Location loc, Value value, int64_t dim,
                   int64_t first, int64_t size) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  offsets[dim] = builder.getIndexAttr(first);
  return tensor::ExtractSliceOp::create(
      builder, loc, type.clone(shape), value, offsets,
      getAsIndexOpFoldResult(builder.getContext(), shape), strides);
}

/// Pieces of a tensor along its rows; the tensor itself when there is one.
static SmallVector<Value> split(OpBuilder &builder, Location loc, Value value,
                                ArrayRef<int64_t> parts) {
  if (parts.size() == 1)
    return {value};
  SmallVector<Value> pieces;
  int64_t first = 0;
  for (int64_t rows : parts) {
    pieces.push_back(slice(builder, loc, value, /*dim=*/0, first, rows));
    first += rows;
  }
  return pieces;
}

static Value join(OpBuilder &builder, Location loc, ArrayRef<Value> pieces) {
  return pieces.size() == 1
             ? pieces.front()
             : tensor::ConcatOp::create(builder, loc, /*dim=*/0, pieces)
                   .getResult();
}

static Value zeros(OpBuilder &builder, Location loc, RankedTensorType type) {
  return arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(type, builder.getZeroAttr(type.getElementType())));
}

/// `value` with zeros behind it, `size` elements in dimension `dim`.
static Value pad(OpBuilder &builder, Location loc, Value value, int64_t dim,
                 int64_t size) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size - shape[dim];
  if (shape[dim] == 0)
    return value;
  Value rest = zeros(builder, loc, type.clone(shape));
  return tensor::ConcatOp::create(builder, loc, dim, ValueRange{value, rest});
}

/// `op` with other operands and another type of result.
static MatmulOp cloneWith(OpBuilder &builder, MatmulOp op,
                          const IRMapping &mapping, RankedTensorType type) {
  IRMapping operands = mapping;
  auto clone = cast<MatmulOp>(builder.clone(*op, operands));
  clone.getD().setType(type);
  return clone;
}

namespace {

/// Writes a head whose linear layer is known, a part of the rows after the
/// other.
class PartedHead {
public:
  PartedHead(IRRewriter &builder, const Head &head,
             const Projection &projection, ArrayRef<int64_t> parts,
             int64_t paddedClasses)
      : builder(builder), head(head), projection(projection), parts(parts),
        paddedClasses(paddedClasses),
        classes(typeOf(this->head.loss.getLogits()).getDimSize(1)) {}

  /// The loss. Takes the place of both gradients, but leaves the old ops.
  Value rewrite(Value count, Value loss);

private:
  struct Part {
    Value x, labels;
    int64_t rows;
  };
  /// Returns the new loss; enters the part's gradients.
  Value rewritePart(const Part &part, Value count, Value loss);

  IRRewriter &builder;
  Head head;
  Projection projection;
  ArrayRef<int64_t> parts;
  int64_t paddedClasses, classes;

  /// The weight, and the bias if there is one, by their padded twins.
  IRMapping padded;
  SmallVector<Value> dinputs;
  MatmulOp dweight;
};

} // namespace

Value PartedHead::rewritePart(const Part &part, Value count, Value loss) {
  CrossEntropyGradOp grad = head.grad;
  MatmulOp fprop = projection.fprop;
  IRMapping mapping = padded;
  mapping.map(fprop.getA(), part.x);
  auto rowsType = [&](Value value, int64_t cols) {
    return typeOf(value).clone({part.rows, cols});
  };
  Value all =
      cloneWith(builder, fprop, mapping, rowsType(fprop.getD(), paddedClasses))
          .getD();
  bool isPadded = paddedClasses != classes;
  Value logits = isPadded ? slice(builder, fprop.getLoc(), all, /*dim=*/1,
                                  /*first=*/0, classes)
                          : all;
  auto fused = CrossEntropyWithGradOp::create(
      builder, head.loss.getLoc(), logits.getType(), loss.getType(),
      grad.getDloss(), part.labels, count, logits, loss,
      head.loss.getIgnoreIndex(), head.loss.getReduction());
  Value dlogits = fused.getDlogits();
  if (isPadded) {
    SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
    dlogits = tensor::InsertSliceOp::create(
        builder, grad.getLoc(), dlogits, all, offsets,
        getAsIndexOpFoldResult(builder.getContext(),
                               typeOf(dlogits).getShape()),
        strides);
  }
  mapping.map(grad.getDlogits(), dlogits);
  if (MatmulOp dgrad = projection.dgrad)
    dinputs.push_back(
        cloneWith(builder, dgrad, mapping, rowsType(dgrad.getD(), dgrad.getN()))
            .getD());
  if (MatmulOp wgrad = projection.wgrad) {
    // As a result the classes can be cut off again when they are rows.
    SmallVector<int64_t> shape(wgrad.getD().getType().getShape());
    if (projection.classDim() == 0)
      shape[0] = paddedClasses;
    else
      mapping.map(grad.getDlogits(), fused.getDlogits());
    // A sum over parts is rounded when it is whole.
    Type element = parts.size() > 1 ? builder.getF32Type()
                                    : getElementTypeOrSelf(wgrad.getD());
    MatmulOp product = cloneWith(builder, wgrad, mapping,
                                 RankedTensorType::get(shape, element));
    if (dweight)
      product.getAddendMutable().assign(dweight.getD());
    dweight = product;
  }
  return fused.getNewLoss();
}

Value PartedHead::rewrite(Value count, Value loss) {
  MatmulOp fprop = projection.fprop;
  Location loc = fprop.getLoc();
  padded.map(fprop.getB(), pad(builder, loc, fprop.getB(),
                               projection.classDim(), paddedClasses));
  if (fprop.getBias())
    padded.map(fprop.getBias(),
               pad(builder, loc, fprop.getBias(), /*dim=*/0, paddedClasses));
  SmallVector<Value> labels = split(builder, loc, head.loss.getLabels(), parts);
  SmallVector<Value> inputs = split(builder, loc, fprop.getA(), parts);
  for (auto [label, input, rows] : llvm::zip(labels, inputs, parts))
    loss = rewritePart({input, label, rows}, count, loss);
  if (MatmulOp dgrad = projection.dgrad)
    builder.replaceAllUsesWith(dgrad.getD(),
                               join(builder, dgrad.getLoc(), dinputs));
  if (MatmulOp wgrad = projection.wgrad) {
    Location loc = wgrad.getLoc();
    RankedTensorType type = wgrad.getD().getType();
    Value result = dweight.getD();
    if (typeOf(result).getShape() != type.getShape())
      result = slice(builder, loc, result, /*dim=*/0, /*first=*/0, classes);
    builder.replaceAllUsesWith(
        wgrad.getD(),
        convertElementType(builder, loc, result, type.getElementType()));
  }
  return loss;
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
  RankedTensorType logits = typeOf(loss.getLogits());
  int64_t classes = logits.getDimSize(1);
  SmallVector<int64_t> parts = partition(logits);
  CostModel model(loss);
  CostComparison joined(model, getFusedLossWork(logits),
                        {*getWork(loss), *getWork(grad)});
  // Logits beyond the limit are cut into parts, whatever that takes.
  if (parts.size() == 1 && !joined.favorsFused()) {
    joined.reportSlower(loc, options("Apart"));
    return;
  }
  int64_t paddedClasses = llvm::alignTo(classes, classMultiple.getValue());
  FailureOr<Projection> projection = failure();
  if (parts.size() > 1 || paddedClasses != classes) {
    projection = Projection::find(*head, reason);
    if (failed(projection)) {
      remark::missed(loc, options("Whole")) << remark::reason("{0}", reason);
      parts = {logits.getDimSize(0)};
    }
  }
  if (succeeded(projection)) {
    SmallVector<MatmulOp> products = projection->products();
    auto headWork = [&](ArrayRef<int64_t> rows, int64_t classCount) {
      return getHeadWork(logits, products, rows, classCount);
    };
    if (paddedClasses != classes) {
      CostComparison costs(model, headWork(parts, paddedClasses),
                           headWork(parts, classes));
      costs.named("Padded", "Unpadded");
      if (!costs.favorsFused()) {
        costs.reportSlower(loc, options("Padded"));
        paddedClasses = classes;
      } else if (costs.isKnown()) {
        auto remark = remark::passed(loc, options("Padded"));
        remark << remark::add(
            "the products are over {0} classes instead of {1}", paddedClasses,
            classes);
        costs.addTo(remark);
      }
    }
    CostComparison costs(model, headWork(parts, paddedClasses),
                         headWork({logits.getDimSize(0)}, paddedClasses));
    if (parts.size() > 1 && costs.isKnown()) {
      auto remark = remark::passed(loc, options("Parts"));
      remark << remark::add("the logits are there in parts, to save memory")
             << remark::metric("Bytes", int64_t(getBytes(logits)))
             << remark::metric("Limit", maxBytes.getValue());
      costs.named("Parts", "Whole").addTo(remark);
    }
  }

  // The gradient's place: all that the loss and the gradient need is there.
  IRRewriter builder(grad);
  auto scalar = RankedTensorType::get({}, builder.getF32Type());
  Value count = CountLabelsOp::create(builder, loc, scalar, loss.getLabels(),
                                      classes, loss.getIgnoreIndex());
  Value sum = zeros(builder, loc, scalar);
  if (succeeded(projection)) {
    sum = PartedHead(builder, *head, *projection, parts, paddedClasses)
              .rewrite(count, sum);
    for (MatmulOp old : {projection->dgrad, projection->wgrad})
      if (old)
        builder.eraseOp(old);
    builder.eraseOp(grad);
  } else {
    auto fused = CrossEntropyWithGradOp::create(
        builder, loc, logits, scalar, grad.getDloss(), loss.getLabels(), count,
        loss.getLogits(), sum, loss.getIgnoreIndex(), loss.getReduction());
    sum = fused.getNewLoss();
    builder.replaceOp(grad, fused.getDlogits());
  }
  builder.replaceAllUsesWith(loss.getLoss(), sum);
  builder.eraseOp(loss);
  if (succeeded(projection))
    builder.eraseOp(projection->fprop);
  ++numFused;
  numParts += parts.size();
  auto remark = remark::passed(loc, options("Fused"));
  remark << remark::add("the gradient replaces the logits")
         << remark::metric("Parts", parts.size())
         << remark::metric("Rows", parts.front())
         << remark::metric("Classes",
                           succeeded(projection) ? paddedClasses : classes);
  joined.addTo(remark);
}
