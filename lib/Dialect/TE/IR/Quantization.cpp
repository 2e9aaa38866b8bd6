// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the te ops are to linear layers and to quantization: Fp8OpInterface,
// LinearOpInterface, QuantizingProducerOpInterface, RowSummingOpInterface.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/TE.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Fp8OpInterface of matmul
//===----------------------------------------------------------------------===//

SmallVector<Fp8Operand> MatmulOp::getFp8Operands() {
  std::pair<TensorRole, TensorRole> roles;
  switch (getRole()) {
  case MatmulRole::Fprop:
    roles = {TensorRole::Input, TensorRole::Weight};
    break;
  case MatmulRole::Dgrad:
    roles = {TensorRole::GradOutput, TensorRole::Weight};
    break;
  case MatmulRole::Wgrad:
    roles = {TensorRole::GradOutput, TensorRole::Input};
    if (getInputFirst())
      std::swap(roles.first, roles.second);
    break;
  case MatmulRole::Other:
    return {};
  }
  // scaled_matmul reads [M,K] and [N,K]; what is stored the other way round is
  // read from its columnwise copy.
  return {{0, roles.first, /*columnwise=*/getTransposeA()},
          {1, roles.second, /*columnwise=*/!getTransposeB()}};
}

std::optional<Fp8Refusal> MatmulOp::getFp8Refusal() {
  if (getAddend())
    return Fp8Refusal{"it adds to a matrix, which FP8 products cannot",
                      "add the matrix to its result with te.add"};
  // Activations and their gradients hold one token per row, so that wgrad sums
  // over the rows of both and the others over columns.
  bool isWgrad = getRole() == MatmulRole::Wgrad;
  if (getTransposeA() != isWgrad || (isWgrad && getTransposeB()))
    return Fp8Refusal{
        "its activations are not stored one token per row",
        isWgrad ? "store the gradient and the input as [tokens, features], "
                  "without transpose_b"
                : "store the left operand as [tokens, features], without "
                  "transpose_a"};
  std::tuple<const char *, int64_t, bool> sizes[] = {
      {"M", getM(), !isWgrad}, {"N", getN(), false}, {"K", getK(), isWgrad}};
  // Padding at most doubles the work; the product of the three sizes is the
  // same for fprop, dgrad and wgrad, so the three decide alike.
  double padding = 1.0;
  double worst = 0.0;
  bool worstIsTokens = false;
  for (auto [name, size, isTokens] : sizes) {
    if (size == 0)
      return Fp8Refusal{(Twine(name) + " is 0").str(), ""};
    double factor = double(llvm::alignTo(size, kFp8Alignment)) / double(size);
    padding *= factor;
    if (factor > worst) {
      worst = factor;
      worstIsTokens = isTokens;
    }
  }
  if (padding <= 2.0)
    return std::nullopt;
  Fp8Refusal refusal;
  llvm::raw_string_ostream(refusal.reason)
      << "padding M=" << getM() << " N=" << getN() << " K=" << getK()
      << " to multiples of " << kFp8Alignment
      << " would more than double the work";
  llvm::raw_string_ostream(refusal.suggestion)
      << (worstIsTokens ? "give the step more tokens, a multiple of "
                        : "choose features that are multiples of ")
      << kFp8Alignment;
  return refusal;
}

/// The bias with zeros behind it, as long as the padded result's rows.
static Value padBias(OpBuilder &builder, Location loc, Value bias,
                     int64_t size) {
  auto type = cast<RankedTensorType>(bias.getType());
  if (type.getDimSize(0) == size)
    return bias;
  auto padded = RankedTensorType::get({size}, type.getElementType());
  Value zeros = arith::ConstantOp::create(
      builder, loc,
      SplatElementsAttr::get(padded,
                             builder.getZeroAttr(type.getElementType())));
  OpFoldResult length = builder.getIndexAttr(type.getDimSize(0));
  return tensor::InsertSliceOp::create(
      builder, loc, bias, zeros,
      ArrayRef<OpFoldResult>{builder.getIndexAttr(0)},
      ArrayRef<OpFoldResult>{length},
      ArrayRef<OpFoldResult>{builder.getIndexAttr(1)});
}

Value MatmulOp::buildFp8Form(OpBuilder &builder,
                             ArrayRef<QuantizedValue> operands) {
  RankedTensorType type = getD().getType();
  auto a = cast<RankedTensorType>(operands[0].data.getType());
  auto b = cast<RankedTensorType>(operands[1].data.getType());
  RankedTensorType padded = type.clone({a.getDimSize(0), b.getDimSize(0)});
  Value bias = getBias();
  if (bias)
    bias = padBias(builder, getLoc(), bias, padded.getDimSize(1));
  Value result = ScaledMatmulOp::create(
      builder, getLoc(), padded, operands[0].data, operands[1].data,
      operands[0].scaleInv, operands[1].scaleInv, bias, getRole(),
      getRole() == MatmulRole::Fprop ? Accumulate::Fast : Accumulate::Split);
  if (padded == type)
    return result;
  SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(getM()),
                                     builder.getIndexAttr(getN())};
  return tensor::ExtractSliceOp::create(builder, getLoc(), type, result,
                                        offsets, sizes, strides);
}

int64_t MatmulOp::getFlops() { return 2 * getM() * getN() * getK(); }

//===----------------------------------------------------------------------===//
// LinearOpInterface of matmul
//===----------------------------------------------------------------------===//

bool MatmulOp::isLinear() {
  return getRole() == MatmulRole::Fprop && !getTransposeA() && !getAddend();
}

std::optional<unsigned> MatmulOp::getBiasOperand() {
  if (!getBias())
    return std::nullopt;
  return getBiasMutable().begin()->getOperandNumber();
}

unsigned MatmulOp::getFeatureDim() { return getTransposeB() ? 0 : 1; }

// Of its attributes the others say which layer and which product it is.
Attribute MatmulOp::getLinearForm() { return getTransposeBAttr(); }

//===----------------------------------------------------------------------===//
// QuantizingProducerOpInterface
//===----------------------------------------------------------------------===//

bool LayerNormOp::canQuantizeResult(unsigned result) {
  return result == 0 && getY() && !getScale();
}

QuantizedResults LayerNormOp::quantizeResult(RewriterBase &rewriter,
                                             unsigned result, Value scale,
                                             Type rowwise, Type columnwise,
                                             bool keepResult) {
  auto op = LayerNormOp::create(
      rewriter, getLoc(), keepResult ? getY().getType() : Type(),
      getMean().getType(), getRstd().getType(), rowwise, columnwise,
      amaxType(rewriter), getX(), getGamma(), getBeta(), scale, getEpsAttr(),
      getZeroCenteredAttr());
  return finish(rewriter, *this, op, op.getY(),
                {{getMean(), op.getMean()}, {getRstd(), op.getRstd()}});
}

bool ActivationOp::canQuantizeResult(unsigned result) {
  return result == 0 && getY() && !getScale();
}

QuantizedResults ActivationOp::quantizeResult(RewriterBase &rewriter,
                                              unsigned result, Value scale,
                                              Type rowwise, Type columnwise,
                                              bool keepResult) {
  auto op = ActivationOp::create(
      rewriter, getLoc(), keepResult ? getY().getType() : Type(), rowwise,
      columnwise, amaxType(rewriter), getKindAttr(), getX(), scale);
  return finish(rewriter, *this, op, op.getY(), {});
}

bool ActivationGradOp::canQuantizeResult(unsigned result) {
  return result == 0 && getDx() && !getScale();
}

QuantizedResults ActivationGradOp::quantizeResult(RewriterBase &rewriter,
                                                  unsigned result, Value scale,
                                                  Type rowwise, Type columnwise,
                                                  bool keepResult) {
  auto op = ActivationGradOp::create(rewriter, getLoc(),
                                     keepResult ? getDx().getType() : Type(),
                                     rowwise, columnwise, amaxType(rewriter),
                                     getDbias() ? getDbias().getType() : Type(),
                                     getKindAttr(), getDy(), getX(), scale);
  return finish(rewriter, *this, op, op.getDx(), {{getDbias(), op.getDbias()}});
}

bool LayerNormGradOp::canQuantizeResult(unsigned result) {
  return result == 0 && getDx() && !getScale();
}

QuantizedResults LayerNormGradOp::quantizeResult(RewriterBase &rewriter,
                                                 unsigned result, Value scale,
                                                 Type rowwise, Type columnwise,
                                                 bool keepResult) {
  auto op = LayerNormGradOp::create(
      rewriter, getLoc(), keepResult ? getDx().getType() : Type(),
      getDgamma().getType(), getDbeta().getType(), rowwise, columnwise,
      amaxType(rewriter), typeOf(getDbias()), getDy(), getX(), getGamma(),
      getMean(), getRstd(), getResidual(), scale, getZeroCenteredAttr());
  return finish(rewriter, *this, op, op.getDx(),
                {{getDgamma(), op.getDgamma()},
                 {getDbeta(), op.getDbeta()},
                 {getDbias(), op.getDbias()}});
}

//===----------------------------------------------------------------------===//
// RowSummingOpInterface
//===----------------------------------------------------------------------===//

Value ActivationGradOp::getRowSum(Value matrix) {
  return matrix == getDx() ? getDbias() : Value();
}

bool ActivationGradOp::canSumRows(Value matrix) {
  return matrix == getDx() && !getDbias();
}

Value ActivationGradOp::sumRows(RewriterBase &rewriter, Value matrix,
                                Type type) {
  return finishSum(
      rewriter, *this,
      ActivationGradOp::create(rewriter, getLoc(), typeOf(getDx()),
                               typeOf(getRowwise()), typeOf(getColumnwise()),
                               typeOf(getAmax()), type, getKindAttr(), getDy(),
                               getX(), getScale()));
}

Value LayerNormGradOp::getRowSum(Value matrix) {
  return matrix == getDx() ? getDbias() : Value();
}

bool LayerNormGradOp::canSumRows(Value matrix) {
  return matrix == getDx() && !getDbias();
}

Value LayerNormGradOp::sumRows(RewriterBase &rewriter, Value matrix,
                               Type type) {
  return finishSum(
      rewriter, *this,
      LayerNormGradOp::create(
          rewriter, getLoc(), typeOf(getDx()), getDgamma().getType(),
          getDbeta().getType(), typeOf(getRowwise()), typeOf(getColumnwise()),
          typeOf(getAmax()), type, getDy(), getX(), getGamma(), getMean(),
          getRstd(), getResidual(), getScale(), getZeroCenteredAttr()));
}

Value ColumnSumOp::getSummedMatrix() { return getX(); }
Value ColumnSumOp::getColumnSums() { return getY(); }

Value QuantizeOp::getRowSum(Value matrix) {
  return matrix == getX() ? getDbias() : Value();
}

bool QuantizeOp::canSumRows(Value matrix) {
  return matrix == getX() && !getDbias();
}

Value QuantizeOp::sumRows(RewriterBase &rewriter, Value matrix, Type type) {
  return finishSum(rewriter, *this,
                   QuantizeOp::create(rewriter, getLoc(), typeOf(getRowwise()),
                                      typeOf(getColumnwise()),
                                      typeOf(getAmax()), type, getX(),
                                      getScale()));
}
