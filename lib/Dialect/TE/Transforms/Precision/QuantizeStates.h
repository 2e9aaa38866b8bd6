// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The states that te-quantize adds to the functions of a module, and the entry
// that makes their first values.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZESTATES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZESTATES_H

#include "Precision/QuantizePlan.h"

namespace mlir::te {

/// The type of a copy of a matrix, with sizes rounded up to those of FP8 GEMMs.
RankedTensorType getCopyType(Type source, FloatType format, bool columnwise);

/// tensor<f32>
RankedTensorType getScalarType(MLIRContext *context);

/// The states that the pass adds to the functions of a module.
struct StateSet {
  struct State {
    std::string name;
    RankedTensorType type;
    DictionaryAttr attrs;
  };
  /// The recipe's states in order, if it has any; the indices of the scales and
  /// of their reciprocals among them.
  SmallVector<State> scaling;
  unsigned scales = 0;
  unsigned scaleInvs = 0;

  struct WeightStates {
    std::optional<State> rowwise, columnwise;
    State amax;
  };
  llvm::MapVector<StringRef, WeightStates> weights;
};

/// The type of a state; null without one.
Type getType(const std::optional<StateSet::State> &state);

/// The states that the recipe and the weights of a plan need; fails with an
/// error on the module.
FailureOr<StateSet> makeStates(ModuleOp module, const QuantizePlan &plan,
                               RecipeAttrInterface recipe);

/// Adds the entry `init`, which makes the first copies of the weights of a plan
/// that the entry `updater` reads. Fails with an error if the name is taken.
LogicalResult makeInit(const QuantizePlan &plan, const StateSet &states,
                       RecipeAttrInterface recipe, func::FuncOp updater);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_PRECISION_QUANTIZESTATES_H
