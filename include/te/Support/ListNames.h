// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in messages.

#ifndef TE_SUPPORT_LISTNAMES_H
#define TE_SUPPORT_LISTNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace mlir::te {

/// "'a', 'b' and 3 more": the first `most` of some strings.
template <typename Names>
std::string listNames(const Names &names, size_t most = 8) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(
      llvm::ArrayRef(names).take_front(most), os,
      [&](llvm::StringRef name) { os << "'" << name << "'"; });
  if (names.size() > most)
    os << " and " << names.size() - most << " more";
  return text;
}

} // namespace mlir::te

#endif // TE_SUPPORT_LISTNAMES_H
