// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Attention operator (opset 23).

#include "TensorMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

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

/// Checks q, k, v; splits those of rank 3, [B,S,H*D], into heads.
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
  if (q[0] != k[0] || q[3] != k[3] || k.drop_back() != v.drop_back() ||
      q[head] % k[head] != 0)
    return importer.unsupported(
        node, "q, k and v do not agree in batch, heads, sequence or head size");
  return heads;
}

namespace {
/// The parts of an attention besides the products and the softmax.
struct Modifiers {
  float scale = 1, softcap = 0;
  /// Query i sees keys j <= i, both counted from the first one.
  bool causal = false;
  /// Query i sees keys i - left <= j <= i + right; -1 for no limit.
  int64_t left = -1, right = -1;
  /// Booleans (true if a key is seen) or floats (added to the scores), or null;
  /// broadcast to [B, H, Sq, Sk].
  Value mask;
};
} // namespace

/// The keys that the causal triangle and the window let a query see: [Sq, Sk],
/// or null for all of them.
static Value getVisibility(GraphImporter &importer, Location loc,
                           const Heads &heads, const Modifiers &modifiers) {
  if (!modifiers.causal && modifiers.left < 0 && modifiers.right < 0)
    return {};
  std::vector<uint8_t> visible;
  for (int64_t i = 0; i < heads.queries; ++i)
    for (int64_t j = 0; j < heads.keys; ++j)
      visible.push_back(!(modifiers.causal && j > i) &&
                        (modifiers.left < 0 || i - j <= modifiers.left) &&
                        (modifiers.right < 0 || j - i <= modifiers.right));
  return importer.materialize(loc, ConstantTensor(std::move(visible),
                                                  {heads.queries, heads.keys},
                                                  ::onnx::TensorProto::BOOL));
}

/// Attention by its formula: products over batch and heads, a softmax in
/// float32, products again. Each key head serves the query heads of its group.
/// The result has q's layout, and v's head dimension.
static Value writeOutAttention(GraphImporter &importer, Location loc,
                               const Heads &heads, const Modifiers &modifiers) {
  TensorMath math(importer, loc);
  enum : unsigned { Batch, KeyHead, Group, Query, Key, Dim };
  bool isBshd = heads.layout == AttentionLayout::BSHD;
  auto shape = tensorType(heads.q).getShape(),
       values = tensorType(heads.v).getShape();
  int headAt = isBshd ? 2 : 1;
  int64_t batch = shape[0], keyHeads = values[headAt],
          group = shape[headAt] / keyHeads;
  SmallVector<int64_t> split(shape);
  split[headAt] = keyHeads;
  split.insert(split.begin() + headAt + 1, group);
  SmallVector<unsigned> qLabels{Batch, KeyHead, Group, Query, Dim},
      kLabels{Batch, KeyHead, Key, Dim};
  if (isBshd) {
    qLabels = {Batch, Query, KeyHead, Group, Dim};
    kLabels = {Batch, Key, KeyHead, Dim};
  }
  Value scores = math.contract(math.reshape(heads.q, split), qLabels, heads.k,
                               kLabels, {Batch, KeyHead, Group, Query, Key});
  Type element = tensorType(heads.q).getElementType();
  scores = math.widen(math.reshape(
      scores, {batch, keyHeads * group, heads.queries, heads.keys}));
  RankedTensorType type = tensorType(scores);
  scores =
      math.apply<arith::MulFOp>(scores, math.number(type, modifiers.scale));
  if (float cap = modifiers.softcap) {
    scores = math.apply<arith::DivFOp>(scores, math.number(type, cap));
    scores = math.apply<arith::MulFOp>(math.apply<math::TanhOp>(scores),
                                       math.number(type, cap));
  }
  double infinity = std::numeric_limits<double>::infinity();
  auto hide = [&](Value visible) {
    scores = math.select(math.broadcast(visible, type.getShape()), scores,
                         math.number(type, -infinity));
  };
  if (Value visible = getVisibility(importer, loc, heads, modifiers))
    hide(visible);
  if (Value mask = modifiers.mask) {
    if (isFloat(mask))
      scores = math.apply<arith::AddFOp>(
          scores, math.broadcast(math.widen(mask), type.getShape()));
    else
      hide(mask);
  }
  // A query that sees no key gets zeros.
  Value p =
      math.convert(math.softmax(scores, 3, /*zeroWithout=*/true), element);
  p = math.reshape(p, {batch, keyHeads, group, heads.queries, heads.keys});
  split.back() = values.back();
  Value o = math.contract(p, {Batch, KeyHead, Group, Query, Key}, heads.v,
                          kLabels, qLabels);
  SmallVector<int64_t> result(shape);
  result.back() = values.back();
  return math.reshape(o, result);
}

/// The mask input: causal masks that te.attention supports become `causal`,
/// everything else `mask`.
static LogicalResult readMask(GraphImporter &importer, const Node &node,
                              const Heads &heads, Modifiers &modifiers,
                              bool &isWhole) {
  if (!node.hasInput(3))
    return success();
  if (const ConstantTensor *mask = importer.getConstant(node, 3)) {
    std::string why;
    switch (importer.getMaskKind(node.getInput(3), *mask, heads.queries,
                                 heads.keys, why)) {
    case MaskKind::Full:
      return success();
    case MaskKind::Causal:
      // The mask's triangle ends at the last key.
      if (heads.queries == heads.keys) {
        modifiers.causal = true;
        return success();
      }
      break;
    case MaskKind::Unsupported:
      break;
    }
  }
  isWhole = false;
  Value mask = importer.getValue(node, 3);
  if (!mask)
    return failure();
  int64_t batch = tensorType(heads.q).getDimSize(0),
          numHeads = tensorType(heads.q).getDimSize(
              heads.layout == AttentionLayout::BSHD ? 2 : 1);
  auto shape = tensorType(mask).getShape();
  Shape scores{batch, numHeads, heads.queries, heads.keys};
  auto repeated = broadcastShapes({scores, shape});
  if (!repeated || *repeated != scores ||
      !(isFloat(mask) || tensorType(mask).getElementType().isInteger(1)))
    return importer.unsupported(
        node, "its mask '" + node.getInput(3) +
                  "' is no tensor of floats or truth values that repeats to "
                  "its batch, heads, queries and keys");
  modifiers.mask = mask;
  return success();
}

static LogicalResult importAttention(GraphImporter &importer,
                                     const Node &node) {
  auto heads = getHeads(importer, node);
  if (failed(heads))
    return failure();
  if (node.hasInput(4) || node.hasInput(5) || node.hasInput(6))
    return importer.unsupported(
        node, "it has a key/value cache; export with use_cache=False");
  // These choose precision and layout of a result that is not computed here.
  (void)node.getInt("softmax_precision");
  (void)node.getInt("qk_matmul_output_mode");
  Modifiers modifiers;
  modifiers.softcap = node.getFloat("softcap").value_or(0.0f);
  modifiers.scale = node.getFloat("scale").value_or(
      float(1.0 / std::sqrt(double(heads->dim))));
  modifiers.causal = node.getInt("is_causal").value_or(0) != 0;
  modifiers.left = node.getInt("left_window_size").value_or(-1);
  modifiers.right = node.getInt("right_window_size").value_or(-1);
  // Maps to te.attention if supported; otherwise the formula. te.attention
  // aligns the causal triangle with the last key, ONNX with the first one.
  bool isWhole = modifiers.softcap == 0 && modifiers.left < 0 &&
                 modifiers.right < 0 &&
                 (!modifiers.causal || heads->queries == heads->keys) &&
                 tensorType(heads->k) == tensorType(heads->v);
  if (failed(readMask(importer, node, *heads, modifiers, isWhole)))
    return failure();
  Value o = isWhole
                ? AttentionOp::create(importer.builder, node.getLoc(), heads->q,
                                      heads->k, heads->v, modifiers.scale,
                                      modifiers.causal, heads->layout)
                      .getO()
                : writeOutAttention(importer, node.getLoc(), *heads, modifiers);
  if (heads->layout == AttentionLayout::BSHD) {
    auto shape = cast<RankedTensorType>(o.getType()).getShape();
    o = importer.reshape(node.getLoc(), o,
                         {shape[0], shape[1], shape[2] * shape[3]});
  }
  return importer.define(node, o);
}

void mlir::te::onnx_import::populateAttentionHandlers(HandlerTable &table) {
  table["Attention"] = importAttention;
}
