// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RotaryEmbedding (opset 23).

#include "TensorMath.h"

#include "te/Dialect/TE/IR/LayerOps.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// Rows of `cache` [N,R/2] at position_ids, or `cache` [B,S,R/2] itself, as
/// [T,R/2].
static FailureOr<Value> getAngles(GraphImporter &importer, const Node &node,
                                  size_t index, int64_t batch,
                                  int64_t sequence) {
  Value cache = importer.getValue(node, index);
  if (!cache)
    return failure();
  RankedTensorType type = tensorType(cache);
  Location loc = node.getLoc();
  if (!isFloat(cache))
    return importer.unsupported(node, "its caches are not made of floats");
  if (!node.hasInput(3)) {
    if (type.getRank() != 3 || type.getDimSize(0) != batch ||
        type.getDimSize(1) != sequence)
      return importer.unsupported(node,
                                  "its caches are not [batch, sequence, "
                                  "pairs], and there are no position_ids");
    return importer.reshape(loc, cache, {batch * sequence, type.getDimSize(2)});
  }
  Value positions = importer.getValue(node, 3);
  if (!positions)
    return failure();
  RankedTensorType ids = tensorType(positions);
  if (type.getRank() != 2 || ids.getNumElements() != batch * sequence ||
      !(ids.getElementType().isInteger(64) ||
        ids.getElementType().isInteger(32)))
    return importer.unsupported(node, "its position_ids are not [batch, "
                                      "sequence] rows of caches [rows, pairs]");
  return Value(EmbeddingOp::create(
      importer.builder, loc,
      RankedTensorType::get({batch * sequence, type.getDimSize(1)},
                            type.getElementType()),
      importer.reshape(loc, positions, {batch * sequence}), cache));
}

static LogicalResult importRotaryEmbedding(GraphImporter &importer,
                                           const Node &node, Value x) {
  SmallVector<int64_t> shape(tensorType(x).getShape());
  Location loc = node.getLoc();
  bool interleaved = node.getInt("interleaved").value_or(0) != 0;
  int64_t rotated = node.getInt("rotary_embedding_dim").value_or(0);
  int64_t numHeads = node.getInt("num_heads").value_or(0);
  AttentionLayout layout = AttentionLayout::BHSD;
  Value heads = x;
  if (shape.size() == 3 && numHeads > 0 && shape[2] % numHeads == 0) {
    layout = AttentionLayout::BSHD;
    heads = importer.reshape(
        loc, x, {shape[0], shape[1], numHeads, shape[2] / numHeads});
  } else if (shape.size() != 4) {
    return importer.unsupported(node, "its input is not [batch, heads, "
                                      "sequence, head size], nor [batch, "
                                      "sequence, heads * head size] with "
                                      "num_heads");
  }
  if (!isFloat(x))
    return importer.unsupported(node, "its input is not made of floats");
  int64_t batch = shape[0], sequence = shape[shape.size() == 3 ? 1 : 2];
  int64_t dim = tensorType(heads).getShape().back();
  auto cos = getAngles(importer, node, 1, batch, sequence);
  auto sin = getAngles(importer, node, 2, batch, sequence);
  if (failed(cos) || failed(sin))
    return failure();
  int64_t pairs = tensorType(*cos).getDimSize(1);
  if (rotated == 0)
    rotated = dim;
  if (cos->getType() != sin->getType() || 2 * pairs != rotated || rotated > dim)
    return importer.unsupported(
        node, "its caches do not hold an angle for every pair of " +
                  Twine(rotated) + " elements");
  auto op = RopeOp::create(importer.builder, loc, heads, *cos, *sin,
                           interleaved, layout);
  return importer.define(node, importer.reshape(loc, op.getY(), shape));
}

void mlir::te::onnx_import::populateRotaryHandlers(HandlerTable &table) {
  table["RotaryEmbedding"] = withValue(importRotaryEmbedding);
}
