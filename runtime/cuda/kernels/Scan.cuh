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

#include <type_traits>

namespace tert::cuda {

constexpr int scanThreads = 128;

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

/// A tile of [tokens][cols] on its way to shared memory, in registers as it is
/// in memory. Nothing waits between the loads: an index out of bounds reads the
/// last element instead of branching.
template <int tokens, int cols> class ScanFetch {
  static constexpr int count = (tokens * cols + scanThreads - 1) / scanThreads;
  unsigned bits[count];

  template <typename T>
  __device__ void loadAs(const T *data, int64_t token, int first, int rows,
                         int valid, unsigned padding) {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const int i = threadIdx.x + j * scanThreads;
      const int t = first + i / cols, c = i % cols;
      const unsigned read = data[min(t, rows - 1) * token + min(c, valid - 1)];
      bits[j] = t < rows && c < valid ? read : padding;
    }
  }

public:
  /// Rows from `first` on of the `rows`, at least one, that begin at `start`,
  /// and of `valid` columns; zeros or ones for others.
  __device__ void load(const ScanRows &source, int64_t start, int first,
                       int rows, int valid, bool ones = false) {
    if (source.x.isBf16)
      loadAs(static_cast<const uint16_t *>(source.x.data) + start, source.token,
             first, rows, valid, ones ? 0x3f80 : 0);
    else if (source)
      loadAs(static_cast<const unsigned *>(source.x.data) + start, source.token,
             first, rows, valid, ones ? 0x3f800000 : 0);
  }
  /// `space` tokens at most. Ones in place of a tensor that does not exist.
  __device__ void store(const ScanRows &source, int space, float *to) const {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const int i = threadIdx.x + j * scanThreads;
      if (i < min(space, tokens) * cols)
        to[i] = !source           ? 1.0f
                : source.x.isBf16 ? __uint_as_float(bits[j] << 16)
                                  : __uint_as_float(bits[j]);
    }
  }
};

template <int P, int K>
__device__ inline void
storeChannels(const ScanRows &rows, const ScanPlace<P, K> &place, int64_t first,
              int tokens, const float *from) {
  constexpr int C = ScanPlace<P, K>::channelsPerBlock;
  const int c = threadIdx.x % C;
  if (c >= place.channels)
    return;
  int64_t at =
      rows.index(place.b, first + threadIdx.x / C, place.firstChannel + c);
  for (int t = threadIdx.x / C; t < tokens; t += P, at += P * rows.token)
    rows.x.set(at, from[t * C + c]);
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
