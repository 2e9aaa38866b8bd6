// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices whose rows a block reads once: it holds whole rows in registers,
// eight neighbouring columns a thread, and takes a strip of 32 of them before it
// writes their column-wise copy. For what needs a sum over a row before it
// knows the row's results, and for shapes of models: the tile loop (Tile.cuh)
// does everything else.
#ifndef TERT_CUDA_KERNELS_ROWSTRIPS_CUH
#define TERT_CUDA_KERNELS_ROWSTRIPS_CUH

#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

constexpr int stripRows = 32;
/// Rows are at most so long, and blocks have so many threads.
constexpr int longestStripRow = 4096;
constexpr int mostStripThreads = longestStripRow / 8;

/// Whether the outputs can be made strip by strip.
inline bool fitsStrips(const TileOutputs &outputs) {
  return fitsTiles(outputs) && outputs.rows > 0 && outputs.cols > 0 &&
         outputs.cols % 256 == 0 && outputs.cols <= longestStripRow;
}

/// Bytes of shared memory that staging a strip takes.
inline size_t stripBytes(const TileOutputs &outputs) {
  return outputs.columnwise.data ? size_t(stripRows) * outputs.cols : 0;
}

/// Sums over all threads of the block; every thread gets them. `shared` must
/// not be that of the call before, whose values others may still read.
template <int count>
__device__ inline void blockSums(float (&values)[count],
                                 float (&shared)[count][32]) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
  for (int i = 0; i < count; ++i) {
    values[i] = warpReduce(values[i], Sum());
    if (lane == 0)
      shared[i][warp] = values[i];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < count; ++i)
    values[i] =
        warpReduce(lane < int(blockDim.x) / 32 ? shared[i][lane] : 0.0f, Sum());
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
    *reinterpret_cast<uint2 *>(
        stagedAt(staged, row, col, int(outputs.cols))) = codes;
}

/// For the block's strips, `Rows::count` rows at a time: rows.load(row) reads
/// them, the next ones while compute(rows, row0, row) works on those at `row` of
/// the strip at row0. Finishes column-wise copies and, behind all, the amax that
/// compute has taken along.
template <typename Rows, typename Load, typename Compute>
__device__ inline void forStrips(const TileOutputs &outputs, uint8_t *staged,
                                 float &amax, uint32_t *counters,
                                 const Load &load, const Compute &compute) {
  Rows current, next;
  int64_t row0 = int64_t(blockIdx.x) * stripRows;
  if (row0 < outputs.rows)
    load(current, row0);
  while (row0 < outputs.rows) {
    const int64_t nextStrip = row0 + int64_t(gridDim.x) * stripRows;
#pragma unroll 1
    for (int row = 0; row < stripRows; row += Rows::count) {
      const int64_t following = row + Rows::count < stripRows
                                    ? row0 + row + Rows::count
                                    : nextStrip;
      if (following < outputs.rows)
        load(next, following);
      compute(current, row0, row);
      current = next;
    }
    if (outputs.columnwise.data) {
      __syncthreads();
      storeStrip(staged, outputs.columnwise, row0, int(outputs.cols));
      __syncthreads();
    }
    row0 = nextStrip;
  }
  if (!outputs.amax)
    return;
  __shared__ uint32_t warpAmaxes[mostStripThreads / 32];
  const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(bits, outputs.amax, counters, gridDim.x);
}

/// Calls run(blocks, threads, bytes of shared memory), which launches `kernel`
/// on as many blocks as a device holds at once.
template <typename Kernel, typename Launch>
void launchStrips(LaunchContext &launch, const char *name, Kernel *kernel,
                  const TileOutputs &outputs, const Launch &run) {
  const int threads = int(outputs.cols / 8);
  const size_t bytes = stripBytes(outputs);
  check(cudaFuncSetAttribute(
            reinterpret_cast<const void *>(kernel),
            cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)),
        name);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor,
                                                      kernel, threads, bytes),
        name);
  const int64_t blocks = std::clamp<int64_t>(
      outputs.rows / stripRows, 1,
      std::max<int64_t>(1, int64_t(perMultiprocessor) *
                               launch.device.multiprocessors));
  run(unsigned(blocks), unsigned(threads), bytes);
  checkLaunch(name);
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_ROWSTRIPS_CUH
