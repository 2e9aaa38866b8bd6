// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of any number of parameters in one launch: their tiles are one list
// that blocks take in turn. The table of parameters travels as the kernel's
// own parameter. What is computed of an element is an optimizer's rule:
//
//   struct Rule {                   // and what processTile asks of a step
//     struct Scalars;               // addresses of the step's scalars
//     struct Factors;               // what a step multiplies with, skip
//     static Factors factorsOf(const Scalars &);
//     explicit Rule(const Factors &);
//     void bind(const UpdateEntry &); // the parameter of the tiles to come
//   };
#ifndef TERT_CUDA_KERNELS_UPDATE_CUH
#define TERT_CUDA_KERNELS_UPDATE_CUH

#include "cuda/Ops.h"
#include "cuda/kernels/PieceTable.h"
#include "cuda/kernels/Tile.cuh"

#include <vector>

namespace tert::cuda {

/// One parameter as a matrix whose states lie as it does.
struct UpdateEntry {
  void *gradient;
  float *param;
  float *states[2]; ///< null where there is none
  int64_t rows, cols;
  int64_t gradientStride, stride;
  Fp8Output rowwise, columnwise;
  const float *scale;
  float *amax;
  uint32_t firstTile, colTiles;
  bool gradientIsBf16, aligned, fits, isE5M2, decays;

  __device__ AnyFloat gradientView() const {
    return {gradient, gradientStride, aligned, gradientIsBf16};
  }
  __device__ View<float> view(float *tensor) const {
    return {tensor, stride, aligned};
  }
};

struct UpdateTable {
  static constexpr int capacity = 160;
  uint32_t tiles;
  int32_t count;
  UpdateEntry entries[capacity];

  __device__ int find(uint32_t tile) const {
    return findEntry(count, tile,
                     [this](int i) { return entries[i].firstTile; });
  }
};
static_assert(sizeof(UpdateTable) <= 32000, "must fit a kernel's parameters");

/// Cuts parameters into tables on the host.
std::vector<UpdateTable>
makeUpdateTables(const std::vector<ParameterUpdate> &parameters);

inline const float *addressOf(const tert_tensor &scalar) {
  return static_cast<const float *>(scalar.data);
}
inline const float *addressOf(const tert_tensor *scalar) {
  return scalar ? addressOf(*scalar) : nullptr;
}
inline const int64_t *stepAddress(const tert_tensor &step) {
  return static_cast<const int64_t *>(step.data);
}

/// The factors, and a zero for every amax.
template <typename Rule>
__global__ void updateFactorsKernel(typename Rule::Scalars scalars,
                                    typename Rule::Factors *factors,
                                    uint32_t *amaxes, int64_t count) {
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x)
    amaxes[i] = 0;
  if (threadIdx.x == 0)
    *factors = Rule::factorsOf(scalars);
}

/// `amaxes`: bits of the entries' largest magnitudes, zero at the start; the
/// last block writes them where they belong.
template <typename Rule>
__global__ void __launch_bounds__(tileThreads, 4)
    updateKernel(const __grid_constant__ UpdateTable table,
                 const typename Rule::Factors *factors, uint32_t *amaxes,
                 uint32_t *counters) {
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];
  __shared__ bool isLast;
  Rule step(*factors);
  int buffer = 0;
  for (uint32_t tile = blockIdx.x; tile < table.tiles; tile += gridDim.x) {
    const int index = table.find(tile);
    const UpdateEntry &entry = table.entries[index];
    const uint32_t local = tile - entry.firstTile;
    const uint32_t rowTile = local / entry.colTiles;
    const uint32_t colTile = local - rowTile * entry.colTiles;
    step.bind(entry);
    TileOutputs outputs;
    outputs.rows = entry.rows;
    outputs.cols = entry.cols;
    outputs.rowwise = entry.rowwise;
    outputs.columnwise = entry.columnwise;
    outputs.isE5M2 = entry.isE5M2;
    const float scale = entry.scale ? *entry.scale : 1.0f;
    float amax = 0;
    TileSums<0> sums;
    // A full tile of a matrix whose last tiles need not be full.
    const bool whole = entry.fits &&
                       int64_t(rowTile + 1) * tileRows <= entry.rows &&
                       int64_t(colTile + 1) * tileCols <= entry.cols;
    if (whole)
      processTile<true>(step, outputs, scale, rowTile, colTile, staged[buffer],
                        amax, sums);
    else
      processTile<false>(step, outputs, scale, rowTile, colTile, staged[buffer],
                         amax, sums);
    // Threads meet only in tiles that are staged: those alone take turns.
    buffer ^= entry.columnwise.data != nullptr;
    if (!entry.amax)
      continue;
    const uint32_t bits = blockReduce(magnitudeBits(amax), Max(), warpAmaxes);
    if (threadIdx.x == 0)
      atomicMax(&amaxes[index], bits);
  }
  if (threadIdx.x == 0)
    isLast = isLastOf(counters, gridDim.x);
  __syncthreads();
  if (!isLast)
    return;
  for (int i = threadIdx.x; i < table.count; i += blockDim.x)
    if (table.entries[i].amax)
      *table.entries[i].amax = __uint_as_float(__ldcg(amaxes + i));
}

/// Updates `parameters` by a rule; `name` is for messages.
template <typename Rule>
void runUpdates(LaunchContext &launch, const char *name,
                const typename Rule::Scalars &scalars,
                const std::vector<ParameterUpdate> &parameters) {
  const std::vector<UpdateTable> tables = makeUpdateTables(parameters);
  if (tables.empty())
    return;
  auto *factors = launch.scratch.take<typename Rule::Factors>(1);
  const int64_t numAmaxes = int64_t(tables.size()) * UpdateTable::capacity;
  uint32_t *amaxes = launch.scratch.take<uint32_t>(numAmaxes);
  updateFactorsKernel<Rule>
      <<<1, 128, 0, launch.stream>>>(scalars, factors, amaxes, numAmaxes);
  checkLaunch(name);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, updateKernel<Rule>, tileThreads, 0),
        name);
  // More than run at a time: where another kernel, such as an exchange's, holds
  // some multiprocessors for a while, the others take more of them.
  constexpr int turns = 4;
  for (const UpdateTable &table : tables) {
    const int64_t blocks =
        std::min<int64_t>(table.tiles, int64_t(turns) * perMultiprocessor *
                                           launch.device.multiprocessors);
    updateKernel<Rule><<<unsigned(blocks), tileThreads, 0, launch.stream>>>(
        table, factors, amaxes, launch.counters);
    checkLaunch(name);
    amaxes += UpdateTable::capacity;
  }
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_UPDATE_CUH
