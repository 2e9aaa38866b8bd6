// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders and verifiers of the gradient ops (attention_grad's is beside
// attention's).

#include "Verification.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

void LayerNormGradOp::build(OpBuilder &builder, OperationState &state, Value dy,
                            Value x, Value gamma, Value mean, Value rstd,
                            bool zeroCentered) {
  // Gradients of parameters are float32, whatever those are stored in.
  auto f32 = RankedTensorType::get(tensorShape(gamma), builder.getF32Type());
  build(builder, state, /*dx=*/x.getType(), /*dgamma=*/f32, /*dbeta=*/f32,
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(),
        /*dbias=*/Type(), dy, x, gamma, mean, rstd, /*residual=*/Value(),
        /*scale=*/Value(), zeroCentered ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult LayerNormGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShape(*this, "dy", getDy(), shape)) ||
      failed(verifyShape(*this, "gamma", getGamma(), {shape[1]})) ||
      failed(verifyShape(*this, "dgamma", getDgamma(), {shape[1]})) ||
      failed(verifyShape(*this, "dbeta", getDbeta(), {shape[1]})) ||
      failed(verifyShape(*this, "mean", getMean(), {shape[0]})) ||
      failed(verifyShape(*this, "rstd", getRstd(), {shape[0]})))
    return failure();
  if (getDx() && failed(verifyShape(*this, "dx", getDx(), shape)))
    return failure();
  if (getResidual() &&
      failed(verifyShape(*this, "the residual", getResidual(), shape)))
    return failure();
  if (getDbias() && failed(verifyShape(*this, "dbias", getDbias(), {shape[1]})))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

void ActivationGradOp::build(OpBuilder &builder, OperationState &state,
                             ActivationKind kind, Value dy, Value x) {
  build(builder, state, /*dx=*/x.getType(), /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(), /*dbias=*/Type(),
        ActivationKindAttr::get(builder.getContext(), kind), dy, x,
        /*scale=*/Value());
}

LogicalResult ActivationGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShape(*this, "dy", getDy(), shape)))
    return failure();
  if (getDx() && failed(verifyShape(*this, "dx", getDx(), shape)))
    return failure();
  if (getDbias() && failed(verifyShape(*this, "dbias", getDbias(), {shape[1]})))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

LogicalResult EmbeddingGradOp::verify() {
  ArrayRef<int64_t> dy = tensorShape(getDy());
  if (failed(verifyShape(*this, "the ids", getIds(), {dy[0]})))
    return failure();
  return verifyShape(*this, "dtable", getDtable(),
                     {tensorShape(getDtable())[0], dy[1]});
}

LogicalResult CrossEntropyGradOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getLogits());
  if (failed(verifyShape(*this, "the labels", getLabels(), {shape[0]})) ||
      failed(verifyShape(*this, "lse", getLse(), {shape[0]})) ||
      failed(verifyTerms(*this)))
    return failure();
  return verifyShape(*this, "dlogits", getDlogits(), shape);
}

LogicalResult CrossEntropyWithGradOp::verify() {
  if (failed(verifyTerms(*this)))
    return failure();
  return verifyShape(*this, "the labels", getLabels(),
                     {tensorShape(getLogits())[0]});
}

LogicalResult ColumnSumOp::verify() {
  return verifyShape(*this, "the result", getY(), {tensorShape(getX())[1]});
}
