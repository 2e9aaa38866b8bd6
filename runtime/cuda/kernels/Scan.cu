// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans, from the first token to the last. Where channels are few for a GPU,
// tokens are divided into parts: what each does to a state is computed
// before, without results.

#include "cuda/kernels/Scan.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// Divides every tile.
constexpr int scanTogether = 4;

/// Blocks that are enough for a GPU.
constexpr int64_t scanEnoughBlocks = 3072;

template <int P, int K, bool hasQueries> struct ScanTileOnTheWay {
  static constexpr int tile = scanTile<P, K>,
                       C = ScanPlace<P, K>::channelsPerBlock,
                       padded = ScanPlace<P, K>::padded;
  ScanFetch<tile, C> decays, xs;
  ScanFetch<tile, padded> keys, queries;

  __device__ void load(const ScanProblem &p, const ScanPlace<P, K> &place,
                       int64_t first, int tokens) {
    const int channels = int(place.channels), size = int(p.size);
    auto startOf = [&](const ScanRows &rows, int64_t col) {
      return rows.index(place.b, first, col);
    };
    const int64_t number = place.group * p.size;
    // Padding changes no state: its factors are 1, and its inputs are 0.
    decays.load(p.decay, startOf(p.decay, place.firstChannel), 0, tokens,
                channels,
                /*ones=*/!p.rates);
    xs.load(p.x, startOf(p.x, place.firstChannel), 0, tokens, channels);
    keys.load(p.keys, startOf(p.keys, number), 0, tokens, size);
    if (hasQueries)
      queries.load(p.queries, startOf(p.queries, number), 0, tokens, size);
  }
  __device__ void store(const ScanProblem &p, float *to) const {
    decays.store(p.decay, tile, to);
    xs.store(p.x, tile, to + tile * C);
    keys.store(p.keys, tile, to + 2 * tile * C);
    if (hasQueries)
      queries.store(p.queries, tile, to + 2 * tile * C + tile * padded);
  }
};

/// If `isAhead`, only what each part does to a state.
template <int P, int K, bool hasRates, bool isAhead>
__global__ void __launch_bounds__(scanThreads)
    scanKernel(const __grid_constant__ ScanProblem p,
               const __grid_constant__ ScanParts parts, const float *initial,
               const __grid_constant__ ScanRows y, float *final) {
  using Place = ScanPlace<P, K>;
  constexpr int C = Place::channelsPerBlock, padded = Place::padded;
  constexpr int tile = scanTile<P, K>, tileFloats = tile * (2 * C + 2 * padded);
  // Two of each: one is filled while the other is read.
  __shared__ __align__(16) float tiles[2][tileFloats];
  __shared__ __align__(16) float results[2][tile * C];
  const Place place(p);
  const int64_t part = blockIdx.z;
  float h[K], rate[K], product = hasRates ? 0 : 1; // with rates a sum
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool has = place.has(p, k);
    h[k] = has && initial ? initial[place.at(p, place.b, k)] : 0;
    rate[k] = has && hasRates ? p.rates[place.at(p, 0, k)] * log2OfE : 0;
  }
  if (!isAhead)
#pragma unroll 1
    for (int64_t before = 0; before < part; ++before)
      parts.apply(p, place, before, h);
  const LaneSums<P / 2, 1, scanTogether> overLanes;
  ScanTileOnTheWay<P, K, !isAhead> next;
  // Of the chunk, where a tile ends, too.
  int64_t chunk = part * parts.chunks;
  int64_t first = chunk * p.chunk, end = min(p.tokens, first + p.chunk);
  const int64_t last = min(p.tokens, first + parts.chunks * p.chunk);
  int tokens = int(min(int64_t(tile), end - first));
  if (tokens > 0)
    next.load(p, place, first, tokens);
  next.store(p, tiles[0]);
  __syncthreads();
  bool isStart = true;
  for (int64_t step = 0; first < last; ++step) {
    const int64_t after = first + tokens;
    const bool isEnd = after == end;
    if (isEnd)
      end = min(last, end + p.chunk);
    const int tokensAfter = int(min(int64_t(tile), end - after));
    if (tokensAfter > 0)
      next.load(p, place, after, tokensAfter);
    if (isStart && !isAhead)
#pragma unroll
      for (int k = 0; k < K; ++k)
        if (place.has(p, k))
          p.states[place.at(p, place.b * p.chunks + chunk, k)] = h[k];
    const float *decays = tiles[step % 2], *xs = decays + tile * C;
    const float *keys = xs + tile * C, *queries = keys + tile * padded;
    float *ys = results[step % 2];
    // Several tokens at a time, so that their sums over lanes overlap.
    for (int t = 0; t < tokens; t += scanTogether) {
      float sums[scanTogether] = {};
#pragma unroll
      for (int j = 0; j < scanTogether; ++j) {
        float factors[K], query[K];
        scanToken<hasRates>(place, decays, xs, keys, t + j, rate, h, factors);
        if (isAhead) {
          const float decay = decays[(t + j) * C + place.own];
          product = hasRates ? product + decay : product * decay;
          continue;
        }
        readNumbers(queries + (t + j) * padded + place.lane * K, query);
#pragma unroll
        for (int k = 0; k < K; ++k)
          sums[j] = fmaf(h[k], query[k], sums[j]);
      }
      if (isAhead)
        continue;
      overLanes.add(sums);
      if (overLanes.isOwner)
#pragma unroll
        for (int i = 0; i < overLanes.left; ++i)
          ys[(t + overLanes.first + i) * C + place.own] = sums[i];
    }
    next.store(p, tiles[(step + 1) % 2]);
    __syncthreads();
    if (!isAhead)
      storeChannels(y, place, first, tokens, ys);
    first = after;
    tokens = tokensAfter;
    chunk += isEnd;
    isStart = isEnd;
  }
  if (isAhead)
    return parts.set<hasRates>(p, place, part, product, rate, h);
  if (last == p.tokens)
#pragma unroll
    for (int k = 0; k < K; ++k)
      if (place.has(p, k))
        final[place.at(p, place.b, k)] = h[k];
}

} // namespace

void cuda::scan(LaunchContext &launch, const tert_site &,
                const tert_tensor &decay, const tert_tensor &x,
                const tert_tensor *rates, const tert_tensor *keys,
                const tert_tensor *queries, const tert_tensor *initial,
                const tert_tensor &y, const tert_tensor &states,
                const tert_tensor &final, int64_t chunk) {
  const ScanShape shape(x, states, keys, chunk);
  if (shape.batch == 0 || shape.channels == 0)
    return;
  withLanes(shape.size, rates, [&](auto lanes, auto numbers, auto hasRates) {
    constexpr int P = decltype(lanes)::value, K = decltype(numbers)::value;
    const ScanProblem problem =
        getProblem(shape, decay, x, rates, keys, queries, states,
                   ScanPlace<P, K>::channelsPerBlock);
    const int64_t blocks = shape.groups * problem.groupBlocks;
    const ScanParts parts = getParts(launch, shape, shape.chunks,
                                     scanEnoughBlocks / (blocks * shape.batch));
    auto start = [&](auto isAhead, int64_t count) {
      scanKernel<P, K, decltype(hasRates)::value, decltype(isAhead)::value>
          <<<dim3(unsigned(blocks), unsigned(shape.batch), unsigned(count)),
             scanThreads, 0, launch.stream>>>(
              problem, parts, isAhead ? nullptr : dataOf(initial), ScanRows(y),
              dataOf(&final));
      checkLaunch("scan");
    };
    if (parts.count > 1)
      start(std::true_type(), parts.count - 1);
    start(std::false_type(), parts.count);
  });
}
