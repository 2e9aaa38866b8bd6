// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the callers of a function, for passes that change its signature.

#ifndef TE_SUPPORT_CALLERS_H
#define TE_SUPPORT_CALLERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// The callers of a module's functions, and other references to them. Passes
/// that add arguments and results to a function do not update callers.
class Callers {
public:
  explicit Callers(ModuleOp module);

  /// An op that refers to the function, null if there is none.
  Operation *find(func::FuncOp func) const { return users.lookup(func); }

private:
  llvm::DenseMap<Operation *, Operation *> users;
};

/// "@name" of the function that contains an op, for messages.
std::string describeFunctionOf(Operation *op);

/// Fails, with the error `message` on the caller, if a function of the module
/// with a body is called or referred to.
LogicalResult refuseCallers(ModuleOp module, const Twine &message);

} // namespace mlir::te

#endif // TE_SUPPORT_CALLERS_H
