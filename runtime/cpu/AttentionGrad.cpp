// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With P = exp(scale * Q·Kᵀ - lse) recomputed block by block and
// delta_i = dO_i · O_i:
//   dV = Pᵀ·dO,  dS = P * (dO·Vᵀ - delta),
//   dQ = scale * dS·K,  dK = scale * dSᵀ·Q.
// A task owns some spans of keys of one key head, and so their dK and dV. dQ
// gets contributions from every span: each task sums those of its own spans,
// and when a key head has several tasks, their sums are added in the order of
// the tasks. The gradients of bias and sinks, which few models need, are
// computed by separate tasks (AttentionBiasGrad.cpp).

#include "cpu/AttentionBiasGrad.h"
#include "cpu/Ops.h"

#include "cpu/AttentionTiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/AttentionGrad.cpp"
#include <hwy/foreach_target.h>

#include "cpu/AttentionGradTiles-inl.h"

#ifndef TERT_CPU_ATTENTIONGRAD_ARGUMENTS
#define TERT_CPU_ATTENTIONGRAD_ARGUMENTS
namespace tert::cpu {

struct AttentionGradArguments {
  AttentionShape shape;
  HeadTensor dO, q, k, v, o, dq, dk, dv;
  tert_tensor lse;
  ScoreOperands operands;
  int64_t chunks; // tasks per key head
  float *dqSums;  // [chunks, batch * heads, Sq, paddedDim], for several chunks

  int64_t spans() const { return ceilDiv(shape.keySize, keySpan); }
  int64_t numTasks() const { return shape.batch * shape.kvHeads * chunks; }
  float *dqSum(int64_t chunk, int64_t batch, int64_t head) const {
    int64_t index = (chunk * shape.batch + batch) * shape.heads + head;
    return dqSums + index * shape.querySize * shape.paddedDim;
  }
  /// Size of a task's workspace in floats, ending with the sums of a single
  /// chunk.
  int64_t tilesSize() const {
    return (2 * querySpan + 6 * keySpan) * shape.paddedDim +
           (2 * queryBlock + 1) * scoreStride + querySpan;
  }
  int64_t groupSumSize() const {
    return shape.groupSize() * shape.querySize * shape.paddedDim;
  }
  int64_t workspaceSize() const {
    return tilesSize() + (chunks == 1 ? groupSumSize() : 0);
  }
};

} // namespace tert::cpu
#endif // TERT_CPU_ATTENTIONGRAD_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Memory of one task, in tiles of f32.
struct GradTiles {
  GradTiles(float *workspace, int64_t dim)
      : q(workspace), dO(q + querySpan * dim), k(dO + querySpan * dim),
        v(k + keySpan * dim), keyPanels(v + keySpan * dim),
        valuePanels(keyPanels + keySpan * dim), dk(valuePanels + keySpan * dim),
        dv(dk + keySpan * dim), scores(dv + keySpan * dim),
        dP(scores + queryBlock * scoreStride),
        slopes(dP + queryBlock * scoreStride), delta(slopes + scoreStride) {}

  float *q, *dO, *k, *v, *keyPanels, *valuePanels, *dk, *dv, *scores, *dP,
      *slopes, *delta;
};

/// Queries [first, first + queries) of one head against the packed keys
/// [key, key + spanKeys).
HWY_INLINE void gradOfSpans(const AttentionGradArguments &arguments,
                            const AttentionShape &shape, const GradTiles &tiles,
                            int64_t batch, int64_t head, int64_t first,
                            int64_t queries, int64_t key, int64_t spanKeys,
                            float *dqSum) {
  const int64_t dim = shape.paddedDim;
  packRows(arguments.q.head(batch, head), first, queries, shape, tiles.q);
  scaleRow(tiles.q, queries * dim, shape.scale);
  packRows(arguments.dO.head(batch, head), first, queries, shape, tiles.dO);
  computeDelta(tiles.dO, arguments.o.head(batch, head), first, queries, shape,
               tiles.scores, tiles.delta);
  const float *lse = lseRow(arguments.lse, batch, head) + first;

  for (int64_t i = 0; i < queries; i += queryBlock) {
    const int64_t rows = std::min(queryBlock, queries - i);
    const int64_t keys =
        std::min(spanKeys, shape.visibleKeys(first + i + rows - 1) - key);
    if (keys <= 0 || key + keys <= shape.firstKey(first + i))
      continue;
    const float *q = tiles.q + i * dim, *dO = tiles.dO + i * dim;
    multiplyPanels(q, rows, tiles.keyPanels, keys, shape, tiles.scores);
    multiplyPanels(dO, rows, tiles.valuePanels, keys, shape, tiles.dP);
    float *const slopes = shape.softcap != 0.0f ? tiles.slopes : nullptr;
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t query = first + i + row;
      const int64_t visible =
          visibleWithGradient(shape, query, key, keys, lse[i + row]);
      float *const scores = tiles.scores + row * scoreStride;
      adjustScores(scores, visible, shape, arguments.operands, batch, head,
                   query, key, slopes);
      scoreGradRow(scores, tiles.dP + row * scoreStride, visible, keys,
                   lse[i + row], tiles.delta[i + row], slopes);
    }
    multiplyTile(keys, dim, rows, {tiles.scores, 1, scoreStride}, dO, dim,
                 tiles.dv, dim, /*accumulate=*/true);
    multiplyTile(keys, dim, rows, {tiles.dP, 1, scoreStride}, q, dim, tiles.dk,
                 dim, /*accumulate=*/true);
    multiplyTile(rows, dim, keys, {tiles.dP, scoreStride, 1}, tiles.k, dim,
                 dqSum + (first + i) * dim, dim, /*accumulate=*/true);
  }
}

void attentionGradTask(const AttentionGradArguments &arguments, int64_t task,
                       float *workspace) {
  const int64_t chunk = task % arguments.chunks;
  const int64_t kvHead = task / arguments.chunks % arguments.shape.kvHeads;
  const int64_t batch = task / arguments.chunks / arguments.shape.kvHeads;
  const AttentionShape shape =
      arguments.operands.shapeOf(arguments.shape, batch);
  const int64_t dim = shape.paddedDim;
  const int64_t firstHead = kvHead * shape.groupSize();
  const GradTiles tiles(workspace, dim);

  float *dqSums = arguments.chunks == 1
                      ? workspace + arguments.tilesSize()
                      : arguments.dqSum(chunk, batch, firstHead);
  auto dqSum = [&](int64_t head) {
    return dqSums + (head - firstHead) * shape.querySize * dim;
  };
  std::fill_n(dqSums, arguments.groupSumSize(), 0.0f);
  // Later keys are visible to fewer queries, so chunks alternate.
  for (int64_t span = chunk; span < arguments.spans();
       span += arguments.chunks) {
    const int64_t key = span * keySpan;
    const int64_t spanKeys = std::min(keySpan, shape.keySize - key);
    packRows(arguments.k.head(batch, kvHead), key, spanKeys, shape, tiles.k);
    packRows(arguments.v.head(batch, kvHead), key, spanKeys, shape, tiles.v);
    packPanels(tiles.k, spanKeys, shape, tiles.keyPanels);
    packPanels(tiles.v, spanKeys, shape, tiles.valuePanels);
    std::fill_n(tiles.dk, spanKeys * dim, 0.0f);
    std::fill_n(tiles.dv, spanKeys * dim, 0.0f);
    for (int64_t head = firstHead; head < firstHead + shape.groupSize(); ++head)
      for (int64_t first = 0; first < shape.querySize; first += querySpan) {
        const int64_t queries = std::min(querySpan, shape.querySize - first);
        if (shape.visibleKeys(first + queries - 1) > key &&
            shape.firstKey(first) < key + spanKeys)
          gradOfSpans(arguments, shape, tiles, batch, head, first, queries, key,
                      spanKeys, dqSum(head));
      }
    unpackRows(tiles.dk, 1.0f, arguments.dk.head(batch, kvHead), key, spanKeys,
               shape);
    unpackRows(tiles.dv, 1.0f, arguments.dv.head(batch, kvHead), key, spanKeys,
               shape);
  }
  if (arguments.chunks == 1)
    for (int64_t head = firstHead; head < firstHead + shape.groupSize(); ++head)
      unpackRows(dqSum(head), shape.scale, arguments.dq.head(batch, head), 0,
                 shape.querySize, shape);
}

/// dq of one head: scale times the sums of all chunks, added in order.
void sumQueryGrad(const AttentionGradArguments &arguments, int64_t batch,
                  int64_t head) {
  const AttentionShape &shape = arguments.shape;
  const int64_t size = shape.querySize * shape.paddedDim;
  float *sum = arguments.dqSum(0, batch, head);
  for (int64_t chunk = 1; chunk < arguments.chunks; ++chunk) {
    const float *other = arguments.dqSum(chunk, batch, head);
    forVectors(size, [&](int64_t j, int64_t count) HWY_ATTR {
      storeF32(hn::Add(loadF32(sum + j, count), loadF32(other + j, count)),
               sum + j, count);
    });
  }
  unpackRows(sum, shape.scale, arguments.dq.head(batch, head), 0,
             shape.querySize, shape);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(attentionGradTask);
HWY_EXPORT(sumQueryGrad);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::attentionGrad(Execution &execution, const tert_tensor &dO,
                        const tert_tensor &q, const tert_tensor &k,
                        const tert_tensor &v, const tert_tensor &o,
                        const tert_tensor &lse, const tert_tensor *bias,
                        const tert_tensor *lengths, const tert_tensor *sinks,
                        const tert_tensor &dq, const tert_tensor &dk,
                        const tert_tensor &dv, const tert_tensor *dbias,
                        const tert_tensor *dsinks, float scale, bool causal,
                        tert_attention_layout layout, int64_t window,
                        float softcap) {
  const AttentionOptions options{scale,   causal, layout,  window,
                                 softcap, bias,   lengths, sinks};
  if (dbias)
    attentionBiasGrad(execution, dO, q, k, v, o, lse, options, *dbias);
  if (dsinks)
    attentionSinksGrad(execution, dO, o, lse, options, *dsinks);
  HeadTensor queries(q, layout), keys(k, layout);
  AttentionGradArguments arguments{attentionShape(queries, keys, options),
                                   HeadTensor(dO, layout),
                                   queries,
                                   keys,
                                   HeadTensor(v, layout),
                                   HeadTensor(o, layout),
                                   HeadTensor(dq, layout),
                                   HeadTensor(dk, layout),
                                   HeadTensor(dv, layout),
                                   lse,
                                   ScoreOperands(options),
                                   /*chunks=*/1,
                                   /*dqSums=*/nullptr};
  const AttentionShape &shape = arguments.shape;
  const int64_t queryHeads = shape.batch * shape.heads;
  const int64_t keyHeads = shape.batch * shape.kvHeads;
  if (keyHeads == 0)
    return;
  // Few heads with many keys: several tasks per head. The number depends on the
  // shape alone, and so do results.
  constexpr int64_t targetTasks = 32;
  arguments.chunks =
      std::clamp<int64_t>(ceilDiv(targetTasks, keyHeads), 1,
                          std::max<int64_t>(1, arguments.spans()));
  Scratch::Frame frame(execution.scratch);
  if (arguments.chunks > 1)
    arguments.dqSums = frame.take<float>(arguments.chunks * queryHeads *
                                         shape.querySize * shape.paddedDim);
  const int64_t size = arguments.workspaceSize();
  float *workspaces = frame.take<float>(execution.pool.getNumThreads() * size);
  auto kernel = HWY_DYNAMIC_DISPATCH(attentionGradTask);
  execution.pool.parallelFor(
      arguments.numTasks(), [&](int64_t task, int worker) {
        kernel(arguments, task, workspaces + worker * size);
      });
  if (arguments.chunks == 1)
    return;
  auto sum = HWY_DYNAMIC_DISPATCH(sumQueryGrad);
  execution.pool.parallelFor(queryHeads, [&](int64_t task, int) {
    sum(arguments, task / shape.heads, task % shape.heads);
  });
}

#endif // HWY_ONCE
