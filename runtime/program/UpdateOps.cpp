// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Updates of parameters: what the C function checks before a backend runs.

#include "program/Check.h"
#include "program/Context.h"
#include "program/Update.h"
#include "tert/ops.h"

#include "update/Narrow.h"

#include <cmath>

using namespace tert;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

namespace {
/// The rules for one element, of which only names and counts are used.
namespace element {

#define TERT_RULE
using V = float;
inline V splat(float x) { return x; }
inline V mul(V a, V b) { return a * b; }
inline V div(V a, V b) { return a / b; }
inline V sqrt(V a) { return std::sqrt(a); }
inline V mulAdd(V a, V b, V c) { return std::fma(a, b, c); }
inline V negMulAdd(V a, V b, V c) { return std::fma(-a, b, c); }
inline V sign(V a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f; }
#include "update/Rules.inc"

template <typename... Rule>
std::vector<UpdateRule> describe(RuleList<Rule...>) {
  static_assert(((Rule::numScalars <= RuleScalars::capacity &&
                  2 * Rule::numStates < MatrixViews::capacity) &&
                 ...));
  return {{Rule::name, Rule::numScalars, Rule::numStates}...};
}

} // namespace element
} // namespace

const std::vector<UpdateRule> &tert::updateRules() {
  static const std::vector<UpdateRule> rules =
      element::describe(element::AllRules());
  return rules;
}

static size_t findRule(const char *name) {
  const std::vector<UpdateRule> &rules = updateRules();
  std::string known;
  for (size_t i = 0; i < rules.size(); ++i) {
    if (name && std::string_view(name) == rules[i].name)
      return i;
    known += (i ? ", " : "") + std::string(rules[i].name);
  }
  invalidArgument("there is no update rule '" +
                  std::string(name ? name : "(null)") + "'; there are " +
                  known);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Bytes of an element: 4 of f32, 2 of bf16, 1 of FP8 in either format.
static int64_t stateBytes(const tert_tensor *state) {
  Operand operand("state", state);
  const tert_dtype dtype = dtypeOf(*operand);
  if (!isFloat(dtype) && !isFp8(dtype))
    operand.fail("f32, bf16 or FP8");
  return bytesOf(dtype);
}

/// Requires scales of the states of `param`, of rank 2 or more.
static void checkScales(const tert_tensor &scales, const Operand &param) {
  Operand operand("state_scales", &scales);
  const int32_t rank = rankOf(*param);
  bool fits = rankOf(*operand) == rank;
  std::string text = "[";
  for (int32_t dim = 0; dim < rank; ++dim) {
    int64_t size = param.size(dim);
    if (dim + 1 == rank)
      size = (size + stateBlock - 1) / stateBlock;
    fits = fits && operand.size(dim) == size;
    text += (dim > 0 ? ", " : "") + std::to_string(size);
  }
  if (!fits)
    operand.fail(text + "], one for 128 elements of a row of 'state'");
  operand.hasDtype(TERT_F32).isContiguous();
}

static void checkUpdate(const ParameterUpdate &parameter, int numStates) {
  Operand weights("param", parameter.param);
  weights.isFloat().isContiguous();
  Operand("gradient", parameter.gradient).isFloatLike(weights);
  for (int i = 0; i < numStates; ++i) {
    Operand state("state", parameter.states + i);
    state.hasShapeOf(weights).isContiguous();
    if (stateBytes(&*state) != stateBytes(parameter.states))
      state.fail("f32, bf16 or FP8 as the first state");
    if (!parameter.stateScales)
      continue;
    state.hasRank(2);
    checkScales(parameter.stateScales[i], weights);
  }
  if (requestsOutput(parameter.quantized)) {
    weights.hasRank(2);
    checkQuantized(&parameter.quantized, weights.size(0), weights.size(1));
  }
}

/// Lets `parameter` be updated as a matrix, whose copies are quantized, or
/// whose states have scales.
static void viewAsMatrix(ParameterUpdate &parameter, UpdateStep &step) {
  if (!requestsOutput(parameter.quantized) && !parameter.stateScales)
    return;
  Operand weights("param", parameter.param);
  if (rankOf(*weights) <= 2)
    return;
  weights.isContiguous();
  for (int i = 0; i < step.numStates; ++i) {
    Operand("state", parameter.states + i).hasShapeOf(weights).isContiguous();
    if (parameter.stateScales)
      checkScales(parameter.stateScales[i], weights);
  }
  MatrixViews &views = step.matrices.emplace_back();
  auto view = [&](int i, const tert_tensor &tensor) {
    tert_layout &layout = views.layouts[i];
    layout.dtype = tensor.layout->dtype;
    layout.rank = 2;
    layout.sizes[0] = 1;
    const int32_t last = tensor.layout->rank - 1;
    for (int32_t dim = 0; dim < last; ++dim)
      layout.sizes[0] *= tensor.layout->sizes[dim];
    layout.sizes[1] = layout.strides[0] = tensor.layout->sizes[last];
    layout.strides[1] = 1;
    views.tensors[i] = {tensor.data, &layout};
  };
  view(0, *parameter.param);
  const int scales = step.numStates + 1;
  for (int i = 0; i < step.numStates; ++i) {
    view(i + 1, parameter.states[i]);
    if (parameter.stateScales)
      view(i + scales, parameter.stateScales[i]);
  }
  parameter.param = views.tensors;
  parameter.states = views.tensors + 1;
  if (parameter.stateScales)
    parameter.stateScales = views.tensors + scales;
}

static void checkCount(const char *name, int32_t count, int64_t wanted,
                       const void *list) {
  if (count != wanted)
    invalidArgument("'" + std::string(name) + "' has " + std::to_string(count) +
                    " entries, but must have " + std::to_string(wanted));
  if (wanted > 0)
    checkGiven(name, list);
}

/// Adds the work: gradients and copies once, parameters and states read and
/// written.
static void addWork(OpCall &op, const UpdateStep &step) {
  for (const ParameterUpdate &parameter : step.parameters) {
    op.moves({parameter.gradient, parameter.param, parameter.param});
    op.writes(&parameter.quantized);
    for (int i = 0; i < step.numStates; ++i)
      op.moves({parameter.states + i, parameter.states + i});
    for (int i = 0; parameter.stateScales && i < step.numStates; ++i)
      op.moves({parameter.stateScales + i, parameter.stateScales + i});
  }
}

tert_status tert_update(tert_context *context, const tert_site *site,
                        int32_t num_gradients, const tert_tensor *gradients,
                        const tert_tensor *coefficient, int32_t num_scalars,
                        const tert_tensor *scalars, const tert_tensor *step,
                        int32_t num_params, const tert_tensor *params,
                        int32_t num_states, const tert_tensor *states,
                        int32_t num_state_scales,
                        const tert_tensor *state_scales, int32_t num_quantized,
                        const tert_quantized *quantized, const char *rule,
                        const int32_t *decays) {
  return callOp(context, site, "tert.update", [&](OpCall &op) {
    UpdateStep update = {};
    update.rule = findRule(rule);
    const UpdateRule &known = updateRules()[update.rule];
    if (num_gradients < 0)
      invalidArgument("'num_gradients' is negative");
    checkCount("gradients", num_gradients, num_gradients, gradients);
    checkCount("scalars", num_scalars, known.numScalars, scalars);
    checkCount("params", num_params, num_gradients, params);
    checkCount("states", num_states, int64_t(num_gradients) * known.numStates,
               states);
    checkCount("quantized", num_quantized, num_gradients, quantized);
    checkCount("decays", num_gradients, num_gradients, decays);
    Operand("coefficient", coefficient).isScalar();
    for (int i = 0; i < known.numScalars; ++i)
      Operand("scalars", scalars + i).isScalar();
    Operand("step", step).hasRank(0).hasDtype(TERT_I64);
    update.numScalars = known.numScalars;
    update.numStates = known.numStates;
    update.coefficient = coefficient;
    update.scalars = scalars;
    update.step = step;
    auto statesOf = [&](int32_t i) {
      return states + int64_t(i) * known.numStates;
    };
    auto hasScales = [&](int32_t i) {
      return known.numStates > 0 && stateBytes(statesOf(i)) == 1;
    };
    int64_t numScales = 0;
    for (int32_t i = 0; i < num_gradients; ++i)
      numScales += hasScales(i) ? known.numStates : 0;
    checkCount("state_scales", num_state_scales, numScales, state_scales);
    for (int32_t i = 0; i < num_gradients; ++i) {
      update.parameters.push_back({gradients + i, params + i, statesOf(i),
                                   hasScales(i) ? state_scales : nullptr,
                                   quantized[i], decays[i] != 0});
      try {
        viewAsMatrix(update.parameters.back(), update);
        checkUpdate(update.parameters.back(), known.numStates);
      } catch (const Error &error) {
        invalidArgument("parameter " + std::to_string(i) + ": " + error.what());
      }
      if (hasScales(i))
        state_scales += known.numStates;
    }
    op.update(update);
    addWork(op, update);
  });
}
