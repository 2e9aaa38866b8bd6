// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The FP8 recipe of a compilation, from its name and the options beside it.

#ifndef TE_LIB_DRIVER_CHOOSERECIPE_H
#define TE_LIB_DRIVER_CHOOSERECIPE_H

#include "te/Driver/Options.h"

namespace mlir::te {

/// Writes the recipe with the parameters that were given into `options.graph`.
/// Fails, with an error, when it does not take them or is none.
LogicalResult chooseRecipe(CompileOptions &options, MLIRContext &context);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_CHOOSERECIPE_H
