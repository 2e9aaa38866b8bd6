// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cpu/Ops.h"

#include "cpu/Loops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Rope.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Simd-inl.h"

#ifndef TERT_CPU_ROPE_ARGUMENTS
#define TERT_CPU_ROPE_ARGUMENTS
namespace tert::cpu {

/// A tensor of heads, with strides named by dimension.
struct RopeHeads {
  RopeHeads(const tert_tensor &tensor, tert_attention_layout layout)
      : data(tensor.data), dtype(dtypeOf(tensor)) {
    static constexpr int32_t batchDim[] = {0, 0, 1};
    static constexpr int32_t sequenceDim[] = {1, 2, 0};
    static constexpr int32_t headsDim[] = {2, 1, 2};
    batch = strideOf(tensor, batchDim[layout]);
    sequence = strideOf(tensor, sequenceDim[layout]);
    head = strideOf(tensor, headsDim[layout]);
    batches = sizeOf(tensor, batchDim[layout]);
    positions = sizeOf(tensor, sequenceDim[layout]);
    heads = sizeOf(tensor, headsDim[layout]);
    dim = sizeOf(tensor, 3);
  }
  void *at(int64_t b, int64_t s, int64_t h) const {
    return static_cast<char *>(data) +
           (b * batch + s * sequence + h * head) * bytesOf(dtype);
  }

  void *data;
  tert_dtype dtype;
  int64_t batch, sequence, head; // strides
  int64_t batches, positions, heads, dim;
};

} // namespace tert::cpu
#endif // TERT_CPU_ROPE_ARGUMENTS

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Rotates the pairs (a[i], b[i]).
HWY_INLINE void rotate(VecF32 a, VecF32 b, VecF32 cos, VecF32 sin, VecF32 &ya,
                       VecF32 &yb) {
  ya = hn::Sub(hn::Mul(a, cos), hn::Mul(b, sin));
  yb = hn::Add(hn::Mul(b, cos), hn::Mul(a, sin));
}

/// Rotates one head of one token. cos and sin have `pairs` elements; `sign` is
/// -1 for the inverse rotation.
template <typename T, typename Y>
HWY_INLINE void ropeHead(const T *x, Y *y, const float *cos, const float *sin,
                         float sign, int64_t pairs, int64_t dim,
                         bool interleaved) {
  const VecF32 signs = hn::Set(F32(), sign);
  if (!interleaved) {
    forVectors(pairs, [&](int64_t j, int64_t count) HWY_ATTR {
      VecF32 ya, yb;
      rotate(loadF32(x + j, count), loadF32(x + pairs + j, count),
             loadF32(cos + j, count), hn::Mul(loadF32(sin + j, count), signs),
             ya, yb);
      storeF32(ya, y + j, count);
      storeF32(yb, y + pairs + j, count);
    });
  } else {
    // Gathers one vector of first and one of second elements.
    float a[HWY_MAX_BYTES / sizeof(float)], b[HWY_MAX_BYTES / sizeof(float)];
    float both[2 * HWY_MAX_BYTES / sizeof(float)];
    forVectors(pairs, [&](int64_t j, int64_t count) HWY_ATTR {
      const int64_t lanes = lanesF32(), last = 2 * count;
      for (int64_t k = 0; k < last; k += lanes)
        storeF32(loadF32(x + 2 * j + k, HWY_MIN(lanes, last - k)), both + k);
      for (int64_t k = 0; k < lanes; ++k) {
        a[k] = k < count ? both[2 * k] : 0.0f;
        b[k] = k < count ? both[2 * k + 1] : 0.0f;
      }
      VecF32 ya, yb;
      rotate(loadF32(a), loadF32(b), loadF32(cos + j, count),
             hn::Mul(loadF32(sin + j, count), signs), ya, yb);
      storeF32(ya, a);
      storeF32(yb, b);
      for (int64_t k = 0; k < count; ++k) {
        both[2 * k] = a[k];
        both[2 * k + 1] = b[k];
      }
      for (int64_t k = 0; k < last; k += lanes)
        storeF32(loadF32(both + k), y + 2 * j + k, HWY_MIN(lanes, last - k));
    });
  }
  forVectors(dim - 2 * pairs, [&](int64_t j, int64_t count) HWY_ATTR {
    storeF32(loadF32(x + 2 * pairs + j, count), y + 2 * pairs + j, count);
  });
}

/// Rotates all heads of one token. `buffers` holds two rows of the tables.
void ropeToken(const RopeHeads &x, const RopeHeads &y, const Matrix &cos,
               const Matrix &sin, int64_t token, bool interleaved, bool inverse,
               float *buffers) {
  const int64_t b = token / x.positions, s = token % x.positions;
  const int64_t row = cos.rows == x.positions ? s : token;
  const float *cosRow = asF32(cos, row, 0, cos.cols, buffers);
  const float *sinRow = asF32(sin, row, 0, cos.cols, buffers + cos.cols);
  for (int64_t h = 0; h < x.heads; ++h)
    withFloat(x.dtype, x.at(b, s, h), [&](auto *from) HWY_ATTR {
      withFloat(y.dtype, y.at(b, s, h), [&](auto *to) HWY_ATTR {
        ropeHead(from, to, cosRow, sinRow, inverse ? -1.0f : 1.0f, cos.cols,
                 x.dim, interleaved);
      });
    });
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tert::cpu {
HWY_EXPORT(ropeToken);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

void cpu::rope(Execution &execution, const tert_tensor &x,
               const tert_tensor &cos, const tert_tensor &sin,
               const tert_tensor &y, bool interleaved, bool inverse,
               tert_attention_layout layout) {
  RopeHeads input(x, layout), output(y, layout);
  Matrix cosines(cos), sines(sin);
  Scratch::Frame frame(execution.scratch);
  const int64_t tableRow = 2 * cosines.cols;
  float *buffers = frame.take<float>(execution.pool.getNumThreads() * tableRow);
  RowTasks tasks(input.batches * input.positions, input.heads * input.dim);
  auto kernel = HWY_DYNAMIC_DISPATCH(ropeToken);
  execution.pool.parallelFor(tasks.count, [&](int64_t task, int worker) {
    const int64_t first = tasks.first(task);
    for (int64_t token = first; token < first + tasks.size(task); ++token)
      kernel(input, output, cosines, sines, token, interleaved, inverse,
             buffers + worker * tableRow);
  });
}
#endif // HWY_ONCE
