// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop that most kernels share. A matrix [rows, cols] of f32 results is
// computed tile by tile from a producer's inputs. Each tile is written to every
// requested output in one pass: a float copy, the row-wise and the column-wise
// quantized copy, the amax, sums over rows.
//
// A producer is a struct passed to the kernel by value:
//   numSums       number of sums over rows that it contributes
//   rowsInFlight  rows that a thread loads before it uses the first: 1 to 8
//   rowsAhead     the same for the kernel of taller tiles for large matrices,
//                 with loads in flight all the time, about 64 bytes of them; 0
//                 to not use that kernel, as for sums over rows
//   minBlocks     blocks of a multiprocessor that registers must suffice for:
//                 the loads of too few would not fill the memory's queue
//   aligned       true if full groups of eight may be read at once
//   Column column(col, valid)
//                 values for eight columns of all rows of a tile
//   Raw load(row, col, valid, whole)
//                 loads eight elements and uses none of them yet
//   void compute(raw, column, row, col, valid, v[8], sums[numSums][8])
//
// If all tiles of a shape are full, as usual in models, a kernel without bounds
// checks is used, and for large shapes the one of taller tiles.
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
/// Adjacent groups of eight, and rows that the block processes at a time.
constexpr int groupsPerRow = tileCols / 8;
constexpr int rowsPerPass = tileThreads / groupsPerRow;
/// Column of a producer that has no per-column values.
struct NoColumn {};

/// An FP8 matrix with padding: all of [rows, cols] is written.
struct Fp8Output {
  uint8_t *data = nullptr;
  int64_t rows = 0, cols = 0, stride = 0;
  bool aligned = false; ///< to the width of one thread's writes: 8 or 16 bytes

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

  /// True for the first of two passes over the inputs, which only takes the
  /// amax. It begins at the end, where the previous kernel wrote last and the
  /// next one reads last: what lies there is, or stays, cached.
  __device__ bool goBackwards() const {
    return amax && !y && !rowwise.data && !columnwise.data;
  }
};

/// Buffer for the quantized bytes of a tile before their transposition: rows of
/// 128 bytes whose 16-byte chunks are swizzled, so that a warp that reads 4
/// bytes from each group of 16 rows has no bank conflicts.
template <int rows> struct StagedRows {
  static constexpr int groups = rows / 16;
  uint8_t bytes[rows * tileCols];

  static __device__ int offset(int row, int col) {
    return row * tileCols + ((col / 16) ^ (8 / groups * (row / 16))) * 16 +
           col % 16;
  }
};
using StagedTile = StagedRows<tileRows>;

template <int numSums> struct TileSums {
  float values[numSums][8];
};
template <> struct TileSums<0> {
  float values[1][8]; // unused
};

/// Writes 16 rows of one column of a column-wise copy.
template <bool whole>
__device__ inline void storeColumn(const Fp8Output &output, int64_t row,
                                   int64_t col, const uint32_t (&words)[4]) {
  if (!whole && (col >= output.rows || row >= output.cols))
    return;
  uint8_t *p = output.at(col, row);
  if (whole || (output.aligned && row + 16 <= output.cols)) {
    storeWords(p, make_uint4(words[0], words[1], words[2], words[3]));
  } else {
#pragma unroll
    for (int i = 0; i < 16; ++i)
      if (row + i < output.cols)
        p[i] = uint8_t(words[i / 4] >> (i % 4 * 8));
  }
}

/// Writes the staged tile at (row0, col0) to the column-wise copy, by all
/// `threads` of a block. A thread transposes 16 rows of 4 columns; neighbouring
/// threads cover all rows of a column.
template <bool whole, int threads, int rows>
__device__ inline void storeColumnwise(const StagedRows<rows> &tile,
                                       const Fp8Output &output, int64_t row0,
                                       int64_t col0) {
  constexpr int groups = StagedRows<rows>::groups;
  static_assert(groups * tileCols / 4 % threads == 0);
#pragma unroll
  for (int turn = 0; turn < groups * tileCols / 4 / threads; ++turn) {
    const int item = turn * threads + threadIdx.x;
    const int group = item % groups, word = item / groups;
    uint32_t columns[4][4];
#pragma unroll
    for (int quad = 0; quad < 4; ++quad) {
      uint32_t rowWords[4], transposed[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        rowWords[i] = *reinterpret_cast<const uint32_t *>(
            tile.bytes + tile.offset(group * 16 + quad * 4 + i, word * 4));
      transpose4(rowWords[0], rowWords[1], rowWords[2], rowWords[3],
                 transposed);
#pragma unroll
      for (int i = 0; i < 4; ++i)
        columns[i][quad] = transposed[i];
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
      storeColumn<whole>(output, row0 + group * 16, col0 + word * 4 + i,
                         columns[i]);
  }
}

/// Writes the row-wise codes of one group.
template <bool whole>
__device__ inline void storeRowwise(const Fp8Output &output, int64_t row,
                                    int64_t col, uint2 codes) {
  if (!whole && (row >= output.rows || col >= output.cols))
    return;
  uint8_t *p = output.at(row, col);
  if (whole || (output.aligned && col + 8 <= output.cols)) {
    *reinterpret_cast<uint2 *>(p) = codes;
  } else {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (col + i < output.cols)
        p[i] = uint8_t((i < 4 ? codes.x : codes.y) >> (i % 4 * 8));
  }
}

/// Writes eight results of a row to every output, and stages their codes for
/// the column-wise copy at `staged`. Requires fitsTiles().
__device__ inline void storeGroup(const TileOutputs &outputs, float scale,
                                  int64_t row, int64_t col, const float (&v)[8],
                                  uint8_t *staged, float &amax) {
#pragma unroll
  for (int k = 0; k < 8; ++k)
    amax = largerMagnitude(amax, v[k]);
  if (outputs.y)
    outputs.y.store(row, col, 8, v);
  if (!outputs.rowwise.data && !outputs.columnwise.data)
    return;
  const uint2 codes = encode8(v, scale, outputs.isE5M2);
  if (outputs.rowwise.data)
    storeRowwise<true>(outputs.rowwise, row, col, codes);
  if (outputs.columnwise.data)
    *reinterpret_cast<uint2 *>(staged) = codes;
}

/// Computes one tile; `whole` if it is a full tile of a shape that fits.
/// `staged` may be written again once all threads have passed the next
/// __syncthreads() after it: callers alternate between two.
template <bool whole, typename Producer>
__device__ inline void
processTile(const Producer &producer, const TileOutputs &outputs, float scale,
            uint32_t rowTile, uint32_t colTile, StagedTile &staged, float &amax,
            TileSums<Producer::numSums> &sums) {
  const int group = threadIdx.x % groupsPerRow;
  const int firstRow = threadIdx.x / groupsPerRow;
  const int64_t col = int64_t(colTile) * tileCols + group * 8;
  const uint32_t row0 = rowTile * tileRows;
  int valid = 8;
  if (!whole) {
    const int64_t left = outputs.cols - col;
    valid = left <= 0 ? 0 : left >= 8 ? 8 : int(left);
  }
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const auto column = producer.column(col, valid);
  constexpr int rowsInFlight = whole ? Producer::rowsInFlight : 2;
#pragma unroll 1
  for (int pass = 0; pass < tileRows / rowsPerPass; pass += rowsInFlight) {
    typename Producer::Raw raw[rowsInFlight];
#pragma unroll
    for (int i = 0; i < rowsInFlight; ++i) {
      const uint32_t row = row0 + firstRow + (pass + i) * rowsPerPass;
      const int there = whole || row < outputs.rows ? valid : 0;
      raw[i] = producer.load(row, col, there, whole || producer.aligned);
    }
#pragma unroll
    for (int i = 0; i < rowsInFlight; ++i) {
      const int localRow = firstRow + (pass + i) * rowsPerPass;
      const uint32_t row = row0 + localRow;
      float v[8] = {};
      if (whole || (row < outputs.rows && valid > 0)) {
        float terms[Producer::numSums ? Producer::numSums : 1][8];
        producer.compute(raw[i], column, row, col, valid, v, terms);
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
            sums.values[s][k] += whole || k < valid ? terms[s][k] : 0.0f;
#pragma unroll
        for (int k = 0; k < 8; ++k)
          amax = largerMagnitude(amax, v[k]);
        if (outputs.y) {
          AnyFloat y = outputs.y;
          y.aligned |= whole;
          y.store(row, col, valid, v);
        }
      }
      if (quantizes) {
        uint2 codes = encode8(v, scale, outputs.isE5M2);
        if (outputs.rowwise.data)
          storeRowwise<whole>(outputs.rowwise, row, col, codes);
        if (outputs.columnwise.data)
          *reinterpret_cast<uint2 *>(
              staged.bytes + StagedTile::offset(localRow, group * 8)) = codes;
      }
    }
  }
  if (outputs.columnwise.data) {
    __syncthreads();
    storeColumnwise<whole, tileThreads>(staged, outputs.columnwise, row0,
                                        int64_t(colTile) * tileCols);
  }
}

/// Distribution of a matrix's tiles over blocks: an item is several tiles below
/// each other in one column of tiles, which share a row of partial sums.
struct TileSchedule {
  uint32_t rowTiles, colTiles;
  uint32_t tilesPerItem, strips;
};

/// Blocks take items round-robin.
template <typename Producer, bool whole>
__global__ void __launch_bounds__(tileThreads, Producer::minBlocks)
    tileKernel(const __grid_constant__ Producer producer,
               const __grid_constant__ TileOutputs outputs,
               TileSchedule schedule, uint32_t *counters) {
  constexpr int numSums = Producer::numSums;
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ float columnSums[numSums ? rowsPerPass : 1]
                             [numSums ? tileCols : 1];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  float amax = 0;
  int buffer = 0;
  const uint32_t items = schedule.strips * schedule.colTiles;
  for (uint32_t i = blockIdx.x; i < items; i += gridDim.x) {
    const uint32_t item = outputs.goBackwards() ? items - 1 - i : i;
    const uint32_t strip = item / schedule.colTiles;
    const uint32_t colTile = item - strip * schedule.colTiles;
    const uint32_t first = strip * schedule.tilesPerItem;
    const uint32_t last = min(first + schedule.tilesPerItem, schedule.rowTiles);
    TileSums<numSums> sums = {};
    for (uint32_t rowTile = first; rowTile < last; ++rowTile) {
      processTile<whole>(producer, outputs, scale, rowTile, colTile,
                         staged[buffer], amax, sums);
      buffer ^= 1;
    }
#pragma unroll
    for (int s = 0; s < numSums; ++s) {
      const int group = threadIdx.x % groupsPerRow;
      __syncthreads();
#pragma unroll
      for (int k = 0; k < 8; ++k)
        columnSums[threadIdx.x / groupsPerRow][group * 8 + k] =
            sums.values[s][k];
      __syncthreads();
      float total = 0;
#pragma unroll
      for (int i = 0; i < rowsPerPass; ++i)
        total += columnSums[i][threadIdx.x];
      const int64_t col = int64_t(colTile) * tileCols + threadIdx.x;
      if (outputs.partialSums && col < outputs.cols)
        outputs
            .partialSums[(int64_t(s) * schedule.strips + strip) * outputs.cols +
                         col] = total;
    }
  }
  if (!outputs.amax)
    return;
  const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(bits, outputs.amax, counters, gridDim.x);
}

/// Rows of the tiles of large matrices: a column of a tile's column-wise copy
/// is a full memory line.
constexpr int tallRows = 128;
constexpr int tallThreads = 256;
constexpr int tallBlocks =
    3; ///< per multiprocessor, for which registers must suffice

/// Blocks take tiles round-robin. A thread has its next loads, also those of
/// the next tile, in flight while it computes.
template <typename Producer>
__global__ void __launch_bounds__(tallThreads, tallBlocks)
    tallTileKernel(const __grid_constant__ Producer producer,
                   const __grid_constant__ TileOutputs outputs,
                   uint32_t rowTiles, uint32_t colTiles, uint32_t *counters) {
  static_assert(Producer::numSums == 0);
  using Raw = typename Producer::Raw;
  constexpr int rowsAtOnce = tallThreads / groupsPerRow;
  constexpr int ahead = Producer::rowsAhead;
  static_assert(tallRows / rowsAtOnce % ahead == 0);
  __shared__ __align__(16) StagedRows<tallRows> staged[2];
  __shared__ uint32_t warpAmaxes[tallThreads / 32];
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const int ownCol = threadIdx.x % groupsPerRow * 8;
  const int ownRow = threadIdx.x / groupsPerRow;
  const uint32_t tiles = rowTiles * colTiles;
  auto placeOf = [&](uint32_t tile) {
    return outputs.goBackwards() ? tiles - 1 - tile : tile;
  };
  uint32_t nextTile = blockIdx.x;
  int64_t nextRow0 = 0, nextCol = 0;
  int nextRow = 0;
  auto readNext = [&](Raw &raw) {
    if (nextTile >= tiles)
      return;
    if (nextRow == 0) {
      const uint32_t place = placeOf(nextTile), rowTile = place / colTiles;
      nextRow0 = int64_t(rowTile) * tallRows + ownRow;
      nextCol = int64_t(place - rowTile * colTiles) * tileCols + ownCol;
    }
    raw = producer.load(nextRow0 + nextRow, nextCol, 8, true);
    nextRow += rowsAtOnce;
    if (nextRow == tallRows) {
      nextRow = 0;
      nextTile += gridDim.x;
    }
  };
  Raw raw[ahead];
#pragma unroll
  for (int i = 0; i < ahead; ++i)
    readNext(raw[i]);
  float amax = 0;
  int buffer = 0;
  for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint32_t place = placeOf(tile), rowTile = place / colTiles;
    const int64_t row0 = int64_t(rowTile) * tallRows;
    const int64_t col0 = int64_t(place - rowTile * colTiles) * tileCols;
    const auto column = producer.column(col0 + ownCol, 8);
#pragma unroll 1
    for (int step = 0; step < tallRows; step += ahead * rowsAtOnce) {
#pragma unroll
      for (int i = 0; i < ahead; ++i) {
        const Raw own = raw[i];
        readNext(raw[i]);
        const int row = step + i * rowsAtOnce + ownRow;
        float v[8], none[1][8];
        producer.compute(own, column, row0 + row, col0 + ownCol, 8, v, none);
        storeGroup(outputs, scale, row0 + row, col0 + ownCol, v,
                   staged[buffer].bytes + staged[buffer].offset(row, ownCol),
                   amax);
      }
    }
    if (outputs.columnwise.data) {
      __syncthreads();
      storeColumnwise<true, tallThreads>(staged[buffer], outputs.columnwise,
                                         row0, col0);
      buffer ^= 1;
    }
  }
  if (!outputs.amax)
    return;
  const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(bits, outputs.amax, counters, gridDim.x);
}

/// A copy whose threads write `access` bytes at a time; an empty one for null.
inline Fp8Output fp8Output(const tert_tensor *tensor, int64_t access) {
  if (!tensor)
    return Fp8Output();
  return Fp8Output{static_cast<uint8_t *>(tensor->data), sizeOf(*tensor, 0),
                   sizeOf(*tensor, 1), strideOf(*tensor, 0),
                   rowsAlignedTo(*tensor, access)};
}

/// Outputs of a result [rows, cols], as floats and quantized.
inline TileOutputs tileOutputs(int64_t rows, int64_t cols, const tert_tensor *y,
                               const tert_quantized &quantized = {}) {
  const auto &[scale, rowwise, columnwise, amax] = quantized;
  TileOutputs outputs;
  outputs.rows = rows;
  outputs.cols = cols;
  outputs.y = anyFloat(y);
  outputs.rowwise = fp8Output(rowwise.data, 8);
  outputs.columnwise = fp8Output(columnwise.data, 16);
  if (rowwise.data || columnwise.data) {
    outputs.scale = static_cast<const float *>(scale->data);
    outputs.isE5M2 =
        dtypeOf(rowwise.data ? *rowwise.data : *columnwise.data) == TERT_F8E5M2;
  }
  outputs.amax = amax ? static_cast<float *>(amax->data) : nullptr;
  return outputs;
}

/// True if no tile of these outputs requires bounds checks.
inline bool fitsTiles(const TileOutputs &outputs) {
  auto fits = [](const Fp8Output &output, int64_t rows, int64_t cols) {
    return !output.data ||
           (output.aligned && output.rows == rows && output.cols == cols);
  };
  return outputs.rows % tileRows == 0 && outputs.cols % tileCols == 0 &&
         (!outputs.y || outputs.y.aligned) &&
         fits(outputs.rowwise, outputs.rows, outputs.cols) &&
         fits(outputs.columnwise, outputs.cols, outputs.rows);
}

/// The tiles that cover the outputs, including the padding of both copies.
inline TileSchedule coverWithTiles(const TileOutputs &outputs) {
  int64_t rows =
      std::max({outputs.rows, outputs.rowwise.rows, outputs.columnwise.cols});
  int64_t cols =
      std::max({outputs.cols, outputs.rowwise.cols, outputs.columnwise.rows});
  const int64_t rowTiles = ceilDiv(rows, tileRows);
  const int64_t colTiles = ceilDiv(cols, tileCols);
  if (rowTiles * colTiles > INT32_MAX || rows > INT32_MAX)
    throw Error(TERT_UNSUPPORTED,
                "a matrix has more than 2^31 rows or tiles of 64 x 128");
  return {uint32_t(rowTiles), uint32_t(colTiles), 1, uint32_t(rowTiles)};
}

/// Makes items longer, for fewer partial sums, as long as no block is idle at
/// the end.
inline void lengthenItems(TileSchedule &schedule, int64_t blocks) {
  double best = 0;
  const uint32_t colTiles = std::max(1u, schedule.colTiles);
  for (uint32_t tiles = 1; tiles <= 16; ++tiles) {
    const int64_t strips = ceilDiv(schedule.rowTiles, tiles);
    const int64_t turns = ceilDiv(strips * colTiles, blocks);
    // A strip's partial sums take a sixteenth of a tile's time.
    const double time = double(turns) * (tiles + 0.0625);
    if (best == 0 || time < best) {
      best = time;
      schedule.tilesPerItem = tiles;
      schedule.strips = uint32_t(strips);
    }
  }
}

template <bool whole, typename Producer>
void launchTileKernel(LaunchContext &launch, const char *name,
                      const Producer &producer, TileOutputs &outputs,
                      TileSchedule &schedule, size_t sums) {
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, tileKernel<Producer, whole>, tileThreads, 0),
        name);
  const int64_t most =
      int64_t(perMultiprocessor) * launch.device.multiprocessors;
  if (sums) {
    lengthenItems(schedule, most);
    outputs.partialSums = launch.scratch.take<float>(
        int64_t(sums) * schedule.strips * outputs.cols);
  }
  const int64_t blocks = std::clamp<int64_t>(
      int64_t(schedule.strips) * schedule.colTiles, 1, most);
  tileKernel<Producer, whole>
      <<<unsigned(blocks), tileThreads, 0, launch.stream>>>(
          producer, outputs, schedule, launch.counters);
  checkLaunch(name);
}

/// Launches the loop over taller tiles if there are enough of them for all
/// multiprocessors.
template <typename Producer>
bool launchTallTiles(LaunchContext &launch, const char *name,
                     const Producer &producer, const TileOutputs &outputs) {
  const int64_t blocks = int64_t(tallBlocks) * launch.device.multiprocessors;
  const int64_t rowTiles = outputs.rows / tallRows;
  const int64_t colTiles = outputs.cols / tileCols;
  if (!producer.aligned || !fitsTiles(outputs) ||
      outputs.rows % tallRows != 0 || rowTiles * colTiles < blocks ||
      rowTiles * colTiles > INT32_MAX)
    return false;
  tallTileKernel<Producer><<<unsigned(blocks), tallThreads, 0, launch.stream>>>(
      producer, outputs, uint32_t(rowTiles), uint32_t(colTiles),
      launch.counters);
  checkLaunch(name);
  return true;
}

/// Launches the loop. `sums`: destinations of the producer's sums over rows,
/// numSums optional vectors.
template <typename Producer>
void launchTiles(LaunchContext &launch, const char *name,
                 const Producer &producer, TileOutputs outputs,
                 std::initializer_list<const tert_tensor *> sums = {}) {
  if constexpr (Producer::rowsAhead > 0)
    if (launchTallTiles(launch, name, producer, outputs))
      return;
  TileSchedule schedule = coverWithTiles(outputs);
  bool requestedSums = false;
  for (const tert_tensor *sum : sums)
    requestedSums |= sum != nullptr;
  const size_t numSums = requestedSums ? sums.size() : 0;
  if (producer.aligned && fitsTiles(outputs))
    launchTileKernel<true>(launch, name, producer, outputs, schedule, numSums);
  else
    launchTileKernel<false>(launch, name, producer, outputs, schedule, numSums);
  if (requestedSums)
    sumPartials(launch, outputs.partialSums, schedule.strips, sums);
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_TILE_CUH
