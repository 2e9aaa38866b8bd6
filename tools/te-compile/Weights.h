// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parameters that a model came with, written beside the artifact.

#ifndef TE_TOOLS_TE_COMPILE_WEIGHTS_H
#define TE_TOOLS_TE_COMPILE_WEIGHTS_H

#include "te/Frontend/ONNX/ImportONNX.h"

namespace mlir::te {

/// Writes every parameter with data to the safetensors file `path`, atomically;
/// nothing when there is none. Errors are emitted at `loc`.
LogicalResult writeWeights(Location loc,
                           llvm::ArrayRef<ParameterData> parameters,
                           llvm::StringRef path);

} // namespace mlir::te

#endif // TE_TOOLS_TE_COMPILE_WEIGHTS_H
