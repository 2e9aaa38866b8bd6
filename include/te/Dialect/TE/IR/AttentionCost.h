// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What attention multiplies, for ops of te and of tert alike.

#ifndef TE_DIALECT_TE_IR_ATTENTIONCOST_H
#define TE_DIALECT_TE_IR_ATTENTIONCOST_H

#include "te/Dialect/TE/IR/TE.h"

namespace mlir::te {

/// Queries against keys: which of them see each other.
struct AttentionProblem {
  ShapedType q, k;
  AttentionLayout layout;
  bool causal = false;
  int64_t window = 0; ///< 0: none
  /// Queries are a rank's part of a sequence that there are all keys of.
  bool isPart = false;
};

/// Adds `products` products of queries with the keys that they see (2 forward,
/// 5 backward), in kernels that depend on the size of a head.
void addAttention(Work &work, const AttentionProblem &problem, int products);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_ATTENTIONCOST_H
