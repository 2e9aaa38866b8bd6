// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalization over trailing dimensions, groups of channels, or with constant
// statistics.

#include "BroadcastOperand.h"
#include "TensorMath.h"

#include "te/Dialect/TE/IR/LayerOps.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// The number of elements that a norm over the dimensions from `axis` on
/// normalizes together, or a note.
static FailureOr<int64_t> getNormSize(GraphImporter &importer, const Node &node,
                                      Value x) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(-1), shape.size());
  // Statistics are always in float32.
  (void)node.getInt("stash_type");
  if (failed(axis))
    return failure();
  if (!isFloat(x))
    return importer.unsupported(node, "its input is not made of floats");
  return ShapedType::getNumElements(shape.drop_front(*axis));
}

static LogicalResult importLayerNorm(GraphImporter &importer,
                                     const Node &node) {
  Value x = importer.getValue(node, 0), scale = importer.getValue(node, 1);
  if (!x || !scale)
    return failure();
  auto size = getNormSize(importer, node, x);
  if (failed(size))
    return failure();
  Location loc = importer.getLayerLoc(node, scale);
  int64_t n = *size;
  auto flat = [&](Value value) {
    bool fits = tensorType(value).getNumElements() == n;
    return fits ? toVector(importer, loc, importer.reshape(loc, value, {n}), n)
                : Value();
  };
  Value gamma = flat(scale), beta;
  if (node.hasInput(2)) {
    Value bias = importer.getValue(node, 2);
    if (!bias)
      return failure();
    beta = flat(bias);
  } else {
    beta = importer.splat(
        loc, RankedTensorType::get({n}, tensorType(x).getElementType()), 0.0);
  }
  if (!gamma || !beta)
    return importer.unsupported(node, "its scale or bias is not a vector of " +
                                          Twine(n) + " floats");
  float eps = node.getFloat("epsilon").value_or(1e-5f);
  int64_t rows = tensorType(x).getNumElements() / n;
  auto op = LayerNormOp::create(importer.builder, loc,
                                importer.reshape(loc, x, {rows, n}), gamma,
                                beta, eps);
  return importer.define(
      node, importer.reshape(loc, op.getY(), tensorType(x).getShape()));
}

/// True if `scale` has exactly the last dimensions of `shape`, which contain
/// `size` elements.
static bool isOnePerElement(ArrayRef<int64_t> scale, ArrayRef<int64_t> shape,
                            int64_t size) {
  int64_t covered = 1;
  while (covered != size) {
    if (scale.empty() || scale.back() != shape.back())
      return false;
    covered *= shape.back();
    scale = scale.drop_back();
    shape = shape.drop_back();
  }
  return llvm::all_of(scale, [](int64_t dim) { return dim == 1; });
}

/// x / sqrt(mean(x²) + eps) * scale: te.rms_norm if each of the elements
/// normalized together has its own scale, and its formula otherwise.
static LogicalResult importRmsNorm(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0), scale = importer.getValue(node, 1);
  if (!x || !scale)
    return failure();
  auto size = getNormSize(importer, node, x);
  if (failed(size))
    return failure();
  auto type = tensorType(x);
  auto repeated =
      broadcastShapes({type.getShape(), tensorType(scale).getShape()});
  if (!isFloat(scale) || !repeated ||
      ArrayRef<int64_t>(*repeated) != type.getShape())
    return importer.unsupported(node, "its scale does not fit its input");
  float eps = node.getFloat("epsilon").value_or(1e-5f);
  Location loc = importer.getLayerLoc(node, scale);
  TensorMath math(importer, loc);
  int64_t rows = type.getNumElements() / *size;
  if (isOnePerElement(tensorType(scale).getShape(), type.getShape(), *size)) {
    auto op =
        RMSNormOp::create(importer.builder, loc, math.reshape(x, {rows, *size}),
                          math.reshape(scale, {*size}), eps);
    return importer.define(node, math.reshape(op.getY(), type.getShape()));
  }
  Value wide = math.reshape(math.widen(x), {rows, *size});
  llvm::SmallBitVector last(2);
  last.set(1);
  Value sum = math.reduceAndKeep(ReductionKind::Sum,
                                 math.apply<arith::MulFOp>(wide, wide), last);
  Value mean = math.apply<arith::MulFOp>(
      sum, math.number(tensorType(sum), 1.0 / double(*size)));
  Value rstd = math.apply<math::RsqrtOp>(
      math.apply<arith::AddFOp>(mean, math.number(tensorType(sum), eps)));
  Value y =
      math.apply<arith::MulFOp>(wide, math.broadcast(rstd, {rows, *size}));
  y = math.convert(math.reshape(y, type.getShape()), type.getElementType());
  return importer.define(
      node, math.apply<arith::MulFOp>(
                y, math.broadcast(math.convert(scale, type.getElementType()),
                                  type.getShape())));
}

/// A vector of one number per channel, broadcast over [N, C, ...].
static Value perChannel(TensorMath &math, Value vector,
                        ArrayRef<int64_t> shape) {
  SmallVector<int64_t> line(shape.size(), 1);
  line[1] = shape[1];
  return math.broadcast(math.reshape(math.widen(vector), line), shape);
}

/// (x - mean) / sqrt(variance + eps) over every group of channels, times scale,
/// plus bias.
static LogicalResult importGroups(GraphImporter &importer, const Node &node,
                                  int64_t groups) {
  Value x = importer.getValue(node, 0), scale = importer.getValue(node, 1),
        bias = importer.getValue(node, 2);
  if (!x || !scale || !bias)
    return failure();
  (void)node.getInt("stash_type");
  auto type = tensorType(x);
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2 || !isFloat(x) || groups < 1 || shape[1] % groups != 0 ||
      tensorType(scale).getNumElements() != shape[1] ||
      tensorType(bias).getNumElements() != shape[1])
    return importer.unsupported(node,
                                "its groups, scale or bias do not fit the "
                                "channels of its input");
  Location loc = importer.getLayerLoc(node, scale);
  TensorMath math(importer, loc);
  int64_t rows = shape[0] * groups, n = type.getNumElements() / rows;
  auto vector = RankedTensorType::get({n}, type.getElementType());
  auto op = LayerNormOp::create(
      importer.builder, loc, math.reshape(x, {rows, n}), math.number(vector, 1),
      math.number(vector, 0), node.getFloat("epsilon").value_or(1e-5f));
  Value y = math.widen(math.reshape(op.getY(), shape));
  y = math.apply<arith::AddFOp>(
      math.apply<arith::MulFOp>(y, perChannel(math, scale, shape)),
      perChannel(math, bias, shape));
  return importer.define(node, math.convert(y, type.getElementType()));
}

static LogicalResult importGroupNorm(GraphImporter &importer,
                                     const Node &node) {
  return importGroups(importer, node, node.getInt("num_groups").value_or(0));
}

static LogicalResult importInstanceNorm(GraphImporter &importer,
                                        const Node &node, Value x) {
  return importGroups(importer, node,
                      tensorType(x).getRank() > 1 ? tensorType(x).getDimSize(1)
                                                  : 0);
}

/// In inference form: the running statistics are constants.
static LogicalResult importBatchNorm(GraphImporter &importer,
                                     const Node &node) {
  Value operands[5];
  for (size_t i = 0; i < 5; ++i) {
    operands[i] = importer.getValue(node, i);
    if (!operands[i])
      return failure();
  }
  Value x = operands[0];
  (void)node.getFloat("momentum");
  if (node.getInt("training_mode").value_or(0) != 0)
    return importer.unsupported(node, "it updates its statistics; call "
                                      "model.eval() before exporting");
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  if (shape.size() < 2 || !isFloat(x))
    return importer.unsupported(node, "its input has no channels");
  for (Value vector : ArrayRef<Value>(operands).drop_front())
    if (!isFloat(vector) || tensorType(vector).getNumElements() != shape[1])
      return importer.unsupported(node,
                                  "its vectors do not fit the channels of "
                                  "its input");
  TensorMath math(importer, importer.getLayerLoc(node, operands[1]));
  Value variance = math.widen(operands[4]);
  Value rstd = math.apply<math::RsqrtOp>(math.apply<arith::AddFOp>(
      variance, math.number(tensorType(variance),
                            node.getFloat("epsilon").value_or(1e-5f))));
  Value y = math.apply<arith::SubFOp>(math.widen(x),
                                      perChannel(math, operands[3], shape));
  y = math.apply<arith::MulFOp>(
      y,
      perChannel(math, math.apply<arith::MulFOp>(rstd, math.widen(operands[1])),
                 shape));
  y = math.apply<arith::AddFOp>(y, perChannel(math, operands[2], shape));
  return importer.define(node, math.convert(y, tensorType(x).getElementType()));
}

void mlir::te::onnx_import::populateNormHandlers(HandlerTable &table) {
  table["LayerNormalization"] = importLayerNorm;
  table["RMSNormalization"] = importRmsNorm;
  table["GroupNormalization"] = importGroupNorm;
  table["InstanceNormalization"] = withValue(importInstanceNorm);
  table["BatchNormalization"] = importBatchNorm;
}
