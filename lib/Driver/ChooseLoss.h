// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loss of a compilation, from its name and the options beside it.

#ifndef TE_LIB_DRIVER_CHOOSELOSS_H
#define TE_LIB_DRIVER_CHOOSELOSS_H

#include "te/Driver/Options.h"

namespace mlir::te {

/// Writes the loss with the parameters that were given into `options.graph`.
/// Null, with an error, when there is none or it does not take them.
LossAttrInterface chooseLoss(CompileOptions &options, MLIRContext &context);

} // namespace mlir::te

#endif // TE_LIB_DRIVER_CHOOSELOSS_H
