// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dropout, in training and in evaluation.

#ifndef TE_LIB_FRONTEND_ONNX_IMPORTDROPOUT_H
#define TE_LIB_FRONTEND_ONNX_IMPORTDROPOUT_H

#include "GraphImporter.h"

namespace mlir::te::onnx_import {

void populateDropoutHandlers(HandlerTable &table);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_IMPORTDROPOUT_H
