// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// activation, gated_activation and their gradients.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Builders, verifiers
//===----------------------------------------------------------------------===//

void ActivationOp::build(OpBuilder &builder, OperationState &state,
                         ActivationKind kind, Value x) {
  build(builder, state, /*y=*/x.getType(), /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(),
        ActivationKindAttr::get(builder.getContext(), kind), x,
        /*scale=*/Value());
}

LogicalResult ActivationOp::verify() {
  ArrayRef<int64_t> shape = tensorShape(getX());
  if (failed(verifyShapes(*this, {{"y", getY(), shape}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
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
  if (failed(verifyShapes(*this, {{"dy", getDy(), shape},
                                  {"dx", getDx(), shape},
                                  {"dbias", getDbias(), {shape[1]}}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

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
        up, /*scale=*/Value(), unitAttr(builder, upFirst));
}

LogicalResult GatedActivationOp::verify() {
  SmallVector<int64_t> shape;
  if (failed(verifyGate(*this, getX(), getUp(), getUpFirst(), shape)) ||
      failed(verifyShapes(*this, {{"y", getY(), shape}})))
    return failure();
  return verifyQuantizedResults(*this, shape);
}

void GatedActivationGradOp::build(OpBuilder &builder, OperationState &state,
                                  ActivationKind kind, Value dy, Value x,
                                  Value up, bool upFirst) {
  build(builder, state, /*dx=*/x.getType(), /*dup=*/up ? up.getType() : Type(),
        /*rowwise=*/Type(), /*columnwise=*/Type(), /*amax=*/Type(),
        /*dbias=*/Type(), ActivationKindAttr::get(builder.getContext(), kind),
        dy, x, up, /*scale=*/Value(), unitAttr(builder, upFirst));
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
  if (failed(verifyShapes(*this, {{"dx", getDx(), xShape},
                                  {"dup", getDup(), shape},
                                  {"dbias", getDbias(), {xShape[1]}}})))
    return failure();
  return verifyQuantizedResults(*this, xShape);
}

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
// Gradients
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

//===----------------------------------------------------------------------===//
// Precision
//===----------------------------------------------------------------------===//

Numbers ActivationOp::getComputeResults() { return {0}; }
Numbers ActivationOp::getComputeOperands() { return {0}; }

Numbers ActivationGradOp::getComputeResults() { return {0}; }
Numbers ActivationGradOp::getComputeOperands() { return {0, 1}; }

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

// Gate and up that are apart come from two layers, which have a scale each.
bool GatedActivationGradOp::canQuantizeResult(unsigned result) {
  return result == 0 && getDx() && !getUp() && !getScale();
}

Value GatedActivationGradOp::getSummableMatrix() {
  return getUp() ? Value() : getDx();
}

//===----------------------------------------------------------------------===//
// Epilogues
//===----------------------------------------------------------------------===//

/// A quantization in a kernel of its own of what `x` is.
static Work quantizes(Type x, Value rowwise, Value columnwise) {
  Work work;
  work.kernel = "quantize";
  work.bytes = getBytes(x);
  for (Value copy : {rowwise, columnwise})
    if (copy)
      work.bytes += getBytes(copy.getType());
  return work;
}

// The epilogue writes the argument, for the backward pass, and the row-wise
// copy; the column-wise one has to be transposed from that.
std::optional<ProductEpilogue> ActivationOp::getEpilogue() {
  if (getKind() != ActivationKind::GeluTanh || !getScale() ||
      getX().hasOneUse())
    return std::nullopt;
  ProductEpilogue epilogue{getX(), "gelu_aux", "GELU", {}};
  if (Value columnwise = getColumnwise())
    epilogue.rest.push_back(
        quantizes(columnwise.getType(), Value(), columnwise));
  return epilogue;
}

// An epilogue that sums rows writes bf16, which is quantized afterwards.
std::optional<ProductEpilogue> ActivationGradOp::getEpilogue() {
  if (getKind() != ActivationKind::GeluTanh || !getScale() || !getDbias() ||
      !getDy().hasOneUse())
    return std::nullopt;
  return ProductEpilogue{
      getDy(),
      "dgelu_bgrad",
      "the gradients of GELU and of the bias",
      {quantizes(getDy().getType(), getRowwise(), getColumnwise())}};
}

//===----------------------------------------------------------------------===//
// Forms in linalg
//===----------------------------------------------------------------------===//

static Value sigmoid(Scalars &s, Value x) {
  return s.div(s.number(1), s.add(s.number(1), s.call<math::ExpOp>(s.neg(x))));
}

static Value positive(Scalars &s, Value x) {
  // NaN is preserved.
  return s.compare(arith::CmpFPredicate::UGT, x, s.number(0));
}

/// tanh(sqrt(2/pi) (x + 0.044715 x³))
static Value tanhOfCubic(Scalars &s, Value x) {
  Value cubic = s.mul(s.number(0.044715), s.mul(x, s.mul(x, x)));
  return s.call<math::TanhOp>(
      s.mul(s.number(std::sqrt(2 / M_PI)), s.add(x, cubic)));
}

/// (1 + erf(x / sqrt(2))) / 2
static Value normalCdf(Scalars &s, Value x) {
  Value erf = s.call<math::ErfOp>(s.mul(x, s.number(std::sqrt(0.5))));
  return s.mul(s.number(0.5), s.add(s.number(1), erf));
}

Value mlir::te::activate(Scalars &s, ActivationKind kind, Value x) {
  switch (kind) {
  case ActivationKind::GeluErf:
    return s.mul(x, normalCdf(s, x));
  case ActivationKind::GeluTanh:
    return s.mul(s.mul(s.number(0.5), x),
                 s.add(s.number(1), tanhOfCubic(s, x)));
  case ActivationKind::QuickGelu:
    return s.mul(x, sigmoid(s, s.mul(s.number(1.702), x)));
  case ActivationKind::Relu:
    return s.select(positive(s, x), x, s.number(0));
  case ActivationKind::SquaredRelu:
    return s.select(positive(s, x), s.mul(x, x), s.number(0));
  case ActivationKind::Silu:
    return s.mul(x, sigmoid(s, x));
  case ActivationKind::Sigmoid:
    return sigmoid(s, x);
  case ActivationKind::Tanh:
    return s.call<math::TanhOp>(x);
  }
  llvm_unreachable("unknown activation");
}

Value mlir::te::activateDerivative(Scalars &s, ActivationKind kind, Value x) {
  auto complement = [&](Value a) { return s.sub(s.number(1), a); };
  switch (kind) {
  case ActivationKind::GeluErf: {
    Value density =
        s.mul(s.number(1 / std::sqrt(2 * M_PI)),
              s.call<math::ExpOp>(s.mul(s.number(-0.5), s.mul(x, x))));
    return s.add(normalCdf(s, x), s.mul(x, density));
  }
  case ActivationKind::GeluTanh: {
    Value t = tanhOfCubic(s, x);
    Value inner =
        s.mul(s.number(std::sqrt(2 / M_PI)),
              s.add(s.number(1), s.mul(s.number(3 * 0.044715), s.mul(x, x))));
    Value slope = s.mul(complement(s.mul(t, t)), inner);
    return s.mul(s.number(0.5), s.add(s.add(s.number(1), t), s.mul(x, slope)));
  }
  case ActivationKind::QuickGelu: {
    Value p = sigmoid(s, s.mul(s.number(1.702), x));
    Value slope = s.mul(s.mul(p, complement(p)), s.number(1.702));
    return s.add(p, s.mul(x, slope));
  }
  case ActivationKind::Relu:
    return s.select(positive(s, x), s.number(1), s.number(0));
  case ActivationKind::SquaredRelu:
    return s.select(positive(s, x), s.mul(s.number(2), x), s.number(0));
  case ActivationKind::Silu: {
    Value p = sigmoid(s, x);
    return s.add(p, s.mul(x, s.mul(p, complement(p))));
  }
  case ActivationKind::Sigmoid: {
    Value p = sigmoid(s, x);
    return s.mul(p, complement(p));
  }
  case ActivationKind::Tanh: {
    Value t = s.call<math::TanhOp>(x);
    return complement(s.mul(t, t));
  }
  }
  llvm_unreachable("unknown activation");
}

void ActivationOp::buildLinalgForm(LinalgForm &f) {
  Value y = f.map(
      "mn", f.builder.getF32Type(), {{getX(), "mn"}},
      [&](Scalars &s, ValueRange x) { return activate(s, getKind(), x[0]); });
  f.set(getY(), y);
  f.setQuantized(*this, y);
}

void ActivationGradOp::buildLinalgForm(LinalgForm &f) {
  Value dx =
      f.map("mn", f.builder.getF32Type(), {{getDy(), "mn"}, {getX(), "mn"}},
            [&](Scalars &s, ValueRange x) {
              return s.mul(x[0], activateDerivative(s, getKind(), x[1]));
            });
  f.set(getDx(), dx);
  f.setRowSum(getDbias(), dx);
  f.setQuantized(*this, dx);
}

/// Gate and up of a joined x, or the operands.
template <typename Op>
static std::pair<Value, Value> getGateAndUp(Op op, Formula &f) {
  if (op.getUp())
    return {op.getX(), op.getUp()};
  int64_t width = sizeOf(op.getX(), 1) / 2;
  Value first = f.slice(op.getX(), 1, 0, width),
        last = f.slice(op.getX(), 1, width, width);
  return op.getUpFirst() ? std::pair(last, first) : std::pair(first, last);
}

void GatedActivationOp::buildLinalgForm(LinalgForm &f) {
  auto [gate, up] = getGateAndUp(*this, f);
  Value y = f.map("mn", f.builder.getF32Type(), {{gate, "mn"}, {up, "mn"}},
                  [&](Scalars &s, ValueRange x) {
                    return s.mul(activate(s, getKind(), x[0]), x[1]);
                  });
  f.set(getY(), y);
  f.setQuantized(*this, y);
}

void GatedActivationGradOp::buildLinalgForm(LinalgForm &f) {
  auto [gate, up] = getGateAndUp(*this, f);
  Type f32 = f.builder.getF32Type();
  Value dgate = f.map("mn", f32, {{getDy(), "mn"}, {gate, "mn"}, {up, "mn"}},
                      [&](Scalars &s, ValueRange x) {
                        return s.mul(s.mul(x[0], x[2]),
                                     activateDerivative(s, getKind(), x[1]));
                      });
  Value dup = f.map("mn", f32, {{getDy(), "mn"}, {gate, "mn"}},
                    [&](Scalars &s, ValueRange x) {
                      return s.mul(x[0], activate(s, getKind(), x[1]));
                    });
  Value dx = dgate;
  if (!getUp()) {
    Value first = getUpFirst() ? dup : dgate;
    Value last = getUpFirst() ? dgate : dup;
    dx = tensor::ConcatOp::create(f.builder, f.loc, 1, ValueRange{first, last});
  }
  f.set(getDx(), dx);
  f.set(getDup(), dup);
  f.setRowSum(getDbias(), dx);
  f.setQuantized(*this, dx);
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

static MagnitudeRange activateRange(ActivationKind kind, MagnitudeRange x) {
  switch (kind) {
  case ActivationKind::GeluErf:
  case ActivationKind::GeluTanh:
  case ActivationKind::QuickGelu:
  case ActivationKind::Silu:
    // x times a number in [0, 1].
    return x.withoutLower();
  case ActivationKind::Relu:
    return x;
  case ActivationKind::SquaredRelu:
    return x.power(2);
  case ActivationKind::Sigmoid:
  case ActivationKind::Tanh:
    // That of infinity, too.
    return MagnitudeRange::upTo(0);
  }
  llvm_unreachable("unknown activation");
}

/// Derivatives that do not grow with x, rounded up in the third digit.
static MagnitudeRange differentiate(ActivationKind kind, MagnitudeRange x) {
  switch (kind) {
  case ActivationKind::GeluErf:
  case ActivationKind::GeluTanh:
    // 1.1289 at sqrt(2), and 1.1290.
    return MagnitudeRange::of(1.13).withoutLower();
  case ActivationKind::QuickGelu:
  case ActivationKind::Silu:
    // s + z s (1 - s) is 1.0998 at z = 2.3994.
    return MagnitudeRange::of(1.1).withoutLower();
  case ActivationKind::SquaredRelu:
    return x * 2;
  case ActivationKind::Sigmoid:
    return MagnitudeRange::upTo(-2);
  case ActivationKind::Relu:
  case ActivationKind::Tanh:
    return MagnitudeRange::upTo(0);
  }
  llvm_unreachable("unknown activation");
}

void ActivationOp::inferRanges(RangeInference &ranges) {
  setHandedOut(*this, ranges, getY(),
               activateRange(getKind(), ranges.of(getX())));
}

void ActivationGradOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange dx =
      (ranges.of(getDy()) * differentiate(getKind(), ranges.of(getX())))
          .inexact();
  setHandedOut(*this, ranges, getDx(), dx);
  ranges.set(getDbias(), dx.sumOf(getRows(getX())));
}

void GatedActivationOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange gate = ranges.of(getX());
  MagnitudeRange up = getUp() ? ranges.of(getUp()) : gate;
  setHandedOut(*this, ranges, getY(),
               (activateRange(getKind(), gate) * up).inexact());
}

void GatedActivationGradOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange dy = ranges.of(getDy()), gate = ranges.of(getX());
  MagnitudeRange up = getUp() ? ranges.of(getUp()) : gate;
  MagnitudeRange dgate = (dy * up * differentiate(getKind(), gate)).inexact();
  MagnitudeRange dup = (dy * activateRange(getKind(), gate)).inexact();
  MagnitudeRange dx = getUp() ? dgate : dgate.join(dup);
  ranges.set(getDup(), dup);
  setHandedOut(*this, ranges, getDx(), dx);
  ranges.set(getDbias(), dx.sumOf(getRows(getX())));
}
