// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of parameters by optimizers' rules.

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"
#include "program/Update.h"
#include "update/Narrow.h"

#include <cmath>

// Shared by all instruction sets, so seen once.
#ifndef TERT_CPU_UPDATE_SHARED
#define TERT_CPU_UPDATE_SHARED
namespace tert::cpu {

/// One parameter's tensors, as matrices of one shape. A state that the rule
/// lacks is the parameter again.
struct UpdateTensors {
  Matrix gradient, param, states[2];
  /// Of FP8 states: f32, as many rows as the matrices.
  const tert_tensor *stateScales = nullptr;
  bool isNarrow = false;

  float *scalesOf(int state, int64_t row) const {
    return Matrix(stateScales[state]).row<float>(row);
  }
};

/// What a step computes with, the same for all parameters.
struct StepInputs {
  size_t rule;
  float coefficient;
  RuleScalars scalars;
};

/// Rows [row, row + rows) and columns [col, col + cols); the columns begin with
/// a block of FP8 states.
struct UpdateBlock {
  int64_t row, rows, col, cols;
};

} // namespace tert::cpu
#endif // TERT_CPU_UPDATE_SHARED

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/Update.cpp"
#include <hwy/foreach_target.h>

#include "cpu/Quantize-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tert::cpu::HWY_NAMESPACE {

/// Vectors of elements for the rules.
namespace rules {
#undef TERT_RULE
#define TERT_RULE HWY_ATTR inline
using V = VecF32;
HWY_INLINE V splat(float x) { return hn::Set(F32(), x); }
HWY_INLINE V mul(V a, V b) { return hn::Mul(a, b); }
HWY_INLINE V div(V a, V b) { return hn::Div(a, b); }
HWY_INLINE V sqrt(V a) { return hn::Sqrt(a); }
HWY_INLINE V mulAdd(V a, V b, V c) { return hn::MulAdd(a, b, c); }
HWY_INLINE V negMulAdd(V a, V b, V c) { return hn::NegMulAdd(a, b, c); }
HWY_INLINE V sign(V a) {
  const V zero = hn::Zero(F32()), one = splat(1);
  return hn::IfThenElse(hn::Gt(a, zero), one,
                        hn::IfThenElse(hn::Lt(a, zero), hn::Neg(one), zero));
}
#include "update/Rules.inc"

using U = hn::Vec<hn::Rebind<uint32_t, F32>>;
using Bits = hn::Rebind<uint32_t, F32>;
HWY_INLINE V add(V a, V b) { return hn::Add(a, b); }
HWY_INLINE U splatBits(uint32_t x) { return hn::Set(Bits(), x); }
HWY_INLINE U bitsOf(V x) { return hn::BitCast(Bits(), x); }
HWY_INLINE V fromBits(U x) { return hn::BitCast(F32(), x); }
HWY_INLINE U mulBits(U a, U b) { return hn::Mul(a, b); }
HWY_INLINE U addBits(U a, U b) { return hn::Add(a, b); }
HWY_INLINE U subBits(U a, U b) { return hn::Sub(a, b); }
HWY_INLINE U xorBits(U a, U b) { return hn::Xor(a, b); }
HWY_INLINE U andBits(U a, U b) { return hn::And(a, b); }
HWY_INLINE U maxBits(U a, U b) { return hn::Max(a, b); }
template <int n> HWY_INLINE U shiftRight(U x) { return hn::ShiftRight<n>(x); }
HWY_INLINE V toFloat(U x) {
  return hn::ConvertTo(F32(), hn::BitCast(hn::Rebind<int32_t, F32>(), x));
}
HWY_INLINE V floor(V x) { return hn::Floor(x); }
HWY_INLINE V abs(V x) { return hn::Abs(x); }
HWY_INLINE V min(V a, V b) { return hn::Min(a, b); }
HWY_INLINE V max(V a, V b) { return hn::Max(a, b); }
HWY_INLINE V copySign(V magnitude, V sign) {
  return hn::CopySign(magnitude, sign);
}
HWY_INLINE V ifNan(V x, V a, V b) { return hn::IfThenElse(hn::IsNaN(x), a, b); }
HWY_INLINE V ifPositive(V x, V a, V b) {
  return hn::IfThenElse(hn::Gt(x, hn::Zero(F32())), a, b);
}
#include "update/Rounding.inc"
} // namespace rules

/// A block of a row as f32: full vectors.
struct RowBlock {
  HWY_ALIGN float values[stateBlock + HWY_MAX_BYTES] = {};
};

/// Reads `count` elements of a state, FP8 ones times `scale`.
HWY_INLINE void readState(const Matrix &state, int64_t row, int64_t col,
                          int64_t count, float scale, RowBlock &to) {
  if (!isFp8(state.dtype)) {
    readRow(state.dtype, state.address(row, col), to.values, count);
    return;
  }
  withFp8(state.dtype, [&](auto format) HWY_ATTR {
    decodeRow<decltype(format)>(
        static_cast<const uint8_t *>(state.address(row, col)), to.values, count,
        scale);
  });
}

/// The 16 random bits that round state `number`, of an element's 32.
HWY_INLINE rules::U pickBits(const uint32_t *random, int number) {
  const rules::U bits = hn::LoadU(rules::Bits(), random);
  return number == 0 ? rules::lowHalf(bits) : rules::highHalf(bits);
}

/// Rounds `count` new values of state `number`, unless it is f32, and stores
/// them. `scale` becomes that of an FP8 state.
HWY_INLINE void writeState(const Matrix &state, int64_t row, int64_t col,
                           int64_t count, int number, RowBlock &values,
                           const uint32_t *random, float *scale) {
  float *v = values.values;
  if (state.dtype == TERT_F32) {
    writeRow(state.dtype, v, state.address(row, col), count);
    return;
  }
  if (state.dtype == TERT_BF16) {
    forVectors(count, [&](int64_t k, int64_t n) HWY_ATTR {
      storeF32(
          rules::roundToBf16(loadF32(v + k, n), pickBits(random + k, number)),
          static_cast<Bf16 *>(state.address(row, col)) + k, n);
    });
    return;
  }
  auto amax = hn::Zero(rules::Bits());
  forVectors(count, [&](int64_t k, int64_t n) HWY_ATTR {
    amax =
        hn::Max(amax, hn::BitCast(rules::Bits(), hn::Abs(loadF32(v + k, n))));
  });
  const Fp8Rounding format = Fp8Rounding::of(state.dtype == TERT_F8E5M2);
  const uint32_t largest = hn::GetLane(hn::MaxOfLanes(rules::Bits(), amax));
  float magnitude;
  std::memcpy(&magnitude, &largest, sizeof(magnitude));
  *scale = magnitude / format.largest;
  if (*scale < smallestStateScale)
    *scale = smallestStateScale;
  const VecF32 inverse = hn::Set(F32(), 1 / *scale);
  HWY_ALIGN uint8_t codes[stateBlock + HWY_MAX_BYTES];
  withFp8(state.dtype, [&](auto code) HWY_ATTR {
    forVectors(count, [&](int64_t k, int64_t n) HWY_ATTR {
      storeFp8<decltype(code)>(rules::roundToFp8(loadF32(v + k, n), inverse,
                                                 pickBits(random + k, number),
                                                 format,
                                                 /*keepsPositive=*/number == 1),
                               codes + k);
    });
  });
  std::memcpy(state.address(row, col), codes, size_t(count));
}

/// Updates elements whose states are kept in fewer bits, block by block.
template <typename Rule>
HWY_NOINLINE void updateNarrowBy(const UpdateTensors &x,
                                 const StepInputs &inputs, bool decays,
                                 const UpdateBlock &block) {
  constexpr int numStates = Rule::numStates;
  const Rule rule(inputs.scalars);
  const VecF32 coefficient = hn::Set(F32(), inputs.coefficient);
  const auto step = uint32_t(*inputs.scalars.stepNumber);
  RowBlock gradient, param, states[2];
  HWY_ALIGN uint32_t random[stateBlock + HWY_MAX_BYTES];
  const int64_t end = block.col + block.cols;
  for (int64_t i = block.row; i < block.row + block.rows; ++i)
    for (int64_t col = block.col; col < end; col += stateBlock) {
      const int64_t count = HWY_MIN(stateBlock, end - col);
      float *scales[2] = {};
      for (int s = 0; s < numStates; ++s) {
        if (x.stateScales)
          scales[s] = x.scalesOf(s, i) + col / stateBlock;
        readState(x.states[s], i, col, count, scales[s] ? *scales[s] : 1,
                  states[s]);
      }
      readRow(x.gradient.dtype, x.gradient.address(i, col), gradient.values,
              count);
      void *kept = x.param.address(i, col);
      const bool isBf16 = x.param.dtype == TERT_BF16;
      readRow(x.param.dtype, kept, param.values, count);
      forVectors(count, [&](int64_t k, int64_t n) HWY_ATTR {
        VecF32 g = hn::Mul(loadF32(gradient.values + k, n), coefficient);
        VecF32 p = loadF32(param.values + k, n);
        VecF32 first = loadF32(states[0].values + k, n),
               second = loadF32(states[1].values + k, n);
        const auto bits = rules::randomBits(g, p, step);
        hn::StoreU(bits, rules::Bits(), random + k);
        rule.step(g, p, first, second, decays);
        storeF32(first, states[0].values + k, n);
        storeF32(second, states[1].values + k, n);
        if (isBf16)
          p = rules::roundToBf16(p, rules::lowHalf(rules::paramBits(bits)));
        storeF32(p, param.values + k, n);
      });
      writeRow(x.param.dtype, param.values, kept, count);
      for (int s = 0; s < numStates; ++s)
        writeState(x.states[s], i, col, count, s, states[s], random, scales[s]);
    }
}

template <typename Rule>
HWY_NOINLINE void updateBy(const UpdateTensors &x, const StepInputs &inputs,
                           bool decays, const UpdateBlock &block) {
  if (x.isNarrow)
    return updateNarrowBy<Rule>(x, inputs, decays, block);
  const Rule rule(inputs.scalars);
  const VecF32 coefficient = hn::Set(F32(), inputs.coefficient);
  for (int64_t i = block.row; i < block.row + block.rows; ++i)
    withFloat(x.gradient.dtype, x.gradient.address(i, block.col),
              [&](auto *gradient) HWY_ATTR {
                float *param = x.param.row<float>(i) + block.col;
                float *states[2] = {x.states[0].row<float>(i) + block.col,
                                    x.states[1].row<float>(i) + block.col};
                forVectors(block.cols, [&](int64_t k, int64_t count) HWY_ATTR {
                  VecF32 g = hn::Mul(loadF32(gradient + k, count), coefficient);
                  VecF32 p = loadF32(param + k, count), first = p, second = p;
                  if constexpr (Rule::numStates > 0)
                    first = loadF32(states[0] + k, count);
                  if constexpr (Rule::numStates > 1)
                    second = loadF32(states[1] + k, count);
                  rule.step(g, p, first, second, decays);
                  if constexpr (Rule::numStates > 0)
                    storeF32(first, states[0] + k, count);
                  if constexpr (Rule::numStates > 1)
                    storeF32(second, states[1] + k, count);
                  storeF32(p, param + k, count);
                });
              });
}

template <typename... Rule>
void updateByOne(rules::RuleList<Rule...>, const UpdateTensors &x,
                 const StepInputs &inputs, bool decays,
                 const UpdateBlock &block) {
  static constexpr decltype(&updateBy<rules::SgdRule>) all[] = {
      updateBy<Rule>...};
  all[inputs.rule](x, inputs, decays, block);
}

void updateBlock(const UpdateTensors &x, const StepInputs &inputs, bool decays,
                 const UpdateBlock &block) {
  updateByOne(rules::AllRules(), x, inputs, decays, block);
}

/// Quantizes a block of the new parameter, right after its step.
void quantizeBlock(const Matrix &param, QuantizedOutputs &outputs,
                   const UpdateBlock &block) {
  if (param.dtype != TERT_F32) {
    HWY_ALIGN float rows[quantizeTileRows * quantizeTileCols];
    for (int64_t i = 0; i < block.rows; ++i)
      readRow(param.dtype, param.address(block.row + i, block.col),
              rows + i * quantizeTileCols, block.cols);
    quantizeTile(outputs, rows, quantizeTileCols, block.row, block.col,
                 block.rows, block.cols);
    return;
  }
  quantizeTile(outputs, param.row<float>(block.row) + block.col, param.stride,
               block.row, block.col, block.rows, block.cols);
}

} // namespace tert::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tert::cpu {
HWY_EXPORT(updateBlock);
HWY_EXPORT(quantizeBlock);
} // namespace tert::cpu

using namespace tert;
using namespace tert::cpu;

/// Updates one parameter, unless the step is skipped, and quantizes it.
static void updateOne(Execution &execution, const UpdateStep &step,
                      const StepInputs &inputs,
                      const ParameterUpdate &parameter) {
  const bool skip = std::isnan(inputs.coefficient);
  const tert_tensor &param = *parameter.param;
  auto state = [&](int i) -> const tert_tensor & {
    return i < step.numStates ? parameter.states[i] : param;
  };
  auto updateOn = HWY_DYNAMIC_DISPATCH(updateBlock);
  const bool isNarrow = parameter.isNarrow(step.numStates);
  auto updateMatrix = [&](const Matrix &gradient, const Matrix &p,
                          const Matrix &first, const Matrix &second) {
    const UpdateTensors tensors = {
        gradient, p, {first, second}, parameter.stateScales, isNarrow};
    RowTasks tasks(p.rows, p.cols);
    execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
      updateOn(tensors, inputs, parameter.decay,
               {tasks.first(task), tasks.size(task), 0, p.cols});
    });
  };
  if (!requestsOutput(parameter.quantized)) {
    if (skip)
      return;
    // Rows with scales are not joined or cut.
    if (parameter.stateScales)
      updateMatrix(Matrix(*parameter.gradient), Matrix(param), Matrix(state(0)),
                   Matrix(state(1)));
    else
      forEachMatrix(updateMatrix, *parameter.gradient, param, state(0),
                    state(1));
    return;
  }

  UpdateTensors tensors = {Matrix(*parameter.gradient),
                           Matrix(param),
                           {Matrix(state(0)), Matrix(state(1))},
                           parameter.stateScales,
                           isNarrow};
  const Matrix &p = tensors.param;
  QuantizedOutputs outputs(p.rows, p.cols, parameter.quantized);
  auto quantizeOne = HWY_DYNAMIC_DISPATCH(quantizeBlock);
  int64_t tilesPerRow = ceilDiv(p.cols, quantizeTileCols);
  execution.pool.parallelFor(
      ceilDiv(p.rows, quantizeTileRows) * tilesPerRow, [&](int64_t task, int) {
        int64_t row = task / tilesPerRow * quantizeTileRows;
        int64_t col = task % tilesPerRow * quantizeTileCols;
        const UpdateBlock block = {
            row, std::min(quantizeTileRows, p.rows - row), col,
            std::min(quantizeTileCols, p.cols - col)};
        if (!skip)
          updateOn(tensors, inputs, parameter.decay, block);
        quantizeOne(p, outputs, block);
      });
  outputs.finish();
}

void cpu::update(Execution &execution, const UpdateStep &step) {
  StepInputs inputs = {step.rule, scalarOf(*step.coefficient), {}};
  for (int i = 0; i < step.numScalars; ++i)
    inputs.scalars.values[i] = static_cast<const float *>(step.scalars[i].data);
  inputs.scalars.stepNumber = static_cast<const int64_t *>(step.step->data);
  for (const ParameterUpdate &parameter : step.parameters)
    updateOne(execution, step, inputs, parameter);
}

#endif // HWY_ONCE
