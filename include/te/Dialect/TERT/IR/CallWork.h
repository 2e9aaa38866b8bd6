// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The work of runtime calls, for cost models: the counterpart of te's
// CostOpInterface in the final program.

#ifndef TE_DIALECT_TERT_IR_CALLWORK_H
#define TE_DIALECT_TERT_IR_CALLWORK_H

#include "te/Dialect/TE/IR/Cost.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/Operation.h"

namespace mlir::te::tert {

/// The work of a runtime call's kernel: every tensor moved once, updated ones
/// twice, and the multiplications of products. Kernels have the names of the te
/// ops. Returns nullopt for other ops, for collectives and for waits.
std::optional<Work> getCallWork(Operation *op);

/// Attaches CostOpInterface to calls that multiply, or read a slice of their
/// operands.
void registerCostOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace mlir::te::tert

#endif // TE_DIALECT_TERT_IR_CALLWORK_H
