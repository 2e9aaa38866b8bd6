// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans. Several lanes share the state of a channel, each with a few of its
// numbers in registers, and go from token to token.

#include "cuda/Ops.h"

#include "cuda/kernels/Vector.cuh"
#include "program/ScanShape.h"

#include <algorithm>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int scanThreads = 128;
constexpr int scanWarps = scanThreads / 32;
/// Tokens that the forward kernel loads at a time.
constexpr int scanTile = 16;
/// What the partial sums of keys and queries may take.
constexpr int64_t scanSumBytes = int64_t(16) << 20;

/// [B,T,C] with an inner stride of 1.
struct ScanRows {
  AnyFloat x;
  int64_t batch = 0, token = 0;

  ScanRows() = default;
  explicit ScanRows(const tert_tensor &tensor)
      : x{tensor.data, 0, false, dtypeOf(tensor) == TERT_BF16},
        batch(strideOf(tensor, 0)), token(strideOf(tensor, 1)) {}
  explicit ScanRows(const tert_tensor *tensor)
      : ScanRows(tensor ? ScanRows(*tensor) : ScanRows()) {}
  __host__ __device__ explicit operator bool() const { return bool(x); }
  __device__ int64_t index(int64_t b, int64_t t, int64_t col) const {
    return b * batch + t * token + col;
  }
};

struct ScanProblem {
  ScanRows decay, x, keys, queries; // the last two may be null
  const float *rates;               // or null
  float *states;                    // [B, chunks, D, N]
  int64_t tokens, channels, groupChannels, groupBlocks;
  int64_t size, chunk, chunks;
};

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

/// The numbers of a thread and the channels of a block, for `P` lanes a channel.
template <int P, int K> struct ScanPlace {
  static constexpr int channelsPerBlock = scanThreads / P;
  static constexpr int padded = P * K; // numbers

  int64_t b, group, firstChannel, channel;
  int64_t channels; ///< of the block
  int own, lane;    ///< of the thread: channel in the block, lane of it

  __device__ explicit ScanPlace(const ScanProblem &p) {
    const int64_t block = blockIdx.x % p.groupBlocks;
    b = blockIdx.y;
    group = blockIdx.x / p.groupBlocks;
    firstChannel = group * p.groupChannels + block * channelsPerBlock;
    channels = min(int64_t(channelsPerBlock),
                   p.groupChannels - block * channelsPerBlock);
    own = threadIdx.x / P;
    lane = threadIdx.x % P;
    channel = firstChannel + own;
  }
  __device__ bool has(const ScanProblem &p, int k) const {
    return own < channels && lane * K + k < p.size;
  }
  /// Of [.., D, N], where the outer dimensions have index `outer`.
  __device__ int64_t at(const ScanProblem &p, int64_t outer, int k) const {
    return (outer * p.channels + channel) * p.size + lane * K + k;
  }
};

/// 2^x, with zero for results below the smallest normal number.
__device__ inline float exp2Flushed(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
constexpr float log2OfE = 1.44269504f;

/// The factor of a state's number; `rate` is in powers of 2.
template <bool hasRates> __device__ inline float factorOf(float decay, float rate) {
  return hasRates ? exp2Flushed(decay * rate) : decay;
}

/// to[t][c] of the block's channels for `tokens` tokens from `first` on, and
/// `padding` for others up to `space`.
template <int P, int K>
__device__ inline void loadChannels(const ScanRows &rows,
                                    const ScanPlace<P, K> &place, int64_t first,
                                    int tokens, int space, float padding,
                                    float *to) {
  constexpr int C = ScanPlace<P, K>::channelsPerBlock;
  for (int i = threadIdx.x; i < space * C; i += scanThreads) {
    const int t = i / C, c = i % C;
    to[i] = t < tokens && c < place.channels
                ? rows.x.at(rows.index(place.b, first + t, place.firstChannel + c))
                : padding;
  }
}

/// to[t][n] of the group's numbers; 1 without a tensor, 0 for others.
template <int P, int K>
__device__ inline void loadNumbers(const ScanRows &rows, const ScanProblem &p,
                                   const ScanPlace<P, K> &place, int64_t first,
                                   int tokens, int space, float *to) {
  constexpr int padded = ScanPlace<P, K>::padded;
  for (int i = threadIdx.x; i < space * padded; i += scanThreads) {
    const int t = i / padded, n = i % padded;
    float value = 0;
    if (t < tokens && n < p.size)
      value = rows ? rows.x.at(rows.index(place.b, first + t,
                                          place.group * p.size + n))
                   : 1.0f;
    to[i] = value;
  }
}

template <int P, int K>
__device__ inline void storeChannels(const ScanRows &rows,
                                     const ScanPlace<P, K> &place,
                                     int64_t first, int tokens,
                                     const float *from) {
  constexpr int C = ScanPlace<P, K>::channelsPerBlock;
  for (int i = threadIdx.x; i < tokens * C; i += scanThreads)
    if (i % C < place.channels)
      rows.x.set(rows.index(place.b, first + i / C, place.firstChannel + i % C),
                 from[i]);
}

/// A thread's numbers of one token.
template <int K>
__device__ inline void readNumbers(const float *from, float (&numbers)[K]) {
  if constexpr (K % 4 == 0) {
#pragma unroll
    for (int k = 0; k < K; k += 4) {
      const float4 four = *reinterpret_cast<const float4 *>(from + k);
      numbers[k] = four.x;
      numbers[k + 1] = four.y;
      numbers[k + 2] = four.z;
      numbers[k + 3] = four.w;
    }
  } else {
#pragma unroll
    for (int k = 0; k < K; ++k)
      numbers[k] = from[k];
  }
}

/// The sum over the lanes of a channel, in all of them.
template <int P> __device__ inline float sumOverLanes(float value) {
#pragma unroll
  for (int o = 1; o < P; o *= 2)
    value += __shfl_xor_sync(~0u, value, o);
  return value;
}

template <int P, int K, bool hasRates>
__global__ void __launch_bounds__(scanThreads)
    scanKernel(const __grid_constant__ ScanProblem p, const float *initial,
               const __grid_constant__ ScanRows y, float *final) {
  using Place = ScanPlace<P, K>;
  constexpr int C = Place::channelsPerBlock, padded = Place::padded;
  extern __shared__ __align__(16) float shared[];
  float *decays = shared, *xs = decays + scanTile * C, *ys = xs + scanTile * C;
  float *keys = ys + scanTile * C, *queries = keys + scanTile * padded;
  const Place place(p);
  float h[K], rate[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool has = place.has(p, k);
    h[k] = has && initial ? initial[place.at(p, place.b, k)] : 0;
    rate[k] = has && hasRates ? p.rates[place.at(p, 0, k)] * log2OfE : 0;
  }
  int64_t untilState = 0, chunk = 0;
  for (int64_t first = 0; first < p.tokens; first += scanTile) {
    const int tokens = int(min(int64_t(scanTile), p.tokens - first));
    loadChannels(p.decay, place, first, tokens, tokens, 0, decays);
    loadChannels(p.x, place, first, tokens, tokens, 0, xs);
    loadNumbers(p.keys, p, place, first, tokens, tokens, keys);
    loadNumbers(p.queries, p, place, first, tokens, tokens, queries);
    __syncthreads();
    for (int t = 0; t < tokens; ++t) {
      if (untilState == 0) {
#pragma unroll
        for (int k = 0; k < K; ++k)
          if (place.has(p, k))
            p.states[place.at(p, place.b * p.chunks + chunk, k)] = h[k];
        untilState = p.chunk;
        ++chunk;
      }
      --untilState;
      const float decay = decays[t * C + place.own];
      float input = xs[t * C + place.own], sum = 0;
      if (hasRates)
        input *= decay;
      float key[K], query[K];
      readNumbers(keys + t * padded + place.lane * K, key);
      readNumbers(queries + t * padded + place.lane * K, query);
#pragma unroll
      for (int k = 0; k < K; ++k) {
        h[k] = fmaf(factorOf<hasRates>(decay, rate[k]), h[k], input * key[k]);
        sum = fmaf(h[k], query[k], sum);
      }
      sum = sumOverLanes<P>(sum);
      if (place.lane == 0)
        ys[t * C + place.own] = sum;
    }
    __syncthreads();
    storeChannels(y, place, first, tokens, ys);
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < K; ++k)
    if (place.has(p, k))
      final[place.at(p, place.b, k)] = h[k];
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
__global__ void __launch_bounds__(scanThreads)
    scanGradKernel(const __grid_constant__ ScanProblem p,
                   const __grid_constant__ ScanGradient g) {
  using Place = ScanPlace<P, K>;
  constexpr int C = Place::channelsPerBlock, padded = Place::padded;
  constexpr int piece = scanPiece<K>;
  const int pieces = int((p.chunk + piece - 1) / piece), space = pieces * piece;
  extern __shared__ __align__(16) float shared[];
  float *decays = shared, *xs = decays + space * C, *dys = xs + space * C;
  float *keys = dys + space * C, *queries = keys + space * padded;
  float *states = queries + space * padded; // [pieces][K][threads]
  float *sums = states + pieces * K * scanThreads; // [warps][piece][2][padded]
  const Place place(p);
  const int warp = threadIdx.x / 32;
  float carry[K], rate[K], rateSum[K];
#pragma unroll
  for (int k = 0; k < K; ++k) {
    const bool has = place.has(p, k);
    const int64_t at = place.at(p, place.b, k);
    carry[k] = has && g.carryIn ? g.carryIn[at] : 0;
    rate[k] = has && hasRates ? p.rates[place.at(p, 0, k)] : 0;
    rateSum[k] = has && g.rateSums && g.addsRates ? g.rateSums[at] : 0;
  }
  for (int64_t chunk = g.endChunk; chunk-- > g.firstChunk;) {
    const int64_t first = chunk * p.chunk;
    const int tokens = int(min(p.chunk, p.tokens - first));
    // Padding changes nothing: its factors are 1, and all else is 0.
    loadChannels(p.decay, place, first, tokens, space, hasRates ? 0.0f : 1.0f,
                 decays);
    loadChannels(p.x, place, first, tokens, space, 0, xs);
    loadChannels(g.dy, place, first, tokens, space, 0, dys);
    loadNumbers(p.keys, p, place, first, tokens, space, keys);
    loadNumbers(p.queries, p, place, first, tokens, space, queries);
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
          h[k] = fmaf(factorOf<hasRates>(decay, rate[k] * log2OfE), h[k],
                      input * key[k]);
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
          factors[j][k] = factorOf<hasRates>(decay, rate[k] * log2OfE);
          h[k] = fmaf(factors[j][k], h[k], input * key[k]);
        }
      }
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
          const float behind = j + 1 < piece ? before[(j + 1) % piece][k] : h[k];
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
        dinput = sumOverLanes<P>(dinput);
        ddecay = sumOverLanes<P>(ddecay);
        if (g.keySums)
          sumOverChannels<P>(terms, [&](int term, float sum) {
            sums[((warp * piece + j) * 2 + term / K) * padded +
                 place.lane * K + term % K] = sum;
          });
        // The channel's lanes have read this token.
        __syncwarp();
        if (place.lane == 0) {
          dys[t * C + place.own] = hasRates ? dinput * decay : dinput;
          decays[t * C + place.own] =
              hasRates ? fmaf(dinput, x, ddecay) : ddecay;
        }
      }
      if (g.keySums) {
        __syncthreads();
        const int64_t block = blockIdx.x % p.groupBlocks;
        const int64_t columns = gridDim.x / p.groupBlocks * p.size;
        for (int e = threadIdx.x; e < piece * 2 * padded; e += scanThreads) {
          const int n = e % padded, isQuery = e / padded % 2;
          const int j = e / padded / 2, t = i * piece + j;
          if (t >= tokens || n >= p.size)
            continue;
          float sum = 0;
          for (int w = 0; w < scanWarps; ++w)
            sum += sums[((w * piece + j) * 2 + isQuery) * padded + n];
          const int64_t token = first - g.firstChunk * p.chunk + t;
          (isQuery ? g.querySums
                   : g.keySums)[((block * gridDim.y + place.b) * g.segment +
                                 token) *
                                    columns +
                                place.group * p.size + n] = sum;
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

/// Calls fn with the lanes of a channel and the numbers of a lane.
template <typename Fn> void withLanes(int64_t size, const Fn &fn) {
  auto call = [&](auto lanes, auto numbers) { fn(lanes, numbers); };
  using Four = std::integral_constant<int, 4>;
  if (size == 1)
    call(std::integral_constant<int, 1>(), std::integral_constant<int, 1>());
  else if (size <= 4)
    call(std::integral_constant<int, 1>(), Four());
  else if (size <= 8)
    call(std::integral_constant<int, 2>(), Four());
  else if (size <= 16)
    call(std::integral_constant<int, 4>(), Four());
  else if (size <= 32)
    call(std::integral_constant<int, 8>(), Four());
  else if (size <= 64)
    call(std::integral_constant<int, 16>(), Four());
  else if (size <= 128)
    call(std::integral_constant<int, 32>(), Four());
  else if (size <= 256)
    call(std::integral_constant<int, 32>(), std::integral_constant<int, 8>());
  else
    throw Error(TERT_UNSUPPORTED,
                "a scan's state has " + std::to_string(size) +
                    " numbers for each channel, but at most 256 are supported "
                    "on GPUs");
}

ScanProblem getProblem(const ScanShape &shape, const tert_tensor &decay,
                       const tert_tensor &x, const tert_tensor *rates,
                       const tert_tensor *keys, const tert_tensor *queries,
                       const tert_tensor &states, int channelsPerBlock) {
  return {ScanRows(decay),
          ScanRows(x),
          ScanRows(keys),
          ScanRows(queries),
          rates ? static_cast<const float *>(rates->data) : nullptr,
          static_cast<float *>(states.data),
          shape.tokens,
          shape.channels,
          shape.groupChannels(),
          ceilDiv(shape.groupChannels(), channelsPerBlock),
          shape.size,
          shape.chunk,
          shape.chunks};
}

float *dataOf(const tert_tensor *tensor) {
  return tensor ? static_cast<float *>(tensor->data) : nullptr;
}

int blocksFor(int64_t count) {
  return int(std::min<int64_t>(ceilDiv(count, 256), 1 << 16));
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
  withLanes(shape.size, [&](auto lanes, auto numbers) {
    constexpr int P = decltype(lanes)::value, K = decltype(numbers)::value;
    constexpr int C = ScanPlace<P, K>::channelsPerBlock;
    const ScanProblem problem =
        getProblem(shape, decay, x, rates, keys, queries, states, C);
    constexpr size_t bytes = sizeof(float) * scanTile * (3 * C + 2 * P * K);
    const dim3 grid(unsigned(shape.groups * problem.groupBlocks),
                    unsigned(shape.batch));
    auto kernel = rates ? scanKernel<P, K, true> : scanKernel<P, K, false>;
    kernel<<<grid, scanThreads, bytes, launch.stream>>>(
        problem, dataOf(initial), ScanRows(y), dataOf(&final));
    checkLaunch("scan");
  });
}

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
  withLanes(shape.size, [&](auto lanes, auto numbers) {
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
    auto kernel =
        rates ? scanGradKernel<P, K, true> : scanGradKernel<P, K, false>;
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
    gradient.rateSums =
        drates ? launch.scratch.take<float>(shape.batch * shape.channels *
                                            shape.size)
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
                        launch.stream>>>(
              sums, problem.groupBlocks, shape.batch, gradient.segment, tokens,
              columns, ScanRows(*target), first);
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
