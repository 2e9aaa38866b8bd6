// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Graph.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

static void makeMatmul(GraphBuilder &graph) {
  Choices &choices = graph.choices;
  bool transposeA = choices.once(6), transposeB = !choices.once(3);
  Value a = graph.matrix();
  int64_t m = tensorType(a).getDimSize(transposeA ? 1 : 0);
  int64_t k = tensorType(a).getDimSize(transposeA ? 0 : 1);
  Value b = transposeB ? graph.matrix(std::nullopt, k)
                       : graph.matrix(k, std::nullopt);
  int64_t n = tensorType(b).getDimSize(transposeB ? 0 : 1);
  if (!GraphBuilder::isSmall({m, n}))
    return;
  RankedTensorType type = graph.tensor(
      {m, n}, choices.once(10) ? graph.builder.getBF16Type() : graph.f32());
  Value bias, addend;
  if (choices.once(3))
    bias = graph.get(graph.tensor({n}, graph.f32()));
  if (choices.once(8))
    addend = graph.get(type);
  graph.add(MatmulOp::create(graph.builder, graph.loc(), type, a, b, bias,
                             addend, transposeA, transposeB));
}

static void makeLayerNorm(GraphBuilder &graph) {
  Value x = graph.matrix();
  RankedTensorType vector =
      graph.tensor({tensorType(x).getDimSize(1)}, graph.f32());
  Value gamma = graph.get(vector), beta = graph.get(vector);
  float eps = graph.choices.once(3) ? 1e-2f : 1e-5f;
  bool zeroCentered = graph.choices.once(3);
  auto norm = LayerNormOp::create(graph.builder, graph.loc(), x, gamma, beta,
                                  eps, zeroCentered);
  graph.add(norm.getY());
}

static void makeActivation(GraphBuilder &graph) {
  auto kind = static_cast<ActivationKind>(
      graph.choices.below(getMaxEnumValForActivationKind() + 1));
  Value x = graph.matrix();
  graph.add(ActivationOp::create(graph.builder, graph.loc(), kind, x).getY());
}

static void makeAttention(GraphBuilder &graph) {
  Choices &choices = graph.choices;
  int64_t batch = graph.size(2);
  int64_t keyHeads = 1 + choices.below(2);
  int64_t heads = keyHeads * (1 + choices.below(2));
  int64_t queries = graph.size(6);
  int64_t keys = queries + choices.below(3);
  int64_t dim = graph.size(8);
  auto layout = static_cast<AttentionLayout>(
      choices.below(getMaxEnumValForAttentionLayout() + 1));
  auto shape = [&](int64_t sequence, int64_t heads) -> SmallVector<int64_t> {
    switch (layout) {
    case AttentionLayout::BSHD:
      return {batch, sequence, heads, dim};
    case AttentionLayout::BHSD:
      return {batch, heads, sequence, dim};
    case AttentionLayout::SBHD:
      return {sequence, batch, heads, dim};
    }
    llvm_unreachable("unknown layout");
  };
  Value q = graph.get(graph.tensor(shape(queries, heads), graph.f32()));
  RankedTensorType keyType = graph.tensor(shape(keys, keyHeads), graph.f32());
  Value k = graph.get(keyType), v = graph.get(keyType);
  bool causal = choices.once(2);
  auto oneOr = [&](int64_t size) { return choices.once(3) ? 1 : size; };
  Value bias, lengths, sinks;
  if (choices.once(4))
    bias = graph.get(graph.tensor(
        {oneOr(batch), oneOr(heads), oneOr(queries), keys}, graph.f32()));
  if (choices.once(6))
    lengths = graph.integers(graph.tensor({batch}, graph.builder.getI64Type()),
                             keys + 1, /*areLabels=*/false);
  if (choices.once(6))
    sinks = graph.get(graph.tensor({heads}, graph.f32()));
  int64_t window = choices.once(4) ? 1 + choices.below(4) : 0;
  float softcap = choices.once(4) ? 2.0f : 0.0f;
  auto attention =
      AttentionOp::create(graph.builder, graph.loc(), q, k, v, 0.5f, causal,
                          layout, bias, window, softcap, lengths, sinks);
  Value o = attention.getO();
  graph.add(o);
  // Back to rows, where layers go on.
  if (layout == AttentionLayout::BSHD && !choices.once(4))
    graph.add(tensor::CollapseShapeOp::create(
        graph.builder, graph.loc(), o,
        ArrayRef<ReassociationIndices>{{0, 1}, {2, 3}}));
}

static void makeEmbedding(GraphBuilder &graph) {
  Value table = graph.matrix();
  // Nothing can be looked up in a table of no rows.
  int64_t count = tensorType(table).getDimSize(0) ? graph.dim() : 0;
  if (!GraphBuilder::isSmall({count, tensorType(table).getDimSize(1)}))
    return;
  Type integer = graph.choices.once(3) ? graph.builder.getI32Type()
                                       : graph.builder.getI64Type();
  Value ids =
      graph.integers(graph.tensor({count}, integer),
                     std::max<int64_t>(tensorType(table).getDimSize(0), 1),
                     /*areLabels=*/false);
  graph.add(EmbeddingOp::create(
      graph.builder, graph.loc(),
      graph.tensor({count, tensorType(table).getDimSize(1)}, graph.f32()), ids,
      table));
}

static void makeAdd(GraphBuilder &graph) {
  Value a = graph.matrix();
  int64_t rows = tensorType(a).getDimSize(0);
  SmallVector<int64_t> periods = {rows};
  for (int64_t period = 1; period < rows; ++period)
    if (rows % period == 0)
      periods.push_back(period);
  int64_t period = rows;
  if (graph.choices.once(3))
    period = graph.choices.among<int64_t>(periods);
  Value b = graph.matrix(period, tensorType(a).getDimSize(1));
  graph.add(AddOp::create(graph.builder, graph.loc(), a.getType(), a, b));
}

static void makeSplit(GraphBuilder &graph) {
  Value x = graph.anyTensor();
  RankedTensorType type = tensorType(x);
  unsigned axis = graph.choices.below(type.getRank());
  int64_t size = type.getDimSize(axis);
  if (size < 2)
    return;
  SmallVector<Type> types;
  while (size > 0) {
    int64_t piece =
        types.size() == 2 ? size : 1 + graph.choices.below(uint32_t(size));
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = piece;
    types.push_back(type.clone(shape));
    size -= piece;
  }
  auto split = SplitOp::create(graph.builder, graph.loc(), types, x,
                               graph.builder.getI64IntegerAttr(axis));
  for (Value piece : split.getPieces())
    graph.add(piece);
}

static void makeCrossEntropy(GraphBuilder &graph) {
  Value logits = graph.matrix();
  int64_t rows = tensorType(logits).getDimSize(0);
  // A label names one of some classes.
  if (rows > 0 && tensorType(logits).getDimSize(1) == 0)
    return;
  Value labels =
      graph.integers(graph.tensor({rows}, graph.builder.getI64Type()),
                     tensorType(logits).getDimSize(1), /*areLabels=*/true);
  graph.add(CrossEntropyOp::create(graph.builder, graph.loc(), logits, labels,
                                   /*ignoreIndex=*/-100,
                                   graph.choices.once(2) ? Reduction::Sum
                                                         : Reduction::Mean,
                                   /*labelSmoothing=*/rows % 3 == 1 ? 0.2f : 0,
                                   /*zLoss=*/rows % 4 == 2 ? 0.1f : 0)
                .getLoss());
}

/// Projections of one value, as te-merge-linears joins them.
static void makeProjections(GraphBuilder &graph) {
  Value x = graph.matrix();
  int64_t k = tensorType(x).getDimSize(1);
  unsigned count = 2 + graph.choices.below(2);
  bool hasBias = graph.choices.once(2), transposeB = !graph.choices.once(3);
  for (unsigned i = 0; i < count; ++i) {
    int64_t n = graph.dim();
    if (!GraphBuilder::isSmall({tensorType(x).getDimSize(0), n}))
      continue;
    Value w = graph.argument(graph.tensor(transposeB ? ArrayRef<int64_t>{n, k}
                                                     : ArrayRef<int64_t>{k, n},
                                          graph.f32()));
    Value bias =
        hasBias ? graph.argument(graph.tensor({n}, graph.f32())) : Value();
    graph.add(MatmulOp::create(
        graph.builder, graph.loc(),
        graph.tensor({tensorType(x).getDimSize(0), n}, graph.f32()), x, w, bias,
        Value(), /*transpose_a=*/false, transposeB));
  }
}

ArrayRef<WeightedMaker> fuzz::getLayerMakers() {
  static constexpr WeightedMaker kMakers[] = {
      {makeMatmul, 10},   {makeActivation, 6},   {makeLayerNorm, 4},
      {makeAdd, 4},       {makeSplit, 2},        {makeEmbedding, 2},
      {makeAttention, 3}, {makeCrossEntropy, 1}, {makeProjections, 2},
  };
  return kMakers;
}
