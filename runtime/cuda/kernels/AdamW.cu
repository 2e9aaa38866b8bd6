// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AdamW over any number of parameters in one launch: their tiles are one list
// that blocks take in turn. The table of parameters travels as the kernel's
// own parameter.

#include "cuda/kernels/Loops.h"
#include "cuda/kernels/Optimizer.h"
#include "cuda/kernels/Tile.cuh"

#include <vector>

using namespace tert;
using namespace tert::cuda;

namespace {

/// The step's scalars in device memory.
struct ScalarAddresses {
  const float *coefficient, *lr, *beta1, *beta2, *eps, *weightDecay;
  const int64_t *step;
};

/// What a step multiplies with, the same for every element: worked out in f64,
/// each rounded once.
struct AdamwFactors {
  float coefficient;
  float beta1, oneMinusBeta1, beta2, oneMinusBeta2;
  float decay;             // 1 - lr * weight_decay
  float stepSize;          // lr / (1 - beta1^step)
  float inverseCorrection; // 1 / sqrt(1 - beta2^step)
  float eps;
  int32_t skip;
};

/// The factors, and a zero for every amax.
__global__ void adamwFactorsKernel(ScalarAddresses scalars,
                                   AdamwFactors *factors, uint32_t *amaxes,
                                   int64_t count) {
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x)
    amaxes[i] = 0;
  if (threadIdx.x != 0)
    return;
  const double rate = *scalars.lr, b1 = *scalars.beta1, b2 = *scalars.beta2;
  const double t = double(*scalars.step);
  factors->coefficient = *scalars.coefficient;
  factors->beta1 = *scalars.beta1;
  factors->oneMinusBeta1 = float(1 - b1);
  factors->beta2 = *scalars.beta2;
  factors->oneMinusBeta2 = float(1 - b2);
  factors->decay =
      float(__dsub_rn(1, __dmul_rn(rate, double(*scalars.weightDecay))));
  factors->stepSize = float(rate / (1 - pow(b1, t)));
  factors->inverseCorrection = float(1 / sqrt(1 - pow(b2, t)));
  factors->eps = *scalars.eps;
  factors->skip = isnan(*scalars.coefficient);
}

/// One parameter as a matrix whose moments lie as it does.
struct AdamwEntry {
  void *gradient;
  float *param, *expAvg, *expAvgSq;
  int64_t rows, cols;
  int64_t gradientStride, stride;
  Fp8Output rowwise, columnwise;
  const float *scale;
  float *amax;
  uint32_t firstTile, colTiles;
  bool gradientIsBf16, aligned, fits, isE5M2, decays;
};

struct AdamwTable {
  static constexpr int capacity = 160;
  uint32_t tiles;
  int32_t count;
  AdamwEntry entries[capacity];

  __device__ int find(uint32_t tile) const {
    int low = 0, high = count - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (entries[middle].firstTile <= tile)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
};
static_assert(sizeof(AdamwTable) <= 32000, "must fit a kernel's parameters");

/// The new parameter; the moments are written on the way. Each operation is
/// rounded as the CPU does it, so that the results are the same bits.
struct AdamwStep {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  struct Raw {
    RawAny8 gradient;
    Raw8<float> param, expAvg, expAvgSq;
  };

  AnyFloat gradient;
  View<float> param, expAvg, expAvgSq;
  bool aligned;
  AdamwFactors factors;

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.gradient.load(gradient, row, col, valid, whole);
    raw.param.load(param.at(row, col), valid, whole);
    raw.expAvg.load(expAvg.at(row, col), valid, whole);
    raw.expAvgSq.load(expAvgSq.at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t row, int64_t col,
                          int valid, float (&p)[8], float (&)[1][8]) const {
    raw.param.get(p);
    if (factors.skip)
      return;
    float g[8], m[8], v[8];
    raw.gradient.get(gradient.isBf16, g);
    raw.expAvg.get(m);
    raw.expAvgSq.get(v);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      float scaled = __fmul_rn(g[k], factors.coefficient);
      m[k] = __fmaf_rn(factors.oneMinusBeta1, scaled,
                       __fmul_rn(factors.beta1, m[k]));
      v[k] = __fmaf_rn(factors.oneMinusBeta2, __fmul_rn(scaled, scaled),
                       __fmul_rn(factors.beta2, v[k]));
      float root =
          __fmaf_rn(__fsqrt_rn(v[k]), factors.inverseCorrection, factors.eps);
      p[k] = __fmaf_rn(-factors.stepSize, __fdiv_rn(m[k], root),
                       __fmul_rn(factors.decay, p[k]));
    }
    store8(p, param.at(row, col), valid, aligned);
    store8(m, expAvg.at(row, col), valid, aligned);
    store8(v, expAvgSq.at(row, col), valid, aligned);
  }
};

/// `amaxes`: bits of the entries' largest magnitudes, zero at the start; the
/// last block writes them where they belong.
__global__ void __launch_bounds__(tileThreads, 4)
    adamwKernel(const __grid_constant__ AdamwTable table,
                const AdamwFactors *factors, uint32_t *amaxes,
                uint32_t *counters) {
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];
  __shared__ bool isLast;
  AdamwStep step;
  step.factors = *factors;
  const float decay = step.factors.decay;
  int buffer = 0;
  for (uint32_t tile = blockIdx.x; tile < table.tiles; tile += gridDim.x) {
    const int index = table.find(tile);
    const AdamwEntry &entry = table.entries[index];
    const uint32_t local = tile - entry.firstTile;
    const uint32_t rowTile = local / entry.colTiles;
    const uint32_t colTile = local - rowTile * entry.colTiles;
    step.gradient = {entry.gradient, entry.gradientStride, entry.aligned,
                     entry.gradientIsBf16};
    step.param = {entry.param, entry.stride, entry.aligned};
    step.expAvg = {entry.expAvg, entry.stride, entry.aligned};
    step.expAvgSq = {entry.expAvgSq, entry.stride, entry.aligned};
    step.aligned = entry.aligned;
    step.factors.decay = entry.decays ? decay : 1.0f;
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
    buffer ^= 1;
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

/// Cuts parameters into tables on the host.
class AdamwTables {
public:
  void add(const AdamwParameter &parameter);
  const std::vector<AdamwTable> &get() const { return tables; }

private:
  void addEntry(AdamwEntry entry, const TileOutputs &outputs);
  void addMatrix(AdamwEntry entry, const Matrix &gradient, int64_t offset,
                 int64_t rows, int64_t cols);

  std::vector<AdamwTable> tables;
};

} // namespace

void AdamwTables::addEntry(AdamwEntry entry, const TileOutputs &outputs) {
  const TileSchedule schedule = coverWithTiles(outputs);
  int64_t tiles = int64_t(schedule.rowTiles) * schedule.colTiles;
  // The amax of nothing is written as well.
  if (tiles == 0 && !entry.amax)
    return;
  tiles = std::max<int64_t>(tiles, 1);
  if (tables.empty() || tables.back().count == AdamwTable::capacity ||
      tables.back().tiles + tiles > INT32_MAX) {
    tables.emplace_back();
    tables.back().tiles = 0;
    tables.back().count = 0;
  }
  AdamwTable &table = tables.back();
  entry.firstTile = table.tiles;
  entry.colTiles = std::max(1u, schedule.colTiles);
  table.tiles += uint32_t(tiles);
  table.entries[table.count++] = entry;
}

/// Elements [offset, offset + rows * cols) of a parameter without copies.
void AdamwTables::addMatrix(AdamwEntry entry, const Matrix &gradient,
                            int64_t offset, int64_t rows, int64_t cols) {
  entry.gradient = gradient.data;
  entry.gradientStride = gradient.stride;
  entry.gradientIsBf16 = gradient.dtype == TERT_BF16;
  entry.param += offset;
  entry.expAvg += offset;
  entry.expAvgSq += offset;
  entry.rows = rows;
  entry.cols = cols;
  entry.stride = cols;
  auto aligned = [&](float *data) {
    return Matrix{data, TERT_F32, rows, cols, cols, 1}.isAlignedTo(16);
  };
  entry.aligned = gradient.isAlignedTo(16) && aligned(entry.param) &&
                  aligned(entry.expAvg) && aligned(entry.expAvgSq);
  entry.fits = entry.aligned;
  TileOutputs outputs;
  outputs.rows = rows;
  outputs.cols = cols;
  addEntry(entry, outputs);
}

void AdamwTables::add(const AdamwParameter &parameter) {
  const tert_tensor &param = *parameter.param;
  AdamwEntry entry = {};
  entry.param = static_cast<float *>(param.data);
  entry.expAvg = static_cast<float *>(parameter.expAvg->data);
  entry.expAvgSq = static_cast<float *>(parameter.expAvgSq->data);
  entry.decays = parameter.decay;
  if (wantsAny(parameter.quantized)) {
    const tert_tensor &gradient = *parameter.gradient;
    const TileOutputs outputs = tileOutputs(
        sizeOf(param, 0), sizeOf(param, 1), nullptr, parameter.quantized);
    entry.rowwise = outputs.rowwise;
    entry.columnwise = outputs.columnwise;
    entry.scale = outputs.scale;
    entry.isE5M2 = outputs.isE5M2;
    entry.amax = outputs.amax;
    entry.gradient = gradient.data;
    entry.gradientStride = strideOf(gradient, 0);
    entry.gradientIsBf16 = dtypeOf(gradient) == TERT_BF16;
    entry.rows = outputs.rows;
    entry.cols = outputs.cols;
    entry.stride = strideOf(param, 0);
    entry.aligned = rowsAlignedTo(gradient, 16) && rowsAlignedTo(param, 16) &&
                    rowsAlignedTo(*parameter.expAvg, 16) &&
                    rowsAlignedTo(*parameter.expAvgSq, 16);
    entry.fits = entry.aligned && fitsTiles(outputs);
    addEntry(entry, outputs);
    return;
  }
  forEachMatrixOf(
      [&](const Matrix &gradient, const Matrix &like) {
        const int64_t offset = static_cast<const float *>(like.data) -
                               static_cast<const float *>(param.data);
        if (gradient.rows > 1) {
          addMatrix(entry, gradient, offset, gradient.rows, gradient.cols);
          return;
        }
        // One long row: rows as wide as a tile, and what is left.
        const int64_t rows = gradient.cols / tileCols;
        auto part = [&](int64_t first, int64_t numRows, int64_t cols) {
          Matrix piece = {static_cast<char *>(gradient.data) +
                              first * bytesOf(gradient.dtype),
                          gradient.dtype,
                          numRows,
                          cols,
                          cols,
                          1};
          addMatrix(entry, piece, offset + first, numRows, cols);
        };
        if (rows > 0)
          part(0, rows, tileCols);
        if (gradient.cols % tileCols)
          part(rows * tileCols, 1, gradient.cols % tileCols);
      },
      *param.layout,
      std::array<Strided, 2>{Strided(*parameter.gradient), Strided(param)});
}

void cuda::adamw(LaunchContext &launch, const tert_site &,
                 const AdamwScalars &scalars,
                 const std::vector<AdamwParameter> &parameters) {
  AdamwTables tables;
  for (const AdamwParameter &parameter : parameters)
    tables.add(parameter);
  if (tables.get().empty())
    return;
  auto addressOf = [](const tert_tensor &tensor) {
    return static_cast<const float *>(tensor.data);
  };
  AdamwFactors *factors = launch.scratch.take<AdamwFactors>(1);
  const int64_t numAmaxes = int64_t(tables.get().size()) * AdamwTable::capacity;
  uint32_t *amaxes = launch.scratch.take<uint32_t>(numAmaxes);
  adamwFactorsKernel<<<1, 128, 0, launch.stream>>>(
      ScalarAddresses{addressOf(scalars.coefficient), addressOf(scalars.lr),
                      addressOf(scalars.beta1), addressOf(scalars.beta2),
                      addressOf(scalars.eps), addressOf(scalars.weightDecay),
                      static_cast<const int64_t *>(scalars.step.data)},
      factors, amaxes, numAmaxes);
  checkLaunch("AdamW factors kernel");
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, adamwKernel, tileThreads, 0),
        "AdamW kernel");
  for (const AdamwTable &table : tables.get()) {
    const int64_t blocks =
        std::min<int64_t>(table.tiles, int64_t(perMultiprocessor) *
                                           launch.device.multiprocessors);
    adamwKernel<<<unsigned(blocks), tileThreads, 0, launch.stream>>>(
        table, factors, amaxes, launch.counters);
    checkLaunch("AdamW kernel");
    amaxes += AdamwTable::capacity;
  }
}
