// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rms_norm and its gradient.

#include "OpMethods.h"
#include "Verification.h"
#include "te/Dialect/TE/IR/LlamaOps.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;
using Numbers = SmallVector<unsigned>;

//===----------------------------------------------------------------------===//
// Builders, verifiers
//===----------------------------------------------------------------------===//

void RMSNormOp::build(OpBuilder &builder, OperationState &state, Value x,
                      Value gamma, float eps, bool zeroCentered) {
  auto type = cast<RankedTensorType>(x.getType());
  build(builder, state, /*y=*/type,
        RankedTensorType::get({type.getDimSize(0)}, builder.getF32Type()),
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(), x, gamma,
        /*scale=*/Value(), builder.getF32FloatAttr(eps),
        zeroCentered ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult RMSNormOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShape(*this, "gamma", getGamma(), {shape[1]})) ||
      failed(verifyShape(*this, "rstd", getRstd(), {shape[0]})))
    return failure();
  if (getY() && failed(verifyShape(*this, "y", getY(), shape)))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

void RMSNormGradOp::build(OpBuilder &builder, OperationState &state, Value dy,
                          Value x, Value gamma, Value rstd, bool zeroCentered) {
  auto f32 = RankedTensorType::get(tensorShape(gamma), builder.getF32Type());
  build(builder, state, /*dx=*/x.getType(), /*dgamma=*/f32, /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(), dy, x, gamma, rstd,
        /*residual=*/Value(), /*scale=*/Value(),
        zeroCentered ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult RMSNormGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShape(*this, "dy", getDy(), shape)) ||
      failed(verifyShape(*this, "gamma", getGamma(), {shape[1]})) ||
      failed(verifyShape(*this, "dgamma", getDgamma(), {shape[1]})) ||
      failed(verifyShape(*this, "rstd", getRstd(), {shape[0]})))
    return failure();
  if (getDx() && failed(verifyShape(*this, "dx", getDx(), shape)))
    return failure();
  if (getResidual() &&
      failed(verifyShape(*this, "the residual", getResidual(), shape)))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

//===----------------------------------------------------------------------===//
// What it is to differentiation and precision
//===----------------------------------------------------------------------===//

LogicalResult RMSNormOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                  const Needed &needed, Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  auto grad = RMSNormGradOp::create(builder, getLoc(), cotangents[0], getX(),
                                    getGamma(), getRstd(), getZeroCentered());
  if (needed[0])
    operands[0] = grad.getDx();
  if (needed[1])
    operands[1] = grad.getDgamma();
  return success();
}

LogicalResult RMSNormGradOp::addToResult(unsigned result, Value addend) {
  if (result != 0 || !getDx() || getScale() || getResidual())
    return failure();
  getResidualMutable().assign(addend);
  return success();
}

Numbers RMSNormOp::getComputeResults() { return {0}; }
Numbers RMSNormOp::getComputeOperands() { return {0}; }

Numbers RMSNormGradOp::getComputeResults() { return {0}; }
Numbers RMSNormGradOp::getComputeOperands() { return {0, 1}; }
Numbers RMSNormGradOp::getConvertibleResults() {
  return getDx() ? Numbers{0, 1} : Numbers{0};
}
Numbers RMSNormGradOp::getWidenableResults() { return getConvertibleResults(); }

std::optional<ParameterRole> RMSNormOp::getParameterRole(unsigned operand) {
  if (operand == 0)
    return std::nullopt;
  return ParameterRole::Norm;
}

//===----------------------------------------------------------------------===//
// Quantized results, cost
//===----------------------------------------------------------------------===//

bool RMSNormOp::canQuantizeResult(unsigned result) {
  return result == 0 && getY() && !getScale();
}

QuantizedResults RMSNormOp::quantizeResult(RewriterBase &rewriter,
                                           unsigned result, Value scale,
                                           Type rowwise, Type columnwise,
                                           bool keepResult) {
  auto op = RMSNormOp::create(
      rewriter, getLoc(), keepResult ? getY().getType() : Type(),
      getRstd().getType(), rowwise, columnwise, amaxType(rewriter), getX(),
      getGamma(), scale, getEpsAttr(), getZeroCenteredAttr());
  return finish(rewriter, *this, op, op.getY(), {{getRstd(), op.getRstd()}});
}

bool RMSNormGradOp::canQuantizeResult(unsigned result) {
  return result == 0 && getDx() && !getScale();
}

QuantizedResults RMSNormGradOp::quantizeResult(RewriterBase &rewriter,
                                               unsigned result, Value scale,
                                               Type rowwise, Type columnwise,
                                               bool keepResult) {
  auto op = RMSNormGradOp::create(
      rewriter, getLoc(), keepResult ? getDx().getType() : Type(),
      getDgamma().getType(), rowwise, columnwise, amaxType(rewriter), getDy(),
      getX(), getGamma(), getRstd(), getResidual(), scale,
      getZeroCenteredAttr());
  return finish(rewriter, *this, op, op.getDx(),
                {{getDgamma(), op.getDgamma()}});
}

Work RMSNormOp::getWork() {
  return movesAndMore(*this, /*sumsRows=*/false, bool(getScale()));
}

Work RMSNormGradOp::getWork() {
  return movesAndMore(*this, /*sumsRows=*/false, bool(getScale()));
}

#define GET_OP_CLASSES
#include "te/Dialect/TE/IR/TELlamaOps.cpp.inc"
