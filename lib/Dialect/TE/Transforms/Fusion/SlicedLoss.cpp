// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/SlicedLoss.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

SmallVector<Value> SlicedHead::split(Location loc, Value value, int64_t dim) {
  if (parts.size() == 1)
    return {value};
  SmallVector<Value> pieces;
  int64_t first = 0;
  for (int64_t rows : parts) {
    pieces.push_back(sliceDim(builder, loc, value, dim, first, rows));
    first += rows;
  }
  return pieces;
}

Value SlicedHead::cutPadding(Value logits) {
  return tensorType(logits).getDimSize(1) == classes
             ? logits
             : sliceDim(builder, logits.getLoc(), logits, /*dim=*/1,
                        /*first=*/0, classes);
}

Value SlicedHead::join(Location loc, ArrayRef<Value> pieces) {
  return pieces.size() == 1
             ? pieces.front()
             : tensor::ConcatOp::create(builder, loc, /*dim=*/0, pieces)
                   .getResult();
}

void SlicedHead::replaceInputGradient(Operation *dgrad) {
  if (dgrad)
    builder.replaceAllUsesWith(dgrad->getResult(0),
                               join(dgrad->getLoc(), dinputs));
}

Value SlicedHead::rewrite(ValueRange shared, Value loss) {
  sliceOperands();
  SmallVector<SmallVector<Value>> rowOperands(parts.size());
  for (unsigned number : head.loss.getRowOperands())
    for (auto [operands, value] :
         llvm::zip_equal(rowOperands, split(head.loss.getLoc(),
                                            head.loss->getOperand(number))))
      operands.push_back(value);
  for (auto [part, operands] : llvm::enumerate(rowOperands)) {
    auto [dlogits, sum] = head.loss.buildPart(
        builder, head.getGradient(), buildLogits(part), operands, shared, loss);
    loss = sum;
    buildGradients(part, dlogits);
  }
  replaceGradients();
  return loss;
}

/// `value` padded with zeros to `size` elements in dimension `dim`.
static Value pad(OpBuilder &builder, Location loc, Value value, int64_t dim,
                 int64_t size) {
  RankedTensorType type = tensorType(value);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size - shape[dim];
  if (shape[dim] == 0)
    return value;
  Value rest = createZeros(builder, loc, type.clone(shape));
  return tensor::ConcatOp::create(builder, loc, dim, ValueRange{value, rest});
}

/// Clones `op` with other operands and another result type.
static MatmulOp cloneWith(OpBuilder &builder, MatmulOp op,
                          const IRMapping &mapping, RankedTensorType type) {
  IRMapping operands = mapping;
  auto clone = cast<MatmulOp>(builder.clone(*op, operands));
  clone.getD().setType(type);
  return clone;
}

/// The weight of a product, and its bias, and the same padded with zeros to
/// `classes` features.
static IRMapping padFeatures(OpBuilder &builder, MatmulOp fprop,
                             int64_t classes) {
  IRMapping padded;
  Location loc = fprop.getLoc();
  padded.map(fprop.getB(),
             pad(builder, loc, fprop.getB(), fprop.getFeatureDim(), classes));
  if (fprop.getBias())
    padded.map(fprop.getBias(),
               pad(builder, loc, fprop.getBias(), /*dim=*/0, classes));
  return padded;
}

namespace {

class MatmulHead : public SlicedHead {
public:
  MatmulHead(RewriterBase &builder, const LossHead &head,
             const Projection &projection, ArrayRef<int64_t> parts,
             int64_t paddedClasses)
      : SlicedHead(builder, head, parts), projection(projection),
        paddedClasses(paddedClasses),
        classDim(this->projection.fprop.getFeatureDim()) {}

  void eraseGradients() override {
    for (MatmulOp old : {projection.dgrad, projection.wgrad})
      if (old)
        builder.eraseOp(old);
  }
  void eraseForward() override { builder.eraseOp(projection.fprop); }

protected:
  void sliceOperands() override;
  Value buildLogits(unsigned part) override;
  void buildGradients(unsigned part, Value dlogits) override;
  void replaceGradients() override;

private:
  RankedTensorType getRowsType(Value value, unsigned part, int64_t cols) const {
    return tensorType(value).clone({parts[part], cols});
  }

  Projection projection;
  int64_t paddedClasses;
  /// The dimension of the weight, and of its gradient, that is the classes.
  unsigned classDim;

  /// Maps the weight, and the bias if there is one, to their padded versions.
  IRMapping padded;
  SmallVector<Value> inputs;
  /// The logits of the slice, with the padding.
  Value all;
  MatmulOp dweight;
};

} // namespace

void MatmulHead::sliceOperands() {
  MatmulOp fprop = projection.fprop;
  padded = padFeatures(builder, fprop, paddedClasses);
  inputs = split(fprop.getLoc(), fprop.getA());
}

Value MatmulHead::buildLogits(unsigned part) {
  MatmulOp fprop = projection.fprop;
  IRMapping mapping = padded;
  mapping.map(fprop.getA(), inputs[part]);
  all = cloneWith(builder, fprop, mapping,
                  getRowsType(fprop.getD(), part, paddedClasses))
            .getD();
  return cutPadding(all);
}

void MatmulHead::buildGradients(unsigned part, Value ofClasses) {
  IRMapping mapping = padded;
  mapping.map(projection.fprop.getA(), inputs[part]);
  Value dlogits = ofClasses;
  bool isPadded = paddedClasses != classes;
  if (isPadded && parts[part] == 0) {
    dlogits = all;
  } else if (isPadded) {
    SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
    dlogits = tensor::InsertSliceOp::create(
        builder, head.getGradient()->getLoc(), dlogits, all, offsets,
        getAsIndexOpFoldResult(builder.getContext(),
                               tensorType(dlogits).getShape()),
        strides);
  }
  mapping.map(head.dlogits, dlogits);
  if (MatmulOp dgrad = projection.dgrad)
    dinputs.push_back(cloneWith(builder, dgrad, mapping,
                                getRowsType(dgrad.getD(), part, dgrad.getN()))
                          .getD());
  if (MatmulOp wgrad = projection.wgrad) {
    // As a result the padding can be sliced off if classes are rows.
    SmallVector<int64_t> shape(wgrad.getD().getType().getShape());
    if (classDim == 0)
      shape[0] = paddedClasses;
    else
      mapping.map(head.dlogits, ofClasses);
    // A sum over slices is rounded once complete.
    Type element = parts.size() > 1 ? builder.getF32Type()
                                    : getElementTypeOrSelf(wgrad.getD());
    MatmulOp product = cloneWith(builder, wgrad, mapping,
                                 RankedTensorType::get(shape, element));
    if (dweight)
      product.getAddendMutable().assign(dweight.getD());
    dweight = product;
  }
}

void MatmulHead::replaceGradients() {
  replaceInputGradient(projection.dgrad);
  if (MatmulOp wgrad = projection.wgrad) {
    Location loc = wgrad.getLoc();
    RankedTensorType type = wgrad.getD().getType();
    Value result = dweight.getD();
    if (tensorType(result).getShape() != type.getShape())
      result = sliceDim(builder, loc, result, /*dim=*/0, /*first=*/0, classes);
    builder.replaceAllUsesWith(
        wgrad.getD(),
        convertElementType(builder, loc, result, type.getElementType()));
  }
}

std::unique_ptr<SlicedHead> mlir::te::sliceHead(RewriterBase &builder,
                                                const LossHead &head,
                                                const Projection &projection,
                                                ArrayRef<int64_t> parts,
                                                int64_t paddedClasses) {
  return std::make_unique<MatmulHead>(builder, head, projection, parts,
                                      paddedClasses);
}

Value mlir::te::buildPaddedLogits(OpBuilder &builder, MatmulOp fprop,
                                  int64_t paddedClasses) {
  RankedTensorType type = fprop.getD().getType();
  MatmulOp all =
      cloneWith(builder, fprop, padFeatures(builder, fprop, paddedClasses),
                type.clone({type.getDimSize(0), paddedClasses}));
  return sliceDim(builder, fprop.getLoc(), all.getD(), /*dim=*/1, /*first=*/0,
                  type.getDimSize(1));
}
