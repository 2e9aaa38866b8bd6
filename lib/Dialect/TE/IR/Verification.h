// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that several te ops share.

#ifndef TE_LIB_DIALECT_TE_IR_VERIFICATION_H
#define TE_LIB_DIALECT_TE_IR_VERIFICATION_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// Emits "expects <what> to have shape [..], but it is <type>" unless `value`
/// has exactly `shape`.
LogicalResult verifyShape(Operation *op, StringRef what, Value value,
                          ArrayRef<int64_t> shape);

/// Checks label_smoothing and z_loss of a cross-entropy or its gradient.
template <typename LossOp> LogicalResult verifyTerms(LossOp op) {
  return verifyLossTerms([&] { return op.emitOpError(); },
                         op.getLabelSmoothing().convertToDouble(),
                         op.getZLoss().convertToDouble());
}

/// Checks that `scale` holds for `matrix`, an FP8 matrix of this shape.
LogicalResult verifyScale(Operation *op, StringRef what, Value scale,
                          ArrayRef<int64_t> matrix);

/// Checks the quantized results of a producer of a [rows, columns] value:
/// sizes (exact or rounded up to kFp8Alignment), one element type for both
/// copies, and that `scale` is there exactly when something is quantized.
LogicalResult verifyQuantizedResults(Operation *op, ArrayRef<int64_t> shape,
                                     bool hasScale, Value rowwise,
                                     Value columnwise, Value amax);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_IR_VERIFICATION_H
