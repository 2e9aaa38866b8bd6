// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models in any form that the tools take.

#ifndef TE_DRIVER_INPUT_H
#define TE_DRIVER_INPUT_H

#include "te/Frontend/ImportedModel.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::te {

/// What is said about a model that is plain MLIR, which te-import-linalg takes.
struct PlainModelOptions {
  std::string function;                ///< its name; empty: find it
  std::vector<std::string> parameters; ///< arguments, as the pass takes them

  bool empty() const { return function.empty() && parameters.empty(); }
};

/// The bytes of a model: of a regular file, or of standard input ("-"), at most
/// 2 GiB.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readModelFile(llvm::StringRef path);

/// Reads a model: ONNX, StableHLO, or MLIR and its bytecode, with a function
/// @forward of te ops or a model in upstream dialects; content tells them
/// apart. `addPasses` adds passes on the module as it is read, before one in
/// upstream dialects is imported. The parameters of text have no data. Errors
/// are diagnostics of `context`, those about the whole at an unknown location.
FailureOr<ImportedModel>
readModel(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext &context,
          const PlainModelOptions &options = {},
          llvm::function_ref<LogicalResult(OpPassManager &)> addPasses = {});

/// Whether a frontend imports what `buffer` has: ONNX or StableHLO.
bool isForeignModel(llvm::MemoryBufferRef buffer);

/// What tools for any MLIR need to take such models, too: the imported module
/// as bytecode, which keeps its locations. Null after an error, which is a
/// diagnostic of `context`.
std::unique_ptr<llvm::MemoryBuffer>
convertToBytecode(std::unique_ptr<llvm::MemoryBuffer> model,
                  MLIRContext &context);

/// Inserts the dialects that imported modules use.
void registerModelDialects(DialectRegistry &registry);

} // namespace mlir::te

#endif // TE_DRIVER_INPUT_H
