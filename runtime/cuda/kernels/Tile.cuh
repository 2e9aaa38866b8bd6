// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that most kernels share: a matrix [rows, cols] of f32 results is
// computed tile by tile from what a producer reads, and each tile goes to every
// output that is wanted in one pass: a float copy, the row-wise and the
// column-wise quantized copy, the amax, sums over rows.
//
// A producer is a struct passed to the kernel by value:
//   static constexpr int numSums;      // sums over rows that it contributes
//   static constexpr int rowsInFlight; // rows of a thread read ahead
//   struct Raw;                        // what it reads for eight elements
//   bool aligned;                      // whole groups may be read at once
//   Raw load(row, col, valid, whole);  // global reads only, no use of them
//   void compute(raw, row, col, valid, v[8], sums[numSums][8]);
// Reads of several groups are in flight before the first is used.
#ifndef TERT_CUDA_KERNELS_TILE_CUH
#define TERT_CUDA_KERNELS_TILE_CUH

#include "cuda/Launch.h"
#include "cuda/kernels/ColumnSum.h"
#include "cuda/kernels/Fp8.cuh"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <algorithm>

namespace tert::cuda {

constexpr int tileRows = 64;
constexpr int tileCols = 128;
constexpr int tileThreads = 128;
/// Groups of eight side by side, and rows that the block covers at a time.
constexpr int groupsPerRow = tileCols / 8;
constexpr int rowsPerPass = tileThreads / groupsPerRow;
/// What the compiler limits registers for: reads of few blocks would not fill
/// the memory's queue.
constexpr int tileBlocksPerMultiprocessor = 5;
/// Tiles below each other that share one row of partial sums.
constexpr int64_t tilesPerStrip = 4;

/// An FP8 matrix with padding: all of [rows, cols] is written.
struct Fp8Output {
  uint8_t *data = nullptr;
  int64_t rows = 0, cols = 0, stride = 0;
  bool aligned = false; ///< to what one thread writes: 8 or 16 bytes

  __device__ uint8_t *at(int64_t row, int64_t col) const {
    return data + row * stride + col;
  }
};

struct TileOutputs {
  int64_t rows = 0, cols = 0;
  AnyFloat y;
  Fp8Output rowwise, columnwise;
  const float *scale = nullptr;
  bool isE5M2 = false;
  float *amax = nullptr;
  float *partialSums = nullptr; ///< [numSums, strips, cols]
};

/// Where quantized bytes of a tile wait to be transposed: rows of 128 bytes
/// whose 16-byte chunks are exchanged so that reading 4 bytes from each of four
/// groups of 16 rows meets no bank twice.
struct StagedTile {
  uint8_t bytes[tileRows * tileCols];

  static __device__ int offset(int row, int col) {
    return row * tileCols + ((col / 16) ^ (2 * (row / 16))) * 16 + col % 16;
  }
};

template <int numSums> struct TileSums {
  float values[numSums][8];
};
template <> struct TileSums<0> {
  float values[1][8]; // never touched
};

/// Writes 16 rows of one column of a column-wise copy.
__device__ inline void storeColumn(const Fp8Output &output, int64_t row,
                                   int64_t col, const uint32_t (&words)[4]) {
  if (col >= output.rows || row >= output.cols)
    return;
  uint8_t *p = output.at(col, row);
  if (output.aligned && row + 16 <= output.cols) {
    *reinterpret_cast<uint4 *>(p) =
        make_uint4(words[0], words[1], words[2], words[3]);
    return;
  }
#pragma unroll
  for (int i = 0; i < 16; ++i)
    if (row + i < output.cols)
      p[i] = uint8_t(words[i / 4] >> (i % 4 * 8));
}

/// Writes the staged tile at (row0, col0) to the column-wise copy. A thread
/// transposes 16 rows of 4 columns; four threads make 64 bytes of a column.
__device__ inline void storeColumnwise(const StagedTile &tile,
                                       const Fp8Output &output, int64_t row0,
                                       int64_t col0) {
  const int group = threadIdx.x % 4;
  const int word = threadIdx.x / 4;
  uint32_t columns[4][4];
#pragma unroll
  for (int quad = 0; quad < 4; ++quad) {
    uint32_t rows[4], transposed[4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      rows[i] = *reinterpret_cast<const uint32_t *>(
          tile.bytes + StagedTile::offset(group * 16 + quad * 4 + i, word * 4));
    transpose4(rows[0], rows[1], rows[2], rows[3], transposed);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      columns[i][quad] = transposed[i];
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    storeColumn(output, row0 + group * 16, col0 + word * 4 + i, columns[i]);
}

/// Row-wise codes of one group.
__device__ inline void storeRowwise(const Fp8Output &output, int64_t row,
                                    int64_t col, uint2 codes) {
  if (row >= output.rows || col >= output.cols)
    return;
  uint8_t *p = output.at(row, col);
  if (output.aligned && col + 8 <= output.cols) {
    *reinterpret_cast<uint2 *>(p) = codes;
    return;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i)
    if (col + i < output.cols)
      p[i] = uint8_t((i < 4 ? codes.x : codes.y) >> (i % 4 * 8));
}

/// Computes the tile at (row0, col0). The caller synchronizes before `staged`
/// is used again.
template <typename Producer>
__device__ inline void
processTile(const Producer &producer, const TileOutputs &outputs, float scale,
            int64_t row0, int64_t col0, StagedTile &staged, uint32_t &amax,
            TileSums<Producer::numSums> &sums) {
  const int group = threadIdx.x % groupsPerRow;
  const int firstRow = threadIdx.x / groupsPerRow;
  const int64_t col = col0 + group * 8;
  const int64_t left = outputs.cols - col;
  const int valid = left <= 0 ? 0 : left >= 8 ? 8 : int(left);
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  constexpr int rowsInFlight = Producer::rowsInFlight;
  // One question for the tile instead of one for each group.
  const bool whole = producer.aligned && col0 + tileCols <= outputs.cols &&
                     row0 + tileRows <= outputs.rows;
#pragma unroll 1
  for (int pass = 0; pass < tileRows / rowsPerPass; pass += rowsInFlight) {
    typename Producer::Raw raw[rowsInFlight];
    if (whole) {
#pragma unroll
      for (int i = 0; i < rowsInFlight; ++i)
        raw[i] = producer.load(row0 + firstRow + (pass + i) * rowsPerPass, col,
                               8, true);
    } else {
#pragma unroll
      for (int i = 0; i < rowsInFlight; ++i) {
        int64_t row = row0 + firstRow + (pass + i) * rowsPerPass;
        raw[i] = producer.load(row, col, row < outputs.rows ? valid : 0, false);
      }
    }
#pragma unroll
    for (int i = 0; i < rowsInFlight; ++i) {
      const int localRow = firstRow + (pass + i) * rowsPerPass;
      const int64_t row = row0 + localRow;
      float v[8] = {};
      const bool inside = whole || (row < outputs.rows && valid > 0);
      if (inside) {
        float terms[Producer::numSums ? Producer::numSums : 1][8];
        producer.compute(raw[i], row, col, valid, v, terms);
        if (!whole) {
#pragma unroll
          for (int k = 0; k < 8; ++k)
            if (k >= valid)
              v[k] = 0.0f;
        }
#pragma unroll
        for (int s = 0; s < Producer::numSums; ++s)
#pragma unroll
          for (int k = 0; k < 8; ++k)
            sums.values[s][k] += k < valid ? terms[s][k] : 0.0f;
#pragma unroll
        for (int k = 0; k < 8; ++k)
          amax = max(amax, magnitudeBits(v[k]));
        if (outputs.y)
          outputs.y.store(row, col, valid, v);
      }
      if (quantizes) {
        uint2 codes = encode8(v, scale, outputs.isE5M2);
        if (outputs.rowwise.data)
          storeRowwise(outputs.rowwise, row, col, codes);
        if (outputs.columnwise.data)
          *reinterpret_cast<uint2 *>(
              staged.bytes + StagedTile::offset(localRow, group * 8)) = codes;
      }
    }
  }
  if (outputs.columnwise.data) {
    __syncthreads();
    storeColumnwise(staged, outputs.columnwise, row0, col0);
  }
}

template <typename Producer>
__global__ void __launch_bounds__(tileThreads, tileBlocksPerMultiprocessor)
    tileKernel(Producer producer, TileOutputs outputs, int64_t rowTiles,
               int64_t colTiles, int64_t tilesPerItem, uint32_t *counters) {
  constexpr int numSums = Producer::numSums;
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ float columnSums[numSums ? rowsPerPass : 1]
                             [numSums ? tileCols : 1];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];

  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const int64_t strips = ceilDiv(rowTiles, tilesPerItem);
  uint32_t amax = 0;
  int buffer = 0;
  for (int64_t item = blockIdx.x; item < strips * colTiles; item += gridDim.x) {
    const int64_t strip = item / colTiles;
    const int64_t col0 = item % colTiles * tileCols;
    TileSums<numSums> sums = {};
    for (int64_t tile = strip * tilesPerItem;
         tile < min((strip + 1) * tilesPerItem, rowTiles); ++tile) {
      // Two buffers: who is still reading one is caught by the barrier of the
      // tile that fills the other.
      processTile(producer, outputs, scale, tile * tileRows, col0,
                  staged[buffer], amax, sums);
      buffer ^= 1;
    }
    for (int s = 0; s < numSums; ++s) {
      const int group = threadIdx.x % groupsPerRow;
      __syncthreads();
      for (int k = 0; k < 8; ++k)
        columnSums[threadIdx.x / groupsPerRow][group * 8 + k] =
            sums.values[s][k];
      __syncthreads();
      float total = 0;
      for (int i = 0; i < rowsPerPass; ++i)
        total += columnSums[i][threadIdx.x];
      if (outputs.partialSums && col0 + threadIdx.x < outputs.cols)
        outputs.partialSums[(s * strips + strip) * outputs.cols + col0 +
                            threadIdx.x] = total;
    }
  }
  if (!outputs.amax)
    return;
  amax = blockReduce(amax, Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(amax, outputs.amax, counters, gridDim.x);
}

/// The outputs of an op with quantized outputs (tert/ops.h) for a result
/// [rows, cols].
inline TileOutputs tileOutputs(int64_t rows, int64_t cols, const tert_tensor *y,
                               const tert_tensor *scale,
                               const tert_tensor *rowwise,
                               const tert_tensor *columnwise,
                               const tert_tensor *amax) {
  TileOutputs outputs;
  outputs.rows = rows;
  outputs.cols = cols;
  outputs.y = anyFloat(y);
  auto fp8Output = [](const tert_tensor *tensor, int64_t access) {
    if (!tensor)
      return Fp8Output();
    return Fp8Output{static_cast<uint8_t *>(tensor->data), sizeOf(*tensor, 0),
                     sizeOf(*tensor, 1), strideOf(*tensor, 0),
                     rowsAlignedTo(*tensor, access)};
  };
  outputs.rowwise = fp8Output(rowwise, 8);
  outputs.columnwise = fp8Output(columnwise, 16);
  if (rowwise || columnwise) {
    outputs.scale = static_cast<const float *>(scale->data);
    outputs.isE5M2 = dtypeOf(rowwise ? *rowwise : *columnwise) == TERT_F8E5M2;
  }
  outputs.amax = amax ? static_cast<float *>(amax->data) : nullptr;
  return outputs;
}

/// Launches the loop. `sums`: where the producer's sums over rows go, numSums
/// optional vectors.
template <typename Producer>
void launchTiles(LaunchContext &launch, const char *name,
                 const Producer &producer, TileOutputs outputs,
                 std::initializer_list<const tert_tensor *> sums = {}) {
  // The padding of both copies is covered by tiles as well.
  int64_t rows =
      std::max({outputs.rows, outputs.rowwise.rows, outputs.columnwise.cols});
  int64_t cols =
      std::max({outputs.cols, outputs.rowwise.cols, outputs.columnwise.rows});
  int64_t rowTiles = ceilDiv(rows, tileRows),
          colTiles = ceilDiv(cols, tileCols);
  int64_t tilesPerItem = Producer::numSums ? tilesPerStrip : 1;
  int64_t strips = ceilDiv(rowTiles, tilesPerItem);
  if (Producer::numSums)
    outputs.partialSums =
        launch.scratch.take<float>(sums.size() * strips * outputs.cols);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, tileKernel<Producer>, tileThreads, 0),
        name);
  int64_t blocks = std::clamp<int64_t>(strips * colTiles, 1,
                                       int64_t(perMultiprocessor) *
                                           launch.device.multiprocessors);
  tileKernel<<<unsigned(blocks), tileThreads, 0, launch.stream>>>(
      producer, outputs, rowTiles, colTiles, tilesPerItem, launch.counters);
  checkLaunch(name);
  int64_t index = 0;
  for (const tert_tensor *sum : sums) {
    if (sum)
      sumPartials(launch, outputs.partialSums + index * strips * outputs.cols,
                  strips, *sum);
    ++index;
  }
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_TILE_CUH
