// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Named pass pipelines.

#ifndef TE_DIALECT_TE_TRANSFORMS_PIPELINES_H
#define TE_DIALECT_TE_TRANSFORMS_PIPELINES_H

namespace mlir::te {

/// Registers the pipelines with the pass registry of the process, for te-opt.
void registerTEPipelines();

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_PIPELINES_H
