// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
// The passes of the te dialect, in the order of the pipeline.

#ifndef TE_DIALECT_TE_TRANSFORMS_PASSES_TD
#define TE_DIALECT_TE_TRANSFORMS_PASSES_TD

include "te/Dialect/TE/Transforms/Linalg/Passes.td"
include "te/Dialect/TE/Transforms/Raise/Passes.td"
include "te/Dialect/TE/Transforms/Training/Passes.td"
include "te/Dialect/TE/Transforms/Precision/Passes.td"
include "te/Dialect/TE/Transforms/Fusion/Passes.td"
include "te/Dialect/TE/Transforms/Memory/Passes.td"

#endif // TE_DIALECT_TE_TRANSFORMS_PASSES_TD
