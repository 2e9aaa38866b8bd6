// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_FORWARDCOPIES_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_FORWARDCOPIES_H

#include "mlir/IR/Block.h"

namespace mlir::te {

/// Computes values that are only copied elsewhere directly at their
/// destination. The copy's source is an allocation, possibly reshaped, that is
/// not used after the copy; its destination is any static view. That is legal
/// if the destination is not accessed between the first use of the allocation
/// and the copy. Disjoint slices of one buffer are told apart, so that the
/// pieces of a concatenation are all written in place.
///
/// This moves results into the arguments that hold them, FP8 copies of weights
/// into their states and, through a reshape, attention's gradients into the
/// gradient of a packed QKV projection.
void forwardCopies(Block &block);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_FORWARDCOPIES_H
