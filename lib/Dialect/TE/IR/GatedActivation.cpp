// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gated_activation and its gradient.

#include "OpMethods.h"
#include "Verification.h"
#include "te/Dialect/TE/IR/LlamaOps.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::te;

using Cotangents = MutableArrayRef<Value>;
using Needed = llvm::BitVector;
using Numbers = SmallVector<unsigned>;

//===----------------------------------------------------------------------===//
// Builders, verifiers
//===----------------------------------------------------------------------===//

/// Checks the operands of a gated activation; `shape` becomes that of gate and
/// of up.
static LogicalResult verifyGate(Operation *op, Value x, Value up, bool upFirst,
                                SmallVectorImpl<int64_t> &shape) {
  auto type = cast<RankedTensorType>(x.getType());
  shape.assign(type.getShape().begin(), type.getShape().end());
  if (up) {
    if (upFirst)
      return op->emitOpError()
             << "has up_first, which says where up is in x, and up as an "
                "operand of its own";
    return verifyShape(op, "up", up, shape);
  }
  if (shape[1] % 2 != 0)
    return op->emitOpError()
           << "expects gate and up side by side in x, but x is " << type;
  shape[1] /= 2;
  return success();
}

void GatedActivationOp::build(OpBuilder &builder, OperationState &state,
                              ActivationKind kind, Value x, Value up,
                              bool upFirst) {
  auto type = cast<RankedTensorType>(x.getType());
  if (!up)
    type = type.clone({type.getDimSize(0), type.getDimSize(1) / 2});
  build(builder, state, /*y=*/type, /*rowwise=*/Type(), /*columnwise=*/Type(),
        /*amax=*/Type(), ActivationKindAttr::get(builder.getContext(), kind), x,
        up, /*scale=*/Value(), upFirst ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult GatedActivationOp::verify() {
  SmallVector<int64_t> shape;
  if (failed(verifyGate(*this, getX(), getUp(), getUpFirst(), shape)))
    return failure();
  if (getY() && failed(verifyShape(*this, "y", getY(), shape)))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

void GatedActivationGradOp::build(OpBuilder &builder, OperationState &state,
                                  ActivationKind kind, Value dy, Value x,
                                  Value up, bool upFirst) {
  build(builder, state, /*dx=*/x.getType(), /*dup=*/up ? up.getType() : Type(),
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(),
        /*dbias=*/Type(), ActivationKindAttr::get(builder.getContext(), kind),
        dy, x, up, /*scale=*/Value(),
        upFirst ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult GatedActivationGradOp::verify() {
  SmallVector<int64_t> shape;
  if (failed(verifyGate(*this, getX(), getUp(), getUpFirst(), shape)) ||
      failed(verifyShape(*this, "dy", getDy(), shape)))
    return failure();
  if (bool(getUp()) != bool(getDup()))
    return emitOpError() << (getUp() ? "has up but not dup"
                                     : "has dup but not up");
  if (getUp() && (!getDx() || getScale() || getDbias()))
    return emitOpError() << "with up as an operand of its own has the results "
                            "dx and dup and no others";
  ArrayRef<int64_t> xShape = tensorShape(getX());
  if (getDx() && failed(verifyShape(*this, "dx", getDx(), xShape)))
    return failure();
  if (getDup() && failed(verifyShape(*this, "dup", getDup(), shape)))
    return failure();
  if (getDbias() &&
      failed(verifyShape(*this, "dbias", getDbias(), {xShape[1]})))
    return failure();
  return verifyQuantizedResults(*this, xShape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

//===----------------------------------------------------------------------===//
// Canonical form
//===----------------------------------------------------------------------===//

/// Gate and up that one te.split cuts a matrix into are that matrix.
LogicalResult GatedActivationOp::canonicalize(GatedActivationOp op,
                                              PatternRewriter &rewriter) {
  if (!op.getUp())
    return rewriter.notifyMatchFailure(op, "gate and up are joined already");
  auto split = op.getX().getDefiningOp<SplitOp>();
  if (!split || split.getNumResults() != 2 || split.getAxis() != 1 ||
      op.getUp().getDefiningOp() != split || op.getX() == op.getUp())
    return rewriter.notifyMatchFailure(op, "not the two pieces of a te.split");
  bool upFirst = op.getUp() == split.getPieces().front();
  rewriter.modifyOpInPlace(op, [&] {
    op.getXMutable().assign(split.getX());
    op.getUpMutable().clear();
    op.setUpFirst(upFirst);
  });
  return success();
}

//===----------------------------------------------------------------------===//
// What it is to differentiation and precision
//===----------------------------------------------------------------------===//

LogicalResult GatedActivationOp::buildVjp(OpBuilder &builder,
                                          ValueRange cotangents,
                                          const Needed &needed,
                                          Cotangents operands) {
  if (failed(onlyCotangentOf(*this, getY(), cotangents)))
    return failure();
  auto grad =
      GatedActivationGradOp::create(builder, getLoc(), getKind(), cotangents[0],
                                    getX(), getUp(), getUpFirst());
  if (needed[0])
    operands[0] = grad.getDx();
  if (getUp() && needed[1])
    operands[1] = grad.getDup();
  return success();
}

Numbers GatedActivationOp::getComputeResults() { return {0}; }
Numbers GatedActivationOp::getComputeOperands() {
  return getUp() ? Numbers{0, 1} : Numbers{0};
}

Numbers GatedActivationGradOp::getComputeResults() {
  return getDup() ? Numbers{0, 1} : Numbers{0};
}
Numbers GatedActivationGradOp::getComputeOperands() {
  return getUp() ? Numbers{0, 1, 2} : Numbers{0, 1};
}

//===----------------------------------------------------------------------===//
// Quantized results, sums of rows, cost
//===----------------------------------------------------------------------===//

bool GatedActivationOp::canQuantizeResult(unsigned result) {
  return result == 0 && getY() && !getScale();
}

QuantizedResults GatedActivationOp::quantizeResult(RewriterBase &rewriter,
                                                   unsigned result, Value scale,
                                                   Type rowwise,
                                                   Type columnwise,
                                                   bool keepResult) {
  auto op = GatedActivationOp::create(
      rewriter, getLoc(), keepResult ? getY().getType() : Type(), rowwise,
      columnwise, amaxType(rewriter), getKindAttr(), getX(), getUp(), scale,
      getUpFirstAttr());
  return finish(rewriter, *this, op, op.getY(), {});
}

// Gate and up that are apart come from two layers, which have a scale each.
bool GatedActivationGradOp::canQuantizeResult(unsigned result) {
  return result == 0 && getDx() && !getUp() && !getScale();
}

QuantizedResults
GatedActivationGradOp::quantizeResult(RewriterBase &rewriter, unsigned result,
                                      Value scale, Type rowwise,
                                      Type columnwise, bool keepResult) {
  auto op = GatedActivationGradOp::create(
      rewriter, getLoc(), keepResult ? getDx().getType() : Type(),
      /*dup=*/Type(), rowwise, columnwise, amaxType(rewriter),
      getDbias() ? getDbias().getType() : Type(), getKindAttr(), getDy(),
      getX(), /*up=*/Value(), scale, getUpFirstAttr());
  return finish(rewriter, *this, op, op.getDx(), {{getDbias(), op.getDbias()}});
}

Value GatedActivationGradOp::getRowSum(Value matrix) {
  return matrix == getDx() ? getDbias() : Value();
}

bool GatedActivationGradOp::canSumRows(Value matrix) {
  return matrix == getDx() && !getUp() && !getDbias();
}

Value GatedActivationGradOp::sumRows(RewriterBase &rewriter, Value matrix,
                                     Type type) {
  return finishSum(rewriter, *this,
                   GatedActivationGradOp::create(
                       rewriter, getLoc(), typeOf(getDx()), /*dup=*/Type(),
                       typeOf(getRowwise()), typeOf(getColumnwise()),
                       typeOf(getAmax()), type, getKindAttr(), getDy(), getX(),
                       /*up=*/Value(), getScale(), getUpFirstAttr()));
}

Work GatedActivationOp::getWork() {
  return movesAndMore(*this, /*sumsRows=*/false, bool(getScale()));
}

Work GatedActivationGradOp::getWork() {
  return movesAndMore(*this, bool(getDbias()), bool(getScale()));
}
