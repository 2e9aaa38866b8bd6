// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/AttentionFallback.h"

#include <cuda_bf16.h>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int warpSize_ = 32;
constexpr int warpsPerBlock = 4;
/// Elements of a head that one lane holds.
constexpr int maxPerLane = maxFallbackDimension / warpSize_;

/// A [batch, heads, sequence, dimension] view of f32 or bf16.
struct View {
  void *data;
  bool isF32;
  int64_t batchStride, headStride, sequenceStride;

  __device__ int64_t row(int64_t b, int64_t h, int64_t s) const {
    return b * batchStride + h * headStride + s * sequenceStride;
  }
  __device__ float load(int64_t offset) const {
    return isF32 ? static_cast<const float *>(data)[offset]
                 : __bfloat162float(
                       static_cast<const __nv_bfloat16 *>(data)[offset]);
  }
  __device__ void store(int64_t offset, float value) const {
    if (isF32)
      static_cast<float *>(data)[offset] = value;
    else
      static_cast<__nv_bfloat16 *>(data)[offset] = __float2bfloat16_rn(value);
  }
};

View viewOf(const tert_tensor &tensor, const AttentionStrides &strides) {
  return {tensor.data, dtypeOf(tensor) == TERT_F32, strides[0], strides[1],
          strides[2]};
}

/// One row of a head, spread over the lanes of a warp.
struct Row {
  float values[maxPerLane];

  __device__ void load(const View &view, int64_t offset, int dimension) {
#pragma unroll
    for (int i = 0; i < maxPerLane; ++i) {
      int d = i * warpSize_ + int(threadIdx.x);
      values[i] = d < dimension ? view.load(offset + d) : 0.0f;
    }
  }
  __device__ void store(const View &view, int64_t offset, int dimension) const {
#pragma unroll
    for (int i = 0; i < maxPerLane; ++i) {
      int d = i * warpSize_ + int(threadIdx.x);
      if (d < dimension)
        view.store(offset + d, values[i]);
    }
  }
  __device__ void clear() { scale(0.0f); }
  __device__ void scale(float factor) {
#pragma unroll
    for (int i = 0; i < maxPerLane; ++i)
      values[i] = factor == 0.0f ? 0.0f : values[i] * factor;
  }
  __device__ void add(float factor, const Row &other) {
#pragma unroll
    for (int i = 0; i < maxPerLane; ++i)
      values[i] += factor * other.values[i];
  }
};

/// The same sum in every lane, in an order that does not vary.
__device__ float dot(const Row &a, const Row &b) {
  float sum = 0.0f;
#pragma unroll
  for (int i = 0; i < maxPerLane; ++i)
    sum += a.values[i] * b.values[i];
#pragma unroll
  for (int offset = warpSize_ / 2; offset; offset /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  return sum;
}

struct Shape {
  int64_t batch, heads, kvHeads, queries, keys;
  int dimension;
  float scale;
  bool causal;

  /// How many keys query i sees, the first ones.
  __device__ int64_t visibleKeys(int64_t query) const {
    if (!causal)
      return keys;
    int64_t count = query + keys - queries + 1;
    return count < 0 ? 0 : count > keys ? keys : count;
  }
  /// The first query that sees key j.
  __device__ int64_t firstQuery(int64_t key) const {
    int64_t first = causal ? key - (keys - queries) : 0;
    return first < 0 ? 0 : first;
  }
};

/// A warp's row number among batch * heads * length, split up.
struct Position {
  int64_t batch, head, row;
  bool valid;

  __device__ Position(const Shape &shape, int64_t heads, int64_t length) {
    int64_t index = int64_t(blockIdx.x) * warpsPerBlock + threadIdx.y;
    valid = index < shape.batch * heads * length;
    row = index % length;
    head = index / length % heads;
    batch = index / length / heads;
  }
};

__global__ void forwardKernel(Shape shape, View q, View k, View v, View o,
                              View lse) {
  Position at(shape, shape.heads, shape.queries);
  if (!at.valid)
    return;
  int64_t kvHead = at.head / (shape.heads / shape.kvHeads);
  Row query, key, sum;
  query.load(q, q.row(at.batch, at.head, at.row), shape.dimension);
  sum.clear();
  float maximum = -INFINITY, total = 0.0f;
  for (int64_t j = 0, e = shape.visibleKeys(at.row); j < e; ++j) {
    key.load(k, k.row(at.batch, kvHead, j), shape.dimension);
    float score = dot(query, key) * shape.scale;
    float larger = fmaxf(maximum, score);
    // Scores that are all -infinity weigh nothing; they are no NaN.
    float shift = larger == -INFINITY ? 0.0f : larger;
    float keep = expf(maximum - shift), weight = expf(score - shift);
    key.load(v, v.row(at.batch, kvHead, j), shape.dimension);
    sum.scale(keep);
    sum.add(weight, key);
    total = total * keep + weight;
    maximum = larger;
  }
  // A query that sees no key has output 0 and lse -infinity.
  sum.scale(total > 0.0f || total != total ? 1.0f / total : 0.0f);
  sum.store(o, o.row(at.batch, at.head, at.row), shape.dimension);
  if (threadIdx.x == 0)
    lse.store(lse.row(at.batch, at.head, at.row),
              (maximum == -INFINITY ? 0.0f : maximum) + logf(total));
}

/// delta[batch, head, query] = sum of o * dO
__global__ void deltaKernel(Shape shape, View o, View dO, float *delta) {
  Position at(shape, shape.heads, shape.queries);
  if (!at.valid)
    return;
  Row a, b;
  a.load(o, o.row(at.batch, at.head, at.row), shape.dimension);
  b.load(dO, dO.row(at.batch, at.head, at.row), shape.dimension);
  float sum = dot(a, b);
  if (threadIdx.x == 0)
    delta[(at.batch * shape.heads + at.head) * shape.queries + at.row] = sum;
}

/// exp(score - lse); a query that sees nothing weighs nothing.
__device__ float weightOf(float score, float lse) {
  return lse == -INFINITY ? 0.0f : expf(score - lse);
}

__global__ void queryGradKernel(Shape shape, View dO, View q, View k, View v,
                                View lse, const float *delta, View dq) {
  Position at(shape, shape.heads, shape.queries);
  if (!at.valid)
    return;
  int64_t kvHead = at.head / (shape.heads / shape.kvHeads);
  Row query, cotangent, key, value, sum;
  query.load(q, q.row(at.batch, at.head, at.row), shape.dimension);
  cotangent.load(dO, dO.row(at.batch, at.head, at.row), shape.dimension);
  sum.clear();
  float normalizer = lse.load(lse.row(at.batch, at.head, at.row));
  float correction =
      delta[(at.batch * shape.heads + at.head) * shape.queries + at.row];
  for (int64_t j = 0, e = shape.visibleKeys(at.row); j < e; ++j) {
    key.load(k, k.row(at.batch, kvHead, j), shape.dimension);
    value.load(v, v.row(at.batch, kvHead, j), shape.dimension);
    float weight = weightOf(dot(query, key) * shape.scale, normalizer);
    sum.add(weight * (dot(cotangent, value) - correction) * shape.scale, key);
  }
  sum.store(dq, dq.row(at.batch, at.head, at.row), shape.dimension);
}

__global__ void keyGradKernel(Shape shape, View dO, View q, View k, View v,
                              View lse, const float *delta, View dk, View dv) {
  Position at(shape, shape.kvHeads, shape.keys);
  if (!at.valid)
    return;
  int64_t group = shape.heads / shape.kvHeads;
  Row key, value, query, cotangent, keySum, valueSum;
  key.load(k, k.row(at.batch, at.head, at.row), shape.dimension);
  value.load(v, v.row(at.batch, at.head, at.row), shape.dimension);
  keySum.clear();
  valueSum.clear();
  for (int64_t h = at.head * group; h < (at.head + 1) * group; ++h)
    for (int64_t i = shape.firstQuery(at.row); i < shape.queries; ++i) {
      query.load(q, q.row(at.batch, h, i), shape.dimension);
      cotangent.load(dO, dO.row(at.batch, h, i), shape.dimension);
      float weight = weightOf(dot(query, key) * shape.scale,
                              lse.load(lse.row(at.batch, h, i)));
      float correction =
          delta[(at.batch * shape.heads + h) * shape.queries + i];
      valueSum.add(weight, cotangent);
      keySum.add(weight * (dot(cotangent, value) - correction) * shape.scale,
                 query);
    }
  keySum.store(dk, dk.row(at.batch, at.head, at.row), shape.dimension);
  valueSum.store(dv, dv.row(at.batch, at.head, at.row), shape.dimension);
}

Shape shapeOf(const AttentionProblem &problem) {
  if (problem.dimension > maxFallbackDimension)
    throw Error(TERT_UNSUPPORTED,
                "a head dimension of " + std::to_string(problem.dimension) +
                    " is beyond the " + std::to_string(maxFallbackDimension) +
                    " that attention takes on a GPU");
  return {problem.batch,   problem.heads, problem.kvHeads,
          problem.queries, problem.keys,  static_cast<int>(problem.dimension),
          problem.scale,   problem.causal};
}

dim3 gridFor(int64_t rows) {
  return dim3(
      static_cast<unsigned>((rows + warpsPerBlock - 1) / warpsPerBlock));
}

} // namespace

void cuda::attentionFallback(LaunchContext &launch,
                             const AttentionProblem &problem,
                             const tert_tensor &q, const tert_tensor &k,
                             const tert_tensor &v, const tert_tensor &o,
                             const tert_tensor &lse) {
  Shape shape = shapeOf(problem);
  int64_t rows = shape.batch * shape.heads * shape.queries;
  if (rows == 0)
    return;
  forwardKernel<<<gridFor(rows), dim3(warpSize_, warpsPerBlock), 0,
                  launch.stream>>>(
      shape, viewOf(q, problem.q), viewOf(k, problem.k), viewOf(v, problem.v),
      viewOf(o, problem.o), viewOf(lse, problem.lse));
  checkLaunch("attention kernel");
}

void cuda::attentionGradFallback(LaunchContext &launch,
                                 const AttentionProblem &problem,
                                 const tert_tensor &dO, const tert_tensor &q,
                                 const tert_tensor &k, const tert_tensor &v,
                                 const tert_tensor &o, const tert_tensor &lse,
                                 const tert_tensor &dq, const tert_tensor &dk,
                                 const tert_tensor &dv) {
  Shape shape = shapeOf(problem);
  dim3 block(warpSize_, warpsPerBlock);
  int64_t rows = shape.batch * shape.heads * shape.queries;
  int64_t keyRows = shape.batch * shape.kvHeads * shape.keys;
  float *delta = launch.scratch.take<float>(rows);
  View cotangent = viewOf(dO, problem.dO), queries = viewOf(q, problem.q),
       keys = viewOf(k, problem.k), values = viewOf(v, problem.v),
       normalizers = viewOf(lse, problem.lse);
  if (rows != 0) {
    deltaKernel<<<gridFor(rows), block, 0, launch.stream>>>(
        shape, viewOf(o, problem.o), cotangent, delta);
    checkLaunch("attention gradient kernel");
    queryGradKernel<<<gridFor(rows), block, 0, launch.stream>>>(
        shape, cotangent, queries, keys, values, normalizers, delta,
        viewOf(dq, problem.dq));
    checkLaunch("attention gradient kernel");
  }
  if (keyRows != 0) {
    keyGradKernel<<<gridFor(keyRows), block, 0, launch.stream>>>(
        shape, cotangent, queries, keys, values, normalizers, delta,
        viewOf(dk, problem.dk), viewOf(dv, problem.dv));
    checkLaunch("attention gradient kernel");
  }
}
