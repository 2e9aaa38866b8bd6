// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What runtime calls have to do, for cost models: the counterpart of te's
// CostOpInterface in the final program.

#ifndef TE_DIALECT_TERT_IR_CALLWORK_H
#define TE_DIALECT_TERT_IR_CALLWORK_H

#include "te/Dialect/TE/IR/Cost.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

namespace mlir::te::tert {

/// What the kernel of a runtime call has to do: every tensor moved once, those
/// that it updates twice, and products where it multiplies. Kernels have the
/// names that they have for te ops. Nothing for other ops, for exchanges among
/// ranks and for waits.
std::optional<Work> getCallWork(Operation *op);

/// Gives calls that multiply, or read a part of what they are given,
/// CostOpInterface.
void registerCostOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::te::tert

#endif // TE_DIALECT_TERT_IR_CALLWORK_H
