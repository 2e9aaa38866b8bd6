// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builders and verifiers of the forward ops.

#include "Verification.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::te;

static RankedTensorType f32Tensor(MLIRContext *context,
                                  ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, Float32Type::get(context));
}

//===----------------------------------------------------------------------===//
// matmul, scaled_matmul
//===----------------------------------------------------------------------===//

void MatmulOp::build(OpBuilder &builder, OperationState &state, Type d, Value a,
                     Value b, Value bias, Value addend, bool transposeA,
                     bool transposeB, MatmulRole role, bool inputFirst) {
  build(builder, state, d, a, b, bias, addend, transposeA, transposeB, role,
        inputFirst, /*layer=*/StringAttr());
}

void ScaledMatmulOp::build(OpBuilder &builder, OperationState &state, Type d,
                           Value a, Value b, Value aScaleInv, Value bScaleInv,
                           Value bias, MatmulRole role, Accumulate accumulate) {
  build(builder, state, d, a, b, aScaleInv, bScaleInv, bias,
        /*addend=*/Value(), role, accumulate, /*layer=*/StringAttr());
}

static LogicalResult verifyAddend(Operation *product, Value addend) {
  Type type = product->getResult(0).getType();
  if (!addend || addend.getType() == type)
    return success();
  return product->emitOpError() << "expects an addend of the result's type, "
                                << type << ", but it is " << addend.getType();
}

LogicalResult MatmulOp::verify() {
  auto a = tensorType(getA()), b = tensorType(getB());
  int64_t m = a.getDimSize(getTransposeA() ? 1 : 0);
  int64_t k = a.getDimSize(getTransposeA() ? 0 : 1);
  int64_t kb = b.getDimSize(getTransposeB() ? 1 : 0);
  int64_t n = b.getDimSize(getTransposeB() ? 0 : 1);
  if (k != kb)
    return emitOpError() << "contracts " << k << " elements of the left operand"
                         << " with " << kb << " of the right one (" << a
                         << (getTransposeA() ? " transposed" : "") << ", " << b
                         << (getTransposeB() ? " transposed" : "")
                         << "); is transpose_a or transpose_b missing?";
  if (failed(verifyShape(*this, "the result", getD(), {m, n})))
    return failure();
  if (getBias() && failed(verifyShape(*this, "the bias", getBias(), {n})))
    return failure();
  if (failed(verifyAddend(*this, getAddend())))
    return failure();
  if (getInputFirst() && getRole() != MatmulRole::Wgrad)
    return emitOpError() << "has input_first, which only wgrad takes";
  return success();
}

LogicalResult ScaledMatmulOp::addToResult(unsigned, Value addend) {
  if (getAddend() || addend.getType() != getD().getType())
    return failure();
  getAddendMutable().assign(addend);
  return success();
}

LogicalResult ScaledMatmulOp::verify() {
  if (getRole() == MatmulRole::Other)
    return emitOpError() << "expects the role of a linear layer's product";
  auto a = tensorType(getA()), b = tensorType(getB());
  if (isa<Float8E5M2Type>(a.getElementType()) &&
      isa<Float8E5M2Type>(b.getElementType()))
    return emitOpError()
           << "has two f8E5M2 operands; FP8 GEMMs take at most one";
  if (a.getDimSize(1) != b.getDimSize(1))
    return emitOpError() << "contracts the last dimensions of both operands, "
                         << "which differ: " << a << " and " << b;
  int64_t m = a.getDimSize(0), n = b.getDimSize(0);
  if (failed(verifyScale(*this, "a_scale_inv", getAScaleInv(), a.getShape())) ||
      failed(verifyScale(*this, "b_scale_inv", getBScaleInv(), b.getShape())) ||
      failed(verifyShape(*this, "the result", getD(), {m, n})))
    return failure();
  if (getBias() && failed(verifyShape(*this, "the bias", getBias(), {n})))
    return failure();
  return verifyAddend(*this, getAddend());
}

//===----------------------------------------------------------------------===//
// layer_norm
//===----------------------------------------------------------------------===//

void LayerNormOp::build(OpBuilder &builder, OperationState &state, Value x,
                        Value gamma, Value beta, float eps, bool zeroCentered) {
  RankedTensorType type = tensorType(x);
  auto stats = f32Tensor(builder.getContext(), {type.getDimSize(0)});
  build(builder, state, /*y=*/type, stats, stats, /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(), x, gamma, beta,
        /*scale=*/Value(), builder.getF32FloatAttr(eps),
        zeroCentered ? builder.getUnitAttr() : UnitAttr());
}

LogicalResult LayerNormOp::verify() {
  auto shape = tensorType(getX()).getShape();
  if (failed(verifyShape(*this, "gamma", getGamma(), {shape[1]})) ||
      failed(verifyShape(*this, "beta", getBeta(), {shape[1]})) ||
      failed(verifyShape(*this, "mean", getMean(), {shape[0]})) ||
      failed(verifyShape(*this, "rstd", getRstd(), {shape[0]})))
    return failure();
  if (getY() && failed(verifyShape(*this, "y", getY(), shape)))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

//===----------------------------------------------------------------------===//
// activation
//===----------------------------------------------------------------------===//

void ActivationOp::build(OpBuilder &builder, OperationState &state,
                         ActivationKind kind, Value x) {
  build(builder, state, /*y=*/x.getType(), /*rowwise=*/Type(),
        /*columnwise=*/Type(), /*amax=*/Type(),
        ActivationKindAttr::get(builder.getContext(), kind), x,
        /*scale=*/Value());
}

LogicalResult ActivationOp::verify() {
  auto shape = tensorType(getX()).getShape();
  if (getY() && failed(verifyShape(*this, "y", getY(), shape)))
    return failure();
  return verifyQuantizedResults(*this, shape, bool(getScale()), getRowwise(),
                                getColumnwise(), getAmax());
}

//===----------------------------------------------------------------------===//
// attention
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of an attention operand by meaning.
struct HeadSizes {
  int64_t batch, sequence, heads, dim;
  HeadSizes(RankedTensorType type, AttentionLayout layout) {
    ArrayRef<int64_t> s = type.getShape();
    dim = s[3];
    switch (layout) {
    case AttentionLayout::BSHD:
      batch = s[0], sequence = s[1], heads = s[2];
      break;
    case AttentionLayout::BHSD:
      batch = s[0], sequence = s[2], heads = s[1];
      break;
    case AttentionLayout::SBHD:
      batch = s[1], sequence = s[0], heads = s[2];
      break;
    }
  }
};
} // namespace

void AttentionOp::build(OpBuilder &builder, OperationState &state, Value q,
                        Value k, Value v, float scale, bool causal,
                        AttentionLayout layout, Value bias, int64_t window,
                        float softcap, Value lengths, Value sinks) {
  HeadSizes sizes(tensorType(q), layout);
  auto lse = f32Tensor(builder.getContext(),
                       {sizes.batch, sizes.heads, sizes.sequence});
  build(builder, state, q.getType(), lse, q, k, v, bias, lengths, sinks,
        builder.getF32FloatAttr(scale),
        causal ? builder.getUnitAttr() : UnitAttr(),
        AttentionLayoutAttr::get(builder.getContext(), layout),
        builder.getI64IntegerAttr(window), builder.getF32FloatAttr(softcap),
        builder.getI32IntegerAttr(0), /*balanced=*/UnitAttr());
}

/// What acts on the scores besides the causal triangle.
static LogicalResult verifyScoreOptions(Operation *op, const HeadSizes &qs,
                                        const HeadSizes &ks, Value bias,
                                        Value lengths, Value sinks,
                                        int64_t window,
                                        const APFloat &softcap) {
  if (window < 0)
    return op->emitOpError()
           << "expects a window of at least one key, or 0 for "
           << "none, but it is " << window;
  if (softcap.isNegative() || !softcap.isFinite())
    return op->emitOpError()
           << "expects a softcap that is a positive number, or 0 for none, but "
           << "it is " << softcap.convertToFloat();
  if (bias) {
    ArrayRef<int64_t> shape = tensorType(bias).getShape();
    int64_t sizes[] = {qs.batch, qs.heads, qs.sequence};
    bool repeats = shape[3] == ks.sequence;
    for (auto [given, size] : llvm::zip(shape, sizes))
      repeats &= given == size || given == 1;
    if (!repeats)
      return op->emitOpError()
             << "expects a bias of shape [batch, query heads, queries, keys], ["
             << qs.batch << ", " << qs.heads << ", " << qs.sequence << ", "
             << ks.sequence
             << "], with 1 for any of the first three, but it is "
             << bias.getType();
  }
  if (lengths && failed(verifyShape(op, "lengths", lengths, {qs.batch})))
    return failure();
  if (sinks && failed(verifyShape(op, "sinks", sinks, {qs.heads})))
    return failure();
  return success();
}

/// What attention and its gradient require of their common operands.
template <typename Op> static LogicalResult verifyAttention(Op op) {
  Value q = op.getQ(), k = op.getK(), v = op.getV(), o = op.getO(),
        lse = op.getLse();
  AttentionLayout layout = op.getLayout();
  HeadSizes qs(tensorType(q), layout), ks(tensorType(k), layout);
  if (failed(verifyShape(op, "v", v, tensorType(k).getShape())) ||
      failed(verifyShape(op, "o", o, tensorType(q).getShape())) ||
      failed(verifyShape(op, "lse", lse, {qs.batch, qs.heads, qs.sequence})))
    return failure();
  if (qs.batch != ks.batch || qs.dim != ks.dim)
    return op.emitOpError()
           << "expects q and k to agree in batch and head dimension, but they "
           << "are " << q.getType() << " and " << k.getType() << " in layout "
           << stringifyAttentionLayout(layout);
  if (ks.heads == 0 || qs.heads % ks.heads != 0)
    return op.emitOpError() << "expects the number of query heads (" << qs.heads
                            << ") to be a multiple of the number of key heads ("
                            << ks.heads << ")";
  if (auto axes = static_cast<int32_t>(op.getQueryAxes()); axes < 0)
    return op.emitOpError() << "expects query_axes to be a set of axes, bit a "
                               "for axis a, but it is "
                            << axes;
  if (op.getQueryAxes() && (qs.sequence == 0 || ks.sequence % qs.sequence != 0))
    return op.emitOpError()
           << "expects the queries to be a rank's shard of the " << ks.sequence
           << " tokens that there are keys of, but " << qs.sequence
           << " do not divide them";
  if (op.getBalanced() && (!op.getQueryAxes() || qs.sequence % 2 != 0))
    return op.emitOpError()
           << "expects balanced queries to be shards along "
              "query_axes, of two pieces each, but there are "
           << qs.sequence << (op.getQueryAxes() ? "" : " without query_axes");
  return verifyScoreOptions(op, qs, ks, op.getBias(), op.getLengths(),
                            op.getSinks(), op.getWindow(), op.getSoftcap());
}

LogicalResult AttentionOp::verify() { return verifyAttention(*this); }

LogicalResult AttentionGradOp::verify() {
  if (failed(verifyAttention(*this)) ||
      failed(
          verifyShape(*this, "do", getDO(), tensorType(getQ()).getShape())) ||
      failed(
          verifyShape(*this, "dq", getDq(), tensorType(getQ()).getShape())) ||
      failed(verifyShape(*this, "dk", getDk(), tensorType(getK()).getShape())))
    return failure();
  for (auto [name, of, gradient] :
       {std::tuple("bias", getBias(), getDbias()),
        std::tuple("sinks", getSinks(), getDsinks())})
    if (gradient && !of)
      return emitOpError() << "has a gradient of '" << name
                           << "', which it does not have";
    else if (gradient &&
             failed(verifyShape(*this, std::string("d") + name, gradient,
                                tensorType(of).getShape())))
      return failure();
  return verifyShape(*this, "dv", getDv(), tensorType(getV()).getShape());
}

//===----------------------------------------------------------------------===//
// embedding, cross_entropy
//===----------------------------------------------------------------------===//

LogicalResult EmbeddingOp::verify() {
  return verifyShape(*this, "the result", getY(),
                     {tensorType(getIds()).getDimSize(0),
                      tensorType(getTable()).getDimSize(1)});
}

void CrossEntropyOp::build(OpBuilder &builder, OperationState &state,
                           Value logits, Value labels, int64_t ignoreIndex,
                           Reduction reduction, float labelSmoothing,
                           float zLoss) {
  auto scalar = f32Tensor(builder.getContext(), {});
  build(builder, state, scalar,
        f32Tensor(builder.getContext(), {tensorType(logits).getDimSize(0)}),
        scalar, logits, labels, builder.getI64IntegerAttr(ignoreIndex),
        ReductionAttr::get(builder.getContext(), reduction),
        builder.getF32FloatAttr(labelSmoothing),
        builder.getF32FloatAttr(zLoss));
}

LogicalResult CrossEntropyOp::verify() {
  int64_t rows = tensorType(getLogits()).getDimSize(0);
  if (failed(verifyShape(*this, "the labels", getLabels(), {rows})) ||
      failed(verifyTerms(*this)))
    return failure();
  return verifyShape(*this, "lse", getLse(), {rows});
}

//===----------------------------------------------------------------------===//
// add, split
//===----------------------------------------------------------------------===//

LogicalResult AddOp::verify() {
  auto a = tensorType(getA()), b = tensorType(getB());
  if (failed(verifyShape(*this, "the result", getY(), a.getShape())))
    return failure();
  int64_t rows = a.getDimSize(0), period = b.getDimSize(0);
  if (b.getDimSize(1) != a.getDimSize(1) ||
      (rows != period && (period == 0 || rows % period != 0)))
    return emitOpError() << "expects the right operand to have the columns of "
                         << "the left one and a divisor of its rows, but they "
                         << "are " << a << " and " << b;
  return success();
}

LogicalResult SplitOp::verify() {
  auto x = tensorType(getX());
  int64_t axis = getAxis();
  if (axis < 0 || axis >= x.getRank())
    return emitOpError() << "has axis " << axis << ", but the operand is " << x;
  int64_t total = 0;
  for (Value piece : getPieces()) {
    if (tensorType(piece).getRank() != x.getRank())
      return emitOpError() << "expects a piece of rank " << x.getRank()
                           << ", but one is " << piece.getType();
    SmallVector<int64_t> shape(x.getShape());
    shape[axis] = tensorType(piece).getDimSize(axis);
    total += shape[axis];
    if (failed(verifyShape(*this, "a piece", piece, shape)))
      return failure();
    if (getElementTypeOrSelf(piece) != x.getElementType())
      return emitOpError() << "expects pieces of the operand's element type, "
                           << "but one is " << piece.getType();
  }
  if (total != x.getDimSize(axis))
    return emitOpError() << "has pieces of " << total << " elements along axis "
                         << axis << " of " << x;
  return success();
}
