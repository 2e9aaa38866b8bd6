// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The export helper's metadata on parameters.

#ifndef TE_LIB_FRONTEND_ONNX_PARAMETERMETADATA_H
#define TE_LIB_FRONTEND_ONNX_PARAMETERMETADATA_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

#include "onnx/onnx_pb.h"

namespace mlir::te::onnx_import {

/// Sets `te.tied` on the module from the model's metadata "temlir.tied": a JSON
/// object {"initializer": ["other name"]}. Metadata of another form is ignored
/// with a warning.
void importTiedNames(const ::onnx::ModelProto &model, ModuleOp module);

/// The initializers listed in the model's metadata "temlir.buffers", a JSON
/// array of names. Metadata of another form is ignored with a warning at `loc`.
llvm::StringSet<> getBufferNames(const ::onnx::ModelProto &model, Location loc);

/// Sets `te.frozen` on the parameters of `forward` listed in the model's
/// metadata "temlir.frozen": a JSON array of names of initializers, some of
/// which `forward` may lack. Fails with an error on the module for metadata of
/// another form: ignoring it would train frozen parameters.
LogicalResult importFrozenNames(const ::onnx::ModelProto &model,
                                func::FuncOp forward);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_PARAMETERMETADATA_H
