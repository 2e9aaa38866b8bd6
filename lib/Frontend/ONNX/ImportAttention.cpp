// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Attention operator (opset 23).

#include "GraphImporter.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

namespace {
/// Operands of one attention with their layout.
struct Heads {
  Value q, k, v;
  AttentionLayout layout;
  int64_t queries, keys; ///< sequence lengths
  int64_t dim;           ///< head dimension
};
} // namespace

/// Checks q, k, v; those of rank 3, [B,S,H*D], get their heads as a dimension.
static FailureOr<Heads> getHeads(GraphImporter &importer, const Node &node) {
  Value operands[3];
  for (size_t i = 0; i < 3; ++i) {
    operands[i] = importer.getValue(node, i);
    if (!operands[i])
      return failure();
  }
  int64_t numHeads = node.getInt("q_num_heads").value_or(0);
  int64_t numKeyHeads = node.getInt("kv_num_heads").value_or(0);
  int64_t rank = cast<RankedTensorType>(operands[0].getType()).getRank();
  Type element = cast<RankedTensorType>(operands[0].getType()).getElementType();
  for (size_t i = 0; i < 3; ++i) {
    auto type = cast<RankedTensorType>(operands[i].getType());
    if (type.getRank() != rank || (rank != 3 && rank != 4) ||
        type.getElementType() != element || !isa<FloatType>(element))
      return importer.unsupported(
          node, "q, k and v are not float tensors of rank 4, or of rank 3");
    if (rank == 4)
      continue;
    int64_t heads = i == 0 ? numHeads : numKeyHeads;
    ArrayRef<int64_t> shape = type.getShape();
    if (heads <= 0 || shape[2] % heads != 0)
      return importer.unsupported(
          node, "q_num_heads and kv_num_heads do not fit its inputs");
    operands[i] =
        importer.reshape(node.getLoc(), operands[i],
                         {shape[0], shape[1], heads, shape[2] / heads});
  }
  Heads heads{operands[0],
              operands[1],
              operands[2],
              rank == 3 ? AttentionLayout::BSHD : AttentionLayout::BHSD,
              0,
              0,
              0};
  auto q = cast<RankedTensorType>(heads.q.getType()).getShape();
  auto k = cast<RankedTensorType>(heads.k.getType()).getShape();
  auto v = cast<RankedTensorType>(heads.v.getType()).getShape();
  int sequence = rank == 3 ? 1 : 2, head = rank == 3 ? 2 : 1;
  heads.queries = q[sequence];
  heads.keys = k[sequence];
  heads.dim = q[3];
  if (q[0] != k[0] || q[3] != k[3] || k != v || q[head] % k[head] != 0)
    return importer.unsupported(
        node, "q, k and v do not agree in batch, heads, sequence or head size");
  return heads;
}

static LogicalResult importAttention(GraphImporter &importer,
                                     const Node &node) {
  auto heads = getHeads(importer, node);
  if (failed(heads))
    return failure();
  if (node.hasInput(4) || node.hasInput(5) || node.hasInput(6))
    return importer.unsupported(
        node, "it has a key/value cache; export with use_cache=False");
  if (node.getFloat("softcap").value_or(0.0f) != 0.0f)
    return importer.unsupported(node, "it caps its logits (softcap)");
  // These choose precision and layout of what is not computed here.
  (void)node.getInt("softmax_precision");
  (void)node.getInt("qk_matmul_output_mode");
  float scale = node.getFloat("scale").value_or(
      float(1.0 / std::sqrt(double(heads->dim))));

  bool causal = node.getInt("is_causal").value_or(0) != 0;
  // ONNX aligns the causal triangle with the first key, te.attention with the
  // last.
  if (causal && heads->queries != heads->keys)
    return importer.unsupported(
        node, "it is causal with different numbers of queries and keys");
  if (node.hasInput(3)) {
    const ConstantTensor *mask = importer.getConstant(node, 3);
    if (!mask)
      return importer.unsupported(
          node, "its mask '" + node.getInput(3) +
                    "' depends on the model's inputs (padding); export "
                    "without an attention mask input");
    std::string why;
    switch (importer.getMaskKind(node.getInput(3), *mask, heads->queries,
                                 heads->keys, why)) {
    case MaskKind::Full:
      break;
    case MaskKind::Causal:
      causal = true;
      break;
    case MaskKind::Unsupported:
      return importer.unsupported(node, "its mask '" + node.getInput(3) +
                                            "' cannot be compiled, " + why);
    }
  }
  auto op =
      AttentionOp::create(importer.builder, node.getLoc(), heads->q, heads->k,
                          heads->v, scale, causal, heads->layout);
  Value o = op.getO();
  if (heads->layout == AttentionLayout::BSHD) {
    auto shape = cast<RankedTensorType>(o.getType()).getShape();
    o = importer.reshape(node.getLoc(), o,
                         {shape[0], shape[1], shape[2] * shape[3]});
  }
  importer.define(node, o);
  return success();
}

void mlir::te::onnx_import::populateAttentionHandlers(HandlerTable &table) {
  table["Attention"] = importAttention;
}
