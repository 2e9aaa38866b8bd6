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

/// Eight FP8 numbers as they are stored.
struct RawCodes {
  uint2 words;

  __device__ void load(const uint8_t *from, int valid, bool aligned) {
    if (aligned && valid >= 8) {
      words = *reinterpret_cast<const uint2 *>(from);
      return;
    }
    words = {0, 0};
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (i < valid)
        (i < 4 ? words.x : words.y) |= uint32_t(from[i]) << (i % 4 * 8);
  }
  __device__ uint8_t at(int i) const {
    return uint8_t((i < 4 ? words.x : words.y) >> (i % 4 * 8));
  }
};

template <StateKind kind> struct StoredState;
template <> struct StoredState<StateKind::F32> {
  using Type = float;
  using Raw = Raw8<float>;
};
template <> struct StoredState<StateKind::Bf16> {
  using Type = Bf16;
  using Raw = Raw8<Bf16>;
};
template <> struct StoredState<StateKind::Fp8> {
  using Type = uint8_t;
  using Raw = RawCodes;
};

/// A rule, as processTile computes with it: the new parameter is the result,
/// the states are written on the way.
template <typename StepRule> struct RuleStep {
  using Rule = StepRule;
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
template <typename StepRule, bool paramIsBf16, StateKind kind>
struct NarrowStep {
  using Rule = StepRule;
  using Param = std::conditional_t<paramIsBf16, Bf16, float>;
  using State = typename StoredState<kind>::Type;
  static constexpr bool isFp8 = kind == StateKind::Fp8;
  static constexpr int numSums = 0;
  static constexpr int rowsInFlight = 1;
  static constexpr int numStates = Rule::numStates;
  static_assert(stateBlock == tileCols);
  struct Raw {
    RawAny8 gradient;
    Raw8<Param> param;
    typename StoredState<kind>::Raw states[numStates > 0 ? numStates : 1];
    float scales[numStates > 0 ? numStates : 1];
  };

  explicit __device__ NarrowStep(const StepFactors<Rule> &factors)
      : factors(factors) {}
  __device__ void bind(const UpdateEntry &of) {
    entry = &of;
    gradient = of.gradientView();
    param = of.view<Param>(of.param);
    for (int i = 0; i < numStates; ++i)
      states[i] = of.view<State>(of.states[i]);
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
    raw.param.load(param.at(row, col), valid, whole);
#pragma unroll
    for (int i = 0; i < numStates; ++i) {
      raw.states[i].load(states[i].at(row, col), valid, whole);
      if constexpr (isFp8)
        raw.scales[i] = valid > 0 ? *scaleAt(i, row, col) : 1.0f;
    }
    return raw;
  }
  __device__ void compute(const Raw &raw, NoColumn, int64_t row, int64_t col,
                          int valid, float (&p)[8], float (&)[1][8]) const {
    raw.param.get(p);
    if (factors.skip)
      return;
    float g[8], s[2][8] = {};
    // The low halves round the first state, the high ones the second.
    uint32_t random[isFp8 ? 8 : 1];
    raw.gradient.get(gradient.isBf16, g);
#pragma unroll
    for (int i = 0; i < numStates; ++i)
      get(raw, i, s[i]);
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float scaled = __fmul_rn(g[k], factors.coefficient);
      const uint32_t bits = rules::randomBits(scaled, p[k], factors.step);
      factors.rule.step(scaled, p[k], s[0][k], s[1][k], entry->decays);
      if (paramIsBf16)
        p[k] = rules::roundToBf16(p[k], rules::lowHalf(rules::paramBits(bits)));
      if constexpr (kind == StateKind::Bf16) {
        s[0][k] = rules::roundToBf16(s[0][k], rules::lowHalf(bits));
        s[1][k] = rules::roundToBf16(s[1][k], rules::highHalf(bits));
      }
      if constexpr (isFp8)
        random[k] = bits;
    }
    store8(p, param.at(row, col), valid, aligned);
#pragma unroll
    for (int i = 0; i < numStates; ++i)
      if constexpr (isFp8)
        storeCodes(i, row, col, valid, s[i], random);
      else
        store8(s[i], states[i].at(row, col), valid, aligned);
  }

private:
  __device__ bool isE5M2(int number) const {
    return entry->stateTypes[number] == TERT_F8E5M2;
  }
  __device__ void get(const Raw &raw, int number, float (&v)[8]) const {
    if constexpr (!isFp8) {
      raw.states[number].get(v);
    } else {
#pragma unroll
      for (int k = 0; k < 8; ++k)
        v[k] = __fmul_rn(decode(raw.states[number].at(k), isE5M2(number)),
                         raw.scales[number]);
    }
  }
  /// Rounds state `number`, and stores it.
  __device__ void storeCodes(int number, int64_t row, int64_t col, int valid,
                             float (&v)[8], const uint32_t (&random)[8]) const {
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
    const Fp8Rounding format = Fp8Rounding::of(isE5M2(number));
    float scale = __fdiv_rn(__uint_as_float(amax), format.largest);
    if (scale < smallestStateScale)
      scale = smallestStateScale;
    if (col % stateBlock == 0)
      *scaleAt(number, row, col) = scale;
    const float inverse = __fdiv_rn(1.0f, scale);
#pragma unroll
    for (int k = 0; k < 8; ++k)
      v[k] = rules::roundToFp8(v[k], inverse,
                               number == 0 ? rules::lowHalf(random[k])
                                           : rules::highHalf(random[k]),
                               format, /*keepsPositive=*/number == 1);
    const uint2 codes = encode8(v, 1.0f, isE5M2(number));
    uint8_t *to = states[number].data + row * entry->stride + col;
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
  View<Param> param;
  View<State> states[2];
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
template <typename Step, int minBlocks>
__global__ void __launch_bounds__(tileThreads, minBlocks)
    updateKernel(const __grid_constant__ UpdateTable table,
                 const StepFactors<typename Step::Rule> *factors,
                 uint32_t *amaxes, uint32_t *counters) {
  __shared__ __align__(16) StagedTile staged[2];
  __shared__ uint32_t warpAmaxes[tileThreads / 32];
  __shared__ bool isLast;
  Step step(*factors);
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
template <typename Step, int minBlocks>
static void launchStep(LaunchContext &launch, const UpdateTable &table,
                       const StepFactors<typename Step::Rule> *factors,
                       uint32_t *amaxes) {
  const auto kernel = updateKernel<Step, minBlocks>;
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

/// Launches the kernel of a table's kind. With rounding, instructions take as
/// long as memory: more threads hide one behind the other.
template <typename Rule>
static void launchTable(LaunchContext &launch, const UpdateTable &table,
                        const StepFactors<Rule> *factors, uint32_t *amaxes) {
  constexpr int manyBlocks = 4;
  auto launchNarrow = [&](auto paramIsBf16, auto kind) {
    launchStep<NarrowStep<Rule, paramIsBf16.value, kind.value>, manyBlocks>(
        launch, table, factors, amaxes);
  };
  auto launchStates = [&](auto kind) {
    if (table.kind.paramIsBf16)
      launchNarrow(std::true_type(), kind);
    else if constexpr (kind.value == StateKind::F32)
      launchStep<RuleStep<Rule>, 4>(launch, table, factors, amaxes);
    else
      launchNarrow(std::false_type(), kind);
  };
  if constexpr (Rule::numStates > 0) {
    if (table.kind.states == StateKind::Bf16)
      return launchStates(std::integral_constant<StateKind, StateKind::Bf16>());
    if (table.kind.states == StateKind::Fp8)
      return launchStates(std::integral_constant<StateKind, StateKind::Fp8>());
  }
  launchStates(std::integral_constant<StateKind, StateKind::F32>());
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
    launchTable<Rule>(launch, table, factors, amaxes);
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
