// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kernels, each of which reads a matrix once: amaxes of its rows and of its
// columns, and copies with the scales of both.

#include "cuda/kernels/RowScales.h"

#include "cuda/Ops.h"
#include "cuda/kernels/Loops.h"
#include "cuda/kernels/RowAmax.cuh"
#include "cuda/kernels/Scale.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int clearThreads = 256;

__global__ void __launch_bounds__(clearThreads)
    clearKernel(uint32_t *words, int64_t count) {
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += int64_t(gridDim.x) * blockDim.x)
    words[i] = 0;
}

//===-- Amaxes ------------------------------------------------------------===//

constexpr int amaxThreads = 256;
/// Adjacent rows of a thread, which it loads before it uses the first.
constexpr int rowsOfThread = 8;
constexpr int amaxTileRows = amaxThreads / groupsPerRow * rowsOfThread;

/// Amaxes as bits (magnitudeBits), which are raised, and what else is found in
/// the same pass; null if not wanted.
struct Amaxes {
  uint32_t *ofRows = nullptr, *ofColumns = nullptr;
  float *ofAll = nullptr;       ///< written
  float *partialSums = nullptr; ///< [strips, cols]
};

/// Blocks take items of a schedule, with tiles of amaxTileRows rows,
/// round-robin.
template <typename T, bool whole, bool sums>
__global__ void __launch_bounds__(amaxThreads,
                                  sizeof(T) == 2 ? (sums ? 3 : 4) : 2)
    amaxesKernel(View<T> x, int64_t rows, int64_t cols, Amaxes amaxes,
                 TileSchedule schedule, uint32_t *counters) {
  constexpr int slices = amaxThreads / groupsPerRow;
  __shared__ __align__(16) uint32_t maxima[slices][tileCols];
  __shared__ __align__(16) float columnSums[sums ? slices : 1][tileCols];
  uint32_t ofAll = 0;
  const int group = threadIdx.x % groupsPerRow;
  const int slice = threadIdx.x / groupsPerRow;
  for (uint32_t item = blockIdx.x; item < schedule.strips * schedule.colTiles;
       item += gridDim.x) {
    const uint32_t strip = item / schedule.colTiles;
    const int64_t col0 = int64_t(item - strip * schedule.colTiles) * tileCols;
    const int64_t col = col0 + group * 8;
    const uint32_t first = strip * schedule.tilesPerItem;
    const uint32_t last = min(first + schedule.tilesPerItem, schedule.rowTiles);
    const int64_t left = cols - col;
    const int valid = whole || left >= 8 ? 8 : left <= 0 ? 0 : int(left);
    uint32_t ofColumns[8] = {};
    float totals[8] = {};
    for (uint32_t tile = first; tile < last; ++tile) {
      const int64_t row0 = int64_t(tile) * amaxTileRows + slice * rowsOfThread;
      Raw8<T> raw[rowsOfThread];
#pragma unroll
      for (int i = 0; i < rowsOfThread; ++i)
        raw[i].load(x.at(row0 + i, col), whole || row0 + i < rows ? valid : 0,
                    whole || x.aligned);
      // A half-warp has a row's 128 columns; lane i keeps the amax of row i.
      uint32_t ofRow = 0;
#pragma unroll
      for (int i = 0; i < rowsOfThread; ++i) {
        const uint32_t largest = measureRow<sums>(raw[i], ofColumns, totals);
        ofAll = max(ofAll, largest);
        if (group == i)
          ofRow = largest;
      }
      if (amaxes.ofRows && group < rowsOfThread &&
          (whole || row0 + group < rows))
        atomicMax(&amaxes.ofRows[row0 + group], ofRow);
    }
    if (!amaxes.ofColumns && !sums)
      continue;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      maxima[slice][group * 8 + k] = ofColumns[k];
      if (sums)
        columnSums[slice][group * 8 + k] = totals[k];
    }
    __syncthreads();
    if (threadIdx.x >= tileCols || (!whole && col0 + threadIdx.x >= cols))
      continue;
    if (amaxes.ofColumns) {
      uint32_t largest = 0;
#pragma unroll
      for (int i = 0; i < slices; ++i)
        largest = max(largest, maxima[i][threadIdx.x]);
      atomicMax(&amaxes.ofColumns[col0 + threadIdx.x], largest);
    }
    if constexpr (sums) {
      float total = 0;
#pragma unroll
      for (int i = 0; i < slices; ++i)
        total += columnSums[i][threadIdx.x];
      amaxes.partialSums[strip * cols + col0 + threadIdx.x] = total;
    }
  }
  if (!amaxes.ofAll)
    return;
  __shared__ uint32_t warpAmaxes[amaxThreads / 32];
  ofAll = blockReduce(ofAll, Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(ofAll, amaxes.ofAll, counters, gridDim.x);
}

template <typename T, bool whole, bool sums>
void launchAmaxes(LaunchContext &launch, const View<T> &x, int64_t rows,
                  int64_t cols, Amaxes amaxes, const tert_tensor *dbias) {
  auto *kernel = amaxesKernel<T, whole, sums>;
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor,
                                                      kernel, amaxThreads, 0),
        "row amax kernel");
  const int64_t most =
      int64_t(perMultiprocessor) * launch.device.multiprocessors;
  TileSchedule schedule = {uint32_t(ceilDiv(rows, amaxTileRows)),
                           uint32_t(ceilDiv(cols, tileCols)), 1,
                           uint32_t(ceilDiv(rows, amaxTileRows))};
  lengthenItems(schedule, most);
  if (sums)
    amaxes.partialSums =
        launch.scratch.take<float>(int64_t(schedule.strips) * cols);
  const int64_t items = int64_t(schedule.strips) * schedule.colTiles;
  kernel<<<unsigned(std::clamp<int64_t>(items, 1, most)), amaxThreads, 0,
           launch.stream>>>(x, rows, cols, amaxes, schedule, launch.counters);
  checkLaunch("row amax kernel");
  if (sums)
    sumPartials(launch, amaxes.partialSums, schedule.strips, {dbias});
}

/// Raises `amaxes` by those of x, and sums its rows in dbias, if that is
/// wanted.
void raiseAmaxes(LaunchContext &launch, const tert_tensor &x,
                 const Amaxes &amaxes, const tert_tensor *dbias = nullptr) {
  const int64_t rows = sizeOf(x, 0), cols = sizeOf(x, 1);
  withFloat(dtypeOf(x), [&](auto element) {
    using T = decltype(element);
    const View<T> view = viewOf<T>(x);
    const bool whole =
        view.aligned && rows % amaxTileRows == 0 && cols % tileCols == 0;
    auto run = whole ? (dbias ? launchAmaxes<T, true, true>
                              : launchAmaxes<T, true, false>)
                     : (dbias ? launchAmaxes<T, false, true>
                              : launchAmaxes<T, false, false>);
    run(launch, view, rows, cols, amaxes, dbias);
  });
}

void clear(LaunchContext &launch, uint32_t *words, int64_t count) {
  clearKernel<<<launchBlocks(launch, count, clearThreads), clearThreads, 0,
                launch.stream>>>(words, count);
  checkLaunch("clear kernel");
}

//===-- Copies ------------------------------------------------------------===//

/// The scales of a copy's rows: given, or made of their amaxes, and the
/// reciprocals written.
struct RowScales {
  const float *scales = nullptr;
  const uint32_t *amaxes = nullptr;
  float *scaleInvs = nullptr;
  int64_t count = 0;
  ScaleRule rule = {};

  __device__ explicit operator bool() const { return scales || amaxes; }
  /// That of a row, 1 beyond the last; its reciprocal is written if `isFirst`.
  __device__ float at(int64_t row, bool isFirst) const {
    if (row >= count)
      return 1.0f;
    if (scales)
      return scales[row];
    const float scale = rule(__uint_as_float(amaxes[row]));
    if (isFirst)
      scaleInvs[row] = __frcp_rn(scale);
    return scale;
  }
};

/// Those of both copies.
struct CopyScales {
  RowScales rowwise, columnwise;
};

/// Blocks take tiles round-robin, the last ones first: those that the kernel
/// before, which found the amaxes, read last are still cached.
template <typename T, bool whole>
__global__ void __launch_bounds__(tileThreads, sizeof(T) == 2 ? 6 : 4)
    quantizeRowsKernel(View<T> x, const __grid_constant__ TileOutputs outputs,
                       const __grid_constant__ CopyScales scales,
                       TileSchedule schedule) {
  constexpr int rowsInFlight = sizeof(T) == 2 ? 8 : 4;
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ float rowScales[2][tileRows];
  __shared__ __align__(16) float columnScales[2][tileCols];
  const int group = threadIdx.x % groupsPerRow;
  const int firstRow = threadIdx.x / groupsPerRow;
  int buffer = 0;
  const uint32_t tiles = schedule.strips * schedule.colTiles;
  for (uint32_t i = blockIdx.x; i < tiles; i += gridDim.x, buffer ^= 1) {
    const uint32_t tile = tiles - 1 - i;
    const uint32_t rowTile = tile / schedule.colTiles;
    const uint32_t colTile = tile - rowTile * schedule.colTiles;
    const int64_t row0 = int64_t(rowTile) * tileRows;
    const int64_t col0 = int64_t(colTile) * tileCols;
    const int64_t col = col0 + group * 8;
    const int64_t left = outputs.cols - col;
    const int valid = whole || left >= 8 ? 8 : left <= 0 ? 0 : int(left);
    if (scales.rowwise && threadIdx.x < tileRows)
      rowScales[buffer][threadIdx.x] =
          scales.rowwise.at(row0 + threadIdx.x, colTile == 0);
    if (scales.columnwise)
      columnScales[buffer][threadIdx.x] =
          scales.columnwise.at(col0 + threadIdx.x, rowTile == 0);
    __syncthreads();
    float ofColumns[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
      ofColumns[k] = columnScales[buffer][group * 8 + k];
#pragma unroll 1
    for (int pass = 0; pass < tileRows / rowsPerPass; pass += rowsInFlight) {
      Raw8<T> raw[rowsInFlight];
#pragma unroll
      for (int i = 0; i < rowsInFlight; ++i) {
        const int64_t row = row0 + firstRow + (pass + i) * rowsPerPass;
        raw[i].load(x.at(row, col), whole || row < outputs.rows ? valid : 0,
                    whole || x.aligned);
      }
#pragma unroll
      for (int i = 0; i < rowsInFlight; ++i) {
        const int localRow = firstRow + (pass + i) * rowsPerPass;
        float v[8];
        raw[i].get(v);
        if (outputs.rowwise.data)
          storeRowwise<whole>(
              outputs.rowwise, row0 + localRow, col,
              encode8(v, rowScales[buffer][localRow], outputs.isE5M2));
        if (outputs.columnwise.data)
          *reinterpret_cast<uint2 *>(staged[buffer].bytes +
                                     StagedTile::offset(localRow, group * 8)) =
              encode8(v, ofColumns, outputs.isE5M2);
      }
    }
    if (outputs.columnwise.data) {
      __syncthreads();
      storeColumnwise<whole, tileThreads>(staged[buffer], outputs.columnwise,
                                          row0, col0);
    }
  }
}

template <typename T, bool whole>
void launchCopies(LaunchContext &launch, const View<T> &x,
                  const TileOutputs &outputs, const CopyScales &scales) {
  const TileSchedule schedule = coverWithTiles(outputs);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, quantizeRowsKernel<T, whole>, tileThreads, 0),
        "quantize kernel");
  const int64_t blocks = std::clamp<int64_t>(
      int64_t(schedule.strips) * schedule.colTiles, 1,
      int64_t(perMultiprocessor) * launch.device.multiprocessors);
  quantizeRowsKernel<T, whole>
      <<<unsigned(blocks), tileThreads, 0, launch.stream>>>(x, outputs, scales,
                                                            schedule);
  checkLaunch("quantize kernel");
}

void writeCopies(LaunchContext &launch, const tert_tensor &x,
                 const TileOutputs &outputs, const CopyScales &scales) {
  withFloat(dtypeOf(x), [&](auto element) {
    using T = decltype(element);
    const View<T> view = viewOf<T>(x);
    if (view.aligned && fitsTiles(outputs))
      launchCopies<T, true>(launch, view, outputs, scales);
    else
      launchCopies<T, false>(launch, view, outputs, scales);
  });
}

} // namespace

void cuda::checkRowScales(const char *name, const tert_tensor &scales,
                          int64_t rows) {
  if (sizeOf(scales, 1) == 1 && sizeOf(scales, 0) >= rows &&
      (strideOf(scales, 0) == 1 || sizeOf(scales, 0) == 1))
    return;
  throw Error(TERT_UNSUPPORTED,
              "'" + std::string(name) + "' is " + tert::describe(scales) +
                  ", but on a GPU a matrix of " + std::to_string(rows) +
                  " rows has one scale, or one for each row, [rows, 1]");
}

void cuda::rowAmaxes(LaunchContext &launch, const tert_tensor &x,
                     const tert_tensor &amax, bool transposed) {
  checkRowScales("amax", amax, sizeOf(x, transposed ? 1 : 0));
  auto *bits = static_cast<uint32_t *>(amax.data);
  // Rows of padding keep the 0.
  clear(launch, bits, sizeOf(amax, 0));
  raiseAmaxes(launch, x,
              transposed ? Amaxes{nullptr, bits} : Amaxes{bits, nullptr});
}

void cuda::quantizeRows(LaunchContext &launch, const tert_site &site,
                        const tert_tensor &x, const tert_quantized &quantized,
                        const tert_tensor *dbias) {
  const bool isRowwise = quantized.rowwise.data;
  const tert_tensor &copy =
      isRowwise ? *quantized.rowwise.data : *quantized.columnwise.data;
  checkRowScales("scale", *quantized.scale, sizeOf(copy, 0));
  tert_quantized copies = quantized;
  copies.amax = nullptr;
  RowScales scales;
  scales.scales = static_cast<const float *>(quantized.scale->data);
  scales.count = sizeOf(copy, 0);
  writeCopies(launch, x,
              tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr, copies),
              isRowwise ? CopyScales{scales, {}} : CopyScales{{}, scales});
  tert_quantized rest = {};
  rest.amax = quantized.amax;
  cuda::quantize(launch, site, x, rest, dbias);
}

void cuda::quantizeOwnRows(LaunchContext &launch, const tert_tensor &x,
                           const tert_quantized &quantized,
                           const tert_tensor *dbias, float epsilon,
                           bool powerOfTwo) {
  auto countOf = [](const tert_scaled &copy) {
    return copy.data ? sizeOf(*copy.data, 0) : 0;
  };
  const int64_t rows = countOf(quantized.rowwise),
                columns = countOf(quantized.columnwise);
  auto *bits = launch.scratch.take<uint32_t>(rows + columns);
  clear(launch, bits, rows + columns);
  Amaxes amaxes;
  amaxes.ofRows = rows ? bits : nullptr;
  amaxes.ofColumns = columns ? bits + rows : nullptr;
  amaxes.ofAll =
      quantized.amax ? static_cast<float *>(quantized.amax->data) : nullptr;
  raiseAmaxes(launch, x, amaxes, dbias);

  auto scalesOf = [&](const tert_scaled &copy, const uint32_t *amaxes) {
    RowScales scales;
    if (!copy.data)
      return scales;
    scales.amaxes = amaxes;
    scales.scaleInvs = static_cast<float *>(copy.scale_inv->data);
    scales.count = sizeOf(*copy.data, 0);
    scales.rule = {targetOf(dtypeOf(*copy.data), /*margin=*/0), epsilon,
                   powerOfTwo};
    return scales;
  };
  // There is no scale of the whole.
  const tert_tensor none = {nullptr, x.layout};
  tert_quantized copies = {&none,
                           {quantized.rowwise.data, nullptr},
                           {quantized.columnwise.data, nullptr},
                           nullptr};
  writeCopies(launch, x,
              tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr, copies),
              {scalesOf(quantized.rowwise, amaxes.ofRows),
               scalesOf(quantized.columnwise, amaxes.ofColumns)});
}
