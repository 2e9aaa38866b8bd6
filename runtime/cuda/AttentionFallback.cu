// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/AttentionFallback.h"

#include <cuda_bf16.h>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int warpSize_ = 32;
constexpr int warpsPerBlock = 4;
/// Elements of a head per lane.
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

/// One row of a head, distributed over the lanes of a warp.
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

/// Returns the same sum in every lane, added in a fixed order.
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

/// The bias or its gradient, [batch, heads, queries, keys]; stride 0 along
/// broadcast dimensions.
struct BiasView {
  void *data;
  bool isF32;
  int64_t strides[3];

  __device__ int64_t row(int64_t b, int64_t h, int64_t i) const {
    return b * strides[0] + h * strides[1] + i * strides[2];
  }
  __device__ float load(int64_t offset) const {
    return View{data, isF32, 0, 0, 0}.load(offset);
  }
};

BiasView biasViewOf(const tert_tensor *bias) {
  BiasView view = {};
  if (!bias)
    return view;
  view.data = bias->data;
  view.isF32 = dtypeOf(*bias) == TERT_F32;
  for (int32_t dim = 0; dim < 3; ++dim)
    view.strides[dim] = sizeOf(*bias, dim) == 1 ? 0 : strideOf(*bias, dim);
  return view;
}

struct Shape {
  int64_t batch, heads, kvHeads, queries, keys;
  int dimension;
  float scale;
  bool causal;
  int64_t window;
  float softcap;
  BiasView bias;
  const void *lengths;
  bool longLengths;
  int64_t lengthStride;
  const float *sinks;
  int64_t sinkStride;

  /// Number of valid keys of the sequence; they come first.
  __device__ int64_t keysOf(int64_t b) const {
    if (!lengths)
      return keys;
    int64_t length =
        longLengths ? static_cast<const int64_t *>(lengths)[b * lengthStride]
                    : static_cast<const int32_t *>(lengths)[b * lengthStride];
    return length < 0 ? 0 : length > keys ? keys : length;
  }
  /// End of the keys visible to query i.
  __device__ int64_t visibleKeys(int64_t b, int64_t query) const {
    int64_t all = keysOf(b);
    if (!causal)
      return all;
    int64_t count = query + keys - queries + 1;
    return count < 0 ? 0 : count > all ? all : count;
  }
  /// First key visible to query i under the window.
  __device__ int64_t firstKey(int64_t query) const {
    int64_t first = query + keys - queries + 1 - window;
    return window == 0 || first < 0 ? 0 : first;
  }
  /// The first query that attends to key j.
  __device__ int64_t firstQuery(int64_t key) const {
    int64_t first = causal ? key - (keys - queries) : 0;
    return first < 0 ? 0 : first;
  }
  /// End of the queries that attend to key j.
  __device__ int64_t endQuery(int64_t b, int64_t key) const {
    if (key >= keysOf(b))
      return 0;
    int64_t end = key - (keys - queries) + window;
    return window == 0 || end > queries ? queries : end;
  }
  /// Maps the product of a query and a key to its score; `slope` receives the
  /// softcap's derivative there, times the scale.
  __device__ float score(float product, int64_t b, int64_t h, int64_t i,
                         int64_t j, float &slope) const {
    float value = product * scale;
    slope = scale;
    if (softcap != 0.0f) {
      float t = tanhf(value / softcap);
      value = softcap * t;
      slope = scale * (1.0f - t * t);
    }
    if (bias.data)
      value += bias.load(bias.row(b, h, i) + j);
    return value;
  }
};

/// A warp's row index in batch * heads * length, delinearized.
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
  float maximum = -INFINITY, total = 0.0f, slope;
  // A sink is one more key, of value 0.
  if (shape.sinks && shape.sinks[at.head * shape.sinkStride] != -INFINITY) {
    maximum = shape.sinks[at.head * shape.sinkStride];
    total = 1.0f;
  }
  for (int64_t j = shape.firstKey(at.row),
               e = shape.visibleKeys(at.batch, at.row);
       j < e; ++j) {
    key.load(k, k.row(at.batch, kvHead, j), shape.dimension);
    float score =
        shape.score(dot(query, key), at.batch, at.head, at.row, j, slope);
    float larger = fmaxf(maximum, score);
    // Scores that are all -infinity get weight 0 instead of NaN.
    float shift = larger == -INFINITY ? 0.0f : larger;
    float keep = expf(maximum - shift), weight = expf(score - shift);
    key.load(v, v.row(at.batch, kvHead, j), shape.dimension);
    sum.scale(keep);
    sum.add(weight, key);
    total = total * keep + weight;
    maximum = larger;
  }
  // A query that attends to no key has output 0 and lse -infinity.
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

/// exp(score - lse); 0 for a query that attends to no key.
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
  for (int64_t j = shape.firstKey(at.row),
               e = shape.visibleKeys(at.batch, at.row);
       j < e; ++j) {
    key.load(k, k.row(at.batch, kvHead, j), shape.dimension);
    value.load(v, v.row(at.batch, kvHead, j), shape.dimension);
    float slope;
    float weight = weightOf(
        shape.score(dot(query, key), at.batch, at.head, at.row, j, slope),
        normalizer);
    sum.add(weight * (dot(cotangent, value) - correction) * slope, key);
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
    for (int64_t i = shape.firstQuery(at.row),
                 e = shape.endQuery(at.batch, at.row);
         i < e; ++i) {
      query.load(q, q.row(at.batch, h, i), shape.dimension);
      cotangent.load(dO, dO.row(at.batch, h, i), shape.dimension);
      float slope;
      float weight =
          weightOf(shape.score(dot(query, key), at.batch, h, i, at.row, slope),
                   lse.load(lse.row(at.batch, h, i)));
      float correction =
          delta[(at.batch * shape.heads + h) * shape.queries + i];
      valueSum.add(weight, cotangent);
      keySum.add(weight * (dot(cotangent, value) - correction) * slope, query);
    }
  keySum.store(dk, dk.row(at.batch, at.head, at.row), shape.dimension);
  valueSum.store(dv, dv.row(at.batch, at.head, at.row), shape.dimension);
}

/// One warp per element of dbias [batches, heads, queries, keys] sums the
/// gradients of the scores that the element was added to.
__global__ void biasGradKernel(Shape shape, View dO, View q, View k, View v,
                               View lse, const float *delta, BiasView dbias,
                               int64_t batches, int64_t heads,
                               int64_t queries) {
  int64_t index = int64_t(blockIdx.x) * warpsPerBlock + threadIdx.y;
  if (index >= batches * heads * queries * shape.keys)
    return;
  int64_t j = index % shape.keys, i0 = index / shape.keys % queries;
  int64_t h0 = index / shape.keys / queries % heads;
  int64_t b0 = index / shape.keys / queries / heads;
  // The bias is broadcast along dimensions of size 1.
  int64_t iEnd = queries == 1 ? shape.queries : i0 + 1;
  int64_t hEnd = heads == 1 ? shape.heads : h0 + 1;
  int64_t bEnd = batches == 1 ? shape.batch : b0 + 1;
  Row query, cotangent, key, value;
  float sum = 0.0f;
  for (int64_t b = b0; b < bEnd; ++b)
    for (int64_t h = h0; h < hEnd; ++h) {
      int64_t kvHead = h / (shape.heads / shape.kvHeads);
      key.load(k, k.row(b, kvHead, j), shape.dimension);
      value.load(v, v.row(b, kvHead, j), shape.dimension);
      for (int64_t i = i0; i < iEnd; ++i) {
        if (j < shape.firstKey(i) || j >= shape.visibleKeys(b, i))
          continue;
        query.load(q, q.row(b, h, i), shape.dimension);
        cotangent.load(dO, dO.row(b, h, i), shape.dimension);
        float slope;
        float weight = weightOf(shape.score(dot(query, key), b, h, i, j, slope),
                                lse.load(lse.row(b, h, i)));
        float correction = delta[(b * shape.heads + h) * shape.queries + i];
        sum += weight * (dot(cotangent, value) - correction);
      }
    }
  if (threadIdx.x == 0)
    static_cast<float *>(dbias.data)[dbias.row(b0, h0, i0) + j] = sum;
}

/// One warp per head: dsinks = -sum of exp(sink - lse) * delta.
__global__ void sinksGradKernel(Shape shape, View lse, const float *delta,
                                float *dsinks, int64_t stride) {
  int64_t head = int64_t(blockIdx.x) * warpsPerBlock + threadIdx.y;
  if (head >= shape.heads)
    return;
  float sink = shape.sinks[head * shape.sinkStride], sum = 0.0f;
  for (int64_t b = 0; b < shape.batch; ++b)
    for (int64_t i = threadIdx.x; i < shape.queries; i += warpSize_)
      sum -= weightOf(sink, lse.load(lse.row(b, head, i))) *
             delta[(b * shape.heads + head) * shape.queries + i];
#pragma unroll
  for (int offset = warpSize_ / 2; offset; offset /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x == 0)
    dsinks[head * stride] = sum;
}

Shape shapeOf(const AttentionProblem &problem,
              const AttentionOptions &options) {
  if (problem.dimension > maxFallbackDimension)
    throw Error(TERT_UNSUPPORTED,
                "a head dimension of " + std::to_string(problem.dimension) +
                    " is beyond the " + std::to_string(maxFallbackDimension) +
                    " that attention takes on a GPU");
  Shape shape = {};
  shape.batch = problem.batch;
  shape.heads = problem.heads;
  shape.kvHeads = problem.kvHeads;
  shape.queries = problem.queries;
  shape.keys = problem.keys;
  shape.dimension = static_cast<int>(problem.dimension);
  shape.scale = problem.scale;
  shape.causal = problem.causal;
  shape.window = problem.window;
  shape.softcap = problem.softcap;
  shape.bias = biasViewOf(options.bias);
  if (const tert_tensor *lengths = options.lengths) {
    shape.lengths = lengths->data;
    shape.longLengths = dtypeOf(*lengths) == TERT_I64;
    shape.lengthStride = strideOf(*lengths, 0);
  }
  if (const tert_tensor *sinks = options.sinks) {
    shape.sinks = static_cast<const float *>(sinks->data);
    shape.sinkStride = strideOf(*sinks, 0);
  }
  return shape;
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
                             const tert_tensor &lse,
                             const AttentionOptions &options) {
  Shape shape = shapeOf(problem, options);
  int64_t rows = shape.batch * shape.heads * shape.queries;
  if (rows == 0)
    return;
  forwardKernel<<<gridFor(rows), dim3(warpSize_, warpsPerBlock), 0,
                  launch.stream>>>(
      shape, viewOf(q, problem.q), viewOf(k, problem.k), viewOf(v, problem.v),
      viewOf(o, problem.o), viewOf(lse, problem.lse));
  checkLaunch("attention kernel");
}

void cuda::attentionGradFallback(
    LaunchContext &launch, const AttentionProblem &problem,
    const tert_tensor &dO, const tert_tensor &q, const tert_tensor &k,
    const tert_tensor &v, const tert_tensor &o, const tert_tensor &lse,
    const tert_tensor &dq, const tert_tensor &dk, const tert_tensor &dv,
    const tert_tensor *dbias, const tert_tensor *dsinks,
    const AttentionOptions &options) {
  Shape shape = shapeOf(problem, options);
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
  if (dbias && numElements(*dbias) != 0) {
    biasGradKernel<<<gridFor(numElements(*dbias)), block, 0, launch.stream>>>(
        shape, cotangent, queries, keys, values, normalizers, delta,
        biasViewOf(dbias), sizeOf(*dbias, 0), sizeOf(*dbias, 1),
        sizeOf(*dbias, 2));
    checkLaunch("attention gradient kernel");
  }
  if (dsinks && shape.heads != 0) {
    sinksGradKernel<<<gridFor(shape.heads), block, 0, launch.stream>>>(
        shape, normalizers, delta, static_cast<float *>(dsinks->data),
        strideOf(*dsinks, 0));
    checkLaunch("attention gradient kernel");
  }
}
