// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Normalize.cuh"
#include "cuda/kernels/RowStrips.cuh"
#include "cuda/kernels/Tile.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

/// 1/sqrt(mean(x²) + eps) of every row.
template <typename T, int threads>
__global__ void __launch_bounds__(rowThreads)
    statisticsKernel(View<T> x, int64_t rows, int64_t cols, float eps,
                     float *rstds) {
  __shared__ float shared[rowThreads / 32];
  using Piece = RowPiece<T, threads>;
  constexpr int rowsPerBlock = rowThreads / threads;
  for (int64_t row = int64_t(blockIdx.x) * rowsPerBlock + threadIdx.x / threads;
       row < rows; row += int64_t(gridDim.x) * rowsPerBlock) {
    Piece piece;
    float squares = 0;
    for (int64_t begin = 0; begin < cols; begin += Piece::length) {
      piece.load(x, row, begin, cols);
#pragma unroll
      for (int i = 0; i < groupsInFlight; ++i) {
        float v[8];
        piece.groups[i].get(v);
        // Elements beyond the row are zero.
#pragma unroll
        for (int k = 0; k < 8; ++k)
          squares = fmaf(v[k], v[k], squares);
      }
    }
    squares = rowSum<threads>(squares, shared);
    if (threadIdx.x % threads == 0)
      rstds[row] = 1.0f / sqrtf(squares / float(cols) + eps);
  }
}

/// x * rstd * gamma
template <typename T> struct Normalize {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 4;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 6;
  struct Raw {
    Raw8<T> x;
    float rstd;
  };
  struct Column {
    float gamma[8];
  };

  View<T> x;
  bool aligned;
  const float *rstd;
  AnyFloat gamma;
  float gammaOffset; // 1 if gamma is stored zero-centered

  __device__ Column column(int64_t col, int valid) const {
    Column result;
    loadGamma(gamma, gammaOffset, col, valid, result.gamma);
    return result;
  }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.x.load(x.at(row, col), valid, whole);
    raw.rstd = valid > 0 ? rstd[row] : 0.0f;
    return raw;
  }
  __device__ void compute(const Raw &raw, const Column &column, int64_t,
                          int64_t, int, float (&v)[8], float (&)[1][8]) const {
    raw.x.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = __fmul_rn(__fmul_rn(v[k], raw.rstd), column.gamma[k]);
  }
};

/// mean(c * n) of every row, with n = x * rstd and c = dy * gamma.
template <typename T, typename U, int threads>
__global__ void __launch_bounds__(rowThreads)
    gradStatisticsKernel(View<T> dy, View<U> x, AnyFloat gamma,
                         float gammaOffset, const float *rstd, int64_t rows,
                         int64_t cols, float *results) {
  __shared__ float shared[rowThreads / 32];
  constexpr int rowsPerBlock = rowThreads / threads;
  for (int64_t row = int64_t(blockIdx.x) * rowsPerBlock + threadIdx.x / threads;
       row < rows; row += int64_t(gridDim.x) * rowsPerBlock) {
    const float factor = rstd[row];
    float sum = 0;
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
        // dy is zero beyond the row, and so is its contribution.
#pragma unroll
        for (int k = 0; k < 8; ++k)
          sum = fmaf(dyV[k] * g[k], xV[k] * factor, sum);
      }
    }
    sum = rowSum<threads>(sum, shared);
    if (threadIdx.x % threads == 0)
      results[row] = sum / float(cols);
  }
}

/// dx = rstd * (c - n * mean(c * n)) + residual; dy * n is summed to dgamma.
template <typename T, typename U> struct NormalizeGrad {
  static constexpr int numSums = 1;
  static constexpr int rowsInFlight = 2;
  static constexpr int rowsAhead = 0;
  static constexpr int minBlocks = 4;
  struct Raw {
    Raw8<T> dy;
    Raw8<U> x;
    RawAny8 residual;
    float rstd, slope;
  };
  struct Column {
    float gamma[8];
  };

  View<T> dy;
  View<U> x;
  AnyFloat residual;
  bool aligned;
  const float *rstd, *slopes;
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
    raw.rstd = valid > 0 ? rstd[row] : 0.0f;
    raw.slope = valid > 0 ? slopes[row] : 0.0f;
    return raw;
  }
  __device__ void compute(const Raw &raw, const Column &column, int64_t,
                          int64_t, int, float (&v)[8],
                          float (&sums)[1][8]) const {
    float dyV[8], xV[8], r[8] = {};
    raw.dy.get(dyV);
    raw.x.get(xV);
    if (residual)
      raw.residual.get(residual.isBf16, r);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float n = __fmul_rn(xV[k], raw.rstd);
      sums[0][k] = dyV[k] * n;
      float inner = fmaf(-n, raw.slope, __fmul_rn(dyV[k], column.gamma[k]));
      v[k] = __fadd_rn(__fmul_rn(inner, raw.rstd), r[k]);
    }
  }
};

//===----------------------------------------------------------------------===//
// Rows that are read once
//===----------------------------------------------------------------------===//

template <typename Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::minBlocks)
    normStripsKernel(View<Bf16> x, AnyFloat gamma, float gammaOffset, float eps,
                     float *rstds, const __grid_constant__ TileOutputs outputs,
                     uint32_t *counters) {
  constexpr int groups = Shape::groups;
  extern __shared__ __align__(16) uint8_t bytes[];
  const StripMemory<NormShapes, Shape> memory = {bytes};
  __shared__ float shared[2][Shape::blockWarps][1];
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const int64_t cols = outputs.cols;
  float g[groups][8], amax = 0;
#pragma unroll
  for (int j = 0; j < groups; ++j)
    loadGamma(gamma, gammaOffset, Shape::column(j), Shape::has(j, cols) ? 8 : 0,
              g[j]);
  int phase = 0;
  auto begin = [](int64_t) { return 0; };
  auto source = [&](int, int64_t row, int col) { return x.at(row, col); };
  auto compute = [&](const Raw8<Bf16>(&raw)[1][groups], int, int64_t row0,
                     int row) {
    float squares[1] = {};
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8];
        raw[0][j].get(v);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          squares[0] = fmaf(v[k], v[k], squares[0]);
      }
    rowSums<Shape>(squares, shared[phase]);
    phase ^= 1;
    const float rstd = 1.0f / sqrtf(squares[0] / float(cols) + eps);
    if (Shape::column(0) == 0)
      rstds[row0 + row] = rstd;
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8];
        raw[0][j].get(v);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          v[k] = __fmul_rn(__fmul_rn(v[k], rstd), g[j][k]);
        storeRow(outputs, scale, memory.staged(), row0, row, Shape::column(j),
                 v, amax);
      }
  };
  forStrips(memory, outputs, amax, counters, begin, source, compute);
}

/// Writes the column-wise copy of x * rstd * gamma for the strip at row0, whose
/// rows of x are still in the second-level cache. All threads call it.
template <typename Shape>
__device__ inline void storeNormalized(View<Bf16> x, const float *rstds,
                                       const float (&gamma)[Shape::groups][8],
                                       const TileOutputs &outputs, float scale,
                                       uint8_t *staged, int64_t row0) {
  constexpr int count = 4, groups = Shape::groups;
  static_assert(stripRows % (count * Shape::rowsAtOnce) == 0);
  const int cols = int(outputs.cols);
#pragma unroll 1
  for (int row = Shape::row(); row < stripRows;
       row += count * Shape::rowsAtOnce) {
    Raw8<Bf16> raw[count][groups];
    float rstd[count];
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const int64_t own = row0 + row + i * Shape::rowsAtOnce;
      rstd[i] = rstds[own];
#pragma unroll
      for (int j = 0; j < groups; ++j)
        if (Shape::has(j, cols))
          raw[i][j].loadVector(x.at(own, Shape::column(j)));
    }
#pragma unroll
    for (int i = 0; i < count; ++i)
#pragma unroll
      for (int j = 0; j < groups; ++j)
        if (Shape::has(j, cols)) {
          float v[8];
          raw[i][j].get(v);
#pragma unroll
          for (int k = 0; k < 8; ++k)
            v[k] = __fmul_rn(__fmul_rn(v[k], rstd[i]), gamma[j][k]);
          *reinterpret_cast<uint2 *>(stagedAt(
              staged, row + i * Shape::rowsAtOnce, Shape::column(j), cols)) =
              encode8(v, scale, outputs.isE5M2);
        }
  }
  __syncthreads();
  storeStrip(staged, outputs.columnwise, row0, cols);
  __syncthreads();
}

/// `partialSums`: one row of terms of dgamma per block. `anew`: also writes the
/// column-wise copy of x * rstd * gamma, the only one of `normalized`.
template <typename Shape, bool recompute>
__global__ void __launch_bounds__(Shape::threads, Shape::minBlocks)
    gradStripsKernel(View<Bf16> dy, View<Bf16> x, AnyFloat residual,
                     AnyFloat gamma, float gammaOffset, const float *rstds,
                     const __grid_constant__ TileOutputs outputs,
                     const __grid_constant__ TileOutputs normalized,
                     float *partialSums, uint32_t *counters) {
  constexpr int groups = Shape::groups;
  extern __shared__ __align__(16) uint8_t bytes[];
  const StripMemory<GradShapes, Shape> memory = {bytes};
  __shared__ float shared[2][Shape::blockWarps][1];
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const int64_t cols = outputs.cols;
  float g[groups][8], dgamma[groups][8] = {}, amax = 0;
#pragma unroll
  for (int j = 0; j < groups; ++j)
    loadGamma(gamma, gammaOffset, Shape::column(j), Shape::has(j, cols) ? 8 : 0,
              g[j]);
  int phase = 0;
  auto begin = [&](int64_t row) { return rstds[row]; };
  const GradSources source = {dy, x, residual};
  auto compute = [&](const Raw8<Bf16>(&raw)[3][groups], float rstd,
                     int64_t row0, int row) {
    float sums[1] = {};
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float dyV[8], xV[8];
        raw[0][j].get(dyV);
        raw[1][j].get(xV);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          const float n = __fmul_rn(xV[k], rstd);
          sums[0] = fmaf(dyV[k] * g[j][k], n, sums[0]);
          dgamma[j][k] = fmaf(dyV[k], n, dgamma[j][k]);
        }
      }
    rowSums<Shape>(sums, shared[phase]);
    phase ^= 1;
    const float slope = sums[0] / float(cols);
#pragma unroll
    for (int j = 0; j < groups; ++j)
      if (Shape::has(j, cols)) {
        float v[8], xV[8], r[8];
        raw[0][j].get(v);
        raw[1][j].get(xV);
        source.residualOf(raw[2][j], row0 + row, Shape::column(j), r);
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          const float n = __fmul_rn(xV[k], rstd);
          const float inner = fmaf(-n, slope, __fmul_rn(v[k], g[j][k]));
          v[k] = __fadd_rn(__fmul_rn(inner, rstd), r[k]);
        }
        storeRow(outputs, scale, memory.staged(), row0, row, Shape::column(j),
                 v, amax);
      }
  };
  auto more = [&](int64_t row0) {
    if constexpr (recompute)
      storeNormalized<Shape>(x, rstds, g, normalized, *normalized.scale,
                             memory.staged(), row0);
  };
  forStrips(memory, outputs, amax, counters, begin, source, compute, more);
  storeColumnSums(memory, Shape(), dgamma, cols,
                  partialSums + int64_t(blockIdx.x) * cols);
}

} // namespace

void cuda::rmsNorm(LaunchContext &launch, const tert_site &,
                   const tert_tensor &x, const tert_tensor &gamma,
                   const tert_tensor *y, const tert_tensor &rstd,
                   const tert_quantized &quantized, float eps,
                   bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  float *rstds = static_cast<float *>(rstd.data);
  const TileOutputs outputs = tileOutputs(rows, cols, y, quantized);
  const float gammaOffset = zeroCentered ? 1.0f : 0.0f;
  if (View<Bf16> view = viewOf<Bf16>(x);
      dtypeOf(x) == TERT_BF16 && view.aligned && fitsStrips(launch, outputs)) {
    launchStrips<NormShapes>(
        launch, "RMS norm kernel", outputs,
        /*stages=*/outputs.columnwise.data,
        [](auto shape) { return &normStripsKernel<decltype(shape)>; },
        [&](auto *kernel, unsigned blocks, int threads, size_t bytes) {
          kernel<<<blocks, threads, bytes, launch.stream>>>(
              view, anyFloat(gamma), gammaOffset, eps, rstds, outputs,
              launch.counters);
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
                                                       rstds);
        checkLaunch("RMS norm statistics kernel");
      });
    if (!y && !requestsOutput(quantized))
      return;
    launchTiles(
        launch, "RMS norm kernel",
        Normalize<T>{view, view.aligned, rstds, anyFloat(gamma), gammaOffset},
        outputs);
  });
}

/// Computes the gradient by strips of rows and, with `anew`, the column-wise
/// copy of `normalized`. Does nothing and returns false for shapes or types
/// that the kernel does not support.
template <bool recompute>
static bool gradByStrips(LaunchContext &launch, const tert_tensor &dy,
                         const tert_tensor &x, const tert_tensor &gamma,
                         const tert_tensor &rstd, const tert_tensor *residual,
                         const tert_tensor &dgamma, const TileOutputs &outputs,
                         const TileOutputs &normalized, bool zeroCentered) {
  if (dtypeOf(dy) != TERT_BF16 || dtypeOf(x) != TERT_BF16)
    return false;
  View<Bf16> dyView = viewOf<Bf16>(dy), xView = viewOf<Bf16>(x);
  const AnyFloat residualView = anyFloat(residual);
  if (!dyView.aligned || !xView.aligned ||
      (residualView && !residualView.aligned) || !fitsStrips(launch, outputs) ||
      (recompute && !fitsStrips(launch, normalized)))
    return false;
  float *sums = nullptr;
  const unsigned count = launchStrips<GradShapes>(
      launch, "RMS norm gradient kernel", outputs,
      /*stages=*/recompute || outputs.columnwise.data,
      [](auto shape) { return &gradStripsKernel<decltype(shape), recompute>; },
      [&](auto *kernel, unsigned blocks, int threads, size_t bytes) {
        sums = launch.scratch.take<float>(int64_t(blocks) * outputs.cols);
        kernel<<<blocks, threads, bytes, launch.stream>>>(
            dyView, xView, residualView, anyFloat(gamma),
            zeroCentered ? 1.0f : 0.0f, static_cast<const float *>(rstd.data),
            outputs, normalized, sums, launch.counters);
      });
  sumPartials(launch, sums, count, {&dgamma});
  return true;
}

void cuda::rmsNormGrad(LaunchContext &launch, const tert_site &,
                       const tert_tensor &dy, const tert_tensor &x,
                       const tert_tensor &gamma, const tert_tensor &rstd,
                       const tert_tensor *residual, const tert_tensor *dx,
                       const tert_tensor &dgamma,
                       const tert_quantized &quantized, bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  const float *rstds = static_cast<const float *>(rstd.data);
  const float gammaOffset = zeroCentered ? 1.0f : 0.0f;
  const TileOutputs outputs = tileOutputs(rows, cols, dx, quantized);
  const AnyFloat residualView = anyFloat(residual);
  if (gradByStrips</*recompute=*/false>(launch, dy, x, gamma, rstd, residual,
                                        dgamma, outputs, /*normalized=*/{},
                                        zeroCentered))
    return;
  float *slopes = launch.scratch.take<float>(rows);
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
                  dyView, xView, anyFloat(gamma), gammaOffset, rstds, rows,
                  cols, slopes);
          checkLaunch("RMS norm gradient statistics kernel");
        });
      const bool aligned = dyView.aligned && xView.aligned &&
                           (!residualView || residualView.aligned);
      launchTiles(launch, "RMS norm gradient kernel",
                  NormalizeGrad<T, U>{dyView, xView, residualView, aligned,
                                      rstds, slopes, anyFloat(gamma),
                                      gammaOffset},
                  outputs, {&dgamma});
    });
  });
}

void cuda::rmsNormGradRecompute(
    LaunchContext &launch, const tert_site &site, const tert_tensor &dy,
    const tert_tensor &x, const tert_tensor &gamma, const tert_tensor &rstd,
    const tert_tensor &yScale, const tert_tensor *residual,
    const tert_tensor *dx, const tert_tensor &dgamma,
    const tert_quantized &quantized, const tert_tensor &yColumnwise,
    bool zeroCentered) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  tert_quantized copy = {};
  copy.scale = &yScale;
  copy.columnwise.data = &yColumnwise;
  const TileOutputs normalized = tileOutputs(rows, cols, /*y=*/nullptr, copy);
  if (gradByStrips</*recompute=*/true>(
          launch, dy, x, gamma, rstd, residual, dgamma,
          tileOutputs(rows, cols, dx, quantized), normalized, zeroCentered))
    return;
  withFloat(dtypeOf(x), [&](auto element) {
    using T = decltype(element);
    View<T> view = viewOf<T>(x);
    launchTiles(launch, "RMS norm kernel",
                Normalize<T>{view, view.aligned,
                             static_cast<const float *>(rstd.data),
                             anyFloat(gamma), zeroCentered ? 1.0f : 0.0f},
                normalized);
  });
  rmsNormGrad(launch, site, dy, x, gamma, rstd, residual, dx, dgamma, quantized,
              zeroCentered);
}
