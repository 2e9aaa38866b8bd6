// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/Ops.h"

#include "cuda/kernels/Elements.cuh"
#include "cuda/kernels/Pieces.h"
#include "cuda/kernels/RowScales.h"
#include "tert/ops.h"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int pieceThreads = 256;

/// y = x * scaleInv for one matrix; a group of eight elements per thread. The
/// scale of a row is `scaleStride`, 0 or 1, behind that of the previous one.
__global__ void dequantizeKernel(const uint8_t *x, int64_t xStride, bool isE5M2,
                                 const float *scaleInvs, int64_t scaleStride,
                                 AnyFloat y, int64_t rows, int64_t cols,
                                 bool aligned) {
  const int64_t groups = ceilDiv(cols, 8);
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
       i < rows * groups; i += int64_t(gridDim.x) * blockDim.x) {
    const int64_t row = i / groups, col = i % groups * 8;
    const int valid = int(min(int64_t(8), cols - col));
    const uint8_t *from = x + row * xStride + col;
    uint8_t codes[8];
    if (aligned && valid == 8) {
      uint2 words = *reinterpret_cast<const uint2 *>(from);
      memcpy(codes, &words, 8);
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        codes[k] = k < valid ? from[k] : 0;
    }
    const float factor = scaleInvs[row * scaleStride];
    float v[8];
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = decode(codes[k], isE5M2) * factor;
    y.store(row, col, valid, v);
  }
}

__global__ void __launch_bounds__(pieceThreads)
    amaxKernel(const __grid_constant__ Pieces pieces, float *amax,
               uint32_t *counters) {
  __shared__ uint32_t shared[pieceThreads / 32];
  uint32_t largest = 0;
  pieces.forEachGroup</*fromEnd=*/true>([&](const float (&v)[8]) {
#pragma unroll
    for (int k = 0; k < 8; ++k)
      largest = max(largest, magnitudeBits(v[k]));
  });
  largest = blockReduce(largest, Max(), shared);
  if (threadIdx.x == 0)
    finishAmax(largest, amax, counters, gridDim.x);
}

/// Producer (Tile.cuh) for matrices concatenated along the rows.
template <typename T> struct JoinedElements {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = Elements<T, false>::rowsInFlight;
  static constexpr int rowsAhead = Elements<T, false>::rowsAhead;
  static constexpr int minBlocks = Elements<T, false>::minBlocks;
  using Raw = Raw8<T>;

  View<T> parts[TERT_MAX_JOINED];
  int64_t firstRows[TERT_MAX_JOINED]; ///< beyond all rows for absent matrices
  bool aligned = true;

  JoinedElements(const tert_tensor *tensors, int32_t count) {
    int64_t row = 0;
    for (int i = 0; i < TERT_MAX_JOINED; ++i) {
      parts[i] = viewOf<T>(tensors[std::min(i, count - 1)]);
      firstRows[i] = row;
      aligned &= parts[i].aligned;
      if (i < count)
        row += sizeOf(tensors[i], 0);
    }
  }

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    View<T> part = parts[0];
    int64_t first = 0;
#pragma unroll
    for (int i = 1; i < TERT_MAX_JOINED; ++i)
      if (row >= firstRows[i]) {
        part = parts[i];
        first = firstRows[i];
      }
    Raw raw;
    raw.load(part.at(row - first, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t, int64_t, int,
                          float (&v)[8], float (&)[1][8]) const {
    raw.get(v);
  }
};

} // namespace

void cuda::quantizeJoined(LaunchContext &launch, const tert_site &,
                          int32_t numX, const tert_tensor *x,
                          const tert_quantized &quantized) {
  if (!requestsOutput(quantized))
    return;
  int64_t rows = 0;
  for (int32_t i = 0; i < numX; ++i)
    rows += sizeOf(x[i], 0);
  const TileOutputs outputs =
      tileOutputs(rows, sizeOf(x[0], 1), nullptr, quantized);
  withFloat(dtypeOf(x[0]), [&](auto element) {
    launchTiles(launch, "quantize kernel",
                JoinedElements<decltype(element)>(x, numX), outputs);
  });
}

void cuda::quantize(LaunchContext &launch, const tert_site &site,
                    const tert_tensor &x, const tert_quantized &quantized,
                    const tert_tensor *dbias) {
  if (!requestsOutput(quantized) && !dbias)
    return;
  if (requestsCopies(quantized) && rankOf(*quantized.scale) != 0)
    return quantizeRows(launch, site, x, quantized, dbias);
  TileOutputs outputs =
      tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr, quantized);
  withFloat(dtypeOf(x), [&](auto element) {
    using T = decltype(element);
    if (dbias)
      launchTiles(launch, "quantize kernel", Elements<T, true>(x), outputs,
                  {dbias});
    else
      launchTiles(launch, "quantize kernel", Elements<T, false>(x), outputs);
  });
}

void cuda::dequantize(LaunchContext &launch, const tert_site &,
                      const tert_scaled &x, const tert_tensor &y) {
  const bool ofRows = rankOf(*x.scale_inv) != 0;
  auto dequantizeMatrix = [&](const Matrix &from, const Matrix &to) {
    AnyFloat output{to.data, to.stride, to.isAlignedTo(16),
                    to.dtype == TERT_BF16};
    dequantizeKernel<<<launchBlocks(launch, from.rows * ceilDiv(from.cols, 8),
                                    pieceThreads),
                       pieceThreads, 0, launch.stream>>>(
        static_cast<const uint8_t *>(from.data), from.stride,
        from.dtype == TERT_F8E5M2,
        static_cast<const float *>(x.scale_inv->data), ofRows, output,
        from.rows, from.cols, from.isAlignedTo(8));
    checkLaunch("dequantize kernel");
  };
  if (!ofRows)
    return forEachMatrix(dequantizeMatrix, *x.data, y);
  checkRowScales("x.scale_inv", *x.scale_inv, sizeOf(*x.data, 0));
  auto asMatrix = [](const tert_tensor &matrix) {
    return Matrix{matrix.data,       dtypeOf(matrix),     sizeOf(matrix, 0),
                  sizeOf(matrix, 1), strideOf(matrix, 0), 1};
  };
  dequantizeMatrix(asMatrix(*x.data), asMatrix(y));
}

void cuda::amax(LaunchContext &launch, const tert_site &, const tert_tensor &x,
                const tert_tensor &amax, bool transposed) {
  if (rankOf(amax) != 0)
    return rowAmaxes(launch, x, amax, transposed);
  PieceList list(&x, 1);
  if (list.tables() != 1)
    throw Error(TERT_UNSUPPORTED,
                "'x' has too many separate parts: copy it into a contiguous "
                "tensor first");
  amaxKernel<<<list.blocks(launch, 0), pieceThreads, 0, launch.stream>>>(
      list.table(0), static_cast<float *>(amax.data), launch.counters);
  checkLaunch("amax kernel");
}
