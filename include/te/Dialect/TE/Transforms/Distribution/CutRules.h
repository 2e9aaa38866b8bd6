// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a user may say about parameters that ranks share: the option `shard` of
// te-shard-model, --shard of te-compile.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_CUTRULES_H
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_CUTRULES_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/GlobPattern.h"

#include <optional>
#include <string>

namespace mlir::te {

/// One of `GLOB=DIM:AXIS` and `GLOB=none`.
struct CutRule {
  /// As the user wrote it; `glob` refers to it, too.
  StringRef text;
  /// Of parameters' names.
  llvm::GlobPattern glob;
  /// Counted from 0; nothing: whole on every rank.
  std::optional<unsigned> dim;
  bool isUsed = false;
};

/// Reads rules for the mesh `mesh` (parseMesh; may be empty), which refer to
/// `texts`. Fails with an error at `loc` where one is malformed, or is about an
/// axis that the mesh does not have or that does not cut parameters.
FailureOr<SmallVector<CutRule>> parseCutRules(ArrayRef<std::string> texts,
                                              StringRef mesh, Location loc);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_CUTRULES_H
