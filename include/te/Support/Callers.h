// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls a function, for passes that change what functions take and return.

#ifndef TE_SUPPORT_CALLERS_H
#define TE_SUPPORT_CALLERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::te {

/// Who calls the functions of a module, or names them otherwise. Callers do not
/// follow when a pass adds arguments and results to a function.
class Callers {
public:
  explicit Callers(ModuleOp module);

  /// An op that names the function, null when there is none.
  Operation *find(func::FuncOp func) const { return users.lookup(func); }

private:
  llvm::DenseMap<Operation *, Operation *> users;
};

/// "@name" of the function that an op stands in, for messages.
std::string describeFunctionOf(Operation *op);

/// Fails if something calls a function of the module that has a body, or names
/// it, with the error `message` about that op.
LogicalResult refuseCallers(ModuleOp module, const Twine &message);

} // namespace mlir::te

#endif // TE_SUPPORT_CALLERS_H
