// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of scans: chunks from the last to the first, and in each of them
// the states once more.

#include "cuda/kernels/Scan.cuh"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int scanWarps = scanThreads / 32;
/// What the partial sums of keys and queries may take: less than the scratch
/// memory that is expected.
constexpr int64_t scanSumBytes = int64_t(56) << 20;
/// Blocks that are enough for a GPU: registers suffice for three on each of 132
/// multiprocessors.
constexpr int64_t scanGradEnoughBlocks = 396;

struct ScanGradient {
  ScanRows dy, ddecay, dx;
  const float *carryIn; ///< [B,D,N], or null for zeros
  float *carryOut;      ///< [B,D,N]
  float *rateSums;      ///< [parts,B,D,N], or null
  bool addsRates;       ///< to what is there
  /// Sums of a block's channels, [groupBlocks][B][tokens of a segment][G] rows
  /// as ScanSumRow says, or null
  float *sums;
  int64_t firstChunk, endChunk; ///< of the segment
  int64_t segment;              ///< tokens that the sums have space for
};

/// Sums over channels of a token: for each lane those of its numbers' keys,
/// then of their queries.
struct ScanSumRow {
  int numbers, size; ///< of a lane, with both

  __host__ __device__ ScanSumRow(int lanes, int numbers)
      : numbers(numbers), size(2 * lanes * numbers) {}
  __device__ bool isQuery(int place) const { return place / numbers % 2; }
  __device__ int number(int place) const {
    return place / (2 * numbers) * numbers + place % numbers;
  }
};

/// Tokens whose states a thread of the backward kernel has in registers.
template <int K> constexpr int scanPiece = K > 4 ? 4 : 8;

/// For the sums of a piece: two where they are small.
template <int P, int K> constexpr int scanSumBuffers = P * K > 16 ? 1 : 2;

/// What the parts of a segment, without the first, do to a carry.
template <int P, int K, bool hasRates>
__global__ void __launch_bounds__(scanThreads)
    scanCarryKernel(const __grid_constant__ ScanProblem p,
                    const __grid_constant__ ScanGradient g,
                    const __grid_constant__ ScanParts parts) {
  using Place = ScanPlace<P, K>;
  constexpr int C = Place::channelsPerBlock, padded = Place::padded;
  constexpr int tile = scanTile<P, K>;
  __shared__ __align__(16) float tiles[2][tile * (2 * C + padded)];
  const Place place(p);
  const int64_t part = blockIdx.z + 1;
  const int64_t firstChunk = g.firstChunk + part * parts.chunks;
  const int64_t start = firstChunk * p.chunk;
  const int64_t end =
      min(p.tokens, min(g.endChunk, firstChunk + parts.chunks) * p.chunk);
  float carry[K] = {}, rate[K], product = hasRates ? 0 : 1; // with rates a sum
#pragma unroll
  for (int k = 0; k < K; ++k)
    rate[k] =
        place.has(p, k) && hasRates ? p.rates[place.at(p, 0, k)] * log2OfE : 0;
  ScanFetch<tile, C> someDecays, someDys;
  ScanFetch<tile, padded> someQueries;
  // Padding changes nothing: its factors are 1, and all else is 0.
  auto load = [&](int64_t i) {
    const int64_t first = start + i * tile;
    const int tokens = int(min(int64_t(tile), end - first));
    someDecays.loadChannels(p.decay, place, first, 0, tokens,
                            /*ones=*/!hasRates);
    someDys.loadChannels(g.dy, place, first, 0, tokens);
    someQueries.loadNumbers(p.queries, p, place, first, 0, tokens);
  };
  auto store = [&](float *to) {
    someDecays.store(p.decay, tile, to);
    someDys.store(g.dy, tile, to + tile * C);
    someQueries.store(p.queries, tile, to + 2 * tile * C);
  };
  int64_t i = (end - start + tile - 1) / tile - 1;
  load(i);
  store(tiles[i % 2]);
  __syncthreads();
  for (; i >= 0; --i) {
    if (i > 0)
      load(i - 1);
    const float *decays = tiles[i % 2], *dys = decays + tile * C,
                *queries = dys + tile * C;
#pragma unroll 4
    for (int t = tile - 1; t >= 0; --t) {
      const float decay = decays[t * C + place.own];
      const float dy = dys[t * C + place.own];
      float query[K];
      readNumbers(queries + t * padded + place.lane * K, query);
#pragma unroll
      for (int k = 0; k < K; ++k)
        carry[k] =
            fmaf(query[k], dy, carry[k]) * factorOf<hasRates>(decay, rate[k]);
      product = hasRates ? product + decay : product * decay;
    }
    if (i > 0)
      store(tiles[(i - 1) % 2]);
    __syncthreads();
  }
  parts.set<hasRates>(p, place, part - 1, product, rate, carry);
}

/// Of the chunks of one segment, from the last to the first.
template <int P, int K, bool hasRates>
__global__ void __launch_bounds__(scanThreads, K > 4 ? 1 : 3)
    scanGradKernel(const __grid_constant__ ScanProblem p,
                   const __grid_constant__ ScanGradient g,
                   const __grid_constant__ ScanParts parts) {
  using Place = ScanPlace<P, K>;
  constexpr int C = Place::channelsPerBlock, padded = Place::padded;
  constexpr int piece = scanPiece<K>;
  const int pieces = int((p.chunk + piece - 1) / piece), space = pieces * piece;
  extern __shared__ __align__(16) float shared[];
  float *decays = shared, *xs = decays + space * C, *dys = xs + space * C;
  float *keys = dys + space * C, *queries = keys + space * padded;
  float *states = queries + space * padded; // [pieces][K][threads]
  // [scanSumBuffers][warps][piece][row]
  float *sums = states + pieces * K * scanThreads;
  constexpr int sumRow = 2 * padded, sumsOfWarp = piece * sumRow;
  constexpr int buffers = scanSumBuffers<P, K>;
  const Place place(p);
  const int64_t part = blockIdx.z, rateSumsAt = part * gridDim.y + place.b;
  const int64_t firstChunk = g.firstChunk + part * parts.chunks;
  const int64_t endChunk = min(g.endChunk, firstChunk + parts.chunks);
  const LaneSums<16, P, 2 * K> overChannels;
  const LaneSums<P / 2, 1, 2 * piece> overLanes;
  float carry[K], rate[K], rateSum[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool has = place.has(p, k);
    const int64_t at = place.at(p, place.b, k);
    carry[k] = has && g.carryIn ? g.carryIn[at] : 0;
    rate[k] = has && hasRates ? p.rates[place.at(p, 0, k)] * log2OfE : 0;
    rateSum[k] = has && g.rateSums && g.addsRates
                     ? g.rateSums[place.at(p, rateSumsAt, k)]
                     : 0;
  }
#pragma unroll 1
  for (int64_t behind = gridDim.z - 1; behind > part; --behind)
    parts.apply(p, place, behind - 1, carry);
  for (int64_t chunk = endChunk; chunk-- > firstChunk;) {
    const int64_t first = chunk * p.chunk;
    const int tokens = int(min(p.chunk, p.tokens - first));
    // Of the chunk, in the sums of this block.
    const int64_t groups = gridDim.x / p.groupBlocks;
    float *sumsTo =
        g.sums +
        (((blockIdx.x % p.groupBlocks * gridDim.y + place.b) * g.segment +
          first - g.firstChunk * p.chunk) *
             groups +
         place.group) *
            sumRow;
    // All loads of some tokens are under way before the first is stored.
    constexpr int atOnce = 8 * scanThreads / (C > padded ? C : padded);
    for (int t = 0; t < space; t += atOnce) {
      ScanFetch<atOnce, C> someDecays, someXs, someDys;
      ScanFetch<atOnce, padded> someKeys, someQueries;
      // Padding changes nothing: its factors are 1, and all else is 0.
      someDecays.loadChannels(p.decay, place, first, t, tokens,
                              /*ones=*/!hasRates);
      someXs.loadChannels(p.x, place, first, t, tokens);
      someDys.loadChannels(g.dy, place, first, t, tokens);
      someKeys.loadNumbers(p.keys, p, place, first, t, tokens);
      someQueries.loadNumbers(p.queries, p, place, first, t, tokens);
      someDecays.store(p.decay, space - t, decays + t * C);
      someXs.store(p.x, space - t, xs + t * C);
      someDys.store(g.dy, space - t, dys + t * C);
      someKeys.store(p.keys, space - t, keys + t * padded);
      someQueries.store(p.queries, space - t, queries + t * padded);
    }
    __syncthreads();
    float h[K];
#pragma unroll
    for (int k = 0; k < K; ++k)
      h[k] = place.has(p, k)
                 ? p.states[place.at(p, place.b * p.chunks + chunk, k)]
                 : 0;
    for (int i = 0; i < pieces; ++i) {
#pragma unroll
      for (int k = 0; k < K; ++k)
        states[(i * K + k) * scanThreads + threadIdx.x] = h[k];
      if (i + 1 == pieces)
        break;
#pragma unroll
      for (int j = 0; j < piece; ++j) {
        float factors[K];
        scanToken<hasRates>(place, decays, xs, keys, i * piece + j, rate, h,
                            factors);
      }
    }
    for (int i = pieces; i-- > 0;) {
      float before[piece][K], factors[piece][K];
#pragma unroll
      for (int k = 0; k < K; ++k)
        h[k] = states[(i * K + k) * scanThreads + threadIdx.x];
#pragma unroll
      for (int j = 0; j < piece; ++j) {
#pragma unroll
        for (int k = 0; k < K; ++k)
          before[j][k] = h[k];
        scanToken<hasRates>(place, decays, xs, keys, i * piece + j, rate, h,
                            factors[j]);
      }
      float gradients[2 * piece]; // of the inputs, then of the decays
      float *ofPiece = sums + i % buffers * scanWarps * sumsOfWarp;
#pragma unroll
      for (int j = piece - 1; j >= 0; --j) {
        const int t = i * piece + j;
        const float decay = decays[t * C + place.own];
        const float x = xs[t * C + place.own], dy = dys[t * C + place.own];
        const float input = hasRates ? x * decay : x;
        float dinput = 0, ddecay = 0, terms[2 * K], key[K], query[K];
        readNumbers(keys + t * padded + place.lane * K, key);
        readNumbers(queries + t * padded + place.lane * K, query);
#pragma unroll
        for (int k = 0; k < K; ++k) {
          const float behind =
              j + 1 < piece ? before[(j + 1) % piece][k] : h[k];
          const float dh = fmaf(query[k], dy, carry[k]);
          terms[k] = dh * input;
          terms[K + k] = dy * behind;
          dinput = fmaf(dh, key[k], dinput);
          carry[k] = dh * factors[j][k];
          if (hasRates) {
            const float exponent = carry[k] * before[j][k];
            ddecay = fmaf(exponent, rate[k], ddecay);
            rateSum[k] = fmaf(exponent, decay, rateSum[k]);
          } else {
            ddecay = fmaf(dh, before[j][k], ddecay);
          }
        }
        gradients[j] = hasRates ? dinput * decay : dinput;
        gradients[piece + j] =
            hasRates ? fmaf(dinput, x, ddecay * lnOf2) : ddecay;
        if (g.sums) {
          overChannels.add(terms);
          if (overChannels.isOwner)
#pragma unroll
            for (int n = 0; n < overChannels.left; ++n)
              ofPiece[threadIdx.x / 32 * sumsOfWarp + j * sumRow +
                      place.lane * 2 * K + overChannels.first + n] = terms[n];
        }
      }
      overLanes.add(gradients);
      // The channel's lanes have read these tokens.
      __syncwarp();
      if (overLanes.isOwner)
#pragma unroll
        for (int n = 0; n < overLanes.left; ++n) {
          const int value = overLanes.first + n;
          (value < piece
               ? dys
               : decays)[(i * piece + value % piece) * C + place.own] =
              gradients[n];
        }
      if (g.sums) {
        // With two buffers the next sums can be written while these are read.
        __syncthreads();
        for (int e = threadIdx.x; e < sumsOfWarp; e += scanThreads) {
          const int t = i * piece + e / sumRow;
          if (t >= tokens)
            break;
          float sum = 0;
#pragma unroll
          for (int w = 0; w < scanWarps; ++w)
            sum += ofPiece[w * sumsOfWarp + e];
          sumsTo[t * groups * sumRow + e % sumRow] = sum;
        }
        if (buffers == 1)
          __syncthreads();
      }
    }
    __syncthreads();
    storeChannels(g.dx, place, first, tokens, dys);
    storeChannels(g.ddecay, place, first, tokens, decays);
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (place.has(p, k)) {
      if (part == 0)
        g.carryOut[place.at(p, place.b, k)] = carry[k];
      if (g.rateSums)
        g.rateSums[place.at(p, rateSumsAt, k)] = rateSum[k];
    }
}

/// target[b, first + t, group * size + n] = sum over blocks of
/// sums[block][b][t][group][of n], for keys and for queries.
__global__ void __launch_bounds__(256)
    addScanSums(const float *sums, int64_t blocks, int64_t segment,
                unsigned tokens, unsigned groups,
                const __grid_constant__ ScanSumRow row, int size,
                const __grid_constant__ ScanRows dkeys,
                const __grid_constant__ ScanRows dqueries, int64_t first) {
  const unsigned columns = groups * row.size, b = blockIdx.y;
  const unsigned i = blockIdx.x * 256 + threadIdx.x;
  const int place = i % row.size, n = row.number(place);
  const ScanRows &target = row.isQuery(place) ? dqueries : dkeys;
  if (!target || n >= size || i >= tokens * columns)
    return;
  const int64_t step = gridDim.y * segment * columns;
  const float *source = sums + b * segment * columns + i;
  float sum = 0;
#pragma unroll 48
  for (int64_t block = 0; block < blocks; ++block)
    sum += source[block * step];
  const int64_t group = i % columns / row.size;
  target.x.set(target.index(b, first + i / columns, group * size + n), sum);
}

/// drates[i] = sum over parts and the batch of sums[b][i].
__global__ void __launch_bounds__(256)
    addScanRates(const float *sums, int64_t batch, int64_t count,
                 float *drates) {
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * 256) {
    float sum = 0;
    for (int64_t b = 0; b < batch; ++b)
      sum += sums[b * count + i];
    drates[i] = sum;
  }
}

int blocksFor(int64_t count) {
  return int(std::min<int64_t>(ceilDiv(count, 256), 1 << 16));
}

} // namespace

void cuda::scanGrad(LaunchContext &launch, const tert_site &,
                    const tert_tensor &dy, const tert_tensor &decay,
                    const tert_tensor &x, const tert_tensor &states,
                    const tert_tensor *rates, const tert_tensor *keys,
                    const tert_tensor *queries, const tert_tensor *dfinal,
                    const tert_tensor &ddecay, const tert_tensor &dx,
                    const tert_tensor *drates, const tert_tensor *dkeys,
                    const tert_tensor *dqueries, const tert_tensor &dinitial,
                    int64_t chunk) {
  const ScanShape shape(x, states, keys, chunk);
  if (shape.batch == 0 || shape.channels == 0) {
    if (drates)
      check(cudaMemsetAsync(drates->data, 0,
                            sizeof(float) * shape.channels * shape.size,
                            launch.stream),
            "cudaMemsetAsync");
    return;
  }
  withLanes(shape.size, rates, [&](auto lanes, auto numbers, auto hasRates) {
    constexpr int P = decltype(lanes)::value, K = decltype(numbers)::value;
    constexpr int C = ScanPlace<P, K>::channelsPerBlock, piece = scanPiece<K>;
    const ScanProblem problem =
        getProblem(shape, decay, x, rates, keys, queries, states, C);
    const int64_t pieces = ceilDiv(shape.chunk, piece);
    const int64_t bytes =
        int64_t(sizeof(float)) *
        (pieces * piece * (3 * C + 2 * P * K) + pieces * K * scanThreads +
         scanSumBuffers<P, K> * scanWarps * piece * 2 * P * K);
    if (bytes > launch.device.maxSharedBytes)
      throw Error(TERT_UNSUPPORTED,
                  "chunks of " + std::to_string(chunk) +
                      " tokens are too long for a state of " +
                      std::to_string(shape.size) +
                      " numbers on this GPU; use shorter ones");
    auto kernel = scanGradKernel<P, K, decltype(hasRates)::value>;
    check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               int(bytes)),
          "cudaFuncSetAttribute");
    ScanGradient gradient;
    gradient.dy = ScanRows(dy);
    gradient.ddecay = ScanRows(ddecay);
    gradient.dx = ScanRows(dx);
    gradient.carryIn = dataOf(dfinal);
    gradient.addsRates = false;
    // Partial sums are kept for as many chunks at a time as there is space for.
    int64_t segmentChunks = std::max<int64_t>(1, shape.chunks);
    const ScanSumRow row(P, K);
    const int64_t columns = shape.groups * row.size;
    if (dkeys || dqueries) {
      const int64_t perChunk = problem.groupBlocks * shape.batch * shape.chunk *
                               columns * int64_t(sizeof(float));
      segmentChunks =
          std::clamp<int64_t>(scanSumBytes / perChunk, 1, segmentChunks);
    }
    gradient.segment = segmentChunks * shape.chunk;
    gradient.sums = nullptr;
    if (dkeys || dqueries)
      gradient.sums = launch.scratch.take<float>(
          problem.groupBlocks * shape.batch * gradient.segment * columns);
    const int64_t blocks = shape.groups * problem.groupBlocks,
                  count = shape.channels * shape.size;
    ScanParts parts = getParts(launch, shape, segmentChunks,
                               scanGradEnoughBlocks / (blocks * shape.batch));
    const int64_t rateSums = parts.count * shape.batch;
    gradient.rateSums =
        drates ? launch.scratch.take<float>(rateSums * count) : nullptr;
    // No launch writes what it reads; the last one writes the result.
    float *carries[] = {dataOf(&dinitial), nullptr};
    if (segmentChunks < shape.chunks)
      carries[1] = launch.scratch.take<float>(shape.batch * count);
    int64_t end = shape.chunks;
    do {
      gradient.endChunk = end;
      gradient.firstChunk = std::max<int64_t>(0, end - segmentChunks);
      gradient.carryOut =
          carries[ceilDiv(gradient.firstChunk, segmentChunks) % 2];
      parts.count = std::max<int64_t>(
          1, ceilDiv(end - gradient.firstChunk, parts.chunks));
      const dim3 grid(unsigned(blocks), unsigned(shape.batch),
                      unsigned(parts.count));
      if (parts.count > 1) {
        scanCarryKernel<P, K, decltype(hasRates)::value>
            <<<dim3(grid.x, grid.y, grid.z - 1), scanThreads, 0,
               launch.stream>>>(problem, gradient, parts);
        checkLaunch("scan_grad");
      }
      kernel<<<grid, scanThreads, size_t(bytes), launch.stream>>>(
          problem, gradient, parts);
      checkLaunch("scan_grad");
      const int64_t first = gradient.firstChunk * shape.chunk;
      const int64_t tokens = std::min(end * shape.chunk, shape.tokens) - first;
      if (gradient.sums && tokens > 0) {
        addScanSums<<<dim3(unsigned(ceilDiv(tokens * columns, 256)),
                           unsigned(shape.batch)),
                      256, 0, launch.stream>>>(
            gradient.sums, problem.groupBlocks, gradient.segment,
            unsigned(tokens), unsigned(shape.groups), row, int(shape.size),
            ScanRows(dkeys), ScanRows(dqueries), first);
        checkLaunch("scan_grad");
      }
      gradient.carryIn = gradient.carryOut;
      gradient.addsRates = true;
      end = gradient.firstChunk;
    } while (end > 0);
    if (drates) {
      addScanRates<<<blocksFor(count), 256, 0, launch.stream>>>(
          gradient.rateSums, rateSums, count, dataOf(drates));
      checkLaunch("scan_grad");
    }
  });
}
