// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradients of a gated activation by both halves of its input, and
// optionally its value, from a single read of their common inputs: bf16 in
// shapes common in models. In all other cases the tile loop (Tile.cuh) computes
// each half separately.
#ifndef TERT_CUDA_KERNELS_GATEDGRAD_CUH
#define TERT_CUDA_KERNELS_GATEDGRAD_CUH

#include "cuda/kernels/Tile.cuh"

namespace tert::cuda {

constexpr int gatedThreads = 256;
/// Rows of a tile: a column of 128 bytes of a column-wise copy is a full memory
/// line.
constexpr int gatedRows = 128;
using GatedStage = StagedRows<gatedRows>;

struct GatedGradProblem {
  View<Bf16> dy, gate, up;
  /// [rows, 2 cols]; the columns where dgate and dup begin.
  TileOutputs outputs;
  int64_t gateCol, upCol;
  /// A column-wise copy of the activation's value, if requested.
  Fp8Output value;
  bool valueIsE5M2;
  const float *valueScale;

  int64_t cols() const { return outputs.cols / 2; }
  bool fits() const {
    return dy.aligned && gate.aligned && up.aligned && !outputs.y &&
           fitsTiles(outputs) && outputs.rows % gatedRows == 0 &&
           cols() % tileCols == 0 && outputs.rows <= INT32_MAX &&
           outputs.rows / gatedRows * (cols() / tileCols) <= INT32_MAX &&
           (!value.data || (value.aligned && value.rows == cols() &&
                            value.cols == outputs.rows));
  }
};

/// Eight elements of the three inputs.
struct GatedInputs {
  Raw8<Bf16> dy, gate, up;

  __device__ void load(const GatedGradProblem &p, int64_t row, int64_t col) {
    dy.loadVector(p.dy.at(row, col));
    gate.loadVector(p.gate.at(row, col));
    up.loadVector(p.up.at(row, col));
  }
};

/// Blocks iterate over tiles with a stride of the grid. A thread prefetches its
/// next elements, also those of the next tile, before it uses the current ones.
template <typename Function>
__global__ void __launch_bounds__(gatedThreads, 3)
    gatedGradKernel(const __grid_constant__ GatedGradProblem p,
                    uint32_t rowTiles, uint32_t colTiles, uint32_t *counters) {
  extern __shared__ __align__(16) uint8_t dynamicShared[];
  __shared__ uint32_t warpAmaxes[gatedThreads / 32];
  auto *staged = reinterpret_cast<GatedStage *>(dynamicShared);
  constexpr int rowsAtOnce = gatedThreads / groupsPerRow;
  const TileOutputs &outputs = p.outputs;
  const bool quantizes = outputs.rowwise.data || outputs.columnwise.data;
  const float scale = quantizes ? *outputs.scale : 1.0f;
  const float valueScale = p.value.data ? *p.valueScale : 1.0f;
  const int ownCol = threadIdx.x % groupsPerRow * 8;
  const int ownRow = threadIdx.x / groupsPerRow;
  const uint32_t tiles = rowTiles * colTiles;
  float amax = 0;
  GatedInputs next;
  uint32_t nextTile = blockIdx.x;
  int nextRow = 0;
  auto loadNext = [&] {
    if (nextTile >= tiles)
      return;
    const uint32_t rowTile = nextTile / colTiles;
    next.load(p, int64_t(rowTile) * gatedRows + nextRow + ownRow,
              int64_t(nextTile - rowTile * colTiles) * tileCols + ownCol);
    nextRow += rowsAtOnce;
    if (nextRow == gatedRows) {
      nextRow = 0;
      nextTile += gridDim.x;
    }
  };
  loadNext();
  for (uint32_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint32_t rowTile = tile / colTiles;
    const int64_t row0 = int64_t(rowTile) * gatedRows;
    const int64_t col0 = int64_t(tile - rowTile * colTiles) * tileCols;
    auto store = [&](const float (&v)[8], int row, int64_t col,
                     GatedStage &stage) {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        amax = largerMagnitude(amax, v[k]);
      if (!quantizes)
        return;
      const uint2 codes = encode8(v, scale, outputs.isE5M2);
      if (outputs.rowwise.data)
        storeRowwise<true>(outputs.rowwise, row0 + row, col, codes);
      *reinterpret_cast<uint2 *>(stage.bytes + stage.offset(row, ownCol)) =
          codes;
    };
#pragma unroll 1
    for (int step = 0; step < gatedRows; step += rowsAtOnce) {
      const GatedInputs inputs = next;
      loadNext();
      const int row = step + ownRow;
      float dy[8], gate[8], up[8], dgate[8], dup[8], value[8];
      inputs.dy.get(dy);
      inputs.gate.get(gate);
      inputs.up.get(up);
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const float activation = Function::value(gate[k]);
        dgate[k] =
            __fmul_rn(__fmul_rn(dy[k], up[k]), Function::derivative(gate[k]));
        dup[k] = __fmul_rn(dy[k], activation);
        value[k] = __fmul_rn(activation, up[k]);
      }
      store(dgate, row, p.gateCol + col0 + ownCol, staged[0]);
      store(dup, row, p.upCol + col0 + ownCol, staged[1]);
      if (p.value.data)
        *reinterpret_cast<uint2 *>(staged[2].bytes +
                                   staged[2].offset(row, ownCol)) =
            encode8(value, valueScale, p.valueIsE5M2);
    }
    __syncthreads();
    if (outputs.columnwise.data) {
      storeColumnwise<true, gatedThreads>(staged[0], outputs.columnwise, row0,
                                          p.gateCol + col0);
      storeColumnwise<true, gatedThreads>(staged[1], outputs.columnwise, row0,
                                          p.upCol + col0);
    }
    if (p.value.data)
      storeColumnwise<true, gatedThreads>(staged[2], p.value, row0, col0);
    __syncthreads();
  }
  if (!outputs.amax)
    return;
  const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
  if (threadIdx.x == 0)
    finishAmax(bits, outputs.amax, counters, gridDim.x);
}

/// Launches the kernel for a problem for which fits() is true.
template <typename Function>
void launchGatedGrad(LaunchContext &launch, const char *name,
                     const GatedGradProblem &p) {
  auto *kernel = &gatedGradKernel<Function>;
  constexpr size_t bytes = 3 * sizeof(GatedStage);
  const auto rowTiles = uint32_t(p.outputs.rows / gatedRows);
  const auto colTiles = uint32_t(p.cols() / tileCols);
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(bytes)),
        name);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, kernel, gatedThreads, bytes),
        name);
  const int64_t blocks = std::clamp<int64_t>(int64_t(rowTiles) * colTiles, 1,
                                             std::max(1, perMultiprocessor) *
                                                 launch.device.multiprocessors);
  kernel<<<unsigned(blocks), gatedThreads, bytes, launch.stream>>>(
      p, rowTiles, colTiles, launch.counters);
  checkLaunch(name);
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_GATEDGRAD_CUH
