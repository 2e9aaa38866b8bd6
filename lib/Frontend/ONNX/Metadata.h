// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Metadata that exporters attach to nodes and graphs.

#ifndef TE_LIB_FRONTEND_ONNX_METADATA_H
#define TE_LIB_FRONTEND_ONNX_METADATA_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringSet.h"

#include "onnx/onnx_pb.h"

#include <optional>
#include <string>

namespace mlir::te::onnx_import {

/// The value of an entry of `metadata_props`.
std::optional<std::string> getMetadata(const ::onnx::NodeProto &node,
                                       StringRef key);
std::optional<std::string> getMetadata(const ::onnx::GraphProto &graph,
                                       StringRef key);

/// PyTorch's export signature of the graph's tensors; empty for models from
/// elsewhere.
struct GraphSignature {
  llvm::StringSet<> parameters;
  llvm::StringSet<> buffers; ///< buffers and constants: not trained
};
GraphSignature getGraphSignature(const ::onnx::GraphProto &graph);

/// The module path in `pkg.torch.onnx.name_scopes`, a Python list of strings:
/// the last scope without the op's own name at the end.
std::string parseModulePath(StringRef nameScopes);

/// File and line of the innermost frame of a Python stack trace.
std::optional<std::pair<StringRef, unsigned>>
parseInnermostFrame(StringRef stackTrace);

} // namespace mlir::te::onnx_import

#endif // TE_LIB_FRONTEND_ONNX_METADATA_H
