// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names that tied parameters have in the model that was exported.

#ifndef TE_LIB_FRONTEND_ONNX_TIEDNAMES_H
#define TE_LIB_FRONTEND_ONNX_TIEDNAMES_H

#include "mlir/IR/BuiltinOps.h"

#include "onnx/onnx_pb.h"

namespace mlir::te::onnx_import {

/// Sets `te.tied` on the module from the model's metadata "temlir.tied", which
/// the export helper writes: a JSON object {"initializer": ["other name"]}.
/// Metadata of another form are left alone, with a warning.
void importTiedNames(const ::onnx::ModelProto &model, ModuleOp module);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_TIEDNAMES_H
