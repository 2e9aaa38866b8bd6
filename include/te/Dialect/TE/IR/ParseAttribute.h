// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes that users write as text: recipes, optimizers.

#ifndef TE_DIALECT_TE_IR_PARSEATTRIBUTE_H
#define TE_DIALECT_TE_IR_PARSEATTRIBUTE_H

#include "mlir/IR/Attributes.h"

#include <string>

namespace mlir::te {

/// Reads an attribute such as "#te.sgd<nesterov = true>", of which "#te." may
/// be missing. Null, with what the parser says in `reason`, when it cannot be
/// read.
Attribute parseShortAttribute(StringRef text, MLIRContext *context,
                              std::string &reason);

/// The te attribute that `text`, which is valid, is without its "#te.":
/// "sgd<nesterov = true>".
template <typename AttrT>
AttrT parseKnownAttribute(StringRef text, MLIRContext *context) {
  std::string reason;
  return cast<AttrT>(parseShortAttribute(text, context, reason));
}

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_PARSEATTRIBUTE_H
