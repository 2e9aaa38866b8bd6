// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DifferentiableOpInterface of the te ops.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;

static UnitAttr flag(OpBuilder &builder, bool set) {
  return set ? builder.getUnitAttr() : UnitAttr();
}

LogicalResult mlir::te::onlyCotangentOf(Operation *op, Value differentiable,
                                        ValueRange cotangents) {
  if (!differentiable)
    return op->emitOpError() << "is differentiated in its quantized form; run "
                                "te-differentiate before te-fuse";
  for (auto [result, cotangent] : llvm::zip_equal(op->getResults(), cotangents))
    if (cotangent && result != differentiable)
      return op->emitOpError()
             << "has no gradient for its result #" << result.getResultNumber()
             << ", which is saved for the backward pass only; compute what is "
                "needed of it from result #"
             << cast<OpResult>(differentiable).getResultNumber();
  return success();
}

//===----------------------------------------------------------------------===//
// matmul
//===----------------------------------------------------------------------===//

/// op(x) · op(y), as the product of this role of `forward`'s layer.
static Value product(OpBuilder &builder, MatmulOp forward,
                     RankedTensorType type, Value x, bool transposeX, Value y,
                     bool transposeY, MatmulRole role,
                     bool inputFirst = false) {
  return MatmulOp::create(
      builder, forward.getLoc(), type, x, y, /*bias=*/Value(),
      /*addend=*/Value(), flag(builder, transposeX), flag(builder, transposeY),
      MatmulRoleAttr::get(builder.getContext(), role),
      flag(builder, inputFirst), forward.getLayerAttr());
}

LogicalResult MatmulOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                 const Needed &needed, Cotangents operands) {
  Value dy = cotangents[0], a = getA(), b = getB();
  bool ta = getTransposeA(), tb = getTransposeB();
  if (needed[0]) {
    // A left operand stored [K,M] gets its gradient in that form: op(b) · dyᵀ,
    // which for FP8 is a product of an input and a gradient, like wgrad.
    operands[0] = ta ? product(builder, *this, f32Like(a), b, tb, dy, true,
                               MatmulRole::Wgrad, /*inputFirst=*/true)
                     : product(builder, *this,
                               tensorType(a).clone(getElementTypeOrSelf(dy)),
                               dy, false, b, !tb, MatmulRole::Dgrad);
  }
  if (needed[1]) {
    operands[1] = tb ? product(builder, *this, f32Like(b), dy, true, a, ta,
                               MatmulRole::Wgrad)
                     : product(builder, *this, f32Like(b), a, !ta, dy, false,
                               MatmulRole::Wgrad, /*inputFirst=*/true);
  }
  if (getBias() && needed[2])
    operands[2] =
        ColumnSumOp::create(builder, getLoc(), f32Like(getBias()), dy);
  if (getAddend() && needed.back())
    operands.back() = dy;
  return success();
}

//===----------------------------------------------------------------------===//
// layer_norm
//===----------------------------------------------------------------------===//

LogicalResult LayerNormOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  auto grad = LayerNormGradOp::create(builder, getLoc(), cotangents[0], getX(),
                                      getGamma(), getMean(), getRstd(),
                                      getZeroCentered());
  Value gradients[] = {grad.getDx(), grad.getDgamma(), grad.getDbeta()};
  for (auto [i, value] : llvm::enumerate(gradients))
    if (needed[i])
      operands[i] = value;
  return success();
}

// What is quantized, or summed over rows, would be another value.
LogicalResult LayerNormGradOp::addToResult(unsigned result, Value addend) {
  if (result != 0 || !getDx() || getScale() || getDbias() || getResidual())
    return failure();
  getResidualMutable().assign(addend);
  return success();
}

//===----------------------------------------------------------------------===//
// activation
//===----------------------------------------------------------------------===//

LogicalResult ActivationOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                     const Needed &needed,
                                     Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  if (needed[0])
    operands[0] = ActivationGradOp::create(builder, getLoc(), getKind(),
                                           cotangents[0], getX())
                      .getDx();
  return success();
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

LogicalResult AttentionOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getO(), cotangents)))
    return failure();
  // Lengths have no gradient. What is not there is nowhere in the operands.
  unsigned biasAt = 3,
           sinksAt = 3 + (getBias() != nullptr) + (getLengths() != nullptr);
  bool needsBias = getBias() && needed[biasAt];
  bool needsSinks = getSinks() && needed[sinksAt];
  auto grad = AttentionGradOp::create(
      builder, getLoc(), getQ().getType(), getK().getType(), getV().getType(),
      needsBias ? f32Like(getBias()) : RankedTensorType(),
      needsSinks ? f32Like(getSinks()) : RankedTensorType(), cotangents[0],
      getQ(), getK(), getV(), getO(), getLse(), getBias(), getLengths(),
      getSinks(), getScaleAttr(), getCausalAttr(), getLayoutAttr(),
      getWindowAttr(), getSoftcapAttr(), getQueryAxesAttr(), getBalancedAttr());
  for (unsigned i = 0; i < 3; ++i)
    if (needed[i])
      operands[i] = grad->getResult(i);
  if (needsBias)
    operands[biasAt] = grad.getDbias();
  if (needsSinks)
    operands[sinksAt] = grad.getDsinks();
  return success();
}

//===----------------------------------------------------------------------===//
// embedding, cross_entropy
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                    const Needed &needed, Cotangents operands) {
  if (needed[1])
    operands[1] = EmbeddingGradOp::create(
        builder, getLoc(), f32Like(getTable()), getIds(), cotangents[0]);
  return success();
}

LogicalResult CrossEntropyOp::buildVjp(OpBuilder &builder,
                                       ValueRange cotangents,
                                       const Needed &needed,
                                       Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getLoss(), cotangents)))
    return failure();
  if (!needed[0])
    return success();
  Value dloss = convertElementType(builder, getLoc(), cotangents[0],
                                   builder.getF32Type());
  operands[0] = CrossEntropyGradOp::create(
      builder, getLoc(), getLogits().getType(), dloss, getLogits(), getLabels(),
      getLse(), getCount(), getIgnoreIndexAttr(), getReductionAttr(),
      getLabelSmoothingAttr(), getZLossAttr());
  return success();
}

//===----------------------------------------------------------------------===//
// add, split
//===----------------------------------------------------------------------===//

/// The sum of the [rows, N] blocks of a matrix, f32 [rows, N].
static Value sumRowBlocks(OpBuilder &builder, Location loc, Value matrix,
                          int64_t rows) {
  RankedTensorType type = tensorType(matrix);
  int64_t columns = type.getDimSize(1), blocks = type.getDimSize(0) / rows;
  Value split = tensor::ExpandShapeOp::create(
      builder, loc, type.clone({blocks, rows, columns}), matrix,
      ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  Value flat = tensor::CollapseShapeOp::create(
      builder, loc, type.clone({blocks, rows * columns}), split,
      ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  auto f32 = RankedTensorType::get({rows * columns}, builder.getF32Type());
  Value sum = ColumnSumOp::create(builder, loc, f32, flat);
  return tensor::ExpandShapeOp::create(builder, loc, f32.clone({rows, columns}),
                                       sum,
                                       ArrayRef<ReassociationIndices>{{0, 1}});
}

LogicalResult AddOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                              const Needed &needed, Cotangents operands) {
  Value dy = cotangents[0];
  int64_t rows = tensorType(getB()).getDimSize(0);
  if (needed[0])
    operands[0] = dy;
  if (needed[1])
    operands[1] = rows == tensorType(getA()).getDimSize(0)
                      ? dy
                      : sumRowBlocks(builder, getLoc(), dy, rows);
  return success();
}

LogicalResult SplitOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                const Needed &needed, Cotangents operands) {
  if (!needed[0])
    return success();
  SmallVector<Value> pieces;
  for (auto [piece, cotangent] : llvm::zip_equal(getPieces(), cotangents))
    pieces.push_back(cotangent
                         ? convertElementType(builder, getLoc(), cotangent,
                                              getElementTypeOrSelf(getX()))
                         : createZeros(builder, getLoc(), tensorType(piece)));
  operands[0] =
      tensor::ConcatOp::create(builder, getLoc(), getX().getType(),
                               static_cast<int64_t>(getAxis()), pieces);
  return success();
}
