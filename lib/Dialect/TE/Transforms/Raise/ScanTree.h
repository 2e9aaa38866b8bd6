// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds recurrences that are computed as a tree: pairs of neighbours are
// combined, then pairs of these, and what is left out is filled in, as
// jax.lax.associative_scan does it.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANTREE_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANTREE_H

#include "mlir/IR/Block.h"

namespace mlir::te {

/// h[t] = decay[t] * h[t-1] + input[t] from h[-1] = 0. Both are tensors
/// [outer, tokens, inner] in row-major order, of any shape; so is the result.
struct ScanTree {
  Value decay, input;
  int64_t outer, tokens, inner;
  Value result;
};

/// Those of a block, of at least `least` tokens.
SmallVector<ScanTree> findScanTrees(Block &block, int64_t least);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANTREE_H
