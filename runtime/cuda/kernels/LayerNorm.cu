// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Normalize.cuh"
#include "cuda/kernels/RowStrips.cuh"
#include "cuda/kernels/Tile.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// Mean and 1/deviation in two passes. The second reads the row from registers
/// if it is one piece, otherwise from the cache.
template <typename T, int threads>
__global__ void __launch_bounds__(rowThreads)
    statisticsKernel(View<T> x, int64_t rows, int64_t cols, float eps,
                     float *means, float *rstds) {
  __shared__ float shared[rowThreads / 32];
  using Piece = RowPiece<T, threads>;
  constexpr int rowsPerBlock = rowThreads / threads;
  for (int64_t row = int64_t(blockIdx.x) * rowsPerBlock + threadIdx.x / threads;
       row < rows; row += int64_t(gridDim.x) * rowsPerBlock) {
    Piece piece;
    float sum = 0;
    for (int64_t begin = 0; begin < cols; begin += Piece::length) {
      piece.load(x, row, begin, cols);
#pragma unroll
      for (int i = 0; i < groupsInFlight; ++i) {
        float v[8];
        piece.groups[i].get(v);
        sum +=
            ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
      }
    }
    const float mean = rowSum<threads>(sum, shared) / float(cols);
    float squares = 0;
    for (int64_t begin = 0; begin < cols; begin += Piece::length) {
      if (cols > Piece::length)
        piece.load(x, row, begin, cols);
#pragma unroll
      for (int i = 0; i < groupsInFlight; ++i) {
        const int valid = Piece::validAt(Piece::column(begin, i), cols);
        float v[8];
        piece.groups[i].get(v);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          float difference = k < valid ? v[k] - mean : 0.0f;
          squares = fmaf(difference, difference, squares);
        }
      }
    }
    const float variance = rowSum<threads>(squares, shared) / float(cols);
    if (threadIdx.x % threads == 0) {
      means[row] = mean;
      rstds[row] = 1.0f / sqrtf(variance + eps);
    }
  }
}

/// (x - mean) * rstd * gamma + beta
template <typename T> struct Normalize {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 4;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 6;
  struct Raw {
    Raw8<T> x;
    float mean, rstd;
  };
  struct Column {
    float gamma[8], beta[8];
  };

  View<T> x;
  bool aligned;
  const float *mean, *rstd;
  AnyFloat gamma, beta;
  float gammaOffset; // 1 if gamma is stored zero-centered

  __device__ Column column(int64_t col, int valid) const {
    Column result;
    loadGamma(gamma, gammaOffset, col, valid, result.gamma);
    beta.load(0, col, valid, result.beta);
    return result;
  }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.x.load(x.at(row, col), valid, whole);
    raw.mean = valid > 0 ? mean[row] : 0.0f;
    raw.rstd = valid > 0 ? rstd[row] : 0.0f;
    return raw;
  }
  __device__ void compute(const Raw &raw, const Column &column, int64_t,
                          int64_t, int, float (&v)[8], float (&)[1][8]) const {
    raw.x.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = fmaf(__fmul_rn(v[k] - raw.mean, raw.rstd), column.gamma[k],
                  column.beta[k]);
  }
};

/// The two row means that dx requires: with h = (x - mean) * rstd and
/// g = dy * gamma, mean(g) and mean(g * h).
template <typename T, typename U, int threads>
__global__ void __launch_bounds__(rowThreads)
    gradStatisticsKernel(View<T> dy, View<U> x, AnyFloat gamma,
                         float gammaOffset, const float *mean,
                         const float *rstd, int64_t rows, int64_t cols,
                         float2 *results) {
  __shared__ float shared[rowThreads / 32];
  constexpr int rowsPerBlock = rowThreads / threads;
  for (int64_t row = int64_t(blockIdx.x) * rowsPerBlock + threadIdx.x / threads;
       row < rows; row += int64_t(gridDim.x) * rowsPerBlock) {
    const float center = mean[row], factor = rstd[row];
    float sumG = 0, sumGH = 0;
    for (int64_t begin = 0; begin < cols;
         begin += RowPiece<T, threads>::length) {
      RowPiece<T, threads> dyPiece;
      RowPiece<U, threads> xPiece;
      dyPiece.load(dy, row, begin, cols);
      xPiece.load(x, row, begin, cols);
#pragma unroll
      for (int i = 0; i < groupsInFlight; ++i) {
        const int64_t col = dyPiece.column(begin, i);
        const int valid = dyPiece.validAt(col, cols);
        float dyV[8], xV[8], g[8];
        dyPiece.groups[i].get(dyV);
        xPiece.groups[i].get(xV);
        loadGamma(gamma, gammaOffset, col, valid, g);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          // dy is zero beyond the row, and so is its contribution.
          float product = dyV[k] * g[k];
          float h = k < valid ? (xV[k] - center) * factor : 0.0f;
          sumG += product;
          sumGH = fmaf(product, h, sumGH);
        }
      }
    }
    sumG = rowSum<threads>(sumG, shared);
    sumGH = rowSum<threads>(sumGH, shared);
    if (threadIdx.x % threads == 0)
      results[row] = make_float2(sumG / float(cols), sumGH / float(cols));
  }
}

/// dx = rstd * (g - mean(g) - h * mean(g * h)) + residual; dy * h, dy and dx
/// are the terms of dgamma, dbeta and dbias.
template <typename T, typename U> struct NormalizeGrad {
  static constexpr int numSums = 3;
  static constexpr int rowsInFlight = 2;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 4;
  struct Raw {
    Raw8<T> dy;
    Raw8<U> x;
    RawAny8 residual;
    float mean, rstd;
    float2 means;
  };
  struct Column {
    float gamma[8];
  };

  View<T> dy;
  View<U> x;
  AnyFloat residual;
  bool aligned;
  const float *mean, *rstd;
  const float2 *rowMeans;
  AnyFloat gamma;
  float gammaOffset;

  __device__ Column column(int64_t col, int valid) const {
    Column result;
    loadGamma(gamma, gammaOffset, col, valid, result.gamma);
    return result;
  }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.dy.load(dy.at(row, col), valid, whole);
    raw.x.load(x.at(row, col), valid, whole);
    if (residual)
      raw.residual.load(residual, row, col, valid, whole);
    raw.mean = valid > 0 ? mean[row] : 0.0f;
    raw.rstd = valid > 0 ? rstd[row] : 0.0f;
    raw.means = valid > 0 ? rowMeans[row] : float2();
    return raw;
  }
  __device__ void compute(const Raw &raw, const Column &column, int64_t,
                          int64_t, int, float (&v)[8],
                          float (&sums)[3][8]) const {
    float xV[8], r[8] = {};
    raw.dy.get(sums[1]);
    raw.x.get(xV);
    if (residual)
      raw.residual.get(residual.isBf16, r);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float h = (xV[k] - raw.mean) * raw.rstd;
      sums[0][k] = sums[1][k] * h;
      v[k] = fmaf(-h, raw.means.y,
                  __fmul_rn(sums[1][k], column.gamma[k]) - raw.means.x) *
                 raw.rstd +
             r[k];
      sums[2][k] = v[k];
    }
  }
};

//===----------------------------------------------------------------------===//
// Rows that are read once
//===----------------------------------------------------------------------===//

template <typename Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::minBlocks)
    normStripsKernel(View<Bf16> x, AnyFloat gamma, AnyFloat beta,
                     float gammaOffset, float eps, float *means, float *rstds,
                     const __grid_constant__ TileOutputs outputs,
                     uint32_t *counters) {
  constexpr int groups = Shape::groups;
  extern __shared__ __align__(16) uint8_t bytes[];
  const StripMemory<NormShapes, Shape> memory = {bytes};
  __shared__ float shared[2][Shape::blockWarps][1];
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const int64_t cols = outputs.cols;
  float g[groups][8], b[groups][8], amax = 0;
#pragma unroll
  for (int j = 0; j < groups; ++j) {
    const int valid = Shape::has(j, cols) ? 8 : 0;
    loadGamma(gamma, gammaOffset, Shape::column(j), valid, g[j]);
    beta.load(0, Shape::column(j), valid, b[j]);
  }
  auto begin = [](int64_t) { return 0; };
  auto source = [&](int, int64_t row, int col) { return x.at(row, col); };
  auto compute = [&](const Raw8<Bf16>(&raw)[1][groups], int, int64_t row0,
                     int row) {
    float mean[1] = {}, rstd[1] = {};
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8];
        raw[0][j].get(v);
        mean[0] +=
            ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]));
      }
    rowSums<Shape>(mean, shared[0]);
    mean[0] /= float(cols);
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8];
        raw[0][j].get(v);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          rstd[0] = fmaf(v[k] - mean[0], v[k] - mean[0], rstd[0]);
      }
    rowSums<Shape>(rstd, shared[1]);
    rstd[0] = 1.0f / sqrtf(rstd[0] / float(cols) + eps);
    if (Shape::column(0) == 0) {
      means[row0 + row] = mean[0];
      rstds[row0 + row] = rstd[0];
    }
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8];
        raw[0][j].get(v);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          v[k] = fmaf(__fmul_rn(v[k] - mean[0], rstd[0]), g[j][k], b[j][k]);
        storeRow(outputs, scale, memory.staged(), row0, row, Shape::column(j),
                 v, amax);
      }
  };
  forStrips(memory, outputs, amax, counters, begin, source, compute);
}

/// `partialSums`: per block, one row of terms of dgamma, then of dbeta and of
/// dbias.
template <typename Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::minBlocks)
    gradStripsKernel(View<Bf16> dy, View<Bf16> x, AnyFloat residual,
                     AnyFloat gamma, float gammaOffset, const float *means,
                     const float *rstds,
                     const __grid_constant__ TileOutputs outputs,
                     float *partialSums, uint32_t *counters) {
  constexpr int groups = Shape::groups;
  extern __shared__ __align__(16) uint8_t bytes[];
  const StripMemory<GradShapes, Shape> memory = {bytes};
  __shared__ float shared[2][Shape::blockWarps][2];
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const int64_t cols = outputs.cols;
  float dgamma[groups][8] = {}, dbeta[groups][8] = {}, dbias[groups][8] = {};
  float g[groups][8], amax = 0;
#pragma unroll
  for (int j = 0; j < groups; ++j)
    loadGamma(gamma, gammaOffset, Shape::column(j), Shape::has(j, cols) ? 8 : 0,
              g[j]);
  int phase = 0;
  auto begin = [&](int64_t row) { return make_float2(means[row], rstds[row]); };
  const GradSources source = {dy, x, residual};
  auto compute = [&](const Raw8<Bf16>(&raw)[3][groups], float2 begun,
                     int64_t row0, int row) {
    const float mean = begun.x, rstd = begun.y;
    // Sums of dy * gamma, and of dy * gamma * h.
    float sums[2] = {};
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float dyV[8], xV[8];
        raw[0][j].get(dyV);
        raw[1][j].get(xV);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          const float h = (xV[k] - mean) * rstd;
          const float product = dyV[k] * g[j][k];
          sums[0] += product;
          sums[1] = fmaf(product, h, sums[1]);
          dgamma[j][k] = fmaf(dyV[k], h, dgamma[j][k]);
          dbeta[j][k] += dyV[k];
        }
      }
    rowSums<Shape>(sums, shared[phase]);
    phase ^= 1;
    const float meanG = sums[0] / float(cols), meanGH = sums[1] / float(cols);
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8], xV[8], r[8];
        raw[0][j].get(v);
        raw[1][j].get(xV);
        source.residualOf(raw[2][j], row0 + row, Shape::column(j), r);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          const float h = (xV[k] - mean) * rstd;
          v[k] =
              fmaf(-h, meanGH, __fmul_rn(v[k], g[j][k]) - meanG) * rstd + r[k];
          dbias[j][k] += v[k];
        }
        storeRow(outputs, scale, memory.staged(), row0, row, Shape::column(j),
                 v, amax);
      }
  };
  forStrips(memory, outputs, amax, counters, begin, source, compute);
  float *sums = partialSums + int64_t(blockIdx.x) * cols;
  const int64_t vector = int64_t(gridDim.x) * cols;
  storeColumnSums(memory, Shape(), dgamma, cols, sums);
  storeColumnSums(memory, Shape(), dbeta, cols, sums + vector);
  storeColumnSums(memory, Shape(), dbias, cols, sums + 2 * vector);
}

} // namespace

void cuda::layerNorm(LaunchContext &launch, const tert_site &,
                     const tert_tensor &x, const tert_tensor &gamma,
                     const tert_tensor &beta, const tert_tensor *y,
                     const tert_tensor &mean, const tert_tensor &rstd,
                     const tert_quantized &quantized, float eps,
                     bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  float *means = static_cast<float *>(mean.data);
  float *rstds = static_cast<float *>(rstd.data);
  const TileOutputs outputs = tileOutputs(rows, cols, y, quantized);
  const float gammaOffset = zeroCentered ? 1.0f : 0.0f;
  if (View<Bf16> view = viewOf<Bf16>(x);
      dtypeOf(x) == TERT_BF16 && view.aligned && fitsStrips(launch, outputs)) {
    launchStrips<NormShapes>(
        launch, "layer norm kernel", outputs,
        /*stages=*/outputs.columnwise.data,
        [](auto shape) { return &normStripsKernel<decltype(shape)>; },
        [&](auto *kernel, unsigned blocks, int threads, size_t bytes) {
          kernel<<<blocks, threads, bytes, launch.stream>>>(
              view, anyFloat(gamma), anyFloat(beta), gammaOffset, eps, means,
              rstds, outputs, launch.counters);
        });
    return;
  }
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
    if (!y && !requestsOutput(quantized))
      return;
    launchTiles(launch, "layer norm kernel",
                Normalize<T>{view, view.aligned, means, rstds, anyFloat(gamma),
                             anyFloat(beta), gammaOffset},
                outputs);
  });
}

void cuda::layerNormGrad(LaunchContext &launch, const tert_site &,
                         const tert_tensor &dy, const tert_tensor &x,
                         const tert_tensor &gamma, const tert_tensor &mean,
                         const tert_tensor &rstd, const tert_tensor *residual,
                         const tert_tensor *dx, const tert_tensor &dgamma,
                         const tert_tensor &dbeta,
                         const tert_quantized &quantized,
                         const tert_tensor *dbias, bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  const float *means = static_cast<const float *>(mean.data);
  const float *rstds = static_cast<const float *>(rstd.data);
  const float gammaOffset = zeroCentered ? 1.0f : 0.0f;
  const TileOutputs outputs = tileOutputs(rows, cols, dx, quantized);
  const AnyFloat residualView = anyFloat(residual);
  View<Bf16> bf16Dy = viewOf<Bf16>(dy), bf16X = viewOf<Bf16>(x);
  if (dtypeOf(dy) == TERT_BF16 && dtypeOf(x) == TERT_BF16 && bf16Dy.aligned &&
      bf16X.aligned && (!residualView || residualView.aligned) &&
      fitsStrips(launch, outputs)) {
    float *sums = nullptr;
    const unsigned count = launchStrips<GradShapes>(
        launch, "layer norm gradient kernel", outputs,
        /*stages=*/outputs.columnwise.data,
        [](auto shape) { return &gradStripsKernel<decltype(shape)>; },
        [&](auto *kernel, unsigned blocks, int threads, size_t bytes) {
          sums = launch.scratch.take<float>(3 * int64_t(blocks) * cols);
          kernel<<<blocks, threads, bytes, launch.stream>>>(
              bf16Dy, bf16X, residualView, anyFloat(gamma), gammaOffset, means,
              rstds, outputs, sums, launch.counters);
        });
    sumPartials(launch, sums, count, {&dgamma, &dbeta, dbias});
    return;
  }
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
      const bool aligned = dyView.aligned && xView.aligned &&
                           (!residualView || residualView.aligned);
      launchTiles(launch, "layer norm gradient kernel",
                  NormalizeGrad<T, U>{dyView, xView, residualView, aligned,
                                      means, rstds, rowMeans, anyFloat(gamma),
                                      gammaOffset},
                  outputs, {&dgamma, &dbeta, dbias});
    });
  });
}
