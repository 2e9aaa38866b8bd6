// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One step of an optimizer (tert/ops.h: tert_update).
#ifndef TERT_PROGRAM_UPDATE_H
#define TERT_PROGRAM_UPDATE_H

#include "program/Tensor.h"

#include <deque>
#include <vector>

namespace tert {

/// What is known of a rule (update/Rules.inc) where it is not computed.
struct UpdateRule {
  const char *name;
  int numScalars, numStates;
};
const std::vector<UpdateRule> &updateRules();

/// One parameter of a step.
struct ParameterUpdate {
  const tert_tensor *gradient, *param;
  const tert_tensor *states;      ///< as many as the rule has
  const tert_tensor *stateScales; ///< one for each; null if they are not FP8
  tert_quantized quantized;
  bool decay;

  /// Whether something is kept in fewer bits than it is computed in.
  bool isNarrow(int numStates) const {
    return dtypeOf(*param) != TERT_F32 ||
           (numStates > 0 && dtypeOf(states[0]) != TERT_F32);
  }
};

/// A parameter, its states and their scales as matrices with the rows of all
/// dimensions but the last, in the same memory.
struct MatrixViews {
  static constexpr int capacity = 5;
  tert_layout layouts[capacity];
  tert_tensor tensors[capacity];
};

/// A step of several parameters. Scalars are rank-0 tensors in the backend's
/// memory.
struct UpdateStep {
  size_t rule; ///< its number among updateRules()
  int numScalars, numStates;
  const tert_tensor *coefficient;
  const tert_tensor *scalars;
  const tert_tensor *step;
  std::vector<ParameterUpdate> parameters;
  /// What parameters of higher rank that are quantized, or have scales of
  /// states, point to.
  std::deque<MatrixViews> matrices;
};

} // namespace tert

#endif // TERT_PROGRAM_UPDATE_H
