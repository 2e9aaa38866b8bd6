// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Training/Training.h"

#include "te/Dialect/TE/IR/ParseAttribute.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;

LossAttrInterface mlir::te::parseLoss(StringRef text, Location loc) {
  StringRef output = text;
  if (output.consume_front("output:") && !output.empty())
    return OutputLossAttr::get(loc.getContext(), output);
  // Names have hyphens on command lines and underscores in attributes.
  std::string written = text.str();
  if (!text.starts_with("#"))
    std::replace(written.begin(),
                 written.begin() + std::min(text.find('<'), text.size()), '-',
                 '_');
  std::string reason;
  Attribute attr = parseShortAttribute(written, loc.getContext(), reason);
  auto loss = dyn_cast_if_present<LossAttrInterface>(attr);
  if (loss)
    return loss;
  InFlightDiagnostic diag = emitError(loc)
                            << "there is no loss '" << text << "'";
  if (!attr)
    diag << " (" << reason << ")";
  else
    diag << ": the attribute does not implement LossAttrInterface";
  diag << "; use " << kLossNames
       << ", or one with its parameters, such as "
          "'#te.masked_lm<label_smoothing = 0.1>'";
  return {};
}
