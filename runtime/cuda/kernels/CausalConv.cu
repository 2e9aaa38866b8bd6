// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal depthwise convolutions. A thread has four channels and goes through a
// run of tokens with the rows that a token depends on in registers.

#include "cuda/Ops.h"

#include "cuda/kernels/ActivationFunctions.cuh"
#include "cuda/kernels/ColumnSum.h"
#include "cuda/kernels/Vector.cuh"
#include "program/CausalConvShape.h"
#include "program/Contiguous.h"

#include <type_traits>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int convCols = 4, convLanes = 32;
/// Tokens of a thread and runs of a block.
constexpr int convRun = 16, convRuns = 4;
constexpr int convGradRun = 32, convGradRuns = 8;
/// Rows that are loaded before the first of them is used.
constexpr int convAhead = 4;

/// [B,T,D] with an inner stride of 1.
template <typename T> struct ConvRows {
  T *data;
  int64_t batch, token;
  /// Groups of four at multiples of four allow vector accesses.
  bool aligned;

  explicit ConvRows(const tert_tensor &tensor)
      : data(static_cast<T *>(tensor.data)), batch(strideOf(tensor, 0)),
        token(strideOf(tensor, 1)),
        aligned(reinterpret_cast<uintptr_t>(data) % (4 * sizeof(T)) == 0 &&
                batch % 4 == 0 && token % 4 == 0) {}

  __device__ T *at(int64_t b, int64_t t, int64_t col) const {
    return data + b * batch + t * token + col;
  }
};

/// Four elements as they are stored; the first `valid`, then zeros.
template <typename T> struct Raw4 {
  T elements[4];

  __device__ void load(const T *p, int valid, bool aligned) {
    using Word = std::conditional_t<sizeof(T) == 2, uint2, uint4>;
    if (aligned && valid == 4) {
      const Word word = *reinterpret_cast<const Word *>(p);
      memcpy(elements, &word, sizeof(word));
      return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      fromF32(0.0f, elements[i]);
      if (i < valid)
        elements[i] = p[i];
    }
  }
  __device__ void store(T *p, int valid, bool aligned) const {
    using Word = std::conditional_t<sizeof(T) == 2, uint2, uint4>;
    if (aligned && valid == 4) {
      Word word;
      memcpy(&word, elements, sizeof(word));
      *reinterpret_cast<Word *>(p) = word;
      return;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (i < valid)
        p[i] = elements[i];
  }
  __device__ void get(float (&v)[4]) const {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      v[i] = toF32(elements[i]);
  }
  __device__ void set(const float (&v)[4]) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      fromF32(v[i], elements[i]);
  }
};

struct ConvProblem {
  const float *weight, *bias; ///< bias may be null
  int64_t batch, tokens, channels;
  int taps;
  bool silu;
  int64_t colBlocks, runBlocks;
};

/// What a thread has of a convolution of at most `most` taps. Weights are
/// aligned to the last tap: the first `skipped` are not there.
template <int most> struct ConvThread {
  int64_t b, col, first;
  int valid, skipped;
  float weight[most][4], bias[4];

  __device__ ConvThread(const ConvProblem &p, int run, int runs)
      : skipped(most - p.taps) {
    int64_t block = blockIdx.x;
    col = (block % p.colBlocks * convLanes + threadIdx.x) * convCols;
    block /= p.colBlocks;
    first = (block % p.runBlocks * runs + threadIdx.y) * run;
    b = block / p.runBlocks;
    valid = int(min(int64_t(convCols), max(int64_t(0), p.channels - col)));
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      bias[i] = p.bias && i < valid ? p.bias[col + i] : 0;
#pragma unroll
      for (int k = 0; k < most; ++k)
        weight[k][i] = k >= skipped && i < valid
                           ? p.weight[(k - skipped) * p.channels + col + i]
                           : 0;
    }
  }
  __device__ bool isIdle(const ConvProblem &p) const {
    return valid == 0 || first >= p.tokens;
  }

  /// Rows [token, token + count) of those that there are, zeros for others.
  template <int count, typename T>
  __device__ void load(const ConvRows<T> &rows, int64_t tokens, int64_t token,
                       Raw4<T> (&raw)[count]) const {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      const int64_t t = token + j;
      raw[j].load(rows.at(b, min(max(t, int64_t(0)), tokens - 1), col), valid,
                  rows.aligned);
      if (t < 0 || t >= tokens)
        raw[j].set({0, 0, 0, 0});
    }
  }

  /// The sum of the token that the last of `rows` is.
  __device__ float sum(const float (*rows)[4], int i) const {
    float result = bias[i];
#pragma unroll
    for (int k = 0; k < most; ++k)
      if (k >= skipped)
        result = fmaf(weight[k][i], rows[k][i], result);
    return result;
  }
};

template <int most, typename T, typename U>
__global__ void __launch_bounds__(convLanes *convRuns)
    convKernel(const __grid_constant__ ConvProblem p,
               const __grid_constant__ ConvRows<T> x,
               const __grid_constant__ ConvRows<U> y) {
  const ConvThread<most> thread(p, convRun, convRuns);
  if (thread.isIdle(p))
    return;
  // The rows before, then those of the tokens at hand.
  constexpr int before = most - 1;
  float rows[before + convAhead][4];
  {
    Raw4<T> raw[before];
    thread.load(x, p.tokens, thread.first - before, raw);
#pragma unroll
    for (int j = 0; j < before; ++j)
      raw[j].get(rows[j]);
  }
  const int64_t end = min(p.tokens, thread.first + convRun);
  for (int64_t t = thread.first; t < end; t += convAhead) {
    Raw4<T> raw[convAhead];
    thread.load(x, p.tokens, t, raw);
#pragma unroll
    for (int j = 0; j < convAhead; ++j) {
      raw[j].get(rows[before + j]);
      float result[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        result[i] = thread.sum(rows + j, i);
        if (p.silu)
          result[i] = Silu::value(result[i]);
      }
      Raw4<U> stored;
      stored.set(result);
      if (t + j < end)
        stored.store(y.at(thread.b, t + j, thread.col), thread.valid,
                     y.aligned);
    }
#pragma unroll
    for (int j = 0; j < before; ++j)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        rows[j][i] = rows[convAhead + j][i];
  }
}

/// `sums`: of the weights [blocks, K, D] and behind them of the bias
/// [blocks, D], where blocks are those with the same channels.
template <int most, typename T, typename U>
__global__ void __launch_bounds__(convLanes *convGradRuns)
    convGradKernel(const __grid_constant__ ConvProblem p,
                   const __grid_constant__ ConvRows<U> dy,
                   const __grid_constant__ ConvRows<T> x,
                   const __grid_constant__ ConvRows<T> dx, float *sums) {
  const ConvThread<most> thread(p, convGradRun, convGradRuns);
  constexpr int before = most - 1;
  float weightSums[most][4] = {}, biasSums[4] = {};
  if (!thread.isIdle(p)) {
    float rows[before + convAhead][4], ds[before + convAhead][4] = {};
    {
      Raw4<T> raw[before];
      thread.load(x, p.tokens, thread.first - before, raw);
#pragma unroll
      for (int j = 0; j < before; ++j)
        raw[j].get(rows[j]);
    }
    const int64_t end = min(p.tokens, thread.first + convGradRun);
    // Tokens behind the run, too, which read rows of it.
    for (int64_t t = thread.first; t < end + before; t += convAhead) {
      Raw4<T> raw[convAhead];
      Raw4<U> cotangents[convAhead];
      thread.load(x, p.tokens, t, raw);
      thread.load(dy, p.tokens, t, cotangents);
#pragma unroll
      for (int j = 0; j < convAhead; ++j) {
        raw[j].get(rows[before + j]);
        cotangents[j].get(ds[before + j]);
        const bool isOwn = t + j < end;
        float result[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          float &now = ds[before + j][i];
          if (p.silu)
            now *= Silu::derivative(thread.sum(rows + j, i));
          // A row that is not there has no part, whatever its weights are.
          if (t + j >= p.tokens)
            now = 0;
          const float own = isOwn ? now : 0;
          biasSums[i] += own;
          result[i] = 0;
#pragma unroll
          for (int k = 0; k < most; ++k)
            if (k >= thread.skipped) {
              weightSums[k][i] = fmaf(own, rows[j + k][i], weightSums[k][i]);
              result[i] =
                  fmaf(thread.weight[k][i], ds[j + before - k][i], result[i]);
            }
        }
        const int64_t from = t + j - before;
        Raw4<T> stored;
        stored.set(result);
        if (from >= thread.first && from < end)
          stored.store(dx.at(thread.b, from, thread.col), thread.valid,
                       dx.aligned);
      }
#pragma unroll
      for (int j = 0; j < before; ++j)
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          rows[j][i] = rows[convAhead + j][i];
          ds[j][i] = ds[convAhead + j][i];
        }
    }
  }
  // Over the runs of the block, then into the block's place.
  __shared__ float shared[convGradRuns][convLanes][convCols];
  const int64_t places = p.batch * p.runBlocks,
                place = blockIdx.x / p.colBlocks;
#pragma unroll
  for (int k = 0; k <= most; ++k) {
    if (k < most ? k < thread.skipped : !p.bias)
      continue;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      shared[threadIdx.y][threadIdx.x][i] =
          k < most ? weightSums[k < most ? k : 0][i] : biasSums[i];
    __syncthreads();
    if (threadIdx.y == 0) {
      float *target =
          k < most ? sums + (place * p.taps + k - thread.skipped) * p.channels
                   : sums + (places * p.taps + place) * p.channels;
      for (int i = 0; i < thread.valid; ++i) {
        float sum = 0;
#pragma unroll
        for (int y = 0; y < convGradRuns; ++y)
          sum += shared[y][threadIdx.x][i];
        target[thread.col + i] = sum;
      }
    }
    __syncthreads();
  }
}

ConvProblem getProblem(const CausalConvShape &shape, const tert_tensor &weight,
                       const tert_tensor *bias, bool silu, int tokens) {
  return {static_cast<const float *>(weight.data),
          bias ? static_cast<const float *>(bias->data) : nullptr,
          shape.batch,
          shape.tokens,
          shape.channels,
          int(shape.taps),
          silu,
          ceilDiv(shape.channels, int64_t(convLanes) * convCols),
          ceilDiv(shape.tokens, int64_t(tokens))};
}

/// Calls fn with how many taps a kernel has at most, and values of the types of
/// two tensors.
template <typename Fn>
void withKernel(int64_t taps, const tert_tensor &x, const tert_tensor &y,
                const Fn &fn) {
  withFloat(dtypeOf(x), [&](auto xElement) {
    withFloat(dtypeOf(y), [&](auto yElement) {
      if (taps <= 4)
        fn(std::integral_constant<int, 4>(), xElement, yElement);
      else
        fn(std::integral_constant<int, int(causalConvMostTaps)>(), xElement,
           yElement);
    });
  });
}

} // namespace

void cuda::causalConv(LaunchContext &launch, const tert_site &,
                      const tert_tensor &x, const tert_tensor &weight,
                      const tert_tensor *bias, const tert_tensor &y,
                      bool silu) {
  const CausalConvShape shape(x, weight);
  const ConvProblem problem =
      getProblem(shape, weight, bias, silu, convRun * convRuns);
  const int64_t blocks = problem.colBlocks * problem.runBlocks * shape.batch;
  if (blocks == 0)
    return;
  withKernel(shape.taps, x, y, [&](auto most, auto xElement, auto yElement) {
    using T = decltype(xElement);
    using U = decltype(yElement);
    convKernel<decltype(most)::value, T, U>
        <<<unsigned(blocks), dim3(convLanes, convRuns), 0, launch.stream>>>(
            problem, ConvRows<T>(x), ConvRows<U>(y));
  });
  checkLaunch("causal_conv");
}

void cuda::causalConvGrad(LaunchContext &launch, const tert_site &,
                          const tert_tensor &dy, const tert_tensor &x,
                          const tert_tensor &weight, const tert_tensor *bias,
                          const tert_tensor &dx, const tert_tensor &dweight,
                          const tert_tensor *dbias, bool silu) {
  if (dtypeOf(dx) != dtypeOf(x))
    throw Error(TERT_UNSUPPORTED,
                "'dx' and 'x' of causal_conv_grad have different types");
  const CausalConvShape shape(x, weight);
  const ConvProblem problem =
      getProblem(shape, weight, bias, silu, convGradRun * convGradRuns);
  const int64_t places = shape.batch * problem.runBlocks,
                taps = shape.taps * shape.channels;
  float *sums = launch.scratch.take<float>(places * (taps + shape.channels));
  if (places * problem.colBlocks > 0) {
    withKernel(shape.taps, x, dy, [&](auto most, auto xElement, auto yElement) {
      using T = decltype(xElement);
      using U = decltype(yElement);
      convGradKernel<decltype(most)::value, T, U>
          <<<unsigned(places * problem.colBlocks),
             dim3(convLanes, convGradRuns), 0, launch.stream>>>(
              problem, ConvRows<U>(dy), ConvRows<T>(x), ConvRows<T>(dx), sums);
    });
    checkLaunch("causal_conv_grad");
  }
  const tert_layout layout = vectorLayout(TERT_F32, taps);
  const tert_tensor flat = {dweight.data, &layout};
  sumPartials(launch, sums, places, {&flat});
  if (dbias)
    sumPartials(launch, sums + places * taps, places, {dbias});
}
