// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fusion/SlicedLoss.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

/// Slices of a tensor along its rows; the tensor itself if there is one.
static SmallVector<Value> split(OpBuilder &builder, Location loc, Value value,
                                ArrayRef<int64_t> parts) {
  if (parts.size() == 1)
    return {value};
  SmallVector<Value> pieces;
  int64_t first = 0;
  for (int64_t rows : parts) {
    pieces.push_back(sliceDim(builder, loc, value, /*dim=*/0, first, rows));
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

/// Builds a head with a known linear layer, slice by slice along the rows.
class SlicedHead {
public:
  SlicedHead(RewriterBase &builder, const LossHead &head,
             const Projection &projection, ArrayRef<int64_t> parts,
             int64_t paddedClasses)
      : builder(builder), head(head), projection(projection), parts(parts),
        paddedClasses(paddedClasses),
        classes(head.getLogitsType().getDimSize(1)),
        classDim(this->projection.fprop.getFeatureDim()) {}

  /// Returns the loss. Replaces both gradients, but leaves the old ops.
  Value rewrite(ValueRange shared, Value loss);

private:
  struct Part {
    Value x;
    SmallVector<Value> rowOperands; ///< operands of the loss
    int64_t rows;
  };
  /// Returns the new loss; records the slice's gradients.
  Value rewritePart(const Part &part, ValueRange shared, Value loss);

  RewriterBase &builder;
  LossHead head;
  Projection projection;
  ArrayRef<int64_t> parts;
  int64_t paddedClasses, classes;
  /// The dimension of the weight, and of its gradient, that is the classes.
  unsigned classDim;

  /// Maps the weight, and the bias if there is one, to their padded versions.
  IRMapping padded;
  SmallVector<Value> dinputs;
  MatmulOp dweight;
};

} // namespace

Value SlicedHead::rewritePart(const Part &part, ValueRange shared, Value loss) {
  MatmulOp fprop = projection.fprop;
  IRMapping mapping = padded;
  mapping.map(fprop.getA(), part.x);
  auto rowsType = [&](Value value, int64_t cols) {
    return tensorType(value).clone({part.rows, cols});
  };
  Value all =
      cloneWith(builder, fprop, mapping, rowsType(fprop.getD(), paddedClasses))
          .getD();
  bool isPadded = paddedClasses != classes;
  Value logits = isPadded ? sliceDim(builder, fprop.getLoc(), all, /*dim=*/1,
                                     /*first=*/0, classes)
                          : all;
  Operation *gradient = head.getGradient();
  auto [ofClasses, newLoss] = head.loss.buildPart(
      builder, gradient, logits, part.rowOperands, shared, loss);
  Value dlogits = ofClasses;
  if (isPadded && part.rows == 0) {
    dlogits = all;
  } else if (isPadded) {
    SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
    dlogits = tensor::InsertSliceOp::create(
        builder, gradient->getLoc(), dlogits, all, offsets,
        getAsIndexOpFoldResult(builder.getContext(),
                               tensorType(dlogits).getShape()),
        strides);
  }
  mapping.map(head.dlogits, dlogits);
  if (MatmulOp dgrad = projection.dgrad)
    dinputs.push_back(
        cloneWith(builder, dgrad, mapping, rowsType(dgrad.getD(), dgrad.getN()))
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
  return newLoss;
}

Value SlicedHead::rewrite(ValueRange shared, Value loss) {
  MatmulOp fprop = projection.fprop;
  Location loc = fprop.getLoc();
  padded = padFeatures(builder, fprop, paddedClasses);
  SmallVector<Part> pieces(parts.size());
  for (unsigned number : head.loss.getRowOperands())
    for (auto [piece, value] : llvm::zip_equal(
             pieces, split(builder, loc, head.loss->getOperand(number), parts)))
      piece.rowOperands.push_back(value);
  for (auto [piece, value, rows] : llvm::zip_equal(
           pieces, split(builder, loc, fprop.getA(), parts), parts)) {
    piece.x = value;
    piece.rows = rows;
  }
  for (const Part &piece : pieces)
    loss = rewritePart(piece, shared, loss);
  if (MatmulOp dgrad = projection.dgrad)
    builder.replaceAllUsesWith(dgrad.getD(),
                               join(builder, dgrad.getLoc(), dinputs));
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
  return loss;
}

Value mlir::te::buildSlicedLoss(RewriterBase &builder, const LossHead &head,
                                const Projection &projection,
                                ArrayRef<int64_t> parts, int64_t paddedClasses,
                                ValueRange shared, Value loss) {
  return SlicedHead(builder, head, projection, parts, paddedClasses)
      .rewrite(shared, loss);
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
