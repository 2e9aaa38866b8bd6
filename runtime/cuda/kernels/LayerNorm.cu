// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/LayerNorm.h"

#include "cuda/kernels/Tile.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// Rows up to this many elements are a warp's work, longer ones a block's.
constexpr int64_t longestWarpRow = 2048;
constexpr int rowThreads = 256;

/// Sum over the `threads` threads (a warp or the block) that share a row.
template <int threads>
__device__ inline float rowSum(float value, float *shared) {
  if constexpr (threads == 32)
    return warpReduce(value, Sum());
  else
    return blockReduce(value, Sum(), shared);
}

/// Mean and 1/deviation, in two passes: the second finds the row in the cache.
template <typename T, int threads>
__global__ void __launch_bounds__(rowThreads)
    statisticsKernel(View<T> x, int64_t rows, int64_t cols, float eps,
                     float *means, float *rstds) {
  __shared__ float shared[rowThreads / 32];
  constexpr int rowsPerBlock = rowThreads / threads;
  const int lane = threadIdx.x % threads;
  for (int64_t row = int64_t(blockIdx.x) * rowsPerBlock + threadIdx.x / threads;
       row < rows; row += int64_t(gridDim.x) * rowsPerBlock) {
    float sum = 0;
#pragma unroll 4
    for (int64_t col = lane * 8; col < cols; col += threads * 8) {
      float v[8];
      load8(x.at(row, col), int(min(int64_t(8), cols - col)), x.aligned, v);
      sum += ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
    }
    const float mean = rowSum<threads>(sum, shared) / float(cols);
    float squares = 0;
#pragma unroll 4
    for (int64_t col = lane * 8; col < cols; col += threads * 8) {
      float v[8];
      const int valid = int(min(int64_t(8), cols - col));
      load8(x.at(row, col), valid, x.aligned, v);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        float difference = k < valid ? v[k] - mean : 0.0f;
        squares = fmaf(difference, difference, squares);
      }
    }
    const float variance = rowSum<threads>(squares, shared) / float(cols);
    if (lane == 0) {
      means[row] = mean;
      rstds[row] = 1.0f / sqrtf(variance + eps);
    }
  }
}

__device__ inline void loadGamma(const AnyFloat &gamma, float offset,
                                 int64_t col, int valid, float (&v)[8]) {
  gamma.load(0, col, valid, v);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    v[k] += offset;
}

/// (x - mean) * rstd * gamma + beta
template <typename T> struct Normalize {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 4;
  using Raw = Raw8<T>;

  View<T> x;
  bool aligned;
  const float *mean, *rstd;
  AnyFloat gamma, beta;
  float gammaOffset; // 1 when gamma is stored centred on zero

  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.load(x.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, int64_t row, int64_t col, int valid,
                          float (&v)[8], float (&)[1][8]) const {
    float g[8], b[8];
    raw.get(v);
    loadGamma(gamma, gammaOffset, col, valid, g);
    beta.load(0, col, valid, b);
    const float center = mean[row], factor = rstd[row];
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = fmaf(__fmul_rn(v[k] - center, factor), g[k], b[k]);
  }
};

/// The two means over a row that dx needs. With h = (x - mean) * rstd and
/// g = dy * gamma: mean(g) and mean(g * h).
template <typename T, typename U, int threads>
__global__ void __launch_bounds__(rowThreads)
    gradStatisticsKernel(View<T> dy, View<U> x, AnyFloat gamma,
                         float gammaOffset, const float *mean,
                         const float *rstd, int64_t rows, int64_t cols,
                         float2 *results) {
  __shared__ float shared[rowThreads / 32];
  constexpr int rowsPerBlock = rowThreads / threads;
  const int lane = threadIdx.x % threads;
  for (int64_t row = int64_t(blockIdx.x) * rowsPerBlock + threadIdx.x / threads;
       row < rows; row += int64_t(gridDim.x) * rowsPerBlock) {
    const float center = mean[row], factor = rstd[row];
    float sumG = 0, sumGH = 0;
#pragma unroll 2
    for (int64_t col = lane * 8; col < cols; col += threads * 8) {
      float dyV[8], xV[8], g[8];
      const int valid = int(min(int64_t(8), cols - col));
      load8(dy.at(row, col), valid, dy.aligned, dyV);
      load8(x.at(row, col), valid, x.aligned, xV);
      loadGamma(gamma, gammaOffset, col, valid, g);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        // dy is zero behind the row, and so is what it contributes.
        float product = dyV[k] * g[k];
        float h = k < valid ? (xV[k] - center) * factor : 0.0f;
        sumG += product;
        sumGH = fmaf(product, h, sumGH);
      }
    }
    sumG = rowSum<threads>(sumG, shared);
    sumGH = rowSum<threads>(sumGH, shared);
    if (lane == 0)
      results[row] = make_float2(sumG / float(cols), sumGH / float(cols));
  }
}

/// dx = rstd * (g - mean(g) - h * mean(g * h)) + residual; dy * h and dy are
/// the terms of dgamma and dbeta.
template <typename T, typename U> struct NormalizeGrad {
  static constexpr int numSums = 2;
  static constexpr int rowsInFlight = 2;
  struct Raw {
    Raw8<T> dy;
    Raw8<U> x;
  };

  View<T> dy;
  View<U> x;
  bool aligned;
  AnyFloat residual;
  const float *mean, *rstd;
  const float2 *rowMeans;
  AnyFloat gamma;
  float gammaOffset;

  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.dy.load(dy.at(row, col), valid, whole);
    raw.x.load(x.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, int64_t row, int64_t col, int valid,
                          float (&v)[8], float (&sums)[2][8]) const {
    float xV[8], g[8], r[8] = {};
    raw.dy.get(sums[1]);
    raw.x.get(xV);
    loadGamma(gamma, gammaOffset, col, valid, g);
    if (residual)
      residual.load(row, col, valid, r);
    const float center = mean[row], factor = rstd[row];
    const float2 means = rowMeans[row];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float h = (xV[k] - center) * factor;
      sums[0][k] = sums[1][k] * h;
      v[k] = fmaf(-h, means.y, sums[1][k] * g[k] - means.x) * factor + r[k];
    }
  }
};

/// Calls fn with the number of threads that share a row, as a constant, and the
/// number of blocks.
template <typename Fn>
void withRowThreads(const LaunchContext &launch, int64_t rows, int64_t cols,
                    const Fn &fn) {
  auto blocks = [&](int64_t rowsPerBlock) {
    return unsigned(std::clamp<int64_t>(ceilDiv(rows, rowsPerBlock), 1,
                                        32 * launch.device.multiprocessors));
  };
  if (cols <= longestWarpRow)
    fn(std::integral_constant<int, 32>(), blocks(rowThreads / 32));
  else
    fn(std::integral_constant<int, rowThreads>(), blocks(1));
}

} // namespace

void cuda::layerNorm(LaunchContext &launch, const tert_site &,
                     const tert_tensor &x, const tert_tensor &gamma,
                     const tert_tensor &beta, const tert_tensor *scale,
                     const tert_tensor *y, const tert_tensor &mean,
                     const tert_tensor &rstd, const tert_tensor *rowwise,
                     const tert_tensor *columnwise, const tert_tensor *amax,
                     float eps, bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  float *means = static_cast<float *>(mean.data);
  float *rstds = static_cast<float *>(rstd.data);
  withFloat(dtypeOf(x), [&](auto element) {
    using T = decltype(element);
    View<T> view = viewOf<T>(x);
    if (rows > 0)
      withRowThreads(launch, rows, cols, [&](auto threads, unsigned blocks) {
        statisticsKernel<T, decltype(threads)::value>
            <<<blocks, rowThreads, 0, launch.stream>>>(view, rows, cols, eps,
                                                       means, rstds);
        checkLaunch("layer norm statistics kernel");
      });
    if (!y && !rowwise && !columnwise && !amax)
      return;
    launchTiles(launch, "layer norm kernel",
                Normalize<T>{view, view.aligned, means, rstds, anyFloat(gamma),
                             anyFloat(beta), zeroCentered ? 1.0f : 0.0f},
                tileOutputs(rows, cols, y, scale, rowwise, columnwise, amax));
  });
}

void cuda::layerNormGrad(LaunchContext &launch, const tert_site &,
                         const tert_tensor &dy, const tert_tensor &x,
                         const tert_tensor &gamma, const tert_tensor &mean,
                         const tert_tensor &rstd, const tert_tensor *residual,
                         const tert_tensor &dx, const tert_tensor &dgamma,
                         const tert_tensor &dbeta, bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  const float *means = static_cast<const float *>(mean.data);
  const float *rstds = static_cast<const float *>(rstd.data);
  const float gammaOffset = zeroCentered ? 1.0f : 0.0f;
  float2 *rowMeans = launch.scratch.take<float2>(rows);
  withFloat(dtypeOf(dy), [&](auto dyElement) {
    withFloat(dtypeOf(x), [&](auto xElement) {
      using T = decltype(dyElement);
      using U = decltype(xElement);
      View<T> dyView = viewOf<T>(dy);
      View<U> xView = viewOf<U>(x);
      if (rows > 0)
        withRowThreads(launch, rows, cols, [&](auto threads, unsigned blocks) {
          gradStatisticsKernel<T, U, decltype(threads)::value>
              <<<blocks, rowThreads, 0, launch.stream>>>(
                  dyView, xView, anyFloat(gamma), gammaOffset, means, rstds,
                  rows, cols, rowMeans);
          checkLaunch("layer norm gradient statistics kernel");
        });
      launchTiles(
          launch, "layer norm gradient kernel",
          NormalizeGrad<T, U>{dyView, xView, dyView.aligned && xView.aligned,
                              anyFloat(residual), means, rstds, rowMeans,
                              anyFloat(gamma), gammaOffset},
          tileOutputs(rows, cols, &dx, nullptr, nullptr, nullptr, nullptr),
          {&dgamma, &dbeta});
    });
  });
}
