// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A head of FP8 products in slices of rows. Every slice of the gradient of the
// logits is quantized with the one scale of their slot, whose amax is the
// largest of the slices' (te-validate-precision).

#include "Fusion/SlicedLoss.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

/// Whether `value` is there at `point`, or can be: elements of states are read
/// where they are needed first.
static bool isAvailable(Value value, Operation *point) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != point->getBlock() || op->isBeforeInBlock(point))
    return true;
  return isa<tensor::ExtractSliceOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return isAvailable(operand, point);
         });
}

static void makeAvailable(Value value, Operation *point) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != point->getBlock() || op->isBeforeInBlock(point))
    return;
  for (Value operand : op->getOperands())
    makeAvailable(operand, point);
  op->moveBefore(point);
}

/// The product that makes the logits, which may be its first rows and columns:
/// copies have sizes that are multiples of 16.
static ScaledMatmulOp getForward(const LossHead &head) {
  Value logits = head.getLogits();
  if (auto slice = logits.getDefiningOp<tensor::ExtractSliceOp>();
      slice && slice.getSource().hasOneUse() && slice.hasZeroOffset() &&
      slice.hasUnitStride() && slice.getSourceType().getRank() == 2)
    logits = slice.getSource();
  return logits.getDefiningOp<ScaledMatmulOp>();
}

bool ScaledProjection::isOf(const LossHead &head) {
  return bool(getForward(head));
}

/// Scales of blocks would have to be divided with their rows.
static bool hasOneScaleEach(ScaledMatmulOp product) {
  return tensorType(product.getAScaleInv()).getRank() == 0 &&
         tensorType(product.getBScaleInv()).getRank() == 0;
}

/// Sets `product` to the only reader of a copy, if that is the product `role`
/// of a layer and all else that it reads can be there at `point`.
static bool findReader(Value copy, MatmulRole role, Operation *point,
                       ScaledMatmulOp &product) {
  if (!copy)
    return true;
  if (!copy.hasOneUse())
    return false;
  product = dyn_cast<ScaledMatmulOp>(*copy.getUsers().begin());
  if (!product || product.getRole() != role || product.getBias() ||
      product->getBlock() != point->getBlock() || !hasOneScaleEach(product))
    return false;
  if (role == MatmulRole::Dgrad &&
      (product.getAddend() || product.getA() != copy))
    return false;
  return llvm::all_of(product->getOperands(), [&](Value operand) {
    return operand == copy || operand == product.getAddend() ||
           isAvailable(operand, point);
  });
}

FailureOr<ScaledProjection> ScaledProjection::find(const LossHead &head,
                                                   std::string &reason) {
  ScaledProjection projection;
  Operation *grad = head.getGradient();
  ScaledMatmulOp fprop = projection.fprop = getForward(head);
  if (head.getLogitsType().getDimSize(0) % kFp8Alignment != 0) {
    reason = "FP8 copies of slices have multiples of 16 rows";
    return failure();
  }
  QuantizeOp quantize;
  for (Operation *user : head.dlogits.getUsers())
    if (auto op = dyn_cast<QuantizeOp>(user))
      quantize = op;
  reason = "the gradient of the logits is read by something else than FP8 "
           "products of their layer";
  if (!fprop || fprop.getAddend() || fprop->getBlock() != grad->getBlock() ||
      fprop.getA() == fprop.getB() || !quantize ||
      !llvm::all_of(head.dlogits.getUsers(), llvm::IsaPred<QuantizeOp, AmaxOp>))
    return failure();
  projection.quantize = quantize;
  if (!head.dlogits.hasOneUse() || !hasOneScaleEach(fprop) ||
      tensorType(quantize.getScale()).getRank() != 0 ||
      !isAvailable(quantize.getScale(), grad)) {
    reason = "the scale of the gradient of the logits is made from it";
    return failure();
  }
  if (!findReader(quantize.getRowwise(), MatmulRole::Dgrad, grad,
                  projection.dgrad) ||
      !findReader(quantize.getColumnwise(), MatmulRole::Wgrad, grad,
                  projection.wgrad) ||
      (!projection.dgrad && !projection.wgrad))
    return failure();
  if (quantize.getDbias()) {
    reason = "the gradient of the bias is summed while that of the logits is "
             "quantized";
    return failure();
  }
  return projection;
}

OpOperand &ScaledProjection::getWgradInput() const {
  ScaledMatmulOp product = wgrad;
  QuantizeOp gradient = quantize;
  return product.getA() == gradient.getColumnwise() ? product.getBMutable()
                                                    : product.getAMutable();
}

int64_t ScaledProjection::getPaddedClasses() const {
  ScaledMatmulOp product = fprop;
  return product.getD().getType().getDimSize(1);
}

namespace {

class ScaledHead : public SlicedHead {
public:
  ScaledHead(RewriterBase &builder, const LossHead &head,
             const ScaledProjection &projection, ArrayRef<int64_t> parts)
      : SlicedHead(builder, head, parts), projection(projection) {}

  void eraseGradients() override {
    for (ScaledMatmulOp old : {projection.dgrad, projection.wgrad})
      if (old)
        builder.eraseOp(old);
    builder.eraseOp(projection.quantize);
  }
  void eraseForward() override {
    if (Operation *slice = head.getLogits().getDefiningOp();
        slice != projection.fprop)
      builder.eraseOp(slice);
    builder.eraseOp(projection.fprop);
  }

protected:
  void sliceOperands() override;
  Value buildLogits(unsigned part) override;
  void buildGradients(unsigned part, Value dlogits) override;
  void replaceGradients() override;

private:
  ScaledMatmulOp clone(ScaledMatmulOp op, const IRMapping &mapping, Type type) {
    IRMapping operands = mapping;
    auto product = cast<ScaledMatmulOp>(builder.clone(*op, operands));
    product.getD().setType(cast<RankedTensorType>(type));
    return product;
  }

  ScaledProjection projection;
  /// Slices of the layer's input: its rows, and as columns of its copy for
  /// wgrad.
  SmallVector<Value> inputs, columns;
  SmallVector<Value> amaxes;
  /// What the gradient of the weight is added to; null if that is nothing, or
  /// done later.
  Value addend;
  ScaledMatmulOp dweight;
};

} // namespace

void ScaledHead::sliceOperands() {
  ScaledMatmulOp fprop = projection.fprop;
  Operation *grad = head.getGradient();
  makeAvailable(projection.quantize.getScale(), grad);
  for (ScaledMatmulOp product : {projection.dgrad, projection.wgrad})
    for (Value operand : product ? product->getOperands() : ValueRange())
      if (operand.getDefiningOp() != projection.quantize &&
          operand != product.getAddend())
        makeAvailable(operand, grad);
  if (projection.wgrad)
    addend = projection.wgrad.getAddend();
  // What is computed later is added then. So is a sum in bf16, which would be
  // rounded with every slice.
  if (addend &&
      (!isAvailable(addend, grad) || !getElementTypeOrSelf(addend).isF32()))
    addend = Value();
  inputs = split(fprop.getLoc(), fprop.getA());
  if (projection.wgrad)
    columns = split(projection.wgrad.getLoc(), projection.getWgradInput().get(),
                    /*dim=*/1);
}

Value ScaledHead::buildLogits(unsigned part) {
  ScaledMatmulOp fprop = projection.fprop;
  IRMapping mapping;
  mapping.map(fprop.getA(), inputs[part]);
  return cutPadding(
      clone(fprop, mapping,
            tensorType(fprop.getD())
                .clone({parts[part], projection.getPaddedClasses()}))
          .getD());
}

void ScaledHead::buildGradients(unsigned part, Value dlogits) {
  QuantizeOp whole = projection.quantize;
  auto getType = [&](Value copy, unsigned rowDim) {
    if (!copy)
      return RankedTensorType();
    SmallVector<int64_t> shape(tensorType(copy).getShape());
    shape[rowDim] = parts[part];
    return tensorType(copy).clone(shape);
  };
  auto quantize = QuantizeOp::create(
      builder, whole.getLoc(), getType(whole.getRowwise(), 0),
      getType(whole.getColumnwise(), 1),
      whole.getAmax() ? whole.getAmax().getType() : Type(), /*dbias=*/Type(),
      dlogits, whole.getScale());
  if (whole.getAmax())
    amaxes.push_back(quantize.getAmax());
  IRMapping mapping;
  if (ScaledMatmulOp dgrad = projection.dgrad) {
    mapping.map(whole.getRowwise(), quantize.getRowwise());
    RankedTensorType type = dgrad.getD().getType();
    dinputs.push_back(
        clone(dgrad, mapping, type.clone({parts[part], type.getDimSize(1)}))
            .getD());
  }
  if (ScaledMatmulOp wgrad = projection.wgrad) {
    mapping.map(whole.getColumnwise(), quantize.getColumnwise());
    mapping.map(projection.getWgradInput().get(), columns[part]);
    // A sum over slices is rounded once complete.
    RankedTensorType type = wgrad.getD().getType();
    ScaledMatmulOp product =
        clone(wgrad, mapping,
              parts.size() > 1 ? type.clone(builder.getF32Type()) : Type(type));
    product.getAddendMutable().clear();
    if (Value sum = dweight ? dweight.getD() : addend)
      product.getAddendMutable().assign(sum);
    dweight = product;
  }
}

void ScaledHead::replaceGradients() {
  replaceInputGradient(projection.dgrad);
  if (ScaledMatmulOp wgrad = projection.wgrad) {
    Location loc = wgrad.getLoc();
    RankedTensorType type = wgrad.getD().getType();
    Value sum =
        convertElementType(builder, loc, dweight.getD(), type.getElementType());
    if (wgrad.getAddend() && !addend) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPoint(wgrad);
      sum = AddOp::create(builder, loc, type, wgrad.getAddend(), sum);
    }
    builder.replaceAllUsesWith(wgrad.getD(), sum);
  }
  Value amax = projection.quantize.getAmax();
  if (!amax)
    return;
  Location loc = amax.getLoc();
  SmallVector<Value> vectors =
      llvm::map_to_vector(amaxes, [&](Value scalar) -> Value {
        return reshapeTo(builder, loc, scalar, {1});
      });
  Value largest =
      amaxes.size() == 1
          ? amaxes.front()
          : AmaxOp::create(builder, loc, amax.getType(), join(loc, vectors))
                .getAmax();
  builder.replaceAllUsesWith(amax, largest);
}

std::unique_ptr<SlicedHead>
mlir::te::sliceHead(RewriterBase &builder, const LossHead &head,
                    const ScaledProjection &projection,
                    ArrayRef<int64_t> parts) {
  return std::make_unique<ScaledHead>(builder, head, projection, parts);
}
