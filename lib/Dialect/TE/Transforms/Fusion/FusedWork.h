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

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_FUSEDWORK_H
