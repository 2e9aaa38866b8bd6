// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/AttentionBiasGrad.h"

#include "cpu/AttentionTiles.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/AttentionBiasGrad.cpp"
#include <hwy/foreach_target.h>

#include "cpu/AttentionGradTiles-inl.h"

#include <cmath>

#ifndef TERT_CPU_ATTENTIONBIASGRAD_ARGUMENTS
#define TERT_CPU_ATTENTIONBIASGRAD_ARGUMENTS
namespace tert::cpu {

struct BiasGradArguments {
  AttentionShape shape;
  HeadTensor dO, q, k, v, o;
  tert_tensor lse, dbias;
  ScoreOperands operands;

  /// True if the bias has a row for each query; otherwise one task sums them.
  bool hasQueries() const {
    return sizeOf(dbias, 2) != 1 || shape.querySize == 1;
  }
  int64_t spans() const {
    return hasQueries() ? ceilDiv(shape.querySize, querySpan) : 1;
  }
  /// One task: a span of queries of the batches and heads that share a bias.
  int64_t numTasks() const {
    return sizeOf(dbias, 0) * sizeOf(dbias, 1) * spans();
  }
  int64_t workspaceSize() const {
    return (2 * querySpan + 4 * keySpan) * shape.paddedDim +
           2 * queryBlock * scoreStride + querySpan;
  }
};

struct SinksGradArguments {
  AttentionShape shape;
  HeadTensor dO, o;
  tert_tensor lse, dsinks;
  ScoreOperands operands;

  int64_t workspaceSize() const {
    return (querySpan + 1) * shape.paddedDim + querySpan;
  }
};

} // namespace tert::cpu
#endif // TERT_CPU_ATTENTIONBIASGRAD_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Adds dS of queries [first, first + queries) of one head to dbias.
HWY_INLINE void addScoreGrads(const BiasGradArguments &arguments,
                              const AttentionShape &shape, int64_t batch,
                              int64_t head, int64_t first, int64_t queries,
                              float *workspace) {
  const int64_t dim = shape.paddedDim;
  float *q = workspace, *dO = q + querySpan * dim, *k = dO + querySpan * dim,
        *v = k + keySpan * dim, *keyPanels = v + keySpan * dim,
        *valuePanels = keyPanels + keySpan * dim,
        *scores = valuePanels + keySpan * dim,
        *dP = scores + queryBlock * scoreStride,
        *delta = dP + queryBlock * scoreStride;
  const int64_t kvHead = head / shape.groupSize();
  packRows(arguments.q.head(batch, head), first, queries, shape, q);
  scaleRow(q, queries * dim, shape.scale);
  packRows(arguments.dO.head(batch, head), first, queries, shape, dO);
  computeDelta(dO, arguments.o.head(batch, head), first, queries, shape, scores,
               delta);
  const float *lse = lseRow(arguments.lse, batch, head) + first;
  const int64_t lastVisible = shape.visibleKeys(first + queries - 1);
  for (int64_t key = shape.firstKey(first) / keySpan * keySpan;
       key < lastVisible; key += keySpan) {
    const int64_t keys = std::min(keySpan, lastVisible - key);
    packRows(arguments.k.head(batch, kvHead), key, keys, shape, k);
    packRows(arguments.v.head(batch, kvHead), key, keys, shape, v);
    packPanels(k, keys, shape, keyPanels);
    packPanels(v, keys, shape, valuePanels);
    for (int64_t i = 0; i < queries; i += queryBlock) {
      const int64_t rows = std::min(queryBlock, queries - i);
      multiplyPanels(q + i * dim, rows, keyPanels, keys, shape, scores);
      multiplyPanels(dO + i * dim, rows, valuePanels, keys, shape, dP);
      for (int64_t row = 0; row < rows; ++row) {
        const int64_t query = first + i + row;
        const int64_t visible =
            visibleWithGradient(shape, query, key, keys, lse[i + row]);
        float *const rowScores = scores + row * scoreStride;
        float *const dS = dP + row * scoreStride;
        adjustScores(rowScores, visible, shape, arguments.operands, batch, head,
                     query, key);
        scoreGradRow(rowScores, dS, visible, visible, lse[i + row],
                     delta[i + row]);
        auto *sums = static_cast<float *>(
            ScoreOperands::at(arguments.dbias, batch, head, query, key));
        forVectors(visible, [&](int64_t j, int64_t count) HWY_ATTR {
          storeF32(hn::Add(loadF32(sums + j, count), loadF32(dS + j, count)),
                   sums + j, count);
        });
      }
    }
  }
}

void biasGradTask(const BiasGradArguments &arguments, int64_t task,
                  float *workspace) {
  const tert_tensor &dbias = arguments.dbias;
  const int64_t span = task % arguments.spans();
  const int64_t head = task / arguments.spans() % sizeOf(dbias, 1);
  const int64_t batch = task / arguments.spans() / sizeOf(dbias, 1);
  const int64_t querySize = arguments.shape.querySize;
  const int64_t begin = span * querySpan;
  const int64_t end = arguments.hasQueries()
                          ? std::min(begin + querySpan, querySize)
                          : querySize;
  for (int64_t i = begin; i < (arguments.hasQueries() ? end : begin + 1); ++i)
    std::fill_n(
        static_cast<float *>(ScoreOperands::at(dbias, batch, head, i, 0)),
        arguments.shape.keySize, 0.0f);
  const int64_t lastBatch =
      sizeOf(dbias, 0) == 1 ? arguments.shape.batch : batch + 1;
  const int64_t lastHead =
      sizeOf(dbias, 1) == 1 ? arguments.shape.heads : head + 1;
  for (int64_t b = batch; b < lastBatch; ++b)
    for (int64_t h = head; h < lastHead; ++h)
      for (int64_t first = begin; first < end; first += querySpan)
        addScoreGrads(arguments, arguments.operands.shapeOf(arguments.shape, b),
                      b, h, first, std::min(querySpan, end - first), workspace);
}

void sinksGradTask(const SinksGradArguments &arguments, int64_t head,
                   float *workspace) {
  const AttentionShape &shape = arguments.shape;
  float *dO = workspace, *buffer = dO + querySpan * shape.paddedDim,
        *delta = buffer + shape.paddedDim;
  const float sink = arguments.operands.sink(head);
  double sum = 0;
  for (int64_t batch = 0; batch < shape.batch; ++batch)
    for (int64_t first = 0; first < shape.querySize; first += querySpan) {
      const int64_t queries = std::min(querySpan, shape.querySize - first);
      packRows(arguments.dO.head(batch, head), first, queries, shape, dO);
      computeDelta(dO, arguments.o.head(batch, head), first, queries, shape,
                   buffer, delta);
      const float *lse = lseRow(arguments.lse, batch, head) + first;
      for (int64_t i = 0; i < queries; ++i)
        if (lse[i] != -std::numeric_limits<float>::infinity())
          sum -= std::exp(sink - lse[i]) * delta[i];
    }
  static_cast<float *>(
      arguments.dsinks.data)[head * strideOf(arguments.dsinks, 0)] = float(sum);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(biasGradTask);
HWY_EXPORT(sinksGradTask);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Runs a task for each index, with a workspace for each thread.
template <typename Arguments, typename Kernel>
static void runTasks(Execution &execution, const Arguments &arguments,
                     int64_t numTasks, Kernel kernel) {
  Scratch::Frame frame(execution.scratch);
  const int64_t size = arguments.workspaceSize();
  float *workspaces = frame.take<float>(execution.pool.getNumThreads() * size);
  execution.pool.parallelFor(numTasks, [&](int64_t task, int worker) {
    kernel(arguments, task, workspaces + worker * size);
  });
}

void cpu::attentionBiasGrad(Execution &execution, const tert_tensor &dO,
                            const tert_tensor &q, const tert_tensor &k,
                            const tert_tensor &v, const tert_tensor &o,
                            const tert_tensor &lse,
                            const AttentionOptions &options,
                            const tert_tensor &dbias) {
  HeadTensor queries(q, options.layout), keys(k, options.layout);
  BiasGradArguments arguments{attentionShape(queries, keys, options),
                              HeadTensor(dO, options.layout),
                              queries,
                              keys,
                              HeadTensor(v, options.layout),
                              HeadTensor(o, options.layout),
                              lse,
                              dbias,
                              ScoreOperands(options)};
  runTasks(execution, arguments, arguments.numTasks(),
           HWY_DYNAMIC_DISPATCH(biasGradTask));
}

void cpu::attentionSinksGrad(Execution &execution, const tert_tensor &dO,
                             const tert_tensor &o, const tert_tensor &lse,
                             const AttentionOptions &options,
                             const tert_tensor &dsinks) {
  HeadTensor outputs(o, options.layout);
  SinksGradArguments arguments{attentionShape(outputs, outputs, options),
                               HeadTensor(dO, options.layout),
                               outputs,
                               lse,
                               dsinks,
                               ScoreOperands(options)};
  runTasks(execution, arguments, arguments.shape.heads,
           HWY_DYNAMIC_DISPATCH(sinksGradTask));
}

#endif // HWY_ONCE
