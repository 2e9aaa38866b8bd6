// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Optimizer.h"

#include "cuda/kernels/Pieces.h"
#include "cuda/kernels/Tile.cuh"

#include <limits>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int normThreads = 256;

/// Adds the squares of one table. Every block leaves a partial sum; the last
/// block of the last table adds all of them in their order.
__global__ void __launch_bounds__(normThreads)
    globalNormKernel(const __grid_constant__ Pieces pieces, double *partials,
                     int64_t before, bool isLastTable, float *norm,
                     uint32_t *counters) {
  __shared__ double shared[normThreads / 32];
  __shared__ bool isLast;
  double sum = 0;
  pieces.forEachGroup([&](const float (&v)[8]) {
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum = fma(double(v[k]), double(v[k]), sum);
  });
  sum = blockReduce(sum, Sum(), shared);
  if (threadIdx.x == 0) {
    partials[before + blockIdx.x] = sum;
    isLast = isLastOf(counters, gridDim.x);
  }
  __syncthreads();
  if (!isLast || !isLastTable)
    return;
  double total = 0;
  for (int64_t i = threadIdx.x; i < before + gridDim.x; i += blockDim.x)
    total += __ldcg(partials + i);
  total = blockReduce(total, Sum(), shared);
  if (threadIdx.x == 0)
    *norm = float(sqrt(total));
}

__global__ void clipCoefficientKernel(const float *norm, const float *maxNorm,
                                      float *coefficient) {
  float total = *norm, limit = *maxNorm;
  if (!isfinite(total))
    *coefficient = __int_as_float(0x7fc00000);
  else
    *coefficient =
        limit > 0 ? fminf(1.0f, __fdiv_rn(limit, total + 1e-6f)) : 1.0f;
}

__global__ void advanceStepKernel(const float *coefficient, int64_t *step) {
  if (!isnan(*coefficient))
    ++*step;
}

/// The step's scalars in device memory.
struct AdamwScalars {
  const float *coefficient, *lr, *beta1, *beta2, *eps, *weightDecay;
  const int64_t *step;
  bool decay;
};

/// What a step multiplies with, the same for every element: worked out in f64,
/// each rounded once.
struct AdamwFactors {
  float coefficient;
  float beta1, oneMinusBeta1, beta2, oneMinusBeta2;
  float decay;             // 1 - lr * weight_decay, or 1
  float stepSize;          // lr / (1 - beta1^step)
  float inverseCorrection; // 1 / sqrt(1 - beta2^step)
  float eps;
  int32_t skip;
};

__global__ void adamwFactorsKernel(AdamwScalars scalars,
                                   AdamwFactors *factors) {
  const double rate = *scalars.lr, b1 = *scalars.beta1, b2 = *scalars.beta2;
  const double t = double(*scalars.step);
  factors->coefficient = *scalars.coefficient;
  factors->beta1 = *scalars.beta1;
  factors->oneMinusBeta1 = float(1 - b1);
  factors->beta2 = *scalars.beta2;
  factors->oneMinusBeta2 = float(1 - b2);
  factors->decay =
      scalars.decay
          ? float(__dsub_rn(1, __dmul_rn(rate, double(*scalars.weightDecay))))
          : 1.0f;
  factors->stepSize = float(rate / (1 - pow(b1, t)));
  factors->inverseCorrection = float(1 / sqrt(1 - pow(b2, t)));
  factors->eps = *scalars.eps;
  factors->skip = isnan(*scalars.coefficient);
}

/// The new parameter; the moments are written on the way. Each operation is
/// rounded as the CPU does it, so that the results are the same bits.
template <typename T> struct AdamwStep {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  struct Raw {
    Raw8<T> gradient;
    Raw8<float> param, expAvg, expAvgSq;
  };

  View<T> gradient;
  View<float> param, expAvg, expAvgSq;
  bool aligned;
  const AdamwFactors *factors;

  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.gradient.load(gradient.at(row, col), valid, whole);
    raw.param.load(param.at(row, col), valid, whole);
    raw.expAvg.load(expAvg.at(row, col), valid, whole);
    raw.expAvgSq.load(expAvgSq.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, int64_t row, int64_t col, int valid,
                          float (&p)[8], float (&)[1][8]) const {
    raw.param.get(p);
    const AdamwFactors f = *factors;
    if (f.skip)
      return;
    float g[8], m[8], v[8];
    raw.gradient.get(g);
    raw.expAvg.get(m);
    raw.expAvgSq.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float scaled = __fmul_rn(g[k], f.coefficient);
      m[k] = __fmaf_rn(f.oneMinusBeta1, scaled, __fmul_rn(f.beta1, m[k]));
      v[k] = __fmaf_rn(f.oneMinusBeta2, __fmul_rn(scaled, scaled),
                       __fmul_rn(f.beta2, v[k]));
      float root = __fmaf_rn(__fsqrt_rn(v[k]), f.inverseCorrection, f.eps);
      p[k] = __fmaf_rn(-f.stepSize, __fdiv_rn(m[k], root),
                       __fmul_rn(f.decay, p[k]));
    }
    store8(p, param.at(row, col), valid, param.aligned);
    store8(m, expAvg.at(row, col), valid, expAvg.aligned);
    store8(v, expAvgSq.at(row, col), valid, expAvgSq.aligned);
  }
};

template <typename T> View<T> viewOfMatrix(const Matrix &matrix) {
  return {static_cast<T *>(matrix.data), matrix.stride, matrix.isAlignedTo(16)};
}

} // namespace

void cuda::globalNorm(LaunchContext &launch, const tert_site &, int32_t n,
                      const tert_tensor *gradients, const tert_tensor &norm) {
  PieceList list(gradients, n);
  int64_t count = 0;
  for (size_t i = 0; i < list.tables(); ++i)
    count += list.blocks(launch, i);
  double *partials = launch.scratch.take<double>(count);
  int64_t before = 0;
  for (size_t i = 0; i < list.tables(); ++i) {
    globalNormKernel<<<list.blocks(launch, i), normThreads, 0, launch.stream>>>(
        list.table(i), partials, before, i + 1 == list.tables(),
        static_cast<float *>(norm.data), launch.counters);
    checkLaunch("global norm kernel");
    before += list.blocks(launch, i);
  }
}

void cuda::clipCoefficient(LaunchContext &launch, const tert_site &,
                           const tert_tensor &norm, const tert_tensor &maxNorm,
                           const tert_tensor &coefficient) {
  clipCoefficientKernel<<<1, 1, 0, launch.stream>>>(
      static_cast<const float *>(norm.data),
      static_cast<const float *>(maxNorm.data),
      static_cast<float *>(coefficient.data));
  checkLaunch("clip coefficient kernel");
}

void cuda::advanceStep(LaunchContext &launch, const tert_site &,
                       const tert_tensor &coefficient,
                       const tert_tensor &step) {
  advanceStepKernel<<<1, 1, 0, launch.stream>>>(
      static_cast<const float *>(coefficient.data),
      static_cast<int64_t *>(step.data));
  checkLaunch("step kernel");
}

void cuda::adamw(LaunchContext &launch, const tert_site &,
                 const tert_tensor &gradient, const tert_tensor &coefficient,
                 const tert_tensor &lr, const tert_tensor &beta1,
                 const tert_tensor &beta2, const tert_tensor &eps,
                 const tert_tensor &weightDecay, const tert_tensor &step,
                 const tert_tensor *scale, const tert_tensor &param,
                 const tert_tensor &expAvg, const tert_tensor &expAvgSq,
                 const tert_tensor *rowwise, const tert_tensor *columnwise,
                 const tert_tensor *amax, bool decay) {
  auto scalar = [](const tert_tensor &tensor) {
    return static_cast<const float *>(tensor.data);
  };
  AdamwFactors *factors = launch.scratch.take<AdamwFactors>(1);
  adamwFactorsKernel<<<1, 1, 0, launch.stream>>>(
      AdamwScalars{scalar(coefficient), scalar(lr), scalar(beta1),
                   scalar(beta2), scalar(eps), scalar(weightDecay),
                   static_cast<const int64_t *>(step.data), decay},
      factors);
  checkLaunch("AdamW factors kernel");

  auto stepOn = [&](const Matrix &g, const Matrix &p, const Matrix &m,
                    const Matrix &v, const TileOutputs &outputs) {
    withFloat(g.dtype, [&](auto element) {
      using T = decltype(element);
      AdamwStep<T> producer{viewOfMatrix<T>(g),
                            viewOfMatrix<float>(p),
                            viewOfMatrix<float>(m),
                            viewOfMatrix<float>(v),
                            false,
                            factors};
      producer.aligned = producer.gradient.aligned && producer.param.aligned &&
                         producer.expAvg.aligned && producer.expAvgSq.aligned;
      launchTiles(launch, "AdamW kernel", producer, outputs);
    });
  };
  auto matrixOf = [](const tert_tensor &tensor) {
    return Matrix{tensor.data,       dtypeOf(tensor),     sizeOf(tensor, 0),
                  sizeOf(tensor, 1), strideOf(tensor, 0), 1};
  };
  if (rowwise || columnwise || amax) {
    stepOn(matrixOf(gradient), matrixOf(param), matrixOf(expAvg),
           matrixOf(expAvgSq),
           tileOutputs(sizeOf(param, 0), sizeOf(param, 1), nullptr, scale,
                       rowwise, columnwise, amax));
    return;
  }
  forEachMatrixOf(
      [&](const Matrix &g, const Matrix &p, const Matrix &like) {
        // The moments lie as the parameter does.
        const int64_t offset = static_cast<const float *>(p.data) -
                               static_cast<const float *>(param.data);
        auto part = [&](Matrix whole, int64_t first, int64_t rows,
                        int64_t cols) {
          return Matrix{static_cast<char *>(whole.data) +
                            first * bytesOf(whole.dtype),
                        whole.dtype,
                        rows,
                        cols,
                        rows == whole.rows ? whole.stride : cols,
                        1};
        };
        Matrix m = like, v = like;
        m.data = static_cast<float *>(expAvg.data) + offset;
        v.data = static_cast<float *>(expAvgSq.data) + offset;
        auto run = [&](int64_t first, int64_t rows, int64_t cols) {
          TileOutputs outputs;
          outputs.rows = rows;
          outputs.cols = cols;
          stepOn(part(g, first, rows, cols), part(p, first, rows, cols),
                 part(m, first, rows, cols), part(v, first, rows, cols),
                 outputs);
        };
        if (p.rows > 1) {
          run(0, p.rows, p.cols);
          return;
        }
        // One long row as rows as wide as a tile, and what is left.
        const int64_t rows = p.cols / tileCols;
        if (rows > 0)
          run(0, rows, tileCols);
        if (p.cols % tileCols)
          run(rows * tileCols, 1, p.cols % tileCols);
      },
      *param.layout,
      std::array<Strided, 3>{Strided(gradient), Strided(param),
                             Strided(param)});
}
