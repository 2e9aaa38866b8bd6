// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of parameters by optimizers' rules.

#include "cpu/Ops.h"

#include "cpu/Loops.h"
#include "cpu/Quantized.h"
#include "program/Update.h"
#include "update/RuleScalars.h"

#include <cmath>

// Shared by all instruction sets, so seen once.
#ifndef TERT_CPU_UPDATE_SHARED
#define TERT_CPU_UPDATE_SHARED
namespace tert::cpu {

/// One parameter's tensors, as matrices of one shape. A state that the rule
/// lacks is the parameter again.
struct UpdateTensors {
  Matrix gradient, param, states[2];
};

/// What a step computes with, the same for all parameters.
struct StepInputs {
  size_t rule;
  float coefficient;
  RuleScalars scalars;
};

/// Rows [row, row + rows) and columns [col, col + cols).
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
} // namespace rules

template <typename Rule>
HWY_NOINLINE void updateBy(const UpdateTensors &x, const StepInputs &inputs,
                           bool decays, const UpdateBlock &block) {
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
  if (!requestsOutput(parameter.quantized)) {
    if (skip)
      return;
    forEachMatrix(
        [&](const Matrix &gradient, const Matrix &p, const Matrix &first,
            const Matrix &second) {
          UpdateTensors tensors = {gradient, p, {first, second}};
          RowTasks tasks(p.rows, p.cols);
          execution.pool.parallelFor(tasks.count, [&](int64_t task, int) {
            updateOn(tensors, inputs, parameter.decay,
                     {tasks.first(task), tasks.size(task), 0, p.cols});
          });
        },
        *parameter.gradient, param, state(0), state(1));
    return;
  }

  UpdateTensors tensors = {Matrix(*parameter.gradient),
                           Matrix(param),
                           {Matrix(state(0)), Matrix(state(1))}};
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
