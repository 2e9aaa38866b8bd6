// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations that a matrix product could compute in its epilogue.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_EPILOGUES_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_EPILOGUES_H

namespace mlir {
class Operation;
namespace te {

/// Reports, with the times of both ways if the cost model knows the epilogue,
/// why FP8 products in `root` do not compute the activation that follows them.
/// Changes nothing: the runtime has no such kernels.
void reportEpilogues(Operation *root);

} // namespace te
} // namespace mlir

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_FUSION_EPILOGUES_H
