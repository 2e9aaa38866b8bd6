// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Elementwise.h"
#include "cuda/kernels/Integers.h"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <cmath>
#include <cub/device/device_radix_sort.cuh>

// CCCL has its own namespace cuda, so names are qualified below.
using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

/// One group of eight columns per thread.
template <typename T>
__global__ void __launch_bounds__(threads)
    gatherKernel(Integers ids, View<T> table, int64_t tableRows, AnyFloat y,
                 int64_t rows, int64_t cols, DataErrorSink errors) {
  const int64_t groups = ceilDiv(cols, 8);
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = i / groups, col = i % groups * 8;
    const int valid = int(min(int64_t(8), cols - col));
    const int64_t id = ids[row];
    float v[8];
    if (id >= 0 && id < tableRows) {
      load8(table.at(id, col), valid, table.aligned, v);
    } else {
      if (col == 0)
        errors.report(id, row);
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = NAN;
    }
    y.store(row, col, valid, v);
  }
}

/// Gathers the elements that are in this shard of the table, and zeros for all
/// others. `rows` starts at the shard's first row, `firstRow`, whose first
/// elements may be missing.
__global__ void __launch_bounds__(threads)
    gatherShardKernel(Integers ids, TableShard table, View<float> rows,
                      int64_t firstRow, AnyFloat y, int64_t count,
                      DataErrorSink errors) {
  const int64_t cols = table.cols, groups = ceilDiv(cols, 8);
#pragma unroll 2
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x;
       i < count * groups; i += int64_t(gridDim.x) * threads) {
    const int64_t row = i / groups, col = i % groups * 8;
    const int valid = int(min(int64_t(8), cols - col));
    const int64_t id = ids[row];
    const int64_t index = id * cols + col;
    float v[8];
    if (id < 0 || id >= table.rows) {
      if (col == 0)
        errors.report(id, row);
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = NAN;
    } else if (index >= table.first && index + valid <= table.end) {
      load8(rows.at(id - firstRow, col), valid, rows.aligned, v);
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = k < valid && index + k >= table.first && index + k < table.end
                   ? table.data[index + k - table.first]
                   : 0.0f;
    }
    y.store(row, col, valid, v);
  }
}

/// Rows [firstRow, firstRow + rows) of a table of `tableRows` rows. Elements
/// [first, end), counted from the beginning of the first of them, are present.
struct TableRows {
  AnyFloat dtable;
  int64_t firstRow, rows, cols, tableRows;
  int64_t first, end;
};

/// Writes the ids' rows as sort keys, and their positions. Ids outside of these
/// rows sort last.
__global__ void keysKernel(Integers ids, int64_t count, TableRows table,
                           uint32_t *keys, uint32_t *positions,
                           DataErrorSink errors) {
  for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * threads) {
    const int64_t id = ids[i];
    if (id < 0 || id >= table.tableRows)
      errors.report(id, i);
    const int64_t row = id - table.firstRow;
    keys[i] = uint32_t(row >= 0 && row < table.rows ? row : table.rows);
    positions[i] = uint32_t(i);
  }
}

constexpr int lanes = 32;             // groups of eight adjacent columns
constexpr int warpsPerBlock = 8;      // one position each
constexpr int64_t warpPositions = 32; // most positions that a single warp adds

/// Adds the rows of dy at positions[first], positions[first + step], ...
template <typename T>
__device__ inline void addPositions(const uint32_t *positions, int64_t first,
                                    int64_t last, int64_t step, View<T> dy,
                                    int64_t col, int valid, float (&sum)[8]) {
#pragma unroll 4
  for (int64_t i = first; i < last; i += step) {
    float v[8];
    load8(dy.at(positions[i], col), valid, dy.aligned, v);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      sum[k] += v[k];
  }
}

__device__ inline int64_t clampTo(int64_t value, int64_t high) {
  return max(int64_t(0), min(value, high));
}

/// Number of equal sorted keys from `first` on; warpPositions + 1 stands for
/// all larger numbers. All lanes of a warp call it.
__device__ inline int64_t countEqual(const uint32_t *keys, int64_t first,
                                     int64_t count, uint32_t key) {
  const int64_t i = first + 1 + threadIdx.x;
  const unsigned others =
      __ballot_sync(wholeWarp, i >= count || keys[i] != key);
  return others ? __ffs(int(others)) : warpPositions + 1;
}

/// End of the sorted keys that equal the one at `first`.
__device__ inline int64_t endOfEqual(const uint32_t *keys, int64_t first,
                                     int64_t count, uint32_t key) {
  int64_t low = first + 1, high = count;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (keys[middle] == key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// Only rows of the table that occur are written. A block takes several sorted
/// positions, one per warp, and a range of columns. The warp at a row's first
/// position adds all positions of the row in order. A row that occurs more
/// often than that number, of which at most one begins in a block, is added by
/// all warps: each adds every eighth position, and the warps' sums are added in
/// order. With `adds`, sums are added to the table.
template <typename T, bool adds>
__global__ void __launch_bounds__(lanes *warpsPerBlock)
    sumPositionsKernel(const uint32_t *keys, const uint32_t *positions,
                       int64_t count, View<T> dy, TableRows table,
                       int64_t items) {
  const AnyFloat dtable = table.dtable;
  const int64_t cols = table.cols;
  const auto tableRows = uint32_t(table.rows);
  __shared__ float shared[warpsPerBlock][8][lanes];
  __shared__ int oftenWarp;
  static_assert(warpsPerBlock <= warpPositions);
  const int64_t pieces = ceilDiv(cols, lanes * 8);
  for (int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    const int64_t first = item / pieces * warpsPerBlock;
    const int64_t col = item % pieces * lanes * 8 + threadIdx.x * 8;
    const int valid = int(max(int64_t(0), min(int64_t(8), cols - col)));
    auto store = [&](int64_t row, float (&sum)[8]) {
      int last = valid;
      if (adds) {
        // The first and the last row may be present only in part.
        const int64_t index = row * cols + col;
        const int from = int(clampTo(table.first - index, valid));
        last = int(clampTo(table.end - index, valid));
        if (from > 0) {
#pragma unroll
          for (int k = 0; k < 8; ++k)
            if (k >= from && k < last)
              dtable.set(index + k, __fadd_rn(dtable.at(index + k), sum[k]));
          return;
        }
        float old[8];
        dtable.load(row, col, last, old);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          sum[k] = __fadd_rn(old[k], sum[k]);
      }
      dtable.store(row, col, last, sum);
    };
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0)
      oftenWarp = -1;
    __syncthreads();
    const int64_t own = first + threadIdx.y;
    const uint32_t row = own < count ? keys[own] : tableRows;
    // Ids outside the table sort last.
    if (row < tableRows && (own == 0 || keys[own - 1] != row)) {
      const int64_t length = countEqual(keys, own, count, row);
      if (length <= warpPositions) {
        float sum[8] = {};
        addPositions(positions, own, own + length, 1, dy, col, valid, sum);
        store(row, sum);
      } else if (threadIdx.x == 0) {
        oftenWarp = threadIdx.y;
      }
    }
    __syncthreads();
    if (oftenWarp < 0)
      continue;
    const int64_t begin = first + oftenWarp;
    const uint32_t often = keys[begin];
    float sum[8] = {};
    addPositions(positions, begin + threadIdx.y,
                 endOfEqual(keys, begin, count, often), warpsPerBlock, dy, col,
                 valid, sum);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      shared[threadIdx.y][k][threadIdx.x] = sum[k];
    __syncthreads();
    if (threadIdx.y != 0)
      continue;
    for (int warp = 1; warp < warpsPerBlock; ++warp)
#pragma unroll
      for (int k = 0; k < 8; ++k)
        sum[k] += shared[warp][k][threadIdx.x];
    store(often, sum);
  }
}

DataErrorSink idErrors(LaunchContext &launch, const tert_site &site,
                       int64_t tableRows) {
  return launch.dataErrors.sink(site, [=](int64_t id, int64_t position) {
    return "token id " + std::to_string(id) + " at position " +
           std::to_string(position) + " is outside the table's [0, " +
           std::to_string(tableRows) + "): check the tokenizer and the data";
  });
}

} // namespace

void tert::cuda::embedding(LaunchContext &launch, const tert_site &site,
                           const tert_tensor &ids, const tert_tensor &table,
                           const tert_tensor &y) {
  const int64_t rows = sizeOf(y, 0), cols = sizeOf(y, 1);
  if (rows == 0)
    return;
  DataErrorSink errors = idErrors(launch, site, sizeOf(table, 0));
  withFloat(dtypeOf(table), [&](auto element) {
    gatherKernel<<<launchBlocks(launch, rows * ceilDiv(cols, 8), threads),
                   threads, 0, launch.stream>>>(
        Integers(ids), viewOf<decltype(element)>(table), sizeOf(table, 0),
        anyFloat(y), rows, cols, errors);
  });
  checkLaunch("embedding kernel");
}

/// A view from the shard's first row, whose first elements may be missing.
static View<float> rowsOf(const TableShard &part) {
  float *data = part.firstRowData();
  const Matrix rows = {data, TERT_F32, part.numRows(), part.cols, part.cols, 1};
  return {data, part.cols, rows.isAlignedTo(16)};
}

void tert::cuda::embeddingShard(LaunchContext &launch, const tert_site &site,
                                const tert_tensor &ids, const TableShard &table,
                                const tert_tensor &y) {
  const int64_t rows = sizeOf(y, 0), cols = sizeOf(y, 1);
  if (rows == 0 || cols == 0)
    return;
  gatherShardKernel<<<launchBlocks(launch, rows * ceilDiv(cols, 8), threads),
                      threads, 0, launch.stream>>>(
      Integers(ids), table, rowsOf(table), table.firstRow(), anyFloat(y), rows,
      idErrors(launch, site, table.rows));
  checkLaunch("sharded embedding kernel");
}

static TableRows wholeTable(const tert_tensor &dtable) {
  const int64_t rows = sizeOf(dtable, 0), cols = sizeOf(dtable, 1);
  return {anyFloat(dtable), 0, rows, cols, rows, 0, rows * cols};
}

/// With `adds`, sums are added to the table, of which only rows that occur are
/// written.
template <bool adds>
static void sumRowsById(LaunchContext &launch, const tert_site &site,
                        const tert_tensor &ids, const tert_tensor &dy,
                        const TableRows &table) {
  const int64_t count = sizeOf(dy, 0);
  const int64_t tableRows = table.rows, cols = table.cols;
  if (count > INT32_MAX || tableRows >= INT32_MAX)
    throw Error(TERT_UNSUPPORTED,
                "takes fewer than 2^31 ids and table rows on this device");
  if (count == 0)
    return;
  uint32_t *buffers[4];
  for (uint32_t *&buffer : buffers)
    buffer = launch.scratch.take<uint32_t>(count);
  keysKernel<<<launchBlocks(launch, count, threads), threads, 0,
               launch.stream>>>(Integers(ids), count, table, buffers[0],
                                buffers[1],
                                idErrors(launch, site, table.tableRows));
  checkLaunch("embedding keys kernel");
  int bits = 1;
  while (bits < 32 && tableRows >> bits)
    ++bits;
  // A stable sort: equal ids keep the order of their positions.
  size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, buffers[0], buffers[2],
                                        buffers[1], buffers[3], int(count), 0,
                                        bits, launch.stream),
        "sorting ids");
  void *temporary = launch.scratch.take(int64_t(bytes));
  check(cub::DeviceRadixSort::SortPairs(temporary, bytes, buffers[0],
                                        buffers[2], buffers[1], buffers[3],
                                        int(count), 0, bits, launch.stream),
        "sorting ids");
  if (tableRows == 0 || cols == 0)
    return;
  const int64_t items =
      ceilDiv(count, warpsPerBlock) * ceilDiv(cols, lanes * 8);
  withFloat(dtypeOf(dy), [&](auto element) {
    sumPositionsKernel<decltype(element), adds>
        <<<unsigned(std::min<int64_t>(items, INT32_MAX)),
           dim3(lanes, warpsPerBlock), 0, launch.stream>>>(
            buffers[2], buffers[3], count, viewOf<decltype(element)>(dy), table,
            items);
  });
  checkLaunch("embedding gradient kernel");
}

void tert::cuda::embeddingGrad(LaunchContext &launch, const tert_site &site,
                               const tert_tensor &ids, const tert_tensor &dy,
                               const tert_tensor &dtable) {
  fill(launch, site, dtable, 0);
  sumRowsById<false>(launch, site, ids, dy, wholeTable(dtable));
}

void tert::cuda::addEmbeddingGrad(LaunchContext &launch, const tert_site &site,
                                  const tert_tensor &ids, const tert_tensor &dy,
                                  const tert_tensor &dtable) {
  sumRowsById<true>(launch, site, ids, dy, wholeTable(dtable));
}

void tert::cuda::addEmbeddingGradShard(LaunchContext &launch,
                                       const tert_site &site,
                                       const tert_tensor &ids,
                                       const tert_tensor &dy,
                                       const TableShard &part) {
  const View<float> rows = rowsOf(part);
  const int64_t before = part.firstRow() * part.cols;
  sumRowsById<true>(launch, site, ids, dy,
                    {{rows.data, rows.stride, rows.aligned, false},
                     part.firstRow(),
                     part.numRows(),
                     part.cols,
                     part.rows,
                     part.first - before,
                     part.end - before});
}
