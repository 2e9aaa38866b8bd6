// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models in any form that the tools take.

#ifndef TE_DRIVER_INPUT_H
#define TE_DRIVER_INPUT_H

#include "te/Frontend/ONNX/ImportONNX.h"

#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace mlir::te {

/// Reads a model: ONNX, MLIR or MLIR bytecode, with a function @forward. The
/// parameters of MLIR have no data. Errors are diagnostics of `context`, those
/// about the whole at an unknown location.
FailureOr<ImportedModel> readModel(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                   MLIRContext &context);

/// What tools for any MLIR need to take ONNX models, too: the imported module
/// as bytecode, which keeps its locations. `model` must look like ONNX. Null
/// after an error, which is a diagnostic of `context`.
std::unique_ptr<llvm::MemoryBuffer>
convertONNXToBytecode(llvm::MemoryBufferRef model, MLIRContext &context);

} // namespace mlir::te

#endif // TE_DRIVER_INPUT_H
