// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_DIALECT_TERT_TRANSFORMS_SEPARATEREADS_H
#define TE_LIB_DIALECT_TERT_TRANSFORMS_SEPARATEREADS_H

#include "mlir/IR/Block.h"

namespace mlir::te {

/// Gives each of many reads of one tensor a separate tensor, made from the
/// buffer of the first, if all these reads complete before anything can write
/// that buffer:
///
///   %0 = tert.scaled_matmul … a_scale_inv(%s) …
///
/// becomes
///
///   %b = bufferization.to_buffer %s read_only
///   …
///   %s0 = bufferization.to_tensor %b restrict
///   %0 = tert.scaled_matmul … a_scale_inv(%s0) …
///
/// One-Shot Analysis compares, for every operand, all reads of the tensors that
/// may share its memory: for a learning rate that every parameter's update
/// reads, or scales that every layer takes slices of, work quadratic in the
/// depth of the model. Its decisions stay the same: such reads conflict with
/// nothing.
void separateReads(Block &block);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TERT_TRANSFORMS_SEPARATEREADS_H
