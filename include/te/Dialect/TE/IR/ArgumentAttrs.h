// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function says about its arguments.

#ifndef TE_DIALECT_TE_IR_ARGUMENTATTRS_H
#define TE_DIALECT_TE_IR_ARGUMENTATTRS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::te {

/// An attribute of a function's argument; null if it has none, or `value` is
/// something else.
template <typename Attr = Attribute>
Attr getArgumentAttr(Value value, StringRef name) {
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  auto function = argument && argument.getOwner()->isEntryBlock()
                      ? dyn_cast_or_null<FunctionOpInterface>(
                            argument.getOwner()->getParentOp())
                      : FunctionOpInterface();
  return function
             ? function.getArgAttrOfType<Attr>(argument.getArgNumber(), name)
             : Attr();
}

/// The text of a string attribute of a function's argument, else empty.
inline StringRef getArgumentText(Value value, StringRef name) {
  auto text = getArgumentAttr<StringAttr>(value, name);
  return text ? text.getValue() : StringRef();
}

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_ARGUMENTATTRS_H
