// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gradients of scans: chunks from the last to the first, and in each of them
// the states once more.

#include "cuda/kernels/Scan.cuh"

#include <algorithm>
#include <utility>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int scanWarps = scanThreads / 32;
/// What the partial sums of keys and queries may take.
constexpr int64_t scanSumBytes = int64_t(16) << 20;

struct ScanGradient {
  ScanRows dy, ddecay, dx;
  const float *carryIn; ///< [B,D,N], or null for zeros
  float *carryOut;      ///< [B,D,N]
  float *rateSums;      ///< [B,D,N], or null
  bool addsRates;       ///< to what is there
  /// Sums of a block's channels, [groupBlocks][B][tokens of a segment][G*N]
  float *keySums, *querySums;
  int64_t firstChunk, endChunk; ///< of the segment
  int64_t segment;              ///< tokens that the sums have space for
};

/// to[t][c] of `cols` columns from `start` on, of which `valid` exist, for
/// `tokens` tokens, and zeros or ones for others up to `space`.
template <int cols>
__device__ inline void loadRows(const ScanRows &rows, int64_t start, int tokens,
                                int space, int64_t valid, float *to,
                                bool ones = false) {
  constexpr int atOnce = 8 * scanThreads / cols;
  for (int first = 0; first < space; first += atOnce) {
    ScanFetch<atOnce, cols> some;
    some.load(rows, start, first, tokens, int(valid), ones);
    some.store(rows, space - first, to + first * cols);
  }
}

/// Tokens whose states a thread of the backward kernel has in registers.
template <int K> constexpr int scanPiece = K > 4 ? 4 : 8;

/// Adds up `values` of the channels of a warp: P lanes each. Lanes divide the
/// sums among themselves; `put(i, sum)` gets each of them once.
template <int P, int count, typename Put>
__device__ inline void sumOverChannels(float (&values)[count], const Put &put) {
  const int lane = threadIdx.x % 32;
  int left = count, first = 0;
  bool isOwner = true;
#pragma unroll
  for (int o = 16; o >= P; o /= 2) {
    const bool isUpper = lane & o;
    if (left > 1) {
      left /= 2;
#pragma unroll
      for (int i = 0; i < count / 2; ++i)
        if (i < left) {
          const float sent = isUpper ? values[i] : values[i + left];
          const float kept = isUpper ? values[i + left] : values[i];
          values[i] = kept + __shfl_xor_sync(~0u, sent, o);
        }
      first += isUpper ? left : 0;
    } else {
      values[0] += __shfl_xor_sync(~0u, values[0], o);
      isOwner &= !isUpper;
    }
  }
  if (isOwner)
#pragma unroll
    for (int i = 0; i < count; ++i)
      if (i < left)
        put(first + i, values[i]);
}

/// Of the chunks of one segment, from the last to the first.
template <int P, int K, bool hasRates>
__global__ void __launch_bounds__(scanThreads, K > 4 ? 1 : 3)
    scanGradKernel(const __grid_constant__ ScanProblem p,
                   const __grid_constant__ ScanGradient g) {
  using Place = ScanPlace<P, K>;
  constexpr int C = Place::channelsPerBlock, padded = Place::padded;
  constexpr int piece = scanPiece<K>;
  const int pieces = int((p.chunk + piece - 1) / piece), space = pieces * piece;
  extern __shared__ __align__(16) float shared[];
  float *decays = shared, *xs = decays + space * C, *dys = xs + space * C;
  float *keys = dys + space * C, *queries = keys + space * padded;
  float *states = queries + space * padded;        // [pieces][K][threads]
  float *sums = states + pieces * K * scanThreads; // [warps][piece][2][padded]
  const Place place(p);
  const int warp = threadIdx.x / 32;
  float carry[K], rate[K], rateSum[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool has = place.has(p, k);
    const int64_t at = place.at(p, place.b, k);
    carry[k] = has && g.carryIn ? g.carryIn[at] : 0;
    rate[k] = has && hasRates ? p.rates[place.at(p, 0, k)] * log2OfE : 0;
    rateSum[k] = has && g.rateSums && g.addsRates ? g.rateSums[at] : 0;
  }
  for (int64_t chunk = g.endChunk; chunk-- > g.firstChunk;) {
    const int64_t first = chunk * p.chunk;
    const int tokens = int(min(p.chunk, p.tokens - first));
    // Padding changes nothing: its factors are 1, and all else is 0.
    // Of the chunk, in the sums of this block.
    const int64_t columns = gridDim.x / p.groupBlocks * p.size;
    const int64_t sumsAt =
        ((blockIdx.x % p.groupBlocks * gridDim.y + place.b) * g.segment +
         first - g.firstChunk * p.chunk) *
            columns +
        place.group * p.size;
    auto load = [&](const ScanRows &rows, float *to, bool ones = false) {
      loadRows<C>(rows, rows.index(place.b, first, place.firstChannel), tokens,
                  space, place.channels, to, ones);
    };
    load(p.decay, decays, /*ones=*/!hasRates);
    load(p.x, xs);
    load(g.dy, dys);
    auto loadNumbers = [&](const ScanRows &rows, float *to) {
      loadRows<padded>(rows, rows.index(place.b, first, place.group * p.size),
                       tokens, space, p.size, to);
    };
    loadNumbers(p.keys, keys);
    loadNumbers(p.queries, queries);
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
        const int t = i * piece + j;
        const float decay = decays[t * C + place.own];
        float input = xs[t * C + place.own];
        if (hasRates)
          input *= decay;
        float key[K];
        readNumbers(keys + t * padded + place.lane * K, key);
#pragma unroll
        for (int k = 0; k < K; ++k)
          h[k] = fmaf(factorOf<hasRates>(decay, rate[k]), h[k], input * key[k]);
      }
    }
    for (int i = pieces; i-- > 0;) {
      float before[piece][K], factors[piece][K];
#pragma unroll
      for (int k = 0; k < K; ++k)
        h[k] = states[(i * K + k) * scanThreads + threadIdx.x];
#pragma unroll
      for (int j = 0; j < piece; ++j) {
        const int t = i * piece + j;
        const float decay = decays[t * C + place.own];
        float input = xs[t * C + place.own];
        if (hasRates)
          input *= decay;
        float key[K];
        readNumbers(keys + t * padded + place.lane * K, key);
#pragma unroll
        for (int k = 0; k < K; ++k) {
          before[j][k] = h[k];
          factors[j][k] = factorOf<hasRates>(decay, rate[k]);
          h[k] = fmaf(factors[j][k], h[k], input * key[k]);
        }
      }
      float dinputs[piece], ddecays[piece];
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
        dinputs[j] = dinput;
        ddecays[j] = ddecay;
        if (g.keySums)
          sumOverChannels<P>(terms, [&](int term, float sum) {
            sums[((warp * piece + j) * 2 + term / K) * padded + place.lane * K +
                 term % K] = sum;
          });
      }
      // The channel's lanes have read these tokens.
      __syncwarp();
#pragma unroll
      for (int j = 0; j < piece; ++j) {
        const float dinput = sumOverLanes<P>(dinputs[j]);
        const float ddecay = sumOverLanes<P>(ddecays[j]);
        if (place.lane == 0) {
          const int at = (i * piece + j) * C + place.own;
          const float decay = decays[at];
          dys[at] = hasRates ? dinput * decay : dinput;
          decays[at] = hasRates ? fmaf(dinput, xs[at], ddecay * lnOf2) : ddecay;
        }
      }
      if (g.keySums) {
        __syncthreads();
        for (int e = threadIdx.x; e < piece * 2 * padded; e += scanThreads) {
          const int n = e % padded, isQuery = e / padded % 2;
          const int j = e / padded / 2, t = i * piece + j;
          if (t >= tokens || n >= p.size)
            continue;
          float sum = 0;
          for (int w = 0; w < scanWarps; ++w)
            sum += sums[((w * piece + j) * 2 + isQuery) * padded + n];
          (isQuery ? g.querySums : g.keySums)[sumsAt + t * columns + n] = sum;
        }
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
      const int64_t at = place.at(p, place.b, k);
      g.carryOut[at] = carry[k];
      if (g.rateSums)
        g.rateSums[at] = rateSum[k];
    }
}

/// target[b, first + t, c] = sum over blocks of sums[block][b][t][c].
__global__ void __launch_bounds__(256)
    addScanSums(const float *sums, int64_t blocks, int64_t batch,
                int64_t segment, int64_t tokens, int64_t columns,
                const __grid_constant__ ScanRows target, int64_t first) {
  const int64_t total = batch * tokens * columns;
  for (int64_t i = int64_t(blockIdx.x) * 256 + threadIdx.x; i < total;
       i += int64_t(gridDim.x) * 256) {
    const int64_t c = i % columns, t = i / columns % tokens,
                  b = i / columns / tokens;
    const float *source = sums + (b * segment + t) * columns + c;
    float sum = 0;
    for (int64_t block = 0; block < blocks; ++block)
      sum += source[block * batch * segment * columns];
    target.x.set(target.index(b, first + t, c), sum);
  }
}

/// drates[i] = sum over the batch of sums[b][i].
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
         scanWarps * piece * 2 * P * K);
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
    gradient.carryOut = dataOf(&dinitial);
    gradient.rateSums = drates ? launch.scratch.take<float>(
                                     shape.batch * shape.channels * shape.size)
                               : nullptr;
    gradient.addsRates = false;
    // Partial sums are kept for as many chunks at a time as there is space for.
    int64_t segmentChunks = shape.chunks;
    const int64_t columns = shape.groups * shape.size;
    if (dkeys || dqueries) {
      const int64_t perChunk = problem.groupBlocks * shape.batch * shape.chunk *
                               columns * 2 * int64_t(sizeof(float));
      segmentChunks = std::clamp<int64_t>(scanSumBytes / perChunk, 1,
                                          std::max<int64_t>(1, shape.chunks));
    }
    gradient.segment = segmentChunks * shape.chunk;
    gradient.keySums = gradient.querySums = nullptr;
    if (dkeys || dqueries) {
      const int64_t count =
          problem.groupBlocks * shape.batch * gradient.segment * columns;
      gradient.keySums = launch.scratch.take<float>(count);
      gradient.querySums = launch.scratch.take<float>(count);
    }
    const dim3 grid(unsigned(shape.groups * problem.groupBlocks),
                    unsigned(shape.batch));
    int64_t end = shape.chunks;
    do {
      gradient.endChunk = end;
      gradient.firstChunk = std::max<int64_t>(0, end - segmentChunks);
      kernel<<<grid, scanThreads, size_t(bytes), launch.stream>>>(problem,
                                                                  gradient);
      checkLaunch("scan_grad");
      const int64_t first = gradient.firstChunk * shape.chunk;
      const int64_t tokens = std::min(end * shape.chunk, shape.tokens) - first;
      for (auto [target, sums] : {std::pair(dkeys, gradient.keySums),
                                  std::pair(dqueries, gradient.querySums)})
        if (target && tokens > 0) {
          addScanSums<<<blocksFor(shape.batch * tokens * columns), 256, 0,
                        launch.stream>>>(sums, problem.groupBlocks, shape.batch,
                                         gradient.segment, tokens, columns,
                                         ScanRows(*target), first);
          checkLaunch("scan_grad");
        }
      gradient.carryIn = gradient.carryOut;
      gradient.addsRates = true;
      end = gradient.firstChunk;
    } while (end > 0);
    if (drates) {
      const int64_t count = shape.channels * shape.size;
      addScanRates<<<blocksFor(count), 256, 0, launch.stream>>>(
          gradient.rateSums, shape.batch, count, dataOf(drates));
      checkLaunch("scan_grad");
    }
  });
}
