// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_FORWARDCOPIES_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_FORWARDCOPIES_H

#include "mlir/IR/Block.h"

namespace mlir::te {

/// Lets what is computed into a buffer of its own, only to be copied elsewhere,
/// be computed where it goes. The copy's source is an allocation, possibly
/// reshaped, that nobody uses after the copy; its destination is any static
/// view. That is legal when nobody touches the destination between the first
/// use of the allocation and the copy. Parts of one buffer that do not overlap
/// are told apart, so that the pieces of a concatenation are all written in
/// place.
///
/// This is what gets results into the arguments that hold them, FP8 copies of
/// weights into their states and, through a reshape, attention's gradients into
/// the gradient of a packed QKV projection.
void forwardCopies(Block &block);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_FORWARDCOPIES_H
