// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX models (opset 17 to 25) as te, tensor, arith/math and linalg.transpose.

#ifndef TE_FRONTEND_ONNX_IMPORTONNX_H
#define TE_FRONTEND_ONNX_IMPORTONNX_H

#include "te/Frontend/ImportedModel.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace mlir::te {

/// True if `buffer` starts like a serialized ONNX model. A damaged model does
/// as well; importONNX says what is wrong with it.
bool looksLikeONNX(llvm::MemoryBufferRef buffer);

/// Imports the model in the file `path`. External data is only looked for in
/// the file's directory. Errors and warnings are diagnostics of `context`;
/// everything that is not supported is listed in one error.
FailureOr<ImportedModel> importONNX(StringRef path, MLIRContext *context,
                                    const ImportOptions &options = {});

/// Imports a model from memory; the buffer's identifier is its path.
FailureOr<ImportedModel> importONNX(llvm::MemoryBufferRef buffer,
                                    MLIRContext *context,
                                    const ImportOptions &options = {});

/// Inserts the dialects that imported modules use.
void registerONNXImportDialects(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_FRONTEND_ONNX_IMPORTONNX_H
