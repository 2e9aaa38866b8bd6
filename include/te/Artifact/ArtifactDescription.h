// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON description in an artifact (docs/artifact.md).

#ifndef TE_ARTIFACT_ARTIFACTDESCRIPTION_H
#define TE_ARTIFACT_ARTIFACTDESCRIPTION_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::te {

/// The record in the description of how the artifact was made.
struct CompilationRecord {
  std::string target;         ///< "cpu"
  std::string source;         ///< file name of the model
  llvm::json::Object options; ///< the options that affect the program
  LossAttrInterface loss;     ///< null without a loss
  /// Null if nothing is trained.
  OptimizerAttrInterface optimizer;
  /// Tensors of f32, i64 or i8 that the program only keeps for the model it was
  /// exported from, by name.
  std::vector<std::pair<std::string, RankedTensorType>> buffers;
};

/// Builds the description of a module after tert-plan-memory: every function
/// with `te.entry` has memref arguments with the attributes of their roles, in
/// the order in which callers pass them; slots and recipe are the module's.
/// Fails, with an error on the function, if entries disagree about a state.
FailureOr<llvm::json::Object> describeArtifact(ModuleOp module,
                                               CompilationRecord record);

} // namespace mlir::te

#endif // TE_ARTIFACT_ARTIFACTDESCRIPTION_H
