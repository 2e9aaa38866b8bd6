// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies with scales of 1 x 128 or 128 x 128 elements, which are made of the
// amaxes of these. A block of threads holds a tile of 128 x 128 elements in
// registers from the only time that it reads them: 2 bytes of traffic for an
// element of a matrix in bf16, and one for each of its codes.

#include "cuda/Ops.h"
#include "cuda/kernels/RowAmax.cuh"
#include "cuda/kernels/RowScales.h"
#include "cuda/kernels/Scale.cuh"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int blockSize = 128;
constexpr int blockThreads = 256;
/// Adjacent rows of a thread, of eight adjacent columns.
constexpr int rowsPerThread = 8;
constexpr int slices = blockThreads / groupsPerRow;
static_assert(slices * rowsPerThread == blockSize && tileCols == blockSize);

/// Where the reciprocals of a copy's scales go.
struct BlockScales {
  float *scaleInvs = nullptr; ///< null without the copy
  int64_t rowStride = 0, colStride = 0;
  int64_t rows = 0, cols = 0; ///< of scales
  /// One scale for 128 x 128 elements, and not for 1 x 128.
  bool isSquare = false;
  ScaleRule rule = {};

  __host__ __device__ explicit operator bool() const { return scaleInvs; }
  __device__ void write(int64_t row, int64_t col, float scale) const {
    if (row < rows && col < cols)
      scaleInvs[row * rowStride + col * colStride] = __frcp_rn(scale);
  }
};

struct BlockCopies {
  BlockScales rowwise, columnwise;
  float *amax = nullptr;
  float *partialSums = nullptr; ///< [row tiles, cols]
};

/// Blocks take tiles round-robin.
template <typename T, bool whole, bool sums>
__global__ void __launch_bounds__(blockThreads, sizeof(T) == 2 ? 3 : 2)
    quantizeBlocksKernel(View<T> x, const __grid_constant__ TileOutputs outputs,
                         const __grid_constant__ BlockCopies copies,
                         uint32_t rowTiles, uint32_t colTiles,
                         uint32_t *counters) {
  __shared__ __align__(16) StagedRows<blockSize> staged;
  __shared__ __align__(16) uint32_t maxima[slices][blockSize];
  __shared__ __align__(16) float columnScales[blockSize];
  __shared__ float columnSums[sums ? slices : 1][blockSize];
  __shared__ uint32_t warpAmaxes[blockThreads / 32];
  const int group = threadIdx.x % groupsPerRow;
  const int firstRow = threadIdx.x / groupsPerRow * rowsPerThread;
  const bool needsTile = (copies.rowwise && copies.rowwise.isSquare) ||
                         (copies.columnwise && copies.columnwise.isSquare);
  uint32_t ofAll = 0;
  for (uint32_t tile = blockIdx.x; tile < rowTiles * colTiles;
       tile += gridDim.x) {
    const uint32_t rowTile = tile / colTiles;
    const uint32_t colTile = tile - rowTile * colTiles;
    const int64_t row0 = int64_t(rowTile) * blockSize + firstRow;
    const int64_t col0 = int64_t(colTile) * blockSize, col = col0 + group * 8;
    const int64_t left = outputs.cols - col;
    const int valid = whole || left >= 8 ? 8 : left <= 0 ? 0 : int(left);
    Raw8<T> raw[rowsPerThread];
#pragma unroll
    for (int i = 0; i < rowsPerThread; ++i)
      raw[i].load(x.at(row0 + i, col),
                  whole || row0 + i < outputs.rows ? valid : 0,
                  whole || x.aligned);

    // A half-warp has a row; lane i keeps the amax of row i.
    uint32_t ofRow = 0, ofTile = 0, ofColumns[8] = {};
    float totals[8] = {};
#pragma unroll
    for (int i = 0; i < rowsPerThread; ++i) {
      const uint32_t largest = measureRow<sums>(raw[i], ofColumns, totals);
      ofTile = max(ofTile, largest);
      if (group == i)
        ofRow = largest;
    }
    ofAll = max(ofAll, ofTile);
    // Also a barrier between what threads read of the previous tile and what is
    // written for this one.
    if (needsTile)
      ofTile = blockReduce(ofTile, Max(), warpAmaxes);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      maxima[firstRow / rowsPerThread][group * 8 + k] = ofColumns[k];
      if (sums)
        columnSums[firstRow / rowsPerThread][group * 8 + k] = totals[k];
    }
    __syncthreads();

    float rowScale = 1.0f;
    if (copies.rowwise.isSquare) {
      rowScale = copies.rowwise.rule(__uint_as_float(ofTile));
      if (threadIdx.x == 0)
        copies.rowwise.write(rowTile, colTile, rowScale);
    } else if (copies.rowwise) {
      rowScale = copies.rowwise.rule(__uint_as_float(ofRow));
      if (group < rowsPerThread)
        copies.rowwise.write(row0 + group, colTile, rowScale);
    }
    if (threadIdx.x < blockSize) {
      uint32_t largest = ofTile;
      if (!copies.columnwise.isSquare) {
        largest = 0;
#pragma unroll
        for (int i = 0; i < slices; ++i)
          largest = max(largest, maxima[i][threadIdx.x]);
      }
      const float scale = copies.columnwise.rule(__uint_as_float(largest));
      columnScales[threadIdx.x] = scale;
      if (copies.columnwise && !copies.columnwise.isSquare)
        copies.columnwise.write(col0 + threadIdx.x, rowTile, scale);
      else if (copies.columnwise && threadIdx.x == 0)
        copies.columnwise.write(colTile, rowTile, scale);
      if constexpr (sums)
        if (whole || col0 + threadIdx.x < outputs.cols) {
          float total = 0;
#pragma unroll
          for (int i = 0; i < slices; ++i)
            total += columnSums[i][threadIdx.x];
          copies.partialSums[rowTile * outputs.cols + col0 + threadIdx.x] =
              total;
        }
    }
    __syncthreads();

    float ofColumn[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
      ofColumn[k] = columnScales[group * 8 + k];
#pragma unroll
    for (int i = 0; i < rowsPerThread; ++i) {
      float v[8];
      raw[i].get(v);
      const float scale =
          copies.rowwise.isSquare
              ? rowScale
              : __shfl_sync(wholeWarp, rowScale, i, groupsPerRow);
      if (copies.rowwise)
        storeRowwise<whole>(outputs.rowwise, row0 + i, col,
                            encode8(v, scale, outputs.isE5M2));
      if (copies.columnwise)
        *reinterpret_cast<uint2 *>(staged.bytes +
                                   staged.offset(firstRow + i, group * 8)) =
            encode8(v, ofColumn, outputs.isE5M2);
    }
    if (copies.columnwise) {
      __syncthreads();
      storeColumnwise<whole, blockThreads>(staged, outputs.columnwise,
                                           int64_t(rowTile) * blockSize, col0);
    }
  }
  if (!copies.amax)
    return;
  ofAll = blockReduce(ofAll, Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(ofAll, copies.amax, counters, gridDim.x);
}

template <typename T, bool whole, bool sums>
void launchKernel(LaunchContext &launch, const View<T> &x,
                  const TileOutputs &outputs, BlockCopies copies,
                  const tert_tensor *dbias) {
  const int64_t rows =
      std::max({outputs.rows, outputs.rowwise.rows, outputs.columnwise.cols});
  const int64_t cols =
      std::max({outputs.cols, outputs.rowwise.cols, outputs.columnwise.rows});
  const int64_t rowTiles = ceilDiv(rows, blockSize),
                colTiles = ceilDiv(cols, blockSize);
  if (rowTiles * colTiles > INT32_MAX)
    throw Error(TERT_UNSUPPORTED, "a matrix has more than 2^31 blocks of 128 x "
                                  "128 elements");
  if (sums)
    copies.partialSums = launch.scratch.take<float>(rowTiles * outputs.cols);
  auto *kernel = quantizeBlocksKernel<T, whole, sums>;
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor,
                                                      kernel, blockThreads, 0),
        "block quantize kernel");
  const int64_t blocks = std::clamp<int64_t>(rowTiles * colTiles, 1,
                                             int64_t(perMultiprocessor) *
                                                 launch.device.multiprocessors);
  kernel<<<unsigned(blocks), blockThreads, 0, launch.stream>>>(
      x, outputs, copies, uint32_t(rowTiles), uint32_t(colTiles),
      launch.counters);
  checkLaunch("block quantize kernel");
  if (sums)
    sumPartials(launch, copies.partialSums, rowTiles, {dbias});
}

/// How a copy is divided.
enum class Division { Rows, Vectors, Squares };

/// Throws unless there are kernels for the division of a copy.
Division divisionOf(const char *name, const tert_scaled &copy) {
  const tert_tensor &scales = *copy.scale_inv;
  const int64_t rows = sizeOf(*copy.data, 0), cols = sizeOf(*copy.data, 1);
  if (rankOf(scales) == 2 && sizeOf(scales, 1) == ceilDiv(cols, blockSize)) {
    if (sizeOf(scales, 0) == rows)
      return Division::Vectors;
    if (sizeOf(scales, 0) == ceilDiv(rows, blockSize))
      return Division::Squares;
  }
  if (rankOf(scales) == 2 && sizeOf(scales, 1) == 1 &&
      sizeOf(scales, 0) == rows)
    return Division::Rows;
  throw Error(TERT_UNSUPPORTED,
              "'" + std::string(name) + ".scale_inv' is " +
                  tert::describe(scales) + " for " + describeShape(*copy.data) +
                  ", but kernels on a GPU make the scales of rows, of 1 x 128 "
                  "and of 128 x 128 elements");
}

BlockScales blockScalesOf(const char *name, const tert_scaled &copy,
                          float epsilon, bool powerOfTwo) {
  BlockScales scales;
  if (!copy.data)
    return scales;
  const tert_tensor &inverse = *copy.scale_inv;
  scales.scaleInvs = static_cast<float *>(inverse.data);
  scales.rowStride = strideOf(inverse, 0);
  scales.colStride = strideOf(inverse, 1);
  scales.rows = sizeOf(inverse, 0);
  scales.cols = sizeOf(inverse, 1);
  scales.isSquare = divisionOf(name, copy) == Division::Squares;
  scales.rule = {targetOf(dtypeOf(*copy.data), /*margin=*/0), epsilon,
                 powerOfTwo};
  return scales;
}

/// All blocks of both copies, in one read.
void quantizeOwnBlocks(LaunchContext &launch, const tert_tensor &x,
                       const tert_quantized &quantized,
                       const tert_tensor *dbias, float epsilon,
                       bool powerOfTwo) {
  BlockCopies copies;
  copies.rowwise =
      blockScalesOf("rowwise", quantized.rowwise, epsilon, powerOfTwo);
  copies.columnwise =
      blockScalesOf("columnwise", quantized.columnwise, epsilon, powerOfTwo);
  if (quantized.amax)
    copies.amax = static_cast<float *>(quantized.amax->data);
  // There is no scale of the whole.
  const tert_tensor none = {nullptr, x.layout};
  const TileOutputs outputs = tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr,
                                          {&none,
                                           {quantized.rowwise.data, nullptr},
                                           {quantized.columnwise.data, nullptr},
                                           nullptr});
  withFloat(dtypeOf(x), [&](auto element) {
    using T = decltype(element);
    const View<T> view = viewOf<T>(x);
    const bool whole = view.aligned && fitsTiles(outputs) &&
                       outputs.rows % blockSize == 0 &&
                       outputs.cols % blockSize == 0;
    auto run = whole ? (dbias ? launchKernel<T, true, true>
                              : launchKernel<T, true, false>)
                     : (dbias ? launchKernel<T, false, true>
                              : launchKernel<T, false, false>);
    run(launch, view, outputs, copies, dbias);
  });
}

} // namespace

void cuda::quantizeBlocks(LaunchContext &launch, const tert_site &site,
                          const tert_tensor &x, const tert_quantized &quantized,
                          const tert_tensor *dbias, float epsilon,
                          bool powerOfTwo) {
  const auto &[scale, rowwise, columnwise, amax] = quantized;
  auto isOfRows = [](const char *name, const tert_scaled &copy) {
    return copy.data && divisionOf(name, copy) == Division::Rows;
  };
  const bool rowsOfRows = isOfRows("rowwise", rowwise),
             rowsOfColumns = isOfRows("columnwise", columnwise);
  // Kernels write copies of one kind.
  if (rowwise.data && columnwise.data &&
      (rowsOfRows != rowsOfColumns ||
       dtypeOf(*rowwise.data) != dtypeOf(*columnwise.data))) {
    quantizeBlocks(launch, site, x, {nullptr, rowwise, {}, amax}, dbias,
                   epsilon, powerOfTwo);
    return quantizeBlocks(launch, site, x, {nullptr, {}, columnwise, nullptr},
                          nullptr, epsilon, powerOfTwo);
  }
  if (rowsOfRows || rowsOfColumns)
    quantizeOwnRows(launch, x, quantized, dbias, epsilon, powerOfTwo);
  else
    quantizeOwnBlocks(launch, x, quantized, dbias, epsilon, powerOfTwo);
}
