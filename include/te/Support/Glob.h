// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Globs in options.

#ifndef TE_SUPPORT_GLOB_H
#define TE_SUPPORT_GLOB_H

#include "llvm/Support/GlobPattern.h"

namespace mlir::te {

/// A glob that a user wrote. Braces multiply the alternatives of each other,
/// and a rule has a few of them: more than 256 are an error.
inline llvm::Expected<llvm::GlobPattern> createGlob(llvm::StringRef text) {
  return llvm::GlobPattern::create(text, /*MaxSubPatterns=*/256);
}

} // namespace mlir::te

#endif // TE_SUPPORT_GLOB_H
