// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te.causal_conv and its gradient.

#include "OpMethods.h"

#include "te/Dialect/TE/IR/Cotangent.h"
#include "te/Dialect/TE/IR/LayerOps.h"
#include "te/Support/TensorType.h"

using namespace mlir;
using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

/// What te.causal_conv and its gradient require of their common operands.
template <typename Op> static LogicalResult verifyConv(Op op) {
  const int64_t channels = tensorDim(op.getX(), 2),
                taps = tensorDim(op.getWeight(), 0);
  if (taps < 1 || taps > CausalConvOp::kMostTaps)
    return op.emitOpError()
           << "expects 1 to " << CausalConvOp::kMostTaps
           << " taps of each channel, but weight has " << taps << " rows";
  return verifyShapes(op, {{"weight", op.getWeight(), {taps, channels}},
                           {"bias", op.getBias(), {channels}}});
}

LogicalResult CausalConvOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  return verifyShapes(*this, {{"y", getY(), tensorShape(getX())}});
}

LogicalResult CausalConvGradOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  if (getDbias() && !getBias())
    return emitOpError() << "has a gradient of 'bias', which it does not have";
  ArrayRef<int64_t> shape = tensorShape(getX());
  return verifyShapes(*this,
                      {{"dy", getDy(), shape},
                       {"dx", getDx(), shape},
                       {"dweight", getDweight(), tensorShape(getWeight())},
                       {"dbias", getDbias(), {shape[2]}}});
}

//===----------------------------------------------------------------------===//
// Gradient, precision, ranges
//===----------------------------------------------------------------------===//

LogicalResult CausalConvOp::buildVjp(OpBuilder &builder, ValueRange cotangents,
                                     const Needed &needed,
                                     Cotangents operands) {
  const bool needsBias = getBias() && needed[2];
  auto grad = CausalConvGradOp::create(
      builder, getLoc(), getX().getType(), getWeight().getType(),
      needsBias ? getBias().getType() : Type(), cotangents[0], getX(),
      getWeight(), getBias(), getSiluAttr());
  if (needed[0])
    operands[0] = grad.getDx();
  if (needed[1])
    operands[1] = grad.getDweight();
  if (needsBias)
    operands[2] = grad.getDbias();
  return success();
}

Numbers CausalConvOp::getComputeResults() { return {0}; }
Numbers CausalConvOp::getComputeOperands() { return {0}; }
Numbers CausalConvOp::getFloat32Operands() {
  return getBias() ? Numbers{1, 2} : Numbers{1};
}

Numbers CausalConvGradOp::getComputeResults() { return {0}; }
Numbers CausalConvGradOp::getComputeOperands() { return {0, 1}; }
Numbers CausalConvGradOp::getFloat32Operands() {
  return getBias() ? Numbers{2, 3} : Numbers{2};
}

void CausalConvOp::inferRanges(RangeInference &ranges) {
  MagnitudeRange sum = (ranges.of(getX()) * ranges.of(getWeight()))
                           .sumOf(tensorDim(getWeight(), 0));
  if (getBias())
    sum = sum + ranges.of(getBias());
  // |s * sigmoid(s)| <= |s|.
  ranges.set(getY(), getSilu() ? sum.withoutLower().inexact() : sum.inexact());
}

//===----------------------------------------------------------------------===//
// Forms in linalg
//===----------------------------------------------------------------------===//

namespace {
/// Formulas of one convolution. Indices: b batches, t tokens, d channels.
template <typename Op> struct Taps {
  Taps(Op op, Formula &f)
      : op(op), f(f), f32(f.builder.getF32Type()),
        taps(tensorDim(op.getWeight(), 0)), tokens(tensorDim(op.getX(), 1)) {
    Value x = pad(op.getX(), taps - 1);
    for (int64_t k = 0; k < taps; ++k) {
      inputs.push_back(f.slice(x, 1, k, tokens));
      rows.push_back(f.reshape(f.slice(op.getWeight(), 0, k, 1),
                               {tensorDim(op.getX(), 2)}));
    }
  }

  /// [B,T+K-1,D] of zeros but for `value` from token `first` on.
  Value pad(Value value, int64_t first) {
    SmallVector<int64_t> sizes(tensorShape(value));
    value = f.convert(value, f32);
    SmallVector<int64_t> padded = sizes;
    padded[1] += taps - 1;
    auto attributes = [&](ArrayRef<int64_t> numbers) {
      return getAsIndexOpFoldResult(f.builder.getContext(), numbers);
    };
    return tensor::InsertSliceOp::create(
        f.builder, f.loc, value,
        createZeros(f.builder, f.loc, RankedTensorType::get(padded, f32)),
        attributes({0, first, 0}), attributes(sizes), attributes({1, 1, 1}));
  }

  /// Σ_k weight[k] * values[k], and the bias.
  Value combine(ArrayRef<Value> values, Value bias) {
    SmallVector<Term> terms;
    for (auto [value, row] : llvm::zip_equal(values, rows))
      terms.append({{value, "btd"}, {row, "d"}});
    if (bias)
      terms.push_back({bias, "d"});
    return f.map("btd", f32, terms, [&](Scalars &s, ValueRange v) {
      Value sum = bias ? v.back() : s.number(0);
      for (int64_t k = 0; k < taps; ++k)
        sum = s.add(sum, s.mul(v[2 * k], v[2 * k + 1]));
      return sum;
    });
  }
  Value getSum() { return combine(inputs, op.getBias()); }

  Op op;
  Formula &f;
  Type f32;
  int64_t taps, tokens;
  /// x as every tap reads it, and the tap's weights.
  SmallVector<Value> inputs, rows;
};
} // namespace

void CausalConvOp::buildLinalgForm(LinalgForm &f) {
  Taps<CausalConvOp> taps(*this, f);
  Value sum = taps.getSum();
  if (getSilu())
    sum = f.map("btd", taps.f32, {{sum, "btd"}}, [](Scalars &s, ValueRange v) {
      return activate(s, ActivationKind::Silu, v[0]);
    });
  f.set(getY(), sum);
}

void CausalConvGradOp::buildLinalgForm(LinalgForm &f) {
  Taps<CausalConvGradOp> taps(*this, f);
  Value ds = f.convert(getDy(), taps.f32);
  if (getSilu())
    ds = f.map("btd", taps.f32, {{ds, "btd"}, {taps.getSum(), "btd"}},
               [](Scalars &s, ValueRange v) {
                 return s.mul(
                     v[0], activateDerivative(s, ActivationKind::Silu, v[1]));
               });
  if (f.needs(getDx())) {
    Value padded = taps.pad(ds, 0);
    SmallVector<Value> later;
    for (int64_t k = 0; k < taps.taps; ++k)
      later.push_back(f.slice(padded, 1, taps.taps - 1 - k, taps.tokens));
    f.set(getDx(), taps.combine(later, Value()));
  }
  if (f.needs(getDweight())) {
    SmallVector<Value> rows;
    for (Value input : taps.inputs)
      rows.push_back(
          f.reshape(f.sum("d", {{ds, "btd"}, {input, "btd"}}, product),
                    {1, tensorDim(getX(), 2)}));
    f.set(getDweight(), tensor::ConcatOp::create(f.builder, f.loc, 0, rows));
  }
  if (f.needs(getDbias()))
    f.set(getDbias(),
          f.sum("d", {{ds, "btd"}},
                [](Scalars &, ValueRange v) -> Value { return v[0]; }));
}
