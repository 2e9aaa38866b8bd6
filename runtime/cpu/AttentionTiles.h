// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes, blocks and operands that attention and its gradient share.
#ifndef TERT_CPU_ATTENTIONTILES_H
#define TERT_CPU_ATTENTIONTILES_H

#include "cpu/Loops.h"
#include "program/Tensor.h"
#include "tert/types.h"

#include <algorithm>
#include <cstdint>

namespace tert::cpu {

// Queries and keys are packed to f32 in spans, and multiplied in blocks of
// queries by panels of keys. What one block needs stays in a level-2 cache of
// 1 MiB up to a head dimension of 128.
inline constexpr int64_t querySpan = 256;
inline constexpr int64_t queryBlock = 48;
inline constexpr int64_t keySpan = 256;
inline constexpr int64_t keyPanel = 64;
// Widths of tiles are multiples of this, whatever vectors the machine has.
inline constexpr int64_t tileLanes = 16;
// One cache line more than keySpan: rows do not share cache sets.
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

  int64_t groupSize() const { return heads / kvHeads; }

  /// Query `i` sees keys [0, visibleKeys(i)), more for a later query.
  int64_t visibleKeys(int64_t i) const {
    if (!causal)
      return keySize;
    return std::clamp<int64_t>(i + keySize - querySize + 1, 0, keySize);
  }
};

/// The rows (positions) of one head of one batch entry.
struct HeadRows {
  tert_dtype dtype;
  char *data;
  int64_t stride; // bytes from row to row

  void *row(int64_t i) const { return data + i * stride; }
};

/// q, k, v and the like, addressed by batch entry and head.
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

/// The sizes of one call.
inline AttentionShape attentionShape(const HeadTensor &q, const HeadTensor &k,
                                     float scale, bool causal) {
  return {q.getBatch(),
          q.getHeads(),
          k.getHeads(),
          q.getSequence(),
          k.getSequence(),
          q.getHeadDim(),
          ceilDiv(q.getHeadDim(), tileLanes) * tileLanes,
          scale,
          causal};
}

/// Row (batch, head) of lse [B,H,Sq].
inline float *lseRow(const tert_tensor &lse, int64_t batch, int64_t head) {
  return static_cast<float *>(lse.data) + batch * strideOf(lse, 0) +
         head * strideOf(lse, 1);
}

} // namespace tert::cpu

#endif // TERT_CPU_ATTENTIONTILES_H
