// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_FRONTEND_ONNX_IMPORTLLAMA_H
#define TE_LIB_FRONTEND_ONNX_IMPORTLLAMA_H

#include "GraphImporter.h"

namespace mlir::te::onnx_import {

/// Operators that Llama and its kin are exported with (opset 23).
void populateLlamaHandlers(HandlerTable &table);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_IMPORTLLAMA_H
