// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Calls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

LogicalResult mlir::te::refuseCalls(ModuleOp module, StringRef pass,
                                    StringRef change) {
  bool found = false;
  module.walk([&](func::CallOp call) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!callee || callee.isDeclaration())
      return;
    call.emitOpError() << "calls a function that " << pass << " " << change
                       << "; run the pass 'inline' before tert-bufferize";
    found = true;
  });
  return failure(found);
}
