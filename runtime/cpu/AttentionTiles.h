// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, blocks and operands shared by attention and its gradient.
#ifndef TERT_CPU_ATTENTIONTILES_H
#define TERT_CPU_ATTENTIONTILES_H

#include "cpu/Loops.h"
#include "program/AttentionOptions.h"
#include "program/Tensor.h"
#include "tert/types.h"

#include <algorithm>
#include <cstdint>

namespace tert::cpu {

// Queries and keys are packed to f32 in spans, and multiplied in blocks of
// queries by panels of keys. The data of one block fits a level-2 cache of 1
// MiB up to a head dimension of 128.
inline constexpr int64_t querySpan = 256;
inline constexpr int64_t queryBlock = 48;
inline constexpr int64_t keySpan = 256;
inline constexpr int64_t keyPanel = 64;
// Tile widths are multiples of this on every machine.
inline constexpr int64_t tileLanes = 16;
// One cache line more than keySpan, so that rows do not share cache sets.
inline constexpr int64_t scoreStride = keySpan + 16;

struct AttentionShape {
  int64_t batch;
  int64_t heads;
  int64_t kvHeads;
  int64_t querySize; // Sq
  int64_t keySize;   // Sk
  int64_t headDim;
  int64_t paddedDim; // headDim rounded up to whole vectors
  float scale;
  bool causal;
  int64_t window = 0;
  float softcap = 0.0f;
  int64_t keyEnd = 0; // keys from here on are hidden from all queries
  bool hides = false; // scores may be -infinity for reasons other than causal

  int64_t groupSize() const { return heads / kvHeads; }

  /// Query `i` attends to keys before visibleKeys(i), which grows with i.
  int64_t visibleKeys(int64_t i) const {
    if (!causal)
      return keyEnd;
    return std::clamp<int64_t>(i + keySize - querySize + 1, 0, keyEnd);
  }
  /// First key of query `i`; grows with i if there is a window.
  int64_t firstKey(int64_t i) const {
    if (window == 0)
      return 0;
    return std::max<int64_t>(0, i + keySize - querySize + 1 - window);
  }
};

/// The rows (positions) of one head of one batch entry.
struct HeadRows {
  tert_dtype dtype;
  char *data;
  int64_t stride; // bytes between rows

  void *row(int64_t i) const { return data + i * stride; }
};

/// q, k, v or a similar tensor, addressed by batch entry and head.
class HeadTensor {
public:
  HeadTensor(const tert_tensor &tensor, tert_attention_layout layout)
      : tensor(tensor), batchDim(layout == TERT_SBHD ? 1 : 0),
        sequenceDim(layout == TERT_BSHD   ? 1
                    : layout == TERT_BHSD ? 2
                                          : 0),
        headsDim(layout == TERT_BHSD ? 1 : 2) {}

  int64_t getBatch() const { return sizeOf(tensor, batchDim); }
  int64_t getSequence() const { return sizeOf(tensor, sequenceDim); }
  int64_t getHeads() const { return sizeOf(tensor, headsDim); }
  int64_t getHeadDim() const { return sizeOf(tensor, 3); }

  HeadRows head(int64_t batch, int64_t head) const {
    int64_t bytes = bytesOf(tensor.layout->dtype);
    int64_t offset =
        batch * strideOf(tensor, batchDim) + head * strideOf(tensor, headsDim);
    return {dtypeOf(tensor), static_cast<char *>(tensor.data) + offset * bytes,
            strideOf(tensor, sequenceDim) * bytes};
  }

private:
  tert_tensor tensor;
  int32_t batchDim, sequenceDim, headsDim;
};

/// Terms added to the scores, and the keys of each sequence.
struct ScoreOperands {
  const tert_tensor *bias, *lengths, *sinks;

  explicit ScoreOperands(const AttentionOptions &options)
      : bias(options.bias), lengths(options.lengths), sinks(options.sinks) {}

  /// The element of `tensor` (bias or its gradient) that belongs to the score
  /// of query i and key j.
  static void *at(const tert_tensor &tensor, int64_t batch, int64_t head,
                  int64_t i, int64_t j) {
    int64_t index[] = {batch, head, i, j}, offset = 0;
    for (int32_t dim = 0; dim < 4; ++dim)
      if (sizeOf(tensor, dim) != 1)
        offset += index[dim] * strideOf(tensor, dim);
    return static_cast<char *>(tensor.data) + offset * bytesOf(dtypeOf(tensor));
  }
  /// The shape restricted to this sequence.
  AttentionShape shapeOf(AttentionShape shape, int64_t batch) const {
    if (!lengths)
      return shape;
    int64_t at = batch * strideOf(*lengths, 0);
    int64_t length = dtypeOf(*lengths) == TERT_I64
                         ? static_cast<const int64_t *>(lengths->data)[at]
                         : static_cast<const int32_t *>(lengths->data)[at];
    shape.keyEnd = std::clamp<int64_t>(length, 0, shape.keySize);
    return shape;
  }
  float sink(int64_t head) const {
    return static_cast<const float *>(sinks->data)[head * strideOf(*sinks, 0)];
  }
};

/// The sizes of one call.
inline AttentionShape attentionShape(const HeadTensor &q, const HeadTensor &k,
                                     const AttentionOptions &options) {
  return {q.getBatch(),
          q.getHeads(),
          k.getHeads(),
          q.getSequence(),
          k.getSequence(),
          q.getHeadDim(),
          ceilDiv(q.getHeadDim(), tileLanes) * tileLanes,
          options.scale,
          options.causal,
          options.window,
          options.softcap,
          /*keyEnd=*/k.getSequence(),
          /*hides=*/options.window || options.bias || options.lengths};
}

/// Row (batch, head) of lse [B,H,Sq].
inline float *lseRow(const tert_tensor &lse, int64_t batch, int64_t head) {
  return static_cast<float *>(lse.data) + batch * strideOf(lse, 0) +
         head * strideOf(lse, 1);
}

} // namespace tert::cpu

#endif // TERT_CPU_ATTENTIONTILES_H
