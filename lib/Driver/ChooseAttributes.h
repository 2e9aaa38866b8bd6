// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss and the FP8 recipe of a compilation, from their names and the
// options beside these.

#ifndef TE_LIB_DRIVER_CHOOSEATTRIBUTES_H
#define TE_LIB_DRIVER_CHOOSEATTRIBUTES_H

#include "te/Driver/Options.h"

namespace mlir::te {

/// Writes the loss with the parameters that were given into `options.graph`.
/// Null, with an error, when there is none or it does not take them.
LossAttrInterface chooseLoss(CompileOptions &options, MLIRContext &context);

/// Writes the recipe with the parameters that were given into `options.graph`.
/// Fails, with an error, when it does not take them or is none.
LogicalResult chooseRecipe(CompileOptions &options, MLIRContext &context);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_CHOOSEATTRIBUTES_H
