// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of any number of parameters by an optimizer's rule in one launch: their
// tiles are one list that blocks take in turn.

#include "cuda/kernels/Update.cuh"

#include "update/RuleScalars.h"

using namespace tert;
using namespace tert::cuda;

namespace {

/// Single elements for the rules. Each operation is rounded as the CPU does it, so
/// that the results are the same bits.
namespace rules {
#define TERT_RULE __device__
using V = float;
__device__ inline V splat(float x) { return x; }
__device__ inline V mul(V a, V b) { return __fmul_rn(a, b); }
__device__ inline V div(V a, V b) { return __fdiv_rn(a, b); }
__device__ inline V sqrt(V a) { return __fsqrt_rn(a); }
__device__ inline V mulAdd(V a, V b, V c) { return __fmaf_rn(a, b, c); }
__device__ inline V negMulAdd(V a, V b, V c) { return __fmaf_rn(-a, b, c); }
__device__ inline V sign(V a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f; }
#include "update/Rules.inc"
} // namespace rules

/// What a step computes with, the same for every element.
template <typename Rule> struct StepFactors {
  Rule rule;
  float coefficient;
  bool skip;
};

/// A rule, as processTile computes with it: the new parameter is the result, the
/// states are written on the way.
template <typename Rule> struct RuleStep {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  static constexpr int numStates = Rule::numStates;
  struct Raw {
    RawAny8 gradient;
    Raw8<float> param, states[numStates > 0 ? numStates : 1];
  };

  explicit __device__ RuleStep(const StepFactors<Rule> &factors)
      : factors(factors) {}
  /// The parameter of the tiles to come.
  __device__ void bind(const UpdateEntry &entry) {
    gradient = entry.gradientView();
    param = entry.view(entry.param);
    for (int i = 0; i < numStates; ++i)
      states[i] = entry.view(entry.states[i]);
    aligned = entry.aligned;
    decays = entry.decays;
  }

  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.gradient.load(gradient, row, col, valid, whole);
    raw.param.load(param.at(row, col), valid, whole);
#pragma unroll
    for (int i = 0; i < numStates; ++i)
      raw.states[i].load(states[i].at(row, col), valid, whole);
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t row, int64_t col,
                          int valid, float (&p)[8], float (&)[1][8]) const {
    raw.param.get(p);
    if (factors.skip)
      return;
    float g[8], s[2][8] = {};
    raw.gradient.get(gradient.isBf16, g);
#pragma unroll
    for (int i = 0; i < numStates; ++i)
      raw.states[i].get(s[i]);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      factors.rule.step(__fmul_rn(g[k], factors.coefficient), p[k], s[0][k],
                        s[1][k], decays);
    store8(p, param.at(row, col), valid, aligned);
#pragma unroll
    for (int i = 0; i < numStates; ++i)
      store8(s[i], states[i].at(row, col), valid, aligned);
  }

  AnyFloat gradient;
  View<float> param, states[2];
  bool aligned, decays;
  StepFactors<Rule> factors;
};

/// The factors, and a zero for every amax.
template <typename Rule>
__global__ void updateFactorsKernel(const float *coefficient,
                                    RuleScalars scalars,
                                    StepFactors<Rule> *factors,
                                    uint32_t *amaxes, int64_t count) {
  for (int64_t i = threadIdx.x; i < count; i += blockDim.x)
    amaxes[i] = 0;
  if (threadIdx.x == 0)
    *factors = {Rule(scalars), *coefficient, isnan(*coefficient)};
}

/// `amaxes`: bits of the entries' largest magnitudes, zero at the start; the
/// last block writes them where they belong.
template <typename Rule>
__global__ void __launch_bounds__(tileThreads, 4)
    updateKernel(const __grid_constant__ UpdateTable table,
                 const StepFactors<Rule> *factors, uint32_t *amaxes,
                 uint32_t *counters) {
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];
  __shared__ bool isLast;
  RuleStep<Rule> step(*factors);
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
    // Only staged tiles synchronize the threads: those alone alternate buffers.
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

} // namespace

template <typename Rule>
static void runUpdates(LaunchContext &launch, const UpdateStep &step) {
  constexpr const char *name = "update kernel";
  const std::vector<UpdateTable> tables = makeUpdateTables(step);
  if (tables.empty())
    return;
  auto *factors = launch.scratch.take<StepFactors<Rule>>(1);
  const int64_t numAmaxes = int64_t(tables.size()) * UpdateTable::capacity;
  uint32_t *amaxes = launch.scratch.take<uint32_t>(numAmaxes);
  RuleScalars scalars = {};
  for (int i = 0; i < Rule::numScalars; ++i)
    scalars.values[i] = static_cast<const float *>(step.scalars[i].data);
  scalars.stepNumber = static_cast<const int64_t *>(step.step->data);
  updateFactorsKernel<Rule><<<1, 128, 0, launch.stream>>>(
      static_cast<const float *>(step.coefficient->data), scalars, factors,
      amaxes, numAmaxes);
  checkLaunch(name);
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
            &perMultiprocessor, updateKernel<Rule>, tileThreads, 0),
        name);
  // More blocks than run at a time: where another kernel, such as a collective's,
  // holds some multiprocessors for a while, the others take more of them.
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

template <typename... Rule>
static void runUpdatesByOne(rules::RuleList<Rule...>, LaunchContext &launch,
                            const UpdateStep &step) {
  static constexpr decltype(&runUpdates<rules::SgdRule>) all[] = {
      runUpdates<Rule>...};
  all[step.rule](launch, step);
}

void cuda::update(LaunchContext &launch, const UpdateStep &step) {
  runUpdatesByOne(rules::AllRules(), launch, step);
}
