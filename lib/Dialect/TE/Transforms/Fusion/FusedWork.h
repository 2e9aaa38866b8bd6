// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of kernels that do two ops, for passes that compare them with two
// kernels.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_FUSEDWORK_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_FUSEDWORK_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// The work of a kernel that computes a value of type `value` and does its
/// quantization; it writes the value as well only if `keepsResult`.
inline Work fuseQuantization(const Work &producer, const Work &quantization,
                             Type value, bool keepsResult) {
  const double bytes = getBytes(value);
  Work fused = producer;
  fused.bytes += quantization.bytes - bytes - (keepsResult ? 0 : bytes);
  fused.addExtra("quantize");
  return fused;
}

/// The work of a kernel that also sums the rows of a matrix that it writes or
/// reads, into `columnSums`.
inline Work fuseRowSum(const Work &kernel, Type columnSums) {
  Work fused = kernel;
  fused.bytes += getBytes(columnSums);
  fused.addExtra("dbias");
  return fused;
}

/// True if it is less traffic to read what `producer` reads a second time than
/// to write `value`, to read it for its amax, and to read it again.
inline bool isWorthRepeating(Operation *producer, Value value) {
  double bytes = 0;
  for (Value operand : producer->getOperands())
    bytes += getBytes(operand.getType());
  return bytes < 3 * getBytes(value.getType());
}

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_FUSEDWORK_H
