// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;

static constexpr EntryKind kEntryKinds[] = {
    // name, keepsOutputs, hasLoss, countsLabels, hasGradients, hasUpdates,
    // accumulates, measures, separates, caches
    {"train", false, true, false, true, true, false, false, false, false},
    {"accumulate", false, true, false, true, false, true, false, false, false},
    {"grad", true, true, false, true, false, false, false, false, false},
    {"eval", false, true, true, false, false, false, false, false, false},
    {"vjp", true, false, false, true, false, false, false, false, false},
    {"forward_saving", true, false, false, true, false, false, false, true,
     false},
    {"backward", false, false, false, true, false, false, false, false, false},
    {"forward", true, false, false, false, false, false, false, false, false},
    {"prefill", true, false, false, false, false, false, false, false, true},
    {"decode", true, false, false, false, false, false, false, false, true},
    {"calibrate", false, true, true, true, false, false, true, false, false}};

ArrayRef<EntryKind> mlir::te::getEntryKinds() { return kEntryKinds; }

const EntryKind *mlir::te::findEntryKind(StringRef name) {
  const auto *it = llvm::find_if(
      kEntryKinds, [&](const EntryKind &kind) { return kind.name == name; });
  return it == std::end(kEntryKinds) ? nullptr : it;
}

bool mlir::te::hasEntry(ArrayRef<std::string> entries,
                        bool EntryKind::*property) {
  return llvm::any_of(entries, [&](StringRef name) {
    const EntryKind *kind = findEntryKind(name);
    return kind && kind->*property;
  });
}

std::string mlir::te::listEntryKinds() {
  std::string list;
  ArrayRef<EntryKind> kinds = getEntryKinds();
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    if (i > 0)
      list += i + 1 == kinds.size() ? " and " : ", ";
    list += kind.name;
  }
  return list;
}
