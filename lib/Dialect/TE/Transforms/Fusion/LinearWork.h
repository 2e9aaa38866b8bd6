// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels that linear layers of the graph will become, before there are
// gradients, conversions and quantizations in it.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LINEARWORK_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LINEARWORK_H

#include "te/Dialect/TE/Transforms/Passes.h"

namespace mlir::te {

/// What later passes will do with the layers.
struct LinearFuture {
  ComputePrecision precision;
  /// Of the weights and their gradients.
  BoundaryType boundary;
  /// Of inputs, weights and biases.
  bool hasGradients;
  /// The optimizer, which quantizes what it updates where scales are carried;
  /// null when nothing is updated.
  OptimizerAttrInterface optimizer;
  /// How tensors become FP8.
  RecipeAttrInterface recipe;
  /// The weights keep their values: they have no gradients, and where scales
  /// are carried their FP8 copies are made once.
  bool isFrozen = false;
};

/// Operands of a layer; there need not be a bias.
Value getWeight(LinearOpInterface linear);
Value getBias(LinearOpInterface linear);

/// Kernels of the layers `linears`, which read one input and differ only in
/// weight, bias and width; as they are, or `joined` into one product. What both
/// ways take alike is left out.
SmallVector<Work> getLinearWork(ArrayRef<LinearOpInterface> linears,
                                bool joined, const LinearFuture &future);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_LINEARWORK_H
