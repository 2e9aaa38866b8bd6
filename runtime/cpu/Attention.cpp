// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The softmax is computed online (Milakov and Gimelshein): every span of keys
// updates a row's maximum, sum and output, so that only the scores of one block
// of queries exist at a time.

#include "cpu/Ops.h"

#include "cpu/AttentionTiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Attention.cpp"
#include <hwy/foreach_target.h>

#include "cpu/AttentionTiles-inl.h"
#include "cpu/VectorMath-inl.h"

#include <cmath>
#include <limits>

#ifndef TERT_CPU_ATTENTION_ARGUMENTS
#define TERT_CPU_ATTENTION_ARGUMENTS
namespace tert::cpu {

struct AttentionArguments {
  AttentionShape shape;
  HeadTensor q, k, v, o;
  tert_tensor lse;
  ScoreOperands operands;

  /// One task: a span of queries of one head.
  int64_t spans() const { return ceilDiv(shape.querySize, querySpan); }
  int64_t numTasks() const { return shape.batch * shape.heads * spans(); }
  /// Size of a task's workspace, in floats.
  int64_t workspaceSize() const {
    return (2 * querySpan + 3 * keySpan) * shape.paddedDim +
           queryBlock * scoreStride + 2 * querySpan;
  }
};

} // namespace tert::cpu
#endif // TERT_CPU_ATTENTION_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// State of a row's softmax after some spans of keys.
struct OnlineSoftmax {
  float maximum = -std::numeric_limits<float>::infinity();
  float sum = 0.0f;
};

/// Replaces scores[0, visible) by exp(score - maximum) and
/// scores[visible, keys) by zero, and adds them to `softmax` and to the row's
/// output.
HWY_INLINE void softmaxRow(float *scores, int64_t visible, int64_t keys,
                           OnlineSoftmax &softmax, float *output,
                           int64_t paddedDim) {
  const F32 d;
  const VecF32 lowest = hn::Set(d, -std::numeric_limits<float>::infinity());
  VecF32 highest = lowest;
  forVectors(visible, [&](int64_t j, int64_t count) HWY_ATTR {
    VecF32 score = loadF32(scores + j);
    if (count < lanesF32())
      score = hn::IfThenElse(hn::FirstN(d, count), score, lowest);
    highest = hn::Max(highest, score);
  });
  const float maximum =
      std::max(softmax.maximum, hn::GetLane(hn::MaxOfLanes(d, highest)));
  // Scores that are all -infinity get weight 0 instead of NaN.
  const float shift =
      maximum == -std::numeric_limits<float>::infinity() ? 0.0f : maximum;
  VecF32 sum = hn::Zero(d);
  forVectors(visible, [&](int64_t j, int64_t count) HWY_ATTR {
    VecF32 p = expOrZero(hn::Sub(loadF32(scores + j), hn::Set(d, shift)));
    if (count < lanesF32())
      p = hn::IfThenElseZero(hn::FirstN(d, count), p);
    sum = hn::Add(sum, p);
    storeF32(p, scores + j);
  });
  const int64_t written = ceilDiv(visible, lanesF32()) * lanesF32();
  std::fill(scores + written, scores + std::max(written, keys), 0.0f);

  if (maximum != softmax.maximum) {
    const float decay = std::exp(softmax.maximum - shift);
    softmax.sum *= decay;
    scaleRow(output, paddedDim, decay);
    softmax.maximum = maximum;
  }
  softmax.sum += hn::GetLane(hn::SumOfLanes(d, sum));
}

void attentionTask(const AttentionArguments &arguments, int64_t task,
                   float *workspace) {
  const ScoreOperands &operands = arguments.operands;
  const int64_t span = task % arguments.spans();
  const int64_t head = task / arguments.spans() % arguments.shape.heads;
  const int64_t batch = task / arguments.spans() / arguments.shape.heads;
  const AttentionShape shape = operands.shapeOf(arguments.shape, batch);
  const int64_t dim = shape.paddedDim;
  const int64_t first = span * querySpan;
  const int64_t queries = std::min(querySpan, shape.querySize - first);
  const HeadRows keyRows = arguments.k.head(batch, head / shape.groupSize());
  const HeadRows valueRows = arguments.v.head(batch, head / shape.groupSize());

  float *q = workspace;
  float *output = q + querySpan * dim;
  float *packedKeys = output + querySpan * dim;
  float *values = packedKeys + keySpan * dim;
  float *panels = values + keySpan * dim;
  float *scores = panels + keySpan * dim;
  auto *softmax =
      reinterpret_cast<OnlineSoftmax *>(scores + queryBlock * scoreStride);

  packRows(arguments.q.head(batch, head), first, queries, shape, q);
  scaleRow(q, queries * dim, shape.scale);
  std::fill_n(output, queries * dim, 0.0f);
  OnlineSoftmax start;
  // A sink is one more key, of value 0; at -infinity its weight is 0.
  if (operands.sinks &&
      operands.sink(head) != -std::numeric_limits<float>::infinity())
    start = {operands.sink(head), 1.0f};
  std::fill_n(softmax, queries, start);

  const int64_t lastVisible = shape.visibleKeys(first + queries - 1);
  for (int64_t key = shape.firstKey(first) / keySpan * keySpan;
       key < lastVisible; key += keySpan) {
    const int64_t spanKeys = std::min(keySpan, lastVisible - key);
    packRows(keyRows, key, spanKeys, shape, packedKeys);
    packPanels(packedKeys, spanKeys, shape, panels);
    packRows(valueRows, key, spanKeys, shape, values);
    for (int64_t i = 0; i < queries; i += queryBlock) {
      const int64_t rows = std::min(queryBlock, queries - i);
      const int64_t keys =
          std::min(spanKeys, shape.visibleKeys(first + i + rows - 1) - key);
      if (keys <= 0 || key + keys <= shape.firstKey(first + i))
        continue;
      multiplyPanels(q + i * dim, rows, panels, keys, shape, scores);
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t query = first + i + row;
        const int64_t visible =
            std::clamp<int64_t>(shape.visibleKeys(query) - key, 0, keys);
        float *const rowScores = scores + row * scoreStride;
        adjustScores(rowScores, visible, shape, operands, batch, head, query,
                     key);
        softmaxRow(rowScores, visible, keys, softmax[i + row],
                   output + (i + row) * dim, dim);
      }
      multiplyTile(rows, dim, keys, {scores, scoreStride, 1}, values, dim,
                   output + i * dim, dim, /*accumulate=*/true);
    }
  }

  float *lse = lseRow(arguments.lse, batch, head) + first;
  const HeadRows outputRows = arguments.o.head(batch, head);
  for (int64_t i = 0; i < queries; ++i) {
    // A query that attends to no key has output 0 and lse -infinity.
    const bool attendsToNothing = shape.visibleKeys(first + i) == 0 ||
                                  (shape.hides && softmax[i].sum == 0.0f);
    const float shift =
        std::isinf(softmax[i].maximum) ? 0.0f : softmax[i].maximum;
    lse[i] = shift + std::log(softmax[i].sum);
    unpackRows(output + i * dim,
               attendsToNothing ? 1.0f : 1.0f / softmax[i].sum, outputRows,
               first + i, 1, shape);
  }
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(attentionTask);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::attention(Execution &execution, const tert_tensor &q,
                    const tert_tensor &k, const tert_tensor &v,
                    const tert_tensor *bias, const tert_tensor *lengths,
                    const tert_tensor *sinks, const tert_tensor &o,
                    const tert_tensor &lse, float scale, bool causal,
                    tert_attention_layout layout, int64_t window,
                    float softcap) {
  const AttentionOptions options{scale,   causal, layout,  window,
                                 softcap, bias,   lengths, sinks};
  HeadTensor queries(q, layout), keys(k, layout);
  AttentionArguments arguments{attentionShape(queries, keys, options),
                               queries,
                               keys,
                               HeadTensor(v, layout),
                               HeadTensor(o, layout),
                               lse,
                               ScoreOperands(options)};
  Scratch::Frame frame(execution.scratch);
  const int64_t size = arguments.workspaceSize();
  float *workspaces = frame.take<float>(execution.pool.getNumThreads() * size);
  auto kernel = HWY_DYNAMIC_DISPATCH(attentionTask);
  execution.pool.parallelFor(
      arguments.numTasks(), [&](int64_t task, int worker) {
        kernel(arguments, task, workspaces + worker * size);
      });
}

#endif // HWY_ONCE
