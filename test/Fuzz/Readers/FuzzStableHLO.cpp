// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a StableHLO module says: it is imported as valid IR that te-raise
// takes, or refused with an error.

#include "TextMutator.h"

#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Frontend/StableHLO/ImportStableHLO.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::te;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // Types and attributes stay in a context: a new one now and then.
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % 4096 == 0)
    context = std::make_unique<MLIRContext>(MLIRContext::Threading::DISABLED);
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  ImportOptions options;
  options.maxConstantBytes = 1 << 16;
  StringRef text(reinterpret_cast<const char *>(data), size);
  auto model =
      importStableHLO(llvm::MemoryBuffer::getMemBufferCopy(text, "model.mlir"),
                      context.get(), options);
  if (succeeded(model) == (errors > 0))
    __builtin_trap();
  if (failed(model))
    return 0;
  PassManager passes(context.get());
  passes.addPass(createTERaise());
  if (failed(verify(*model->module)) ||
      (failed(passes.run(*model->module)) && errors == 0))
    __builtin_trap();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  static const StringRef operations[] = {"stablehlo.abs",
                                         "stablehlo.add",
                                         "stablehlo.and",
                                         "stablehlo.broadcast_in_dim",
                                         "stablehlo.case",
                                         "stablehlo.clamp",
                                         "stablehlo.compare",
                                         "stablehlo.composite",
                                         "stablehlo.concatenate",
                                         "stablehlo.constant",
                                         "stablehlo.convert",
                                         "stablehlo.custom_call",
                                         "stablehlo.divide",
                                         "stablehlo.dot_general",
                                         "stablehlo.dynamic_slice",
                                         "stablehlo.dynamic_update_slice",
                                         "stablehlo.exponential",
                                         "stablehlo.gather",
                                         "stablehlo.if",
                                         "stablehlo.iota",
                                         "stablehlo.is_finite",
                                         "stablehlo.logistic",
                                         "stablehlo.maximum",
                                         "stablehlo.multiply",
                                         "stablehlo.negate",
                                         "stablehlo.not",
                                         "stablehlo.pad",
                                         "stablehlo.power",
                                         "stablehlo.reduce",
                                         "stablehlo.reduce_window",
                                         "stablehlo.remainder",
                                         "stablehlo.reshape",
                                         "stablehlo.return",
                                         "stablehlo.reverse",
                                         "stablehlo.scatter",
                                         "stablehlo.select",
                                         "stablehlo.slice",
                                         "stablehlo.sort",
                                         "stablehlo.subtract",
                                         "stablehlo.tanh",
                                         "stablehlo.transpose",
                                         "stablehlo.while",
                                         "chlo.top_k",
                                         "func.call",
                                         "func.return"};
  return fuzz::mutateText(data, size, maxSize, seed, operations,
                          LLVMFuzzerMutate);
}
