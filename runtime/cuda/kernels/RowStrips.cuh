// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices whose rows are read once: one to four warps hold a row in registers,
// and a block takes a strip of 32 rows before it writes their column-wise copy.
// For what needs a sum over a row before it knows the row's results, and for
// shapes of models: the tile loop (Tile.cuh) does everything else.
#ifndef TERT_CUDA_KERNELS_ROWSTRIPS_CUH
#define TERT_CUDA_KERNELS_ROWSTRIPS_CUH

#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

constexpr int stripRows = 32;
constexpr int stripWarps = 8;
constexpr int stripThreads = 32 * stripWarps;
constexpr int longestStripRow = 4096;

/// How a block holds rows: `warpsPerRow` warps have one, each thread `groups`
/// times eight neighbouring columns of it.
template <int warpsPerRow, int groupsPerRow> struct RowShape {
  static constexpr int warps = warpsPerRow;
  static constexpr int groups = groupsPerRow;
  static constexpr int rowsAtOnce = stripWarps / warps;

  /// The first column of a group.
  static __device__ int column(int group) {
    const int warp = threadIdx.x / 32 % warps;
    return ((group * warps + warp) * 32 + int(threadIdx.x) % 32) * 8;
  }
  /// Whether a row of `cols` columns, a multiple of 256, has the group. Equal
  /// in a warp.
  static __device__ bool has(int group, int64_t cols) {
    return column(group) < cols;
  }
  /// Which of the rows that the block holds at once the thread has a part of.
  static __device__ int row() { return int(threadIdx.x) / 32 / warps; }
};

/// Calls fn with the shape for rows of `cols` columns.
template <typename Fn> void withRowShape(int64_t cols, const Fn &fn) {
  switch (ceilDiv(cols, 256)) {
  case 1:
    return fn(RowShape<1, 1>());
  case 2:
    return fn(RowShape<1, 2>());
  case 3:
    return fn(RowShape<1, 3>());
  case 4:
    return fn(RowShape<1, 4>());
  case 5:
  case 6:
    return fn(RowShape<2, 3>());
  case 7:
  case 8:
    return fn(RowShape<2, 4>());
  case 9:
  case 10:
  case 11:
  case 12:
    return fn(RowShape<4, 3>());
  default:
    return fn(RowShape<4, 4>());
  }
}

/// Whether the outputs can be made strip by strip.
inline bool fitsStrips(const TileOutputs &outputs) {
  return fitsTiles(outputs) && outputs.rows > 0 && outputs.cols > 0 &&
         outputs.cols % 256 == 0 && outputs.cols <= longestStripRow;
}

/// Bytes of shared memory for staging a strip, or for adding up sums over rows.
inline size_t stripBytes(const TileOutputs &outputs, bool sumsRows) {
  return outputs.columnwise.data || sumsRows ? size_t(stripRows) * outputs.cols
                                             : 0;
}

/// Sums over the threads that hold a row; each of them gets them. `shared` must
/// not be that of the call before, whose values others may still read.
template <typename Shape, int count>
__device__ inline void rowSums(float (&values)[count],
                               float (&shared)[stripWarps][count]) {
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] = warpReduce(values[i], Sum());
  if constexpr (Shape::warps > 1) {
    const int warp = threadIdx.x / 32,
              first = warp / Shape::warps * Shape::warps;
    if (threadIdx.x % 32 == 0)
#pragma unroll
      for (int i = 0; i < count; ++i)
        shared[warp][i] = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < count; ++i) {
      values[i] = 0;
#pragma unroll
      for (int w = 0; w < Shape::warps; ++w)
        values[i] += shared[first + w][i];
    }
  }
}

/// Adds up what the block's threads have summed of each column and writes the
/// sums, `cols` of them. `shared`: stripBytes(). All threads call it.
template <typename Shape>
__device__ inline void storeColumnSums(const float (&sums)[Shape::groups][8],
                                       uint8_t *shared, int64_t cols,
                                       float *result) {
  float *partial = reinterpret_cast<float *>(shared);
  __syncthreads();
#pragma unroll
  for (int g = 0; g < Shape::groups; ++g)
    if (Shape::has(g, cols))
#pragma unroll
      for (int k = 0; k < 8; ++k)
        partial[Shape::row() * cols + Shape::column(g) + k] = sums[g][k];
  __syncthreads();
  for (int64_t col = threadIdx.x; col < cols; col += stripThreads) {
    float total = 0;
#pragma unroll
    for (int row = 0; row < Shape::rowsAtOnce; ++row)
      total += partial[row * cols + col];
    result[col] = total;
  }
}

/// Where the codes of eight columns of a strip's row wait. Halves of 128 bytes
/// are exchanged in every other group of 16 rows, so that reading the same
/// words of two groups meets no bank twice.
__device__ inline uint8_t *stagedAt(uint8_t *staged, int row, int col,
                                    int cols) {
  return staged + row * cols + (col ^ (row / 16 * 64));
}

/// Writes the staged strip at `row0` to the column-wise copy: two threads make
/// 32 bytes of a column. All threads call it, after a __syncthreads().
__device__ inline void storeStrip(uint8_t *staged, const Fp8Output &output,
                                  int64_t row0, int cols) {
  for (int item = threadIdx.x; item < cols / 2; item += blockDim.x) {
    const int group = item % 2, col = item / 2 * 4;
    uint32_t columns[4][4];
#pragma unroll
    for (int quad = 0; quad < 4; ++quad) {
      uint32_t rows[4], transposed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        rows[i] = *reinterpret_cast<const uint32_t *>(
            stagedAt(staged, group * 16 + quad * 4 + i, col, cols));
      transpose4(rows[0], rows[1], rows[2], rows[3], transposed);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        columns[i][quad] = transposed[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
      storeColumn<true>(output, row0 + group * 16, col + i, columns[i]);
  }
}

/// Hands eight results of a row to every output but the column-wise copy, for
/// which it stages them.
__device__ inline void storeRow(const TileOutputs &outputs, float scale,
                                uint8_t *staged, int64_t row0, int row, int col,
                                const float (&v)[8], float &amax) {
#pragma unroll
  for (int k = 0; k < 8; ++k)
    amax = largerMagnitude(amax, v[k]);
  if (outputs.y)
    outputs.y.store(row0 + row, col, 8, v);
  if (!outputs.rowwise.data && !outputs.columnwise.data)
    return;
  const uint2 codes = encode8(v, scale, outputs.isE5M2);
  if (outputs.rowwise.data)
    storeRowwise<true>(outputs.rowwise, row0 + row, col, codes);
  if (outputs.columnwise.data)
    *reinterpret_cast<uint2 *>(stagedAt(staged, row, col, int(outputs.cols))) =
        codes;
}

/// Does nothing more with a strip.
struct NoMore {
  __device__ void operator()(int64_t) const {}
};

/// For the block's strips, `Rows::count` rows of each thread at a time:
/// load(rows, row) reads them, the next ones while compute(rows, row0, row)
/// works on those of the strip at row0; a thread's rows are row + i *
/// rowsAtOnce. Finishes column-wise copies and, behind all, the amax that
/// compute has taken along. Behind a strip more(row0) may use `staged`, and
/// leaves it to all threads again.
template <typename Shape, typename Rows, typename Load, typename Compute,
          typename More = NoMore>
__device__ inline void forStrips(const TileOutputs &outputs, uint8_t *staged,
                                 float &amax, uint32_t *counters,
                                 const Load &load, const Compute &compute,
                                 const More &more = More()) {
  constexpr int step = Rows::count * Shape::rowsAtOnce;
  static_assert(stripRows % step == 0);
  const int own = Shape::row();
  Rows current, next;
  int64_t row0 = int64_t(blockIdx.x) * stripRows;
  if (row0 < outputs.rows)
    load(current, row0 + own);
  while (row0 < outputs.rows) {
    const int64_t nextStrip = row0 + int64_t(gridDim.x) * stripRows;
#pragma unroll 1
    for (int row = 0; row < stripRows; row += step) {
      const int64_t following =
          row + step < stripRows ? row0 + row + step : nextStrip;
      if (following < outputs.rows)
        load(next, following + own);
      compute(current, row0, row + own);
      current = next;
    }
    if (outputs.columnwise.data) {
      __syncthreads();
      storeStrip(staged, outputs.columnwise, row0, int(outputs.cols));
      __syncthreads();
    }
    more(row0);
    row0 = nextStrip;
  }
  if (!outputs.amax)
    return;
  __shared__ uint32_t warpAmaxes[stripWarps];
  const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(bits, outputs.amax, counters, gridDim.x);
}

/// Prepares `kernel` for `bytes` of shared memory. Returns how many blocks to
/// launch: as many as a device holds at once.
template <typename Kernel>
unsigned stripBlocks(LaunchContext &launch, const char *name, Kernel *kernel,
                     const TileOutputs &outputs, size_t bytes) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(bytes)),
        name);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, kernel, stripThreads, bytes),
        name);
  return unsigned(std::clamp<int64_t>(
      outputs.rows / stripRows, 1,
      std::max<int64_t>(1, int64_t(perMultiprocessor) *
                               launch.device.multiprocessors)));
}

/// Picks the kernel for the outputs' rows, kernelOf(shape), and lets
/// run(kernel, blocks, bytes of shared memory) launch it. Returns how many
/// blocks it has.
template <typename KernelOf, typename Run>
unsigned launchStrips(LaunchContext &launch, const char *name,
                      const TileOutputs &outputs, bool sumsRows,
                      const KernelOf &kernelOf, const Run &run) {
  const size_t bytes = stripBytes(outputs, sumsRows);
  unsigned blocks = 0;
  withRowShape(outputs.cols, [&](auto shape) {
    auto *kernel = kernelOf(shape);
    blocks = stripBlocks(launch, name, kernel, outputs, bytes);
    run(kernel, blocks, bytes);
    checkLaunch(name);
  });
  return blocks;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ROWSTRIPS_CUH
