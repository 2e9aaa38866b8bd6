// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JAX's names of the leaves of trees and of the origins of operations.

#ifndef TE_LIB_FRONTEND_STABLEHLO_TREEPATH_H
#define TE_LIB_FRONTEND_STABLEHLO_TREEPATH_H

#include "mlir/IR/Location.h"

#include <string>

namespace mlir::te::stablehlo_import {

/// A leaf of a tree of arguments or results, v['params']['wte']['embedding'].
struct TreePath {
  std::string root; ///< v
  std::string path; ///< params.wte.embedding; empty if the leaf is the root

  /// Keys, indices and attributes in any order. Text of another form is a root.
  static TreePath parse(StringRef text);
};

/// The module names in JAX's names of operations, outermost first and joined by
/// dots: LM.h0.attn of jit(f)/LM/h0/attn/dot_general. Components added by
/// transformations are left out. Empty if there are none.
std::string getModuleScopes(Location loc);

/// The innermost position in a source file; null if there is none.
LocationAttr getPosition(Location loc);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_TREEPATH_H
