// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a model's file says: it is imported as valid IR that te-raise takes,
// or refused with an error.

#ifndef TE_TEST_FUZZ_READERS_IMPORTMODEL_H
#define TE_TEST_FUZZ_READERS_IMPORTMODEL_H

#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Frontend/ImportedModel.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

namespace mlir::te::fuzz {

/// Traps unless import(context, options), which imports one input, keeps that.
template <typename Import> void importModel(Import import) {
  // Types and attributes stay in a context: a new one now and then.
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % 4096 == 0) {
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
    // As in te-compile; upstream's printer does not survive every attribute.
    context->printOpOnDiagnostic(false);
  }
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  ImportOptions options;
  options.maxConstantBytes = 1 << 16;
  FailureOr<ImportedModel> model = import(context.get(), options);
  if (succeeded(model) == (errors > 0))
    __builtin_trap();
  if (failed(model))
    return;
  PassManager passes(context.get());
  passes.addPass(createTERaise());
  if (failed(verify(*model->module)) ||
      (failed(passes.run(*model->module)) && errors == 0))
    __builtin_trap();
}

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_READERS_IMPORTMODEL_H
