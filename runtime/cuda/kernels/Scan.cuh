// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernels of scans share. Several lanes share the state of a channel,
// each with a few of its numbers in registers, and go from token to token.

#ifndef TERT_CUDA_KERNELS_SCAN_CUH
#define TERT_CUDA_KERNELS_SCAN_CUH

#include "cuda/Ops.h"

#include "cuda/kernels/Exp2.cuh"
#include "cuda/kernels/Vector.cuh"
#include "program/ScanShape.h"

#include <algorithm>
#include <cfloat>
#include <type_traits>

namespace tert::cuda {

constexpr int scanThreads = 128;

/// Tokens that are loaded at a time.
template <int P, int K> constexpr int scanTile = P == 1 || P * K > 128 ? 8 : 16;

/// [B,T,C] with an inner stride of 1.
struct ScanRows {
  AnyFloat x; ///< aligned for groups of four
  int64_t batch = 0, token = 0;

  ScanRows() = default;
  explicit ScanRows(const tert_tensor &tensor)
      : x{tensor.data, 0, false, dtypeOf(tensor) == TERT_BF16},
        batch(strideOf(tensor, 0)), token(strideOf(tensor, 1)) {
    x.aligned = reinterpret_cast<uintptr_t>(tensor.data) %
                        (4 * bytesOf(tensor.layout->dtype)) ==
                    0 &&
                batch % 4 == 0 && token % 4 == 0;
  }
  explicit ScanRows(const tert_tensor *tensor)
      : ScanRows(tensor ? ScanRows(*tensor) : ScanRows()) {}
  __host__ __device__ explicit operator bool() const { return bool(x); }
  __device__ int64_t index(int64_t b, int64_t t, int64_t col) const {
    return b * batch + t * token + col;
  }
  /// The `count` elements of rows that begin at `start` are whole groups.
  __device__ bool hasFours(int64_t start, int64_t count) const {
    return x.aligned && start % 4 == 0 && count % 4 == 0;
  }
};

struct ScanProblem {
  ScanRows decay, x, keys, queries; // the last two may be null
  const float *rates;               // or null
  float *states;                    // [B, chunks, D, N]
  int64_t tokens, channels, groupChannels, groupBlocks;
  int64_t size, chunk, chunks;
};

/// The numbers of a thread and the channels of a block, for `P` lanes a
/// channel.
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

/// The factor of a state's number; `rate` is in powers of 2.
template <bool hasRates>
__device__ inline float factorOf(float decay, float rate) {
  return hasRates ? exp2Flushed(decay * rate) : decay;
}

/// Chunks that different blocks take at the same time, in parts. What each does
/// to a state, or backward to a carry, is linear, and is computed before.
struct ScanParts {
  int64_t count, chunks; ///< of each
  /// [count - 1, B, D, N], without the part that no other one waits for: the
  /// product of its factors, and what it makes of zeros.
  float *factors, *states;

  template <int P, int K>
  __device__ void apply(const ScanProblem &p, const ScanPlace<P, K> &place,
                        int64_t part, float (&h)[K]) const {
#pragma unroll
    for (int k = 0; k < K; ++k)
      if (place.has(p, k)) {
        const int64_t at = place.at(p, part * gridDim.y + place.b, k);
        h[k] = fmaf(factors[at], h[k], states[at]);
      }
  }
  /// `product`: of the decays, or with rates their sum.
  template <bool hasRates, int P, int K>
  __device__ void set(const ScanProblem &p, const ScanPlace<P, K> &place,
                      int64_t part, float product, const float (&rate)[K],
                      const float (&h)[K]) const {
#pragma unroll
    for (int k = 0; k < K; ++k)
      if (place.has(p, k)) {
        const int64_t at = place.at(p, part * gridDim.y + place.b, k);
        // Finite: a state of zero stays zero. NaNs are in the state, too.
        const float factor = factorOf<hasRates>(product, rate[k]);
        factors[at] = fminf(fmaxf(factor, -FLT_MAX), FLT_MAX);
        states[at] = h[k];
      }
  }
};

/// At most `wanted` parts of `chunks` chunks.
inline ScanParts getParts(LaunchContext &launch, const ScanShape &shape,
                          int64_t chunks, int64_t wanted) {
  constexpr int64_t most = 32;
  chunks = std::max<int64_t>(chunks, 1);
  wanted = std::clamp<int64_t>(wanted, 1, std::min(chunks, most));
  ScanParts parts = {};
  parts.chunks = ceilDiv(chunks, wanted);
  parts.count = ceilDiv(chunks, parts.chunks);
  const int64_t states =
      (parts.count - 1) * shape.batch * shape.channels * shape.size;
  if (states > 0) {
    parts.factors = launch.scratch.take<float>(states);
    parts.states = launch.scratch.take<float>(states);
  }
  return parts;
}

/// A tile of [tokens][cols] on its way to shared memory, in registers as it is
/// in memory: nothing waits for it before it is stored.
template <int tokens, int cols> class ScanFetch {
  /// Adjacent elements of a thread; those of bf16 are two to a word.
  static constexpr int group = cols % 4 == 0 ? 4 : 1, perRow = cols / group;
  static constexpr int groups = tokens * perRow;
  static constexpr int count = (groups + scanThreads - 1) / scanThreads;
  unsigned words[count][4];

  /// A group at any place, of which `valid` elements exist.
  __device__ static void loadElements(const AnyFloat &x, int64_t at, int valid,
                                      unsigned (&to)[4]) {
#pragma unroll
    for (int k = 0; k < group; ++k) {
      if (k >= valid)
        break;
      if (!x.isBf16) {
        to[k] = static_cast<const unsigned *>(x.data)[at + k];
        continue;
      }
      const unsigned half = static_cast<const uint16_t *>(x.data)[at + k];
      to[k / 2] = k % 2 ? (to[k / 2] & 0xffff) | half << 16
                        : (to[k / 2] & 0xffff0000) | half;
    }
  }

public:
  /// Rows from `first` on of the `rows` that begin at `start`, and of `valid`
  /// columns; zeros or ones for others.
  __device__ void load(const ScanRows &source, int64_t start, int first,
                       int rows, int valid, bool ones = false) {
    if (!source)
      return;
    const bool fours = group == 4 && source.hasFours(start, valid);
    const bool isBf16 = source.x.isBf16;
    const unsigned padding = !ones ? 0 : isBf16 ? 0x3f803f80 : 0x3f800000;
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const int i = threadIdx.x + j * scanThreads;
      const int t = first + i / perRow, c = i % perRow * group;
#pragma unroll
      for (int k = 0; k < 4; ++k)
        words[j][k] = padding;
      if ((groups % scanThreads != 0 && i >= groups) || t >= rows || c >= valid)
        continue;
      const int64_t at = start + t * source.token + c;
      if (!fours) {
        loadElements(source.x, at, valid - c, words[j]);
        continue;
      }
      const uint2 *from = reinterpret_cast<const uint2 *>(
          static_cast<const char *>(source.x.data) + at * (isBf16 ? 2 : 4));
      const uint2 two = from[0];
      words[j][0] = two.x;
      words[j][1] = two.y;
      if (!isBf16) {
        const uint2 others = from[1];
        words[j][2] = others.x;
        words[j][3] = others.y;
      }
    }
  }
  /// Of the channels, or the numbers, of a block, in rows from the token
  /// `start` on.
  template <int P, int K>
  __device__ void loadChannels(const ScanRows &source,
                               const ScanPlace<P, K> &place, int64_t start,
                               int first, int rows, bool ones = false) {
    load(source, source.index(place.b, start, place.firstChannel), first, rows,
         int(place.channels), ones);
  }
  template <int P, int K>
  __device__ void loadNumbers(const ScanRows &source, const ScanProblem &p,
                              const ScanPlace<P, K> &place, int64_t start,
                              int first, int rows) {
    load(source, source.index(place.b, start, place.group * p.size), first,
         rows, int(p.size));
  }
  /// `space` tokens at most. Ones in place of a tensor that does not exist.
  __device__ void store(const ScanRows &source, int space, float *to) const {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const int i = threadIdx.x + j * scanThreads;
      if (i >= min(space, tokens) * perRow)
        continue;
      float values[4];
#pragma unroll
      for (int k = 0; k < group; ++k) {
        values[k] = !source            ? 1.0f
                    : !source.x.isBf16 ? __uint_as_float(words[j][k])
                    : k % 2 ? __uint_as_float(words[j][k / 2] & 0xffff0000)
                            : __uint_as_float(words[j][k / 2] << 16);
      }
      if constexpr (group == 4)
        *reinterpret_cast<float4 *>(to + i * 4) =
            make_float4(values[0], values[1], values[2], values[3]);
      else
        to[i] = values[0];
    }
  }
};

/// From a tile [tokens][channels of the block].
template <int P, int K>
__device__ inline void
storeChannels(const ScanRows &rows, const ScanPlace<P, K> &place, int64_t first,
              int tokens, const float *from) {
  constexpr int C = ScanPlace<P, K>::channelsPerBlock, perRow = C / 4;
  static_assert(C % 4 == 0);
  const int64_t start = rows.index(place.b, first, place.firstChannel);
  const bool fours = rows.hasFours(start, place.channels);
  for (int i = threadIdx.x; i < tokens * perRow; i += scanThreads) {
    const int t = i / perRow, c = i % perRow * 4;
    const int64_t at = start + t * rows.token + c;
    const float4 v = reinterpret_cast<const float4 *>(from)[i];
    const float values[4] = {v.x, v.y, v.z, v.w};
    if (!fours) {
      for (int k = 0; k < 4; ++k)
        if (c + k < place.channels)
          rows.x.set(at + k, values[k]);
    } else if (c < place.channels) {
      if (rows.x.isBf16) {
        Bf16 narrow[4];
#pragma unroll
        for (int k = 0; k < 4; ++k)
          fromF32(values[k], narrow[k]);
        uint2 two;
        memcpy(&two, narrow, sizeof(two));
        *reinterpret_cast<uint2 *>(static_cast<Bf16 *>(rows.x.data) + at) = two;
      } else {
        *reinterpret_cast<float4 *>(static_cast<float *>(rows.x.data) + at) = v;
      }
    }
  }
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

/// The next state from the token at `t` of a tile, and the factors of it.
template <bool hasRates, int P, int K>
__device__ inline void
scanToken(const ScanPlace<P, K> &place, const float *decays, const float *xs,
          const float *keys, int t, const float (&rate)[K], float (&h)[K],
          float (&factors)[K]) {
  constexpr int C = ScanPlace<P, K>::channelsPerBlock;
  const float decay = decays[t * C + place.own];
  float input = xs[t * C + place.own];
  if (hasRates)
    input *= decay;
  float key[K];
  readNumbers(keys + t * place.padded + place.lane * K, key);
#pragma unroll
  for (int k = 0; k < K; ++k) {
    factors[k] = factorOf<hasRates>(decay, rate[k]);
    h[k] = fmaf(factors[k], h[k], input * key[k]);
  }
}

/// Sums of `count` values over the lanes whose numbers differ in bits `high` to
/// `low`, which divide them among themselves.
template <int high, int low, int count> struct LaneSums {
  static constexpr int lanes = high < low ? 1 : 2 * high / low;
  static constexpr int left = count > lanes ? count / lanes : 1;
  int first = 0; ///< of the values whose sums the lane has
  bool isOwner = true;

  __device__ LaneSums() {
    int some = count;
#pragma unroll
    for (int o = high; o >= low; o /= 2) {
      const bool isUpper = threadIdx.x & o;
      some /= 2;
      if (some > 0)
        first += isUpper ? some : 0;
      else
        isOwner &= !isUpper;
    }
  }
  /// values[i] is the sum of values[first + i] then, for i < left.
  __device__ static void add(float (&values)[count]) {
    int some = count;
#pragma unroll
    for (int o = high; o >= low; o /= 2) {
      const bool isUpper = threadIdx.x & o;
      if (some > 1) {
        some /= 2;
#pragma unroll
        for (int i = 0; i < count / 2; ++i)
          if (i < some) {
            const float sent = isUpper ? values[i] : values[i + some];
            const float kept = isUpper ? values[i + some] : values[i];
            values[i] = kept + __shfl_xor_sync(~0u, sent, o);
          }
      } else {
        values[0] += __shfl_xor_sync(~0u, values[0], o);
      }
    }
  }
};

/// Calls fn with the lanes of a channel, the numbers of a lane, and whether
/// there are rates. Sizes between these are rare and lose some lanes.
template <typename Fn>
void withLanes(int64_t size, bool hasRates, const Fn &fn) {
  auto call = [&](auto lanes, auto numbers) {
    hasRates ? fn(lanes, numbers, std::true_type())
             : fn(lanes, numbers, std::false_type());
  };
  using std::integral_constant;
  using Four = integral_constant<int, 4>;
  if (size == 1 && !hasRates)
    fn(integral_constant<int, 1>(), integral_constant<int, 1>(),
       std::false_type());
  else if (size <= 16)
    call(Four(), Four());
  else if (size <= 64)
    call(integral_constant<int, 16>(), Four());
  else if (size <= 128)
    call(integral_constant<int, 32>(), Four());
  else if (size <= 256)
    call(integral_constant<int, 32>(), integral_constant<int, 8>());
  else
    throw Error(TERT_UNSUPPORTED,
                "a scan's state has " + std::to_string(size) +
                    " numbers for each channel, but at most 256 are supported "
                    "on GPUs");
}

inline ScanProblem getProblem(const ScanShape &shape, const tert_tensor &decay,
                              const tert_tensor &x, const tert_tensor *rates,
                              const tert_tensor *keys,
                              const tert_tensor *queries,
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

inline float *dataOf(const tert_tensor *tensor) {
  return tensor ? static_cast<float *>(tensor->data) : nullptr;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_SCAN_CUH
