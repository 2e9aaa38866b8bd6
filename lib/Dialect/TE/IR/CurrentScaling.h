// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recipes share that make scales of amaxes of the same step.

#ifndef TE_LIB_DIALECT_TE_IR_CURRENTSCALING_H
#define TE_LIB_DIALECT_TE_IR_CURRENTSCALING_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// Builds the scale of #te.current_scaling and of recipes with the same formula
/// and other scale shapes.
Value buildCurrentScale(OpBuilder &builder, Location loc, Value tensor,
                        FloatType format, ArrayRef<int64_t> shape,
                        bool transposed);

/// RecipeAttrInterface::checkScale of these recipes; `shape` is that of the
/// scale.
std::optional<std::string> checkCurrentScale(Value scale, Value scaleInv,
                                             Value tensor, FloatType format,
                                             ArrayRef<int64_t> shape,
                                             bool transposed);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_IR_CURRENTSCALING_H
