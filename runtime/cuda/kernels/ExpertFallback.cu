// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of experts with plain arithmetic, for all types, sizes and orders of
// rows. Tiles are of one expert: if groups do not promise that, rows are sorted
// first, and read and written through their places.

#include "cuda/kernels/ExpertMatmul.h"
#include "cuda/kernels/GroupRows.h"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Vector.cuh"

#include <cuda_fp8.h>

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int tileSize = 64, tileDepth = 16;
constexpr int threads = 256;
/// Elements of a tile for each thread, in both dimensions.
constexpr int perThread = 4;

__device__ inline float valueOf(float value) { return value; }
__device__ inline float valueOf(Bf16 value) { return __bfloat162float(value); }
__device__ inline float valueOf(__nv_fp8_e4m3 value) { return float(value); }
__device__ inline float valueOf(__nv_fp8_e5m2 value) { return float(value); }

/// Strides of the dimension that is kept, and of the one that is summed.
template <typename T> struct Factor {
  const T *data;
  int64_t outer, summed;
};

template <typename A, typename B> struct Arguments {
  Factor<A> a;
  Factor<B> b;
  int64_t bOfExpert; ///< from one expert's matrix in b to the next one's
  const float *aScales, *bScales;
  bool aScaleEach, bScaleEach;
  /// [places]: rows, or null if they are in their places, and their experts.
  const int32_t *source, *groups;
  int64_t places, m, n, k, experts;
  void *d;
  int64_t dStride;
  bool dIsF32;
};

/// The row at a place, or -1.
template <typename A, typename B>
__device__ inline int64_t rowAt(const Arguments<A, B> &args, int64_t place) {
  if (place >= args.places)
    return -1;
  if (args.source)
    return args.source[place];
  return args.groups[place] >= 0 ? place : -1;
}

/// Loads [tileSize, tileDepth] elements as columns; at(i, s) is an address, or
/// null for zero. Neighbouring threads read neighbouring elements.
template <typename At>
__device__ inline void loadTile(float (&tile)[tileDepth][tileSize + 1],
                                bool isSummedInner, const At &at) {
#pragma unroll
  for (int step = 0; step < tileSize * tileDepth / threads; ++step) {
    const int index = step * threads + threadIdx.x;
    const int i = isSummedInner ? index / tileDepth : index % tileSize;
    const int s = isSummedInner ? index % tileDepth : index / tileSize;
    const auto *address = at(i, s);
    tile[s][i] = address ? valueOf(*address) : 0.0f;
  }
}

template <typename A, typename B, bool wgrad>
__global__ void __launch_bounds__(threads)
    tileKernel(const Arguments<A, B> args, int64_t tiles) {
  __shared__ float left[tileDepth][tileSize + 1],
      right[tileDepth][tileSize + 1];
  const int64_t rowTiles =
      ((wgrad ? args.m : args.places) + tileSize - 1) / tileSize;
  const int64_t colTiles = (args.n + tileSize - 1) / tileSize;
  const int threadRow = threadIdx.x / 16, threadCol = threadIdx.x % 16;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int64_t col = tile % colTiles * tileSize;
    const int64_t row = tile / colTiles % rowTiles * tileSize;
    int64_t expert = tile / colTiles / rowTiles;
    if (!wgrad) {
      expert = args.groups[row];
      if (expert < 0 || expert >= args.experts)
        expert = -1;
    }
    // What is summed: [begin, end).
    int64_t begin = 0, end = expert < 0 ? 0 : args.k;
    if (wgrad) {
      auto isBefore = [&](int64_t block, int64_t e) {
        const int32_t group = args.groups[block * tileSize];
        return group >= 0 && group < e;
      };
      auto firstBlock = [&](int64_t e) {
        int64_t low = 0, high = (args.places + tileSize - 1) / tileSize;
        while (low < high) {
          const int64_t middle = (low + high) / 2;
          if (isBefore(middle, e))
            low = middle + 1;
          else
            high = middle;
        }
        return low * tileSize;
      };
      begin = firstBlock(expert);
      end = firstBlock(expert + 1);
    }
    float sums[perThread][perThread] = {};
    for (int64_t first = begin; first < end; first += tileDepth) {
      if (wgrad) {
        auto load = [&](const auto &factor, int64_t outer, int64_t size,
                        auto &to) {
          loadTile(to, factor.summed == 1, [&](int i, int s) {
            const int64_t place = rowAt(args, first + s);
            return place >= 0 && outer + i < size
                       ? factor.data + (outer + i) * factor.outer +
                             place * factor.summed
                       : nullptr;
          });
        };
        load(args.a, row, args.m, left);
        load(args.b, col, args.n, right);
      } else {
        loadTile(left, args.a.summed == 1, [&](int i, int s) {
          const int64_t place = rowAt(args, row + i);
          return place >= 0 && first + s < end
                     ? args.a.data + place * args.a.outer +
                           (first + s) * args.a.summed
                     : nullptr;
        });
        loadTile(right, args.b.summed == 1, [&](int i, int s) {
          return col + i < args.n && first + s < end
                     ? args.b.data + expert * args.bOfExpert +
                           (col + i) * args.b.outer +
                           (first + s) * args.b.summed
                     : nullptr;
        });
      }
      __syncthreads();
#pragma unroll
      for (int s = 0; s < tileDepth; ++s)
#pragma unroll
        for (int i = 0; i < perThread; ++i)
#pragma unroll
          for (int j = 0; j < perThread; ++j)
            sums[i][j] +=
                left[s][threadRow + 16 * i] * right[s][threadCol + 16 * j];
      __syncthreads();
    }
    float scale = 1.0f;
    if (args.aScales && expert >= 0)
      scale = args.aScales[args.aScaleEach ? expert : 0] *
              args.bScales[args.bScaleEach ? expert : 0];
    for (int i = 0; i < perThread; ++i) {
      const int64_t inTile = row + threadRow + 16 * i;
      int64_t to = wgrad ? (inTile < args.m ? expert * args.m + inTile : -1)
                         : rowAt(args, inTile);
      bool isZero = false;
      if (!wgrad && !args.source && inTile < args.places) {
        isZero = to < 0;
        to = inTile;
      }
      if (to < 0)
        continue;
      for (int j = 0; j < perThread; ++j) {
        const int64_t at = col + threadCol + 16 * j;
        if (at >= args.n)
          continue;
        const float value = isZero ? 0.0f : sums[i][j] * scale;
        if (args.dIsF32)
          static_cast<float *>(args.d)[to * args.dStride + at] = value;
        else
          static_cast<Bf16 *>(args.d)[to * args.dStride + at] =
              __float2bfloat16_rn(value);
      }
    }
  }
}

/// Rows without an expert, where tiles do not write them.
template <typename T>
__global__ void __launch_bounds__(threads)
    clearKernel(T *d, int64_t stride, int64_t cols, const int32_t *groups,
                int64_t rows, int64_t experts) {
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < rows * cols;
       i += int64_t(gridDim.x) * threads) {
    const int32_t group = groups[i / cols];
    if (group < 0 || group >= experts)
      fromF32(0.0f, d[i / cols * stride + i % cols]);
  }
}

} // namespace

/// Makes groups of whole tiles, and clears the rows that are in none.
template <typename A, typename B>
static void sortRows(LaunchContext &launch, const ExpertCall &call,
                     Arguments<A, B> &args) {
  const ExpertProduct &product = call.product;
  const int64_t rows = product.rows;
  const int64_t count = std::max<int64_t>(product.experts, 1);
  args.places = (rows + std::min(count, rows) * (tileSize - 1) + tileSize - 1) /
                tileSize * tileSize;
  int32_t *source = launch.scratch.take<int32_t>(args.places);
  int32_t *groups = launch.scratch.take<int32_t>(args.places);
  if (args.places > INT32_MAX)
    throw Error(TERT_UNSUPPORTED, "more rows than a GPU can sort");
  groupRows(launch,
            {args.groups, source, nullptr, groups, int32_t(rows),
             int32_t(args.places), int32_t(count), tileSize},
            DataErrorSink{});
  if (!product.wgrad)
    withFloat(dtypeOf(call.d), [&](auto zero) {
      using T = decltype(zero);
      clearKernel<<<launchBlocks(launch, rows * args.n, threads), threads, 0,
                    launch.stream>>>(static_cast<T *>(call.d.data),
                                     args.dStride, args.n, args.groups, rows,
                                     product.experts);
      checkLaunch("expert_matmul");
    });
  args.source = source;
  args.groups = groups;
}

template <typename A, typename B>
static void multiply(LaunchContext &launch, const ExpertCall &call) {
  const ExpertProduct &product = call.product;
  const int64_t aStride = strideOf(call.a, 0), bStride = strideOf(call.b, 0);
  Arguments<A, B> args = {};
  args.a = {static_cast<const A *>(call.a.data), aStride, 1};
  args.b = {static_cast<const B *>(call.b.data), bStride, 1};
  if (product.wgrad && !product.scaled) {
    std::swap(args.a.outer, args.a.summed);
    std::swap(args.b.outer, args.b.summed);
  } else if (!product.wgrad) {
    if (product.transposeB) {
      args.bOfExpert = product.n * bStride;
    } else if (product.scaled) {
      args.bOfExpert = product.k;
    } else {
      std::swap(args.b.outer, args.b.summed);
      args.bOfExpert = product.k * bStride;
    }
  }
  if (call.aScale) {
    args.aScales = static_cast<const float *>(call.aScale->data);
    args.bScales = static_cast<const float *>(call.bScale->data);
    args.aScaleEach = rankOf(*call.aScale) != 0;
    args.bScaleEach = rankOf(*call.bScale) != 0;
  }
  args.groups = static_cast<const int32_t *>(call.groups.data);
  args.places = product.rows;
  args.m = product.m;
  args.n = product.n;
  args.k = product.k;
  args.experts = product.experts;
  args.d = call.d.data;
  args.dStride = strideOf(call.d, 0);
  args.dIsF32 = dtypeOf(call.d) == TERT_F32;
  if (call.alignment % tileSize != 0)
    sortRows(launch, call, args);
  auto count = [](int64_t size) { return (size + tileSize - 1) / tileSize; };
  const int64_t tiles =
      count(args.n) *
      (product.wgrad ? count(args.m) * args.experts : count(args.places));
  const unsigned blocks =
      unsigned(std::min<int64_t>(tiles, 8 * launch.device.multiprocessors));
  if (product.wgrad)
    tileKernel<A, B, true><<<blocks, threads, 0, launch.stream>>>(args, tiles);
  else
    tileKernel<A, B, false><<<blocks, threads, 0, launch.stream>>>(args, tiles);
  checkLaunch("expert_matmul");
}

void cuda::multiplySimply(LaunchContext &launch, const ExpertCall &call) {
  const tert_dtype a = dtypeOf(call.a), b = dtypeOf(call.b);
  if (a == TERT_F8E5M2)
    return multiply<__nv_fp8_e5m2, __nv_fp8_e4m3>(launch, call);
  if (b == TERT_F8E5M2)
    return multiply<__nv_fp8_e4m3, __nv_fp8_e5m2>(launch, call);
  if (a == TERT_F8E4M3)
    return multiply<__nv_fp8_e4m3, __nv_fp8_e4m3>(launch, call);
  withFloat(a, [&](auto left) {
    withFloat(b, [&](auto right) {
      multiply<decltype(left), decltype(right)>(launch, call);
    });
  });
}
