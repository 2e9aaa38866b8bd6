// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Causal depthwise convolutions. A thread has four channels, or one of rows
// that are not aligned, and goes through a run of tokens with the rows that a
// token depends on in registers.

#include "cuda/Ops.h"

#include "cuda/kernels/ActivationFunctions.cuh"
#include "cuda/kernels/ColumnSum.h"
#include "cuda/kernels/Vector.cuh"
#include "program/CausalConvShape.h"
#include "program/Contiguous.h"

#include <initializer_list>
#include <type_traits>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int convLanes = 32;
/// Tokens of a thread, warps of a block, and rows that a thread loads at a
/// time, while it computes those before.
constexpr int convRun = 32, convWarps = 4, convAhead = 4;
constexpr int convGradRun = 64, convGradWarps = 4, convGradAhead = 4;

/// [B,T,D] with an inner stride of 1.
template <typename T> struct ConvRows {
  T *data;
  int64_t batch, token;

  explicit ConvRows(const tert_tensor &tensor)
      : data(static_cast<T *>(tensor.data)), batch(strideOf(tensor, 0)),
        token(strideOf(tensor, 1)) {}
  /// Groups of `cols` channels start at multiples of their size.
  bool isAligned(int cols) const {
    return reinterpret_cast<uintptr_t>(data) % (cols * sizeof(T)) == 0 &&
           batch % cols == 0 && token % cols == 0;
  }
  __device__ T *at(int64_t b, int64_t t, int64_t col) const {
    return data + b * batch + t * token + col;
  }
};

/// Adjacent elements as they are stored, which are one access. They are taken
/// apart only where they are used, so that nothing waits for them before.
template <typename T, int cols> struct ConvRaw {
  static constexpr int bytes = cols * sizeof(T);
  using Word = std::conditional_t<
      bytes == 2, uint16_t,
      std::conditional_t<bytes == 4, uint32_t,
                         std::conditional_t<bytes == 8, uint2, uint4>>>;
  Word word;

  __device__ void load(const T *from) {
    word = *reinterpret_cast<const Word *>(from);
  }
  __device__ void store(T *to) const { *reinterpret_cast<Word *>(to) = word; }
  __device__ void get(float (&v)[cols]) const {
    uint32_t words[(bytes + 3) / 4] = {};
    memcpy(words, &word, bytes);
#pragma unroll
    for (int i = 0; i < cols; ++i)
      v[i] = __uint_as_float(sizeof(T) == 4 ? words[i]
                             : i % 2        ? words[i / 2] & 0xffff0000
                                            : words[i / 2] << 16);
  }
  __device__ void set(const float (&v)[cols]) {
    T elements[cols];
#pragma unroll
    for (int i = 0; i < cols; ++i)
      fromF32(v[i], elements[i]);
    memcpy(&word, elements, bytes);
  }
};

struct ConvProblem {
  const float *weight, *bias; ///< bias may be null
  int64_t batch, tokens, channels;
  int taps;
  bool silu;
  int64_t colBlocks, runBlocks;
};

/// What a thread has of a convolution of at most `most` taps, or, if `exact`,
/// of so many. Weights are aligned to the last tap: the first `skipped` are not
/// there.
template <int most, bool exact, int cols> struct ConvThread {
  static constexpr int before = most - 1; ///< rows that a token depends on
  int64_t b, col, first;
  int skipped;
  int start, end, tokens; ///< of the sequence and the run, from `first` on
  float weight[most][cols], bias[cols];

  __device__ ConvThread(const ConvProblem &p, int run, int warps)
      : skipped(most - p.taps) {
    int64_t block = blockIdx.x;
    col = (block % p.colBlocks * convLanes + threadIdx.x) * cols;
    block /= p.colBlocks;
    first = (block % p.runBlocks * warps + threadIdx.y) * run;
    b = block / p.runBlocks;
    start = -int(min(first, int64_t(before)));
    tokens = int(min(p.tokens - first, int64_t(run + before)));
    end = min(tokens, run);
    if (isIdle(p))
      return;
#pragma unroll
    for (int i = 0; i < cols; ++i)
      bias[i] = p.bias ? p.bias[col + i] : 0;
#pragma unroll
    for (int k = 0; k < most; ++k)
#pragma unroll
      for (int i = 0; i < cols; ++i)
        weight[k][i] =
            has(k) ? p.weight[(k - skipped) * p.channels + col + i] : 0;
  }
  __device__ bool has(int tap) const { return exact || tap >= skipped; }
  __device__ bool isIdle(const ConvProblem &p) const {
    return col >= p.channels || first >= p.tokens;
  }

  /// Rows from `token` on of those that there are, zeros for others; `from` is
  /// where the first of them is.
  template <int count, typename T>
  __device__ void load(const T *from, int64_t stride, int token,
                       ConvRaw<T, cols> (&raw)[count]) const {
#pragma unroll
    for (int j = 0; j < count; ++j) {
      raw[j] = {};
      if (token + j >= start && token + j < tokens)
        raw[j].load(from + j * stride);
    }
  }

  /// The sums of the token that the last of `rows` is.
  __device__ void sum(const float (*rows)[cols], float (&sums)[cols]) const {
#pragma unroll
    for (int i = 0; i < cols; ++i) {
      sums[i] = bias[i];
#pragma unroll
      for (int k = 0; k < most; ++k)
        if (has(k))
          sums[i] = fmaf(weight[k][i], rows[k][i], sums[i]);
    }
  }
  /// From the cotangents of a token's results to those of its sums, in place.
  __device__ void differentiate(const float (*rows)[cols], bool silu, int token,
                                float (&ds)[cols]) const {
    if (silu) {
      float sums[cols];
      sum(rows, sums);
#pragma unroll
      for (int i = 0; i < cols; ++i)
        ds[i] *= Silu::derivative(sums[i]);
    }
    // A row that is not there has no part, whatever its weights are.
#pragma unroll
    for (int i = 0; i < cols; ++i)
      ds[i] = token < tokens ? ds[i] : 0;
  }
};

template <int most, bool exact, int cols, typename T, typename U>
__global__ void __launch_bounds__(convLanes *convWarps)
    convKernel(const __grid_constant__ ConvProblem p,
               const __grid_constant__ ConvRows<T> x,
               const __grid_constant__ ConvRows<U> y) {
  const ConvThread<most, exact, cols> thread(p, convRun, convWarps);
  if (thread.isIdle(p))
    return;
  // The rows before, then those of the tokens at hand.
  constexpr int before = most - 1, ahead = convAhead;
  float rows[before + ahead][cols];
  ConvRaw<T, cols> raw[ahead];
  const T *from = x.at(thread.b, thread.first, thread.col);
  U *to = y.at(thread.b, thread.first, thread.col);
  {
    ConvRaw<T, cols> history[before];
    thread.load(from - before * x.token, x.token, -before, history);
    thread.load(from, x.token, 0, raw);
#pragma unroll
    for (int j = 0; j < before; ++j)
      history[j].get(rows[j]);
  }
  for (int t = 0; t < thread.end; t += ahead) {
#pragma unroll
    for (int j = 0; j < ahead; ++j)
      raw[j].get(rows[before + j]);
    from += ahead * x.token;
    thread.load(from, x.token, t + ahead, raw);
    float results[ahead][cols];
#pragma unroll
    for (int j = 0; j < ahead; ++j)
      thread.sum(rows + j, results[j]);
    // One branch, so that the functions of all of them overlap.
    if (p.silu)
#pragma unroll
      for (int j = 0; j < ahead; ++j)
#pragma unroll
        for (int i = 0; i < cols; ++i)
          results[j][i] = Silu::value(results[j][i]);
#pragma unroll
    for (int j = 0; j < ahead; ++j) {
      ConvRaw<U, cols> stored;
      stored.set(results[j]);
      if (t + j < thread.end)
        stored.store(to);
      to += y.token;
    }
#pragma unroll
    for (int j = 0; j < before; ++j)
#pragma unroll
      for (int i = 0; i < cols; ++i)
        rows[j][i] = rows[ahead + j][i];
  }
}

/// `partials`: sums of the weights [blocks, K, D] and behind them of the bias
/// [blocks, D], where blocks are those with the same channels.
template <int most, bool exact, int cols, typename T, typename U>
__global__ void __launch_bounds__(convLanes *convGradWarps)
    convGradKernel(const __grid_constant__ ConvProblem p,
                   const __grid_constant__ ConvRows<U> dy,
                   const __grid_constant__ ConvRows<T> x,
                   const __grid_constant__ ConvRows<T> dx, float *partials) {
  const ConvThread<most, exact, cols> thread(p, convGradRun, convGradWarps);
  constexpr int before = most - 1, ahead = convGradAhead;
  float sums[most + 1][cols] = {}; // of the weights, then of the bias
  if (!thread.isIdle(p)) {
    // Of the run's rows and of the tokens that read them, which are up to
    // `before` behind.
    float rows[before + ahead][cols], ds[before + ahead][cols];
    ConvRaw<T, cols> raw[ahead];
    ConvRaw<U, cols> cotangents[ahead];
    const T *fromX = x.at(thread.b, thread.first + before, thread.col);
    const U *fromDy = dy.at(thread.b, thread.first + before, thread.col);
    T *to = dx.at(thread.b, thread.first, thread.col);
    {
      ConvRaw<T, cols> rawHead[2 * before];
      ConvRaw<U, cols> cotangentsHead[before];
      thread.load(fromX - 2 * before * x.token, x.token, -before, rawHead);
      thread.load(fromDy - before * dy.token, dy.token, 0, cotangentsHead);
      thread.load(fromX, x.token, before, raw);
      thread.load(fromDy, dy.token, before, cotangents);
      float head[2 * before][cols];
#pragma unroll
      for (int j = 0; j < 2 * before; ++j)
        rawHead[j].get(head[j]);
#pragma unroll
      for (int j = 0; j < before; ++j) {
        cotangentsHead[j].get(ds[j]);
        thread.differentiate(head + j, p.silu, j, ds[j]);
#pragma unroll
        for (int i = 0; i < cols; ++i)
          rows[j][i] = head[before + j][i];
      }
    }
    for (int t = 0; t < thread.end; t += ahead) {
#pragma unroll
      for (int j = 0; j < ahead; ++j) {
        raw[j].get(rows[before + j]);
        cotangents[j].get(ds[before + j]);
      }
      fromX += ahead * x.token;
      fromDy += ahead * dy.token;
      thread.load(fromX, x.token, t + before + ahead, raw);
      thread.load(fromDy, dy.token, t + before + ahead, cotangents);
#pragma unroll
      for (int j = 0; j < ahead; ++j) {
        thread.differentiate(rows + j, p.silu, t + before + j, ds[before + j]);
        float result[cols];
#pragma unroll
        for (int i = 0; i < cols; ++i) {
          sums[most][i] += ds[j][i];
          result[i] = 0;
#pragma unroll
          for (int k = 0; k < most; ++k)
            if (thread.has(k)) {
              const float of = ds[j + before - k][i];
              sums[k][i] = fmaf(of, rows[j][i], sums[k][i]);
              result[i] = fmaf(thread.weight[k][i], of, result[i]);
            }
        }
        ConvRaw<T, cols> stored;
        stored.set(result);
        if (t + j < thread.end)
          stored.store(to);
        to += dx.token;
      }
#pragma unroll
      for (int j = 0; j < before; ++j)
#pragma unroll
        for (int i = 0; i < cols; ++i) {
          rows[j][i] = rows[ahead + j][i];
          ds[j][i] = ds[ahead + j][i];
        }
    }
  }
  // Over the runs of the block, then into the block's place.
  __shared__ float shared[convGradWarps][most + 1][convLanes * cols];
#pragma unroll
  for (int k = 0; k <= most; ++k)
#pragma unroll
    for (int i = 0; i < cols; ++i)
      shared[threadIdx.y][k][threadIdx.x * cols + i] = sums[k][i];
  __syncthreads();
  const int64_t places = p.batch * p.runBlocks,
                place = blockIdx.x / p.colBlocks;
  const int64_t firstCol = blockIdx.x % p.colBlocks * convLanes * cols;
  const int own = threadIdx.y * convLanes + threadIdx.x;
  for (int e = own; e < (p.taps + 1) * convLanes * cols;
       e += convLanes * convGradWarps) {
    const int k = e / (convLanes * cols), c = e % (convLanes * cols);
    if (firstCol + c >= p.channels)
      continue;
    const int64_t row =
        k < p.taps ? place * p.taps + k : places * p.taps + place;
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < convGradWarps; ++warp)
      sum += shared[warp][thread.skipped + k][c];
    partials[row * p.channels + firstCol + c] = sum;
  }
}

ConvProblem getProblem(const CausalConvShape &shape, const tert_tensor &weight,
                       const tert_tensor *bias, bool silu, int cols,
                       int tokens) {
  return {static_cast<const float *>(weight.data),
          bias ? static_cast<const float *>(bias->data) : nullptr,
          shape.batch,
          shape.tokens,
          shape.channels,
          int(shape.taps),
          silu,
          ceilDiv(shape.channels, int64_t(convLanes) * cols),
          ceilDiv(shape.tokens, int64_t(tokens))};
}

/// Calls fn with how many taps a kernel has at most, whether it has as many,
/// how many channels a thread has, and values of the types of two tensors.
template <typename Fn>
void withKernel(const CausalConvShape &shape,
                std::initializer_list<const tert_tensor *> rows,
                const tert_tensor &x, const tert_tensor &y, const Fn &fn) {
  using std::integral_constant;
  using Most = integral_constant<int, int(causalConvMostTaps)>;
  using Four = integral_constant<int, 4>;
  using One = integral_constant<int, 1>;
  using No = std::false_type;
  bool isAligned = shape.channels % 4 == 0;
  for (const tert_tensor *tensor : rows)
    withFloat(dtypeOf(*tensor), [&](auto element) {
      isAligned &= ConvRows<decltype(element)>(*tensor).isAligned(4);
    });
  withFloat(dtypeOf(x), [&](auto xElement) {
    withFloat(dtypeOf(y), [&](auto yElement) {
      if (!isAligned)
        fn(Most(), No(), One(), xElement, yElement);
      else if (shape.taps > 4)
        fn(Most(), No(), Four(), xElement, yElement);
      else if (shape.taps < 4)
        fn(Four(), No(), Four(), xElement, yElement);
      else
        fn(Four(), std::true_type(), Four(), xElement, yElement);
    });
  });
}

} // namespace

void cuda::causalConv(LaunchContext &launch, const tert_site &,
                      const tert_tensor &x, const tert_tensor &weight,
                      const tert_tensor *bias, const tert_tensor &y,
                      bool silu) {
  const CausalConvShape shape(x, weight);
  if (shape.batch * shape.tokens * shape.channels == 0)
    return;
  withKernel(
      shape, {&x, &y}, x, y,
      [&](auto most, auto exact, auto cols, auto xElement, auto yElement) {
        using T = decltype(xElement);
        using U = decltype(yElement);
        const ConvProblem problem =
            getProblem(shape, weight, bias, silu, cols, convRun * convWarps);
        const int64_t blocks =
            problem.colBlocks * problem.runBlocks * shape.batch;
        convKernel<decltype(most)::value, decltype(exact)::value,
                   decltype(cols)::value, T, U>
            <<<unsigned(blocks), dim3(convLanes, convWarps), 0,
               launch.stream>>>(problem, ConvRows<T>(x), ConvRows<U>(y));
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
  int64_t places = 0;
  float *sums = nullptr;
  withKernel(
      shape, {&dy, &x, &dx}, x, dy,
      [&](auto most, auto exact, auto cols, auto xElement, auto yElement) {
        using T = decltype(xElement);
        using U = decltype(yElement);
        const ConvProblem problem = getProblem(shape, weight, bias, silu, cols,
                                               convGradRun * convGradWarps);
        places = shape.batch * problem.runBlocks;
        sums = launch.scratch.take<float>((shape.taps + 1) * places *
                                          shape.channels);
        const int64_t blocks = places * problem.colBlocks;
        if (blocks > 0)
          convGradKernel<decltype(most)::value, decltype(exact)::value,
                         decltype(cols)::value, T, U>
              <<<unsigned(blocks), dim3(convLanes, convGradWarps), 0,
                 launch.stream>>>(problem, ConvRows<U>(dy), ConvRows<T>(x),
                                  ConvRows<T>(dx), sums);
      });
  checkLaunch("causal_conv_grad");
  const int64_t taps = shape.taps * shape.channels;
  const tert_layout layout = vectorLayout(TERT_F32, taps);
  const tert_tensor flat = {dweight.data, &layout};
  sumPartials(launch, sums, places, {&flat});
  if (dbias)
    sumPartials(launch, sums + places * taps, places, {dbias});
}
