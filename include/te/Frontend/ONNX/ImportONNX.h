// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX models (opset 17 to 25) as te, tensor, arith/math and linalg.transpose.

#ifndef TE_FRONTEND_ONNX_IMPORTONNX_H
#define TE_FRONTEND_ONNX_IMPORTONNX_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::te {

/// Where the values of one parameter are.
struct ParameterData {
  enum class Kind {
    Inline,   ///< in `bytes`
    External, ///< in the file `path`, `length` bytes from `offset`
    Absent,   ///< the model names a file that does not exist
  };

  std::string name;
  RankedTensorType type; ///< static shape, f32 or bf16
  Kind kind = Kind::Absent;
  /// Inline: the elements, row-major, little-endian, without padding.
  std::string bytes;
  /// External: absolute, links resolved, inside the model's folder. Absent: the
  /// name the model gives.
  std::string path;
  /// In bytes. `length` is the size of the whole parameter, and the file was
  /// at least `offset + length` long when the model was imported.
  uint64_t offset = 0, length = 0;
};

struct ImportOptions {
  /// A constant computed at import time (masks, position ids) may not take more
  /// bytes than this. A boolean mask of [16,1,1024,1024] takes 2^24.
  int64_t maxConstantBytes = int64_t(1) << 30;
};

struct ImportedModel {
  /// One function, @forward: arguments are the graph's inputs {te.input}, then
  /// the parameters {te.param}; results are its outputs {te.output}.
  OwningOpRef<ModuleOp> module;
  /// In the order of the te.param arguments.
  std::vector<ParameterData> parameters;
  /// What the model says about itself, for descriptions: "producer", "opset",
  /// "ir_version" and the like.
  std::vector<std::pair<std::string, std::string>> properties;
};

/// Whether `buffer` starts as a serialized ONNX model does. A damaged model
/// still looks like one; importONNX says what is wrong with it.
bool looksLikeONNX(llvm::MemoryBufferRef buffer);

/// Imports the model in the file `path`. External data is looked for in the
/// file's folder and nowhere else. Errors and warnings are diagnostics of
/// `context`; everything that is not supported is listed in one error.
FailureOr<ImportedModel> importONNX(StringRef path, MLIRContext *context,
                                    const ImportOptions &options = {});

/// The same for a model in memory; the buffer's identifier is taken for its
/// path.
FailureOr<ImportedModel> importONNX(llvm::MemoryBufferRef buffer,
                                    MLIRContext *context,
                                    const ImportOptions &options = {});

/// Inserts the dialects that imported modules use.
void registerONNXImportDialects(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_FRONTEND_ONNX_IMPORTONNX_H
