// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects of programs that embed the compiler, or of plugins.

#ifndef TE_DIALECT_TE_IR_HOSTDIALECT_H
#define TE_DIALECT_TE_IR_HOSTDIALECT_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Operation.h"

namespace mlir::te {

/// Of a dialect whose ops are lowered by passes of the program that brings it,
/// before te-to-tert (te-compile --graph-passes). te-import-linalg and te-raise
/// leave its ops in the model, where their op interfaces decide what becomes of
/// them; te-to-tert refuses those that are left. Ops that implement
/// RuntimeOpInterface are lowered by te-to-tert and do not need it.
class LoweredByHostInterface
    : public DialectInterface::Base<LoweredByHostInterface> {
public:
  explicit LoweredByHostInterface(Dialect *dialect) : Base(dialect) {}
};

/// Whether `op` is registered and its dialect has LoweredByHostInterface.
inline bool isLoweredByHost(Operation *op) {
  Dialect *dialect = op->getDialect();
  return op->isRegistered() && dialect &&
         dialect->getRegisteredInterface<LoweredByHostInterface>();
}

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_HOSTDIALECT_H
