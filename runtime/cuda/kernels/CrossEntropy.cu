// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Integers.h"
#include "cuda/kernels/LogSumExp.cuh"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/ResidentCrossEntropy.cuh"
#include "cuda/kernels/Vector.cuh"

#include <cmath>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int rowThreads = 512;

/// Calls fn(v[8], first, count) for all groups of a row that starts at any
/// element. The elements before the first 16-byte boundary and after the last
/// full group are passed to single threads.
template <typename T, typename Fn>
__device__ inline void forEachGroupOfRow(const T *x, int64_t n, const Fn &fn) {
  const int64_t offset = reinterpret_cast<uintptr_t>(x) % 16 / sizeof(T);
  const int64_t head =
      min(n, (16 / int64_t(sizeof(T)) - offset) % (16 / int64_t(sizeof(T))));
  const int64_t groups = (n - head) / 8;
  const int64_t tail = head + groups * 8;
  // Reads before fn writes: the compiler cannot know that the two do not
  // overlap.
  constexpr int inFlight = 4;
  float v[8];
  int64_t i = threadIdx.x;
  for (; i + (inFlight - 1) * rowThreads < groups; i += inFlight * rowThreads) {
    Raw8<T> raw[inFlight];
#pragma unroll
    for (int j = 0; j < inFlight; ++j)
      raw[j].loadVector(x + head + (i + j * rowThreads) * 8);
#pragma unroll
    for (int j = 0; j < inFlight; ++j) {
      raw[j].get(v);
      fn(v, head + (i + j * rowThreads) * 8, 8);
    }
  }
  for (; i < groups; i += rowThreads) {
    load8(x + head + i * 8, 8, true, v);
    fn(v, head + i * 8, 8);
  }
  if (threadIdx.x == rowThreads - 1 && head > 0) {
    load8(x, int(head), false, v);
    fn(v, 0, int(head));
  }
  if (threadIdx.x == rowThreads - 2 && tail < n) {
    load8(x + tail, int(n - tail), false, v);
    fn(v, tail, int(n - tail));
  }
}

__device__ inline RunningSum combineBlock(RunningSum value) {
  __shared__ RunningSum shared[rowThreads / 32];
  value.addLanes();
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    shared[threadIdx.x / 32] = value;
  __syncthreads();
  value = shared[0];
  for (int warp = 1; warp < rowThreads / 32; ++warp)
    value.add(shared[warp]);
  return value;
}

/// Terms of a row's loss besides lse - logits[label] (tert/ops.h).
struct LossTerms {
  float smoothing, zLoss;
};

/// For kernels compiled without these terms.
struct NoTerms {
  static constexpr bool any = false;
};
struct WithTerms : LossTerms {
  static constexpr bool any = true;
};

/// Calls fn with the terms that a kernel is compiled for.
template <typename Fn> void withTerms(LossTerms terms, const Fn &fn) {
  if (terms.smoothing == 0 && terms.zLoss == 0)
    fn(NoTerms());
  else
    fn(WithTerms{terms});
}

struct SeesNothing {
  __device__ void operator()(const float (&)[8], int) const {}
};

/// The running sum of one row over the block's threads. `also` is called for
/// every group of the row.
template <typename T, typename Also = SeesNothing>
__device__ inline RunningSum sumOfRow(const T *row, int64_t cols,
                                      const Also &also = Also()) {
  RunningSum running;
  forEachGroupOfRow(row, cols, [&](const float (&v)[8], int64_t, int valid) {
    also(v, valid);
    running.add(v, valid);
  });
  return combineBlock(running);
}

/// Row statistics shared by the block's threads: the log of the sum of
/// exponentials, and the mean if the loss is smoothed.
struct RowSums {
  float lse;
  double mean;
};

template <typename T>
__device__ inline RowSums rowSums(const T *row, int64_t cols, NoTerms) {
  return {sumOfRow(row, cols).lse(), 0.0};
}

template <typename T>
__device__ inline RowSums rowSums(const T *row, int64_t cols, WithTerms) {
  __shared__ double shared[rowThreads / 32];
  double total = 0;
  const RunningSum running =
      sumOfRow(row, cols, [&](const float (&v)[8], int valid) {
        float sum = 0;
#pragma unroll
        for (int k = 0; k < 8; ++k)
          if (k < valid)
            sum += v[k];
        total += sum;
      });
  return {running.lse(), blockReduce(total, Sum(), shared) / double(cols)};
}

/// The loss of a row that is not ignored.
__device__ inline float lossOfRow(const RowSums &sums, float logit, NoTerms) {
  return sums.lse - logit;
}
__device__ inline float lossOfRow(const RowSums &sums, float logit,
                                  WithTerms terms) {
  const double lse = sums.lse;
  double loss = lse - logit;
  // Without smoothing, an infinity elsewhere in the row has no effect.
  if (terms.smoothing != 0)
    loss = (1.0 - terms.smoothing) * loss + terms.smoothing * (lse - sums.mean);
  return float(loss + terms.zLoss * lse * lse);
}

/// Row `row` of dlogits = factor * (slope * softmax(logits) - target); without
/// terms the slope is 1, and the target 1 at the label. NaN for a bad label.
/// Each element is read before it is written, so both may be the same tensor.
template <typename T, typename U, typename Terms>
__device__ inline void writeGradOfRow(const T *logits, U *dlogits, int64_t cols,
                                      int64_t label, bool ignored, bool isBad,
                                      float lse, float factor, Terms terms) {
  float slope = 1, share = 0, atLabel = 1;
  if constexpr (Terms::any) {
    slope = 1.0f + 2.0f * terms.zLoss * lse;
    share = terms.smoothing / float(cols);
    atLabel = 1.0f - terms.smoothing;
  }
  forEachGroupOfRow(
      logits, cols, [&](const float (&v)[8], int64_t first, int valid) {
        float result[8];
#pragma unroll
        for (int k = 0; k < 8; ++k) {
          float p = expFlushed(v[k] - lse);
          if constexpr (Terms::any)
            p = fmaf(p, slope, -share);
          p = (first + k == label ? p - atLabel : p) * factor;
          result[k] = ignored ? 0.0f : isBad ? NAN : p;
        }
        const bool whole =
            reinterpret_cast<uintptr_t>(dlogits + first) % 16 == 0;
        store8(result, dlogits + first, valid, whole);
      });
}

/// Computes lse and loss of one row per block; the last block adds the losses.
template <typename T, typename Terms>
__global__ void __launch_bounds__(rowThreads)
    crossEntropyKernel(View<T> logits, Integers labels, int64_t rows,
                       int64_t cols, int64_t ignoreIndex, float *lse,
                       float *losses, float *loss, float *count, bool isMean,
                       Terms terms, uint32_t *counters, DataErrorSink errors) {
  __shared__ double shared[rowThreads / 32];
  __shared__ bool isLast;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const RowSums sums = rowSums(logits.at(row, 0), cols, terms);
    if (threadIdx.x == 0) {
      const int64_t label = labels[row];
      lse[row] = sums.lse;
      float rowLoss = 0;
      if (label != ignoreIndex) {
        if (label < 0 || label >= cols) {
          errors.report(label, row);
          rowLoss = NAN;
        } else {
          rowLoss = lossOfRow(sums, toF32(*logits.at(row, label)), terms);
        }
      }
      losses[row] = rowLoss;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    isLast = isLastOf(counters, gridDim.x);
  __syncthreads();
  if (!isLast)
    return;
  double total = 0, counted = 0;
  for (int64_t i = threadIdx.x; i < rows; i += rowThreads) {
    total += __ldcg(losses + i);
    counted += labels[i] != ignoreIndex;
  }
  total = blockReduce(total, Sum(), shared);
  counted = blockReduce(counted, Sum(), shared);
  if (threadIdx.x == 0) {
    *loss = float(isMean && counted > 0 ? total / counted : total);
    *count = float(counted);
  }
}

/// One row per block.
template <typename T, typename U, typename Terms>
__global__ void __launch_bounds__(rowThreads)
    crossEntropyGradKernel(const float *dloss, View<T> logits, Integers labels,
                           const float *lse, const float *count,
                           View<U> dlogits, int64_t rows, int64_t cols,
                           int64_t ignoreIndex, bool isMean, Terms terms,
                           DataErrorSink errors) {
  const float factor = isMean ? *dloss / *count : *dloss;
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    int64_t label = labels[row];
    const bool ignored = label == ignoreIndex;
    const bool isBad = !ignored && (label < 0 || label >= cols);
    if (isBad && threadIdx.x == 0)
      errors.report(label, row);
    writeGradOfRow(logits.at(row, 0), dlogits.at(row, 0), cols, label, ignored,
                   isBad, lse[row], factor, terms);
  }
}

/// One row per block, which reads it a second time from the second-level cache;
/// the last block adds the losses.
template <typename T, typename Terms>
__global__ void __launch_bounds__(rowThreads)
    crossEntropyWithGradKernel(const float *dloss, View<T> logits,
                               Integers labels, const float *count,
                               int64_t rows, int64_t cols, int64_t ignoreIndex,
                               bool isMean, Terms terms, float *losses,
                               float *loss, uint32_t *counters,
                               DataErrorSink errors) {
  __shared__ double shared[rowThreads / 32];
  __shared__ bool isLast;
  const double divisor = isMean ? *count : 1.0f;
  const float factor = *dloss / float(divisor);
  for (int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
    const int64_t label = labels[row];
    const bool ignored = label == ignoreIndex;
    const bool isBad = !ignored && (label < 0 || label >= cols);
    T *data = logits.at(row, 0);
    const RowSums sums =
        ignored ? RowSums{0.0f, 0.0} : rowSums(data, cols, terms);
    if (threadIdx.x == 0) {
      if (isBad)
        errors.report(label, row);
      losses[row] = ignored ? 0.0f
                    : isBad ? NAN
                            : lossOfRow(sums, toF32(data[label]), terms);
    }
    // The logit at the label is read before any thread overwrites it.
    __syncthreads();
    writeGradOfRow(data, data, cols, label, ignored, isBad, sums.lse, factor,
                   terms);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    isLast = isLastOf(counters, gridDim.x);
  __syncthreads();
  if (!isLast)
    return;
  double total = 0;
  for (int64_t i = threadIdx.x; i < rows; i += rowThreads)
    total += __ldcg(losses + i);
  total = blockReduce(total, Sum(), shared);
  // Both are 0 if all rows are ignored.
  if (threadIdx.x == 0 && divisor != 0)
    *loss += float(total / divisor);
}

/// One block: there are few labels.
__global__ void __launch_bounds__(rowThreads)
    countLabelsKernel(Integers labels, int64_t rows, int64_t classes,
                      int64_t ignoreIndex, float *count, DataErrorSink errors) {
  __shared__ double shared[rowThreads / 32];
  double counted = 0;
  for (int64_t i = threadIdx.x; i < rows; i += rowThreads) {
    const int64_t label = labels[i];
    if (label == ignoreIndex)
      continue;
    if (label < 0 || label >= classes)
      errors.report(label, i);
    ++counted;
  }
  counted = blockReduce(counted, Sum(), shared);
  if (threadIdx.x == 0)
    *count = float(counted);
}

__global__ void shiftLabelsKernel(Integers ids, Integers labels, int64_t rows,
                                  int64_t cols, int64_t ignoreIndex) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
       i < rows * cols; i += int64_t(gridDim.x) * blockDim.x) {
    const int64_t row = i / cols, col = i % cols;
    labels.set(row * labels.stride + col,
               col + 1 < cols ? ids[row * ids.stride + col + 1] : ignoreIndex);
  }
}

unsigned rowBlocks(const LaunchContext &launch, int64_t rows) {
  return unsigned(
      std::clamp<int64_t>(rows, 1, 16 * launch.device.multiprocessors));
}

DataErrorSink labelErrors(LaunchContext &launch, const tert_site &site,
                          int64_t classes, int64_t ignoreIndex) {
  return launch.dataErrors.sink(site, [=](int64_t label, int64_t position) {
    return "label " + std::to_string(label) + " at position " +
           std::to_string(position) + " is neither a class in [0, " +
           std::to_string(classes) + ") nor the ignored " +
           std::to_string(ignoreIndex);
  });
}

} // namespace

void cuda::shiftLabels(LaunchContext &launch, const tert_site &,
                       const tert_tensor &ids, const tert_tensor &labels,
                       int64_t ignoreIndex) {
  const int64_t rows = sizeOf(ids, 0), cols = sizeOf(ids, 1);
  if (rows * cols == 0)
    return;
  shiftLabelsKernel<<<launchBlocks(launch, rows * cols, 256), 256, 0,
                      launch.stream>>>(Integers(ids), Integers(labels), rows,
                                       cols, ignoreIndex);
  checkLaunch("label kernel");
}

void cuda::crossEntropy(LaunchContext &launch, const tert_site &site,
                        const tert_tensor &logits, const tert_tensor &labels,
                        const tert_tensor &loss, const tert_tensor &lse,
                        const tert_tensor &count, int64_t ignoreIndex,
                        tert_reduction reduction, float labelSmoothing,
                        float zLoss) {
  const int64_t rows = sizeOf(logits, 0), cols = sizeOf(logits, 1);
  float *losses = launch.scratch.take<float>(rows);
  DataErrorSink errors = labelErrors(launch, site, cols, ignoreIndex);
  withTerms({labelSmoothing, zLoss}, [&](auto terms) {
    withFloat(dtypeOf(logits), [&](auto element) {
      crossEntropyKernel<<<rowBlocks(launch, rows), rowThreads, 0,
                           launch.stream>>>(
          viewOf<decltype(element)>(logits), Integers(labels), rows, cols,
          ignoreIndex, static_cast<float *>(lse.data), losses,
          static_cast<float *>(loss.data), static_cast<float *>(count.data),
          reduction == TERT_MEAN, terms, launch.counters, errors);
    });
  });
  checkLaunch("cross-entropy kernel");
}

void cuda::crossEntropyGrad(LaunchContext &launch, const tert_site &site,
                            const tert_tensor &dloss, const tert_tensor &logits,
                            const tert_tensor &labels, const tert_tensor &lse,
                            const tert_tensor &count,
                            const tert_tensor &dlogits, int64_t ignoreIndex,
                            tert_reduction reduction, float labelSmoothing,
                            float zLoss) {
  const int64_t rows = sizeOf(logits, 0), cols = sizeOf(logits, 1);
  if (rows == 0)
    return;
  DataErrorSink errors = labelErrors(launch, site, cols, ignoreIndex);
  withTerms({labelSmoothing, zLoss}, [&](auto terms) {
    withFloat(dtypeOf(logits), [&](auto element) {
      withFloat(dtypeOf(dlogits), [&](auto gradElement) {
        crossEntropyGradKernel<<<rowBlocks(launch, rows), rowThreads, 0,
                                 launch.stream>>>(
            static_cast<const float *>(dloss.data),
            viewOf<decltype(element)>(logits), Integers(labels),
            static_cast<const float *>(lse.data),
            static_cast<const float *>(count.data),
            viewOf<decltype(gradElement)>(dlogits), rows, cols, ignoreIndex,
            reduction == TERT_MEAN, terms, errors);
      });
    });
  });
  checkLaunch("cross-entropy gradient kernel");
}

void cuda::countLabels(LaunchContext &launch, const tert_site &site,
                       const tert_tensor &labels, const tert_tensor &count,
                       int64_t classes, int64_t ignoreIndex) {
  countLabelsKernel<<<1, rowThreads, 0, launch.stream>>>(
      Integers(labels), sizeOf(labels, 0), classes, ignoreIndex,
      static_cast<float *>(count.data),
      labelErrors(launch, site, classes, ignoreIndex));
  checkLaunch("label counting kernel");
}

void cuda::crossEntropyWithGrad(
    LaunchContext &launch, const tert_site &site, const tert_tensor &dloss,
    const tert_tensor &labels, const tert_tensor &count,
    const tert_tensor &logits, const tert_tensor &loss, int64_t ignoreIndex,
    tert_reduction reduction, float labelSmoothing, float zLoss) {
  const int64_t rows = sizeOf(logits, 0), cols = sizeOf(logits, 1);
  if (rows == 0)
    return;
  float *losses = launch.scratch.take<float>(rows);
  const DataErrorSink errors = labelErrors(launch, site, cols, ignoreIndex);
  if (dtypeOf(logits) == TERT_BF16 && labelSmoothing == 0 && zLoss == 0) {
    const char *name = "cross-entropy with gradient kernel";
    const ResidentCrossEntropy problem = {
        static_cast<const float *>(dloss.data),
        static_cast<const float *>(count.data),
        viewOf<Bf16>(logits),
        Integers(labels),
        rows,
        cols,
        ignoreIndex,
        reduction == TERT_MEAN,
        /*batches=*/0,
        losses,
        static_cast<float *>(loss.data),
        errors};
    if (launchResident<1>(launch, name, problem) ||
        launchResident<2>(launch, name, problem) ||
        launchResident<4>(launch, name, problem) ||
        launchResident<8>(launch, name, problem))
      return;
  }
  withTerms({labelSmoothing, zLoss}, [&](auto terms) {
    withFloat(dtypeOf(logits), [&](auto element) {
      crossEntropyWithGradKernel<<<rowBlocks(launch, rows), rowThreads, 0,
                                   launch.stream>>>(
          static_cast<const float *>(dloss.data),
          viewOf<decltype(element)>(logits), Integers(labels),
          static_cast<const float *>(count.data), rows, cols, ignoreIndex,
          reduction == TERT_MEAN, terms, losses,
          static_cast<float *>(loss.data), launch.counters, errors);
    });
  });
  checkLaunch("cross-entropy with gradient kernel");
}
