// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Embedding.h"

#include "cuda/kernels/Integers.h"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Reduce.cuh"
#include "cuda/kernels/Vector.cuh"

#include <cmath>
#include <cub/device/device_radix_sort.cuh>

// CCCL has a namespace cuda of its own, so names are spelled out below.
using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int threads = 256;

/// A group of eight columns per thread.
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

/// Rows of a table, [firstRow, firstRow + rows) of `tableRows`, of which
/// elements [first, end), counted from the beginning of the first, are there.
struct TableRows {
  AnyFloat dtable;
  int64_t firstRow, rows, cols, tableRows;
  int64_t first, end;
};

/// The rows of ids as keys and their positions; what is none of the table's
/// rows sorts behind all others.
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

/// begins[id]: number of keys below id, for every id in [0, tableRows].
__global__ void __launch_bounds__(threads)
    beginsKernel(const uint32_t *keys, int64_t count, int64_t tableRows,
                 uint32_t *begins) {
  const int64_t id = int64_t(blockIdx.x) * threads + threadIdx.x;
  if (id > tableRows)
    return;
  int64_t low = 0, high = count;
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (keys[middle] < uint32_t(id))
      low = middle + 1;
    else
      high = middle;
  }
  begins[id] = uint32_t(low);
}

constexpr int lanes = 32;             // groups of eight columns side by side
constexpr int rowsPerBlock = 8;       // of the table, a warp each
constexpr int64_t warpPositions = 32; // what a warp adds alone

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

/// A block takes several rows of the table and a piece of their columns: first
/// a warp each, in the order of positions; then all warps together the rows
/// that occur often, a warp every eighth position and the warps in order.
/// `adds`: to what is in the table, rows without positions are left out.
template <typename T, bool adds>
__global__ void __launch_bounds__(lanes *rowsPerBlock)
    sumPositionsKernel(const uint32_t *begins, const uint32_t *positions,
                       View<T> dy, TableRows table) {
  const AnyFloat dtable = table.dtable;
  const int64_t tableRows = table.rows, cols = table.cols;
  __shared__ float shared[rowsPerBlock][8][lanes];
  __shared__ uint32_t ranges[rowsPerBlock + 1];
  const int64_t pieces = ceilDiv(cols, lanes * 8);
  const int64_t bands = ceilDiv(tableRows, rowsPerBlock);
  for (int64_t item = blockIdx.x; item < bands * pieces; item += gridDim.x) {
    const int64_t row0 = item / pieces * rowsPerBlock;
    const int64_t col = item % pieces * lanes * 8 + threadIdx.x * 8;
    const int valid = int(max(int64_t(0), min(int64_t(8), cols - col)));
    __syncthreads();
    if (threadIdx.y == 0 && threadIdx.x <= rowsPerBlock)
      ranges[threadIdx.x] = begins[min(row0 + threadIdx.x, tableRows)];
    __syncthreads();
    const int64_t row = row0 + threadIdx.y;
    const int64_t begin = ranges[threadIdx.y], end = ranges[threadIdx.y + 1];
    auto store = [&](int64_t at, float (&sum)[8]) {
      int count = valid;
      if (adds) {
        // Of the first and the last row perhaps only a piece is there.
        const int64_t index = at * cols + col;
        const int from = int(clampTo(table.first - index, valid));
        count = int(clampTo(table.end - index, valid));
        if (from > 0) {
          for (int k = from; k < count; ++k)
            dtable.set(index + k, __fadd_rn(dtable.at(index + k), sum[k]));
          return;
        }
        float old[8];
        dtable.load(at, col, count, old);
#pragma unroll
        for (int k = 0; k < 8; ++k)
          sum[k] = __fadd_rn(old[k], sum[k]);
      }
      dtable.store(at, col, count, sum);
    };
    if (row < tableRows && end - begin <= warpPositions &&
        !(adds && begin == end)) {
      float sum[8] = {};
      addPositions(positions, begin, end, 1, dy, col, valid, sum);
      store(row, sum);
    }
    for (int often = 0; often < rowsPerBlock; ++often) {
      const int64_t first = ranges[often], last = ranges[often + 1];
      if (row0 + often >= tableRows || last - first <= warpPositions)
        continue;
      float sum[8] = {};
      addPositions(positions, first + threadIdx.y, last, rowsPerBlock, dy, col,
                   valid, sum);
      __syncthreads();
#pragma unroll
      for (int k = 0; k < 8; ++k)
        shared[threadIdx.y][k][threadIdx.x] = sum[k];
      __syncthreads();
      if (threadIdx.y == 0) {
        for (int warp = 1; warp < rowsPerBlock; ++warp)
#pragma unroll
          for (int k = 0; k < 8; ++k)
            sum[k] += shared[warp][k][threadIdx.x];
        store(row0 + often, sum);
      }
    }
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

static TableRows wholeTable(const tert_tensor &dtable) {
  const int64_t rows = sizeOf(dtable, 0), cols = sizeOf(dtable, 1);
  return {anyFloat(dtable), 0, rows, cols, rows, 0, rows * cols};
}

/// `adds`: to what is there.
template <bool adds>
static void sumRowsById(LaunchContext &launch, const tert_site &site,
                        const tert_tensor &ids, const tert_tensor &dy,
                        const TableRows &table) {
  const int64_t count = sizeOf(dy, 0);
  const int64_t tableRows = table.rows, cols = table.cols;
  if (count > INT32_MAX || tableRows >= INT32_MAX)
    throw Error(TERT_UNSUPPORTED,
                "takes fewer than 2^31 ids and table rows on this device");
  uint32_t *buffers[4];
  for (uint32_t *&buffer : buffers)
    buffer = launch.scratch.take<uint32_t>(count);
  DataErrorSink errors = idErrors(launch, site, table.tableRows);
  if (count > 0) {
    keysKernel<<<launchBlocks(launch, count, threads), threads, 0,
                 launch.stream>>>(Integers(ids), count, table, buffers[0],
                                  buffers[1], errors);
    checkLaunch("embedding keys kernel");
    int bits = 1;
    while (bits < 32 && tableRows >> bits)
      ++bits;
    // A stable sort: equal ids keep the order of their positions.
    size_t bytes = 0;
    check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, buffers[0],
                                          buffers[2], buffers[1], buffers[3],
                                          int(count), 0, bits, launch.stream),
          "sorting ids");
    void *temporary = launch.scratch.take(int64_t(bytes));
    check(cub::DeviceRadixSort::SortPairs(temporary, bytes, buffers[0],
                                          buffers[2], buffers[1], buffers[3],
                                          int(count), 0, bits, launch.stream),
          "sorting ids");
  }
  if (tableRows == 0 || cols == 0)
    return;
  uint32_t *begins = launch.scratch.take<uint32_t>(tableRows + 1);
  beginsKernel<<<unsigned(ceilDiv(tableRows + 1, threads)), threads, 0,
                 launch.stream>>>(buffers[2], count, tableRows, begins);
  checkLaunch("embedding ranges kernel");
  const int64_t items =
      ceilDiv(tableRows, rowsPerBlock) * ceilDiv(cols, lanes * 8);
  withFloat(dtypeOf(dy), [&](auto element) {
    sumPositionsKernel<decltype(element), adds>
        <<<launchBlocks(launch, items, 1), dim3(lanes, rowsPerBlock), 0,
           launch.stream>>>(begins, buffers[3], viewOf<decltype(element)>(dy),
                            table);
  });
  checkLaunch("embedding gradient kernel");
}

void tert::cuda::embeddingGrad(LaunchContext &launch, const tert_site &site,
                               const tert_tensor &ids, const tert_tensor &dy,
                               const tert_tensor &dtable) {
  sumRowsById<false>(launch, site, ids, dy, wholeTable(dtable));
}

void tert::cuda::addEmbeddingGrad(LaunchContext &launch, const tert_site &site,
                                  const tert_tensor &ids, const tert_tensor &dy,
                                  const tert_tensor &dtable) {
  sumRowsById<true>(launch, site, ids, dy, wholeTable(dtable));
}

void tert::cuda::addEmbeddingGradPart(LaunchContext &launch,
                                      const tert_site &site,
                                      const tert_tensor &ids,
                                      const tert_tensor &dy,
                                      const TablePart &part) {
  float *data = part.firstRowData();
  const Matrix rows = {data, TERT_F32, part.numRows(), part.cols, part.cols, 1};
  const int64_t before = part.firstRow() * part.cols;
  sumRowsById<true>(launch, site, ids, dy,
                    {{data, part.cols, rows.isAlignedTo(16), false},
                     part.firstRow(),
                     part.numRows(),
                     part.cols,
                     part.rows,
                     part.first - before,
                     part.end - before});
}
