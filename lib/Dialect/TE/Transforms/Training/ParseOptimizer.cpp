// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Training/Training.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mlir::te;

OptimizerAttrInterface mlir::te::parseOptimizer(StringRef text, Location loc) {
  std::string full = text.str();
  if (!text.starts_with("#"))
    full = "#te." + full;
  // Where the text is wrong is not where a reader of `loc` can look.
  Attribute attr;
  std::string reason;
  {
    ScopedDiagnosticHandler handler(loc.getContext(), [&](Diagnostic &diag) {
      if (reason.empty())
        reason = diag.str();
      return success();
    });
    attr = parseAttribute(full, loc.getContext());
  }
  auto optimizer = dyn_cast_if_present<OptimizerAttrInterface>(attr);
  if (optimizer)
    return optimizer;
  InFlightDiagnostic diag = emitError(loc)
                            << "there is no optimizer '" << text << "'";
  if (!attr)
    diag << " (" << reason << ")";
  else
    diag << ": the attribute does not implement OptimizerAttrInterface";
  diag << "; use adamw or sgd, or one with its parameters, such as "
          "'#te.sgd<momentum = 0.9>'";
  return {};
}
