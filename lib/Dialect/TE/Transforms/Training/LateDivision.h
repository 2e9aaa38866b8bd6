// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mean of a loss, divided once all its terms are summed: over microbatches,
// or over ranks (te.loss_divisor).

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_LATEDIVISION_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_LATEDIVISION_H

#include "mlir/IR/Builders.h"

namespace mlir::te {

/// A constant tensor<f32>.
Value createFloat(OpBuilder &builder, Location loc, float value);

/// `sum` / `divisor`, all of them tensor<f32>, and 0 for a divisor of 0, if
/// nothing counted. A divisor of NaN gives NaN.
Value divideOrZero(OpBuilder &builder, Location loc, Value sum, Value divisor);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_TRAINING_LATEDIVISION_H
