// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales that are made of amaxes of the same step, of a tensor or of its
// blocks: what recipes without states share.

#ifndef TE_LIB_DIALECT_TE_IR_STEPSCALE_H
#define TE_LIB_DIALECT_TE_IR_STEPSCALE_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The parameters of such a recipe.
struct StepScale {
  template <typename Recipe> static StepScale of(Recipe recipe) {
    return {recipe.getFormat(), recipe.getPowerOfTwo(),
            float(recipe.getEpsilon().getValueAsDouble())};
  }

  Fp8Format format;
  bool powerOfTwo;
  float epsilon;
  /// RecipeAttrInterface::getScaleInvType; null is f32.
  FloatType scaleInvType = {};

  /// RecipeAttrInterface::getParameters.
  DictionaryAttr getParameters(MLIRContext *context) const;
  /// RecipeAttrInterface::buildScale.
  Value build(OpBuilder &builder, Location loc, Value tensor, FloatType format,
              ArrayRef<int64_t> shape, bool transposed) const;
  /// RecipeAttrInterface::checkScale, for a scale that may have one of
  /// `shapes`.
  std::optional<std::string> check(Value scale, Value scaleInv, Value tensor,
                                   FloatType format,
                                   ArrayRef<SmallVector<int64_t>> shapes,
                                   bool transposed) const;
};

/// RecipeAttrInterface::buildScaleInv, of a scale that StepScale built.
Value getStepScaleInv(Value scale);

/// An epsilon is a number of float32 that is not negative.
LogicalResult verifyEpsilon(function_ref<InFlightDiagnostic()> emitError,
                            FloatAttr epsilon);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_IR_STEPSCALE_H
