// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "cuda/kernels/Quantize.h"

#include "cuda/kernels/Elements.cuh"
#include "cuda/kernels/Pieces.h"

using namespace tert;
using namespace tert::cuda;

namespace {

constexpr int pieceThreads = 256;

/// y = x * factor for one matrix; a group of eight elements per thread.
__global__ void dequantizeKernel(const uint8_t *x, int64_t xStride, bool isE5M2,
                                 const float *scaleInv, AnyFloat y,
                                 int64_t rows, int64_t cols, bool aligned) {
  const float factor = *scaleInv;
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
  pieces.forEachGroup([&](const float (&v)[8]) {
#pragma unroll
    for (int k = 0; k < 8; ++k)
      largest = max(largest, magnitudeBits(v[k]));
  });
  largest = blockReduce(largest, Max(), shared);
  if (threadIdx.x == 0)
    finishAmax(largest, amax, counters, gridDim.x);
}

} // namespace

void cuda::quantize(LaunchContext &launch, const tert_site &,
                    const tert_tensor &x, const tert_quantized &quantized, const tert_tensor *dbias) {
  if (!wantsAny(quantized) && !dbias)
    return;
  TileOutputs outputs = tileOutputs(sizeOf(x, 0), sizeOf(x, 1), nullptr, quantized);
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
  forEachMatrix(
      [&](const Matrix &from, const Matrix &to) {
        AnyFloat output{to.data, to.stride, to.isAlignedTo(16),
                        to.dtype == TERT_BF16};
        dequantizeKernel<<<launchBlocks(launch,
                                        from.rows * ceilDiv(from.cols, 8),
                                        pieceThreads),
                           pieceThreads, 0, launch.stream>>>(
            static_cast<const uint8_t *>(from.data), from.stride,
            from.dtype == TERT_F8E5M2,
            static_cast<const float *>(x.scale_inv->data), output, from.rows,
            from.cols, from.isAlignedTo(8));
        checkLaunch("dequantize kernel");
      },
      *x.data, y);
}

void cuda::amax(LaunchContext &launch, const tert_site &, const tert_tensor &x,
                const tert_tensor &amax) {
  PieceList list(&x, 1);
  if (list.tables() != 1)
    throw Error(TERT_UNSUPPORTED,
                "'x' has too many separate parts: copy it into a contiguous "
                "tensor first");
  amaxKernel<<<list.blocks(launch, 0), pieceThreads, 0, launch.stream>>>(
      list.table(0), static_cast<float *>(amax.data), launch.counters);
  checkLaunch("amax kernel");
}
