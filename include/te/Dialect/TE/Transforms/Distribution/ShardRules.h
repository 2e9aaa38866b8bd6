// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's rules for sharding parameters: the option `shard` of
// te-shard-model, --shard of te-compile.

#ifndef TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDRULES_H
#define TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDRULES_H

#include "mlir/IR/Location.h"
#include "mlir/Support/LLVM.h"
#include "llvm/Support/GlobPattern.h"

#include <optional>
#include <string>

namespace mlir::te {

/// A rule of the form `GLOB=DIM:AXIS` or `GLOB=none`.
struct ShardRule {
  /// As the user wrote it; `glob` refers to it.
  StringRef text;
  /// Matches parameter names.
  llvm::GlobPattern glob;
  /// Counted from 0; nullopt for a replicated parameter.
  std::optional<unsigned> dim;
  bool isUsed = false;
};

/// Parses rules for the mesh `mesh` (parseMesh; may be empty), which refer to
/// `texts`. Fails with an error at `loc` if one is malformed, or names an axis
/// that the mesh does not have or that does not shard parameters.
FailureOr<SmallVector<ShardRule>> parseShardRules(ArrayRef<std::string> texts,
                                                  StringRef mesh, Location loc);

} // namespace mlir::te

#endif // TE_DIALECT_TE_TRANSFORMS_DISTRIBUTION_SHARDRULES_H
