// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites a function's products in FP8: quantizes its operands, and reads and,
// if it has one, updates its scaling state.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZEFUNCTION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZEFUNCTION_H

#include "Precision/QuantizeStates.h"

namespace mlir::te {

/// How a function uses the scaling state.
enum class ScalingUse {
  Reads,   ///< reads scales only
  Records, ///< records its amaxes for the update of its step: a microbatch
  Updates  ///< carries the states to the next step
};

/// Carries out the plan of one function. Returns the number of quantizations.
unsigned quantizeFunction(const FunctionPlan &function,
                          const QuantizePlan &plan, const StateSet &states,
                          RecipeAttrInterface recipe, ScalingUse use);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZEFUNCTION_H
