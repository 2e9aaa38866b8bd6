// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the entry `calibrate` returns: the output `sensitivity`, a float32
// matrix with a row for each product and a column for each figure. Attributes
// of the module name them; the artifact's description has them as
// "sensitivity".

#ifndef TE_DIALECT_TE_IR_MEASUREMENT_H
#define TE_DIALECT_TE_IR_MEASUREMENT_H

#include "llvm/ADT/StringRef.h"

namespace mlir::te {

inline constexpr llvm::StringLiteral kSensitivityOutput = "sensitivity";
/// The products of the rows, an array of strings "h.0.mlp.c_fc/fprop".
inline constexpr llvm::StringLiteral kMeasuredProductsAttr =
    "te.measured_products";
/// The figures of the columns, an array of strings.
inline constexpr llvm::StringLiteral kMeasuredFiguresAttr =
    "te.measured_figures";

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_MEASUREMENT_H
