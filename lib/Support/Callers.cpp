// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/Callers.h"

using namespace mlir;
using namespace mlir::te;

// Upstream's SymbolUserMap does not accept unknown ops.
Callers::Callers(ModuleOp module) {
  llvm::DenseMap<StringAttr, func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>())
    functions[func.getSymNameAttr()] = func;
  module.walk([&](Operation *op) {
    op->getAttrDictionary().walk([&](SymbolRefAttr reference) {
      if (func::FuncOp func = functions.lookup(reference.getRootReference()))
        users.try_emplace(func, op);
    });
  });
}

std::string mlir::te::describeFunctionOf(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  return func ? ("@" + func.getName()).str()
              : ("'" + op->getName().getStringRef() + "'").str();
}

LogicalResult mlir::te::refuseCallers(ModuleOp module, const Twine &message) {
  Callers callers(module);
  bool found = false;
  for (auto func : module.getOps<func::FuncOp>())
    if (Operation *caller =
            func.isDeclaration() ? nullptr : callers.find(func)) {
      caller->emitOpError() << message;
      found = true;
    }
  return failure(found);
}
