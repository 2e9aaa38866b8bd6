// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_FRONTEND_STABLEHLO_SPLITCOMPLEX_H
#define TE_LIB_FRONTEND_STABLEHLO_SPLITCOMPLEX_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace mlir::te::stablehlo_import {

/// The remaining complex operations. Kept apart from attributes, which a file
/// could set.
struct ComplexRest {
  /// Operations that stay complex though their operands could be split, with
  /// the reason; an empty reason is that there is no such form.
  llvm::DenseMap<Operation *, std::string> refused;
  /// stablehlo.complex ops that join the operands of those.
  llvm::DenseSet<Operation *> joined;
};

/// Splits complex<f32> tensors of a StableHLO module into two f32 tensors,
/// their real and imaginary parts:
///
///   %z = stablehlo.complex(%a, %b)        %1 = stablehlo.multiply(%a, %c)
///   %w = stablehlo.complex(%c, %d)        %2 = stablehlo.multiply(%b, %d)
///   %p = stablehlo.multiply(%z, %w)  ->   %r = stablehlo.subtract(%1, %2)
///   %r = stablehlo.real(%p)
///
/// A part that is zero by construction, such as the imaginary one of a
/// converted real number, produces no operations. Arithmetic, exponentials,
/// products, sums, movements of elements, calls and loops are split. Operations
/// without such a form, those with a mix of real and complex operands and
/// results, dynamic shapes, and the model's arguments and results stay complex
/// for the importer to reject.
ComplexRest splitComplex(ModuleOp module);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_SPLITCOMPLEX_H
