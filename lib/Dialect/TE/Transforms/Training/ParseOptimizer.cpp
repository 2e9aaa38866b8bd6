// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Training/Training.h"

#include "te/Dialect/TE/IR/ParseAttribute.h"

using namespace mlir;
using namespace mlir::te;

OptimizerAttrInterface mlir::te::parseOptimizer(StringRef text, Location loc) {
  std::string reason;
  Attribute attr = parseShortAttribute(text, loc.getContext(), reason);
  auto optimizer = dyn_cast_if_present<OptimizerAttrInterface>(attr);
  const bool learns =
      optimizer && llvm::any_of(optimizer.getScalars(), [](const auto &scalar) {
        return scalar.name == "learning_rate";
      });
  if (learns)
    return optimizer;
  InFlightDiagnostic diag = emitError(loc)
                            << "there is no optimizer '" << text << "'";
  if (!attr)
    diag << " (" << reason << ")";
  else if (optimizer)
    diag << ": it has no learning rate";
  else
    diag << ": the attribute does not implement OptimizerAttrInterface";
  diag << "; use one by its name, such as adamw, lion, muon or sgd, or with "
          "its parameters, such as '#te.sgd<momentum = 0.9>'";
  return {};
}
