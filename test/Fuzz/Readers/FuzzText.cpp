// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever MLIR text says of our dialects: it is parsed and verified, or
// refused with an error; what is accepted is printed and read again.

#include "TextMutator.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/InitAll.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <cstdint>

using namespace mlir;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static std::unique_ptr<MLIRContext> makeContext() {
  DialectRegistry registry;
  te::registerAllDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadDialect<te::TEDialect>();
  return context;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % 4096 == 0)
    context = makeContext();
  unsigned errors = 0;
  ScopedDiagnosticHandler handler(context.get(), [&](Diagnostic &diagnostic) {
    errors += diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  // The parser reads the null behind a text.
  const std::string text(reinterpret_cast<const char *>(data), size);
  // Upstream's printer does not survive constants of integers without bits.
  if (StringRef(text).contains("i0"))
    return 0;
  auto module = parseSourceString<ModuleOp>(text, context.get());
  if (!module) {
    if (errors == 0)
      __builtin_trap();
    return 0;
  }
  std::string printed;
  llvm::raw_string_ostream(printed) << *module;
  if (!parseSourceString<ModuleOp>(printed, context.get()))
    __builtin_trap();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  return te::fuzz::mutateText(data, size, maxSize, seed, /*operations=*/{},
                              LLVMFuzzerMutate);
}
