// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what EntryInterface reads of each function.

#include "TestPasses.h"
#include "te/Analysis/EntryInterface.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::te;

namespace {
struct PrintEntryInterface
    : PassWrapper<PrintEntryInterface, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PrintEntryInterface)
  StringRef getArgument() const override {
    return "test-te-print-entry-interface";
  }
  StringRef getDescription() const override {
    return "Print the boundary of each function";
  }

  void runOnOperation() override {
    FailureOr<EntryInterface> interface = EntryInterface::get(getOperation());
    if (failed(interface))
      return signalPassFailure();
    llvm::outs() << "entry '" << interface->entry << "'\n";
    for (const BoundaryValue &value : interface->values) {
      llvm::outs() << stringifyBoundaryRole(value.role) << " '" << value.name
                   << "' " << value.type;
      if (value.argument)
        llvm::outs() << " arg " << *value.argument;
      if (value.result)
        llvm::outs() << " result " << *value.result;
      if (!value.kind.empty())
        llvm::outs() << " kind " << value.kind;
      if (value.init)
        llvm::outs() << " init " << value.init;
      if (value.defaultValue)
        llvm::outs() << " default " << value.defaultValue;
      llvm::outs() << "\n";
    }
  }
};
} // namespace

void mlir::te::test::registerPrintEntryInterfacePass() {
  PassRegistration<PrintEntryInterface>();
}
