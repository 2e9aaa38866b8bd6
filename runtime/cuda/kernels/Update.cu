// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of any number of parameters by an optimizer's rule in one launch:
// their tiles are one list that blocks take in turn.

#include "cuda/kernels/Update.cuh"

#include "update/Narrow.h"

using namespace tert;
using namespace tert::cuda;

namespace {

/// Single elements for the rules. Each operation is rounded as the CPU does it,
/// so that the results are the same bits.
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

using U = uint32_t;
__device__ inline U splatBits(uint32_t x) { return x; }
__device__ inline U bitsOf(V x) { return __float_as_uint(x); }
__device__ inline V fromBits(U x) { return __uint_as_float(x); }
__device__ inline U mulBits(U a, U b) { return a * b; }
__device__ inline U addBits(U a, U b) { return a + b; }
__device__ inline U subBits(U a, U b) { return a - b; }
__device__ inline U xorBits(U a, U b) { return a ^ b; }
__device__ inline U andBits(U a, U b) { return a & b; }
__device__ inline U maxBits(U a, U b) { return a > b ? a : b; }
template <int n> __device__ inline U shiftRight(U x) { return x >> n; }
__device__ inline V toFloat(U x) { return __uint2float_rn(x); }
__device__ inline V add(V a, V b) { return __fadd_rn(a, b); }
__device__ inline V floor(V x) { return ::floorf(x); }
__device__ inline V abs(V x) { return ::fabsf(x); }
__device__ inline V min(V a, V b) { return ::fminf(a, b); }
__device__ inline V max(V a, V b) { return ::fmaxf(a, b); }
__device__ inline V copySign(V magnitude, V sign) {
  return ::copysignf(magnitude, sign);
}
__device__ inline V ifNan(V x, V a, V b) { return isnan(x) ? a : b; }
__device__ inline V ifPositive(V x, V a, V b) { return x > 0 ? a : b; }
#include "update/Rounding.inc"
} // namespace rules

/// What a step computes with, the same for every element.
template <typename Rule> struct StepFactors {
  Rule rule;
  float coefficient;
  uint32_t step;
  bool skip;
};

/// Eight elements of a state as they are stored.
struct RawState {
  uint4 words[2];

  __device__ void load(const UpdateEntry &entry, int state, int64_t row,
                       int64_t col, int valid, bool whole) {
    const int64_t at = row * entry.stride + col;
    if (entry.stateTypes[state] == TERT_F32) {
      Raw8<float> raw;
      raw.load(static_cast<const float *>(entry.states[state]) + at, valid,
               whole);
      words[0] = raw.words[0];
      words[1] = raw.words[1];
      return;
    }
    if (entry.stateTypes[state] == TERT_BF16) {
      Raw8<Bf16> raw;
      raw.load(static_cast<const Bf16 *>(entry.states[state]) + at, valid,
               whole);
      words[0] = raw.words[0];
      return;
    }
    const uint8_t *codes =
        static_cast<const uint8_t *>(entry.states[state]) + at;
    uint2 pair = {0, 0};
    if (whole && valid >= 8) {
      pair = *reinterpret_cast<const uint2 *>(codes);
    } else {
#pragma unroll
      for (int i = 0; i < 8; ++i)
        if (i < valid)
          (i < 4 ? pair.x : pair.y) |= uint32_t(codes[i]) << (i % 4 * 8);
    }
    words[0].x = pair.x;
    words[0].y = pair.y;
  }
  __device__ void get(const UpdateEntry &entry, int state, float scale,
                      float (&v)[8]) const {
    if (entry.stateTypes[state] == TERT_F32) {
      Raw8<float> raw;
      raw.words[0] = words[0];
      raw.words[1] = words[1];
      raw.get(v);
      return;
    }
    if (entry.stateTypes[state] == TERT_BF16) {
      Raw8<Bf16> raw;
      raw.words[0] = words[0];
      raw.get(v);
      return;
    }
    const bool isE5M2 = entry.stateTypes[state] == TERT_F8E5M2;
#pragma unroll
    for (int i = 0; i < 8; ++i)
      v[i] = __fmul_rn(
          decode(uint8_t((i < 4 ? words[0].x : words[0].y) >> (i % 4 * 8)),
                 isE5M2),
          scale);
  }
};

/// A rule, as processTile computes with it: the new parameter is the result,
/// the states are written on the way.
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
    param = entry.view<float>(entry.param);
    for (int i = 0; i < numStates; ++i)
      states[i] = entry.view<float>(entry.states[i]);
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

/// The same with states in bf16 or FP8, or a parameter in bf16: the 16 threads
/// of a row's 128 elements have a scale in common.
template <typename Rule> struct NarrowStep {
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  static constexpr int numStates = Rule::numStates;
  static_assert(stateBlock == tileCols);
  struct Raw {
    RawAny8 gradient, param;
    RawState states[numStates > 0 ? numStates : 1];
    float scales[numStates > 0 ? numStates : 1];
  };

  explicit __device__ NarrowStep(const StepFactors<Rule> &factors)
      : factors(factors) {}
  __device__ void bind(const UpdateEntry &of) {
    entry = &of;
    gradient = of.gradientView();
    param = of.paramView();
    aligned = of.aligned;
  }

  __device__ float *scaleAt(int state, int64_t row, int64_t col) const {
    return entry->stateScales[state] + row * ceilDiv(entry->cols, stateBlock) +
           col / stateBlock;
  }
  __device__ NoColumn column(int64_t, int) const { return {}; }
  __device__ Raw load(int64_t row, int64_t col, int valid, bool whole) const {
    Raw raw;
    raw.gradient.load(gradient, row, col, valid, whole);
    raw.param.load(param, row, col, valid, whole);
#pragma unroll
    for (int i = 0; i < numStates; ++i) {
      raw.states[i].load(*entry, i, row, col, valid, whole);
      raw.scales[i] =
          entry->stateScales[i] && valid > 0 ? *scaleAt(i, row, col) : 1.0f;
    }
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t row, int64_t col,
                          int valid, float (&p)[8], float (&)[1][8]) const {
    raw.param.get(param.isBf16, p);
    if (factors.skip)
      return;
    float g[8], s[2][8] = {};
    uint32_t random[8];
    raw.gradient.get(gradient.isBf16, g);
#pragma unroll
    for (int i = 0; i < numStates; ++i)
      raw.states[i].get(*entry, i, raw.scales[i], s[i]);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float scaled = __fmul_rn(g[k], factors.coefficient);
      random[k] = rules::randomBits(scaled, p[k], factors.step);
      factors.rule.step(scaled, p[k], s[0][k], s[1][k], entry->decays);
      if (param.isBf16)
        p[k] = rules::roundToBf16(p[k],
                                  rules::lowHalf(rules::paramBits(random[k])));
    }
    param.store(row, col, valid, p);
#pragma unroll
    for (int i = 0; i < numStates; ++i) {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        random[k] = i == 0 ? random[k] : rules::highHalf(random[k]);
      store(i, row, col, valid, s[i], random);
    }
  }

private:
  /// Rounds state `number` by the low halves of `random`, and stores it.
  __device__ void store(int number, int64_t row, int64_t col, int valid,
                        float (&v)[8], const uint32_t (&random)[8]) const {
    const int64_t at = row * entry->stride + col;
    if (entry->stateTypes[number] == TERT_F32) {
      store8(v, static_cast<float *>(entry->states[number]) + at, valid,
             aligned);
      return;
    }
    if (entry->stateTypes[number] == TERT_BF16) {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = rules::roundToBf16(v[k], rules::lowHalf(random[k]));
      store8(v, static_cast<Bf16 *>(entry->states[number]) + at, valid,
             aligned);
      return;
    }
    uint32_t amax = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (k < valid)
        amax = ::max(amax, magnitudeBits(v[k]));
    // Of the threads that have elements of the block.
    const int64_t left = entry->cols - col / stateBlock * stateBlock;
    const int count = left >= stateBlock ? groupsPerRow : int(ceilDiv(left, 8));
    const uint32_t lanes = ((1u << count) - 1)
                           << (threadIdx.x % 32 / groupsPerRow * groupsPerRow);
    amax = __reduce_max_sync(lanes, amax);
    const bool isE5M2 = entry->stateTypes[number] == TERT_F8E5M2;
    const Fp8Rounding format = Fp8Rounding::of(isE5M2);
    float scale = __fdiv_rn(__uint_as_float(amax), format.largest);
    if (scale < smallestStateScale)
      scale = smallestStateScale;
    if (col % stateBlock == 0)
      *scaleAt(number, row, col) = scale;
    const float inverse = __fdiv_rn(1.0f, scale);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = rules::roundToFp8(v[k], inverse, rules::lowHalf(random[k]), format,
                               /*keepsPositive=*/number == 1);
    const uint2 codes = encode8(v, 1.0f, isE5M2);
    uint8_t *to = static_cast<uint8_t *>(entry->states[number]) + at;
    if (aligned && valid >= 8) {
      *reinterpret_cast<uint2 *>(to) = codes;
      return;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k)
      if (k < valid)
        to[k] = uint8_t((k < 4 ? codes.x : codes.y) >> (k % 4 * 8));
  }

public:
  const UpdateEntry *entry;
  AnyFloat gradient;
  AnyFloat param;
  bool aligned;
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
    *factors = {Rule(scalars), *coefficient, uint32_t(*scalars.stepNumber),
                isnan(*coefficient)};
}

/// `amaxes`: bits of the entries' largest magnitudes, zero at the start; the
/// last block writes them where they belong.
template <typename Rule, template <typename> typename Step, int minBlocks>
__global__ void __launch_bounds__(tileThreads, minBlocks)
    updateKernel(const __grid_constant__ UpdateTable table,
                 const StepFactors<Rule> *factors, uint32_t *amaxes,
                 uint32_t *counters) {
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];
  __shared__ bool isLast;
  Step<Rule> step(*factors);
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

static constexpr const char *name = "update kernel";

/// Launches a kernel with the table's parameters.
template <typename Rule, template <typename> typename Step, int minBlocks>
static void launchTable(LaunchContext &launch, const UpdateTable &table,
                        const StepFactors<Rule> *factors, uint32_t *amaxes) {
  const auto kernel = updateKernel<Rule, Step, minBlocks>;
  int perMultiprocessor = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perMultiprocessor,
                                                      kernel, tileThreads, 0),
        name);
  // More blocks than run at a time: where another kernel, such as a
  // collective's, holds some multiprocessors for a while, the others take more
  // of them.
  constexpr int turns = 4;
  const int64_t blocks =
      std::min<int64_t>(table.tiles, int64_t(turns) * perMultiprocessor *
                                         launch.device.multiprocessors);
  kernel<<<unsigned(blocks), tileThreads, 0, launch.stream>>>(
      table, factors, amaxes, launch.counters);
  checkLaunch(name);
}

template <typename Rule>
static void runUpdates(LaunchContext &launch, const UpdateStep &step) {
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
  for (const UpdateTable &table : tables) {
    if (table.isNarrow)
      launchTable<Rule, NarrowStep, 3>(launch, table, factors, amaxes);
    else
      launchTable<Rule, RuleStep, 4>(launch, table, factors, amaxes);
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
