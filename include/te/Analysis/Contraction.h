// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured ops that are contractions, sums of products of two operands, in
// any form.

#ifndef TE_ANALYSIS_CONTRACTION_H
#define TE_ANALYSIS_CONTRACTION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::te {

/// c[batch, m, n] += sum over k of a[batch, m, k] · b[batch, k, n], on tensors
/// of f32 and bf16, with dimensions of either operand in any order:
/// linalg.matmul, batch_matmul, vecmat, contract and their variants, and every
/// linalg.generic that computes the same.
struct Contraction {
  /// The op as a contraction; fails, with `reason` as text for a remark if it
  /// sums products but is not supported by te.
  static FailureOr<Contraction> get(linalg::LinalgOp op,
                                    std::string *reason = nullptr);

  Value a() const { return operands[0]; }
  Value b() const { return operands[1]; }
  Value init() const { return operands[2]; }

  /// Loops by role. A loop that both operands and the result have is a batch
  /// loop, unless it has one iteration: then it counts as one of `m`.
  SmallVector<unsigned, 2> batch, m, n, k;
  /// For a, b and c: the loop of each dimension.
  SmallVector<SmallVector<unsigned>, 3> dimensions;
  SmallVector<int64_t> loopSizes;
  SmallVector<Value, 3> operands;
};

} // namespace mlir::te

#endif // TE_ANALYSIS_CONTRACTION_H
