// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TE_LIB_FRONTEND_STABLEHLO_SPLITCOMPLEX_H
#define TE_LIB_FRONTEND_STABLEHLO_SPLITCOMPLEX_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <string>

namespace mlir::te::stablehlo_import {

/// What is left of complex numbers. No attribute of a file can say so.
struct ComplexRest {
  /// Operations that stay complex though their operands could be written as
  /// parts, and why; an empty reason is that there is no such form.
  llvm::DenseMap<Operation *, std::string> refused;
  /// stablehlo.complex ops that give operands to those.
  llvm::DenseSet<Operation *> joined;
};

/// Writes complex<f32> tensors of a StableHLO module as two f32 tensors, their
/// real and imaginary parts:
///
///   %z = stablehlo.complex(%a, %b)        %1 = stablehlo.multiply(%a, %c)
///   %w = stablehlo.complex(%c, %d)        %2 = stablehlo.multiply(%b, %d)
///   %p = stablehlo.multiply(%z, %w)  ->   %r = stablehlo.subtract(%1, %2)
///   %r = stablehlo.real(%p)
///
/// A part that is zero by construction, such as the imaginary one of a number
/// that was real, leaves nothing behind. Arithmetic, exponentials, products,
/// sums, what moves elements, calls and loops are written so. Operations that
/// have no such form here, those whose operands and results are not complex
/// alike, dynamic shapes, and the boundary of the model stay complex for
/// the importer to refuse.
ComplexRest splitComplex(ModuleOp module);

} // namespace mlir::te::stablehlo_import

#endif // TE_LIB_FRONTEND_STABLEHLO_SPLITCOMPLEX_H
