// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that stand for the values of an enumeration on command lines, in
// the options of passes, and in records.

#ifndef TE_SUPPORT_NAMEDVALUES_H
#define TE_SUPPORT_NAMEDVALUES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::te {

template <typename Enum> struct NamedValue {
  llvm::StringLiteral name;
  Enum value;
  llvm::StringLiteral help;
};

/// The word for `value`.
template <typename Enum, size_t count>
llvm::StringRef getOptionName(const NamedValue<Enum> (&values)[count],
                              Enum value) {
  for (const NamedValue<Enum> &candidate : values)
    if (candidate.value == value)
      return candidate.name;
  return {};
}

/// What `values` are for the option of a pass, in place of llvm::cl::values.
template <typename Enum> struct PassOptionValues {
  llvm::ArrayRef<NamedValue<Enum>> values;

  template <typename Option> void apply(Option &option) const {
    for (const NamedValue<Enum> &value : values)
      option.getParser().addLiteralOption(value.name, value.value, value.help);
  }
};
template <typename Enum, size_t count>
PassOptionValues<Enum>
passOptionValues(const NamedValue<Enum> (&values)[count]) {
  return {values};
}

} // namespace mlir::te

#endif // TE_SUPPORT_NAMEDVALUES_H
