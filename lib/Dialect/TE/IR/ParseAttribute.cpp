// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/IR/ParseAttribute.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

Attribute mlir::te::parseShortAttribute(StringRef text, MLIRContext *context,
                                        std::string &reason) {
  std::string full = text.str();
  if (!text.starts_with("#"))
    full = "#te." + full;
  // Where the text is wrong is not a place that a reader can look at.
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diag) {
    if (reason.empty())
      reason = diag.str();
    return success();
  });
  return parseAttribute(full, context);
}
