// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The foreign dialect, and what connects it to the compiler.

#ifndef TE_TEST_LIB_FOREIGN_FOREIGN_H
#define TE_TEST_LIB_FOREIGN_FOREIGN_H

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include "Foreign/ForeignDialect.h.inc"
#define GET_OP_CLASSES
#include "Foreign/ForeignOps.h.inc"

namespace mlir::te::test {

/// Registers the dialect and attaches the interfaces of te to its ops.
void registerForeignDialect(DialectRegistry &registry);

/// Registers foreign-lower, which makes softsign and its gradient linalg.
void registerForeignPasses();

namespace foreign {
/// A tensor whose elements are computed from those of `inputs`, in float32, by
/// a kernel of its own.
Value computeElements(
    OpBuilder &builder, Location loc, Type type, ValueRange inputs,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body);
} // namespace foreign

} // namespace mlir::te::test

#endif // TE_TEST_LIB_FOREIGN_FOREIGN_H
