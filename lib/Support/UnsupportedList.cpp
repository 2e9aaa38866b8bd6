// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Support/UnsupportedList.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;

/// Most names listed per kind; the rest is only counted.
static constexpr size_t kNamesShown = 3;

Location mlir::te::getSourcePosition(Location loc) {
  if (auto position = loc->findInstanceOf<FileLineColRange>())
    return position;
  return loc;
}

void UnsupportedList::add(StringRef what, StringRef reason, StringRef name,
                          Location loc) {
  auto [position, inserted] =
      positions.try_emplace((what + Twine('\n') + reason).str(), groups.size());
  if (inserted)
    groups.push_back({what.str(), reason.str(), loc, 0, {}});
  Group &group = groups[position->second];
  ++group.count;
  if (!name.empty() && group.names.size() < kNamesShown)
    group.names.push_back(name.str());
}

int64_t UnsupportedList::size() const {
  int64_t total = 0;
  for (const Group &group : groups)
    total += group.count;
  return total;
}

LogicalResult UnsupportedList::emit(Location loc, StringRef headline) const {
  InFlightDiagnostic diag = emitError(loc) << headline << " (";
  llvm::interleaveComma(groups, diag, [&](const Group &group) {
    diag << group.what << " x" << group.count;
  });
  diag << ")";
  for (const Group &group : groups) {
    Diagnostic &note = diag.attachNote(getSourcePosition(group.first));
    note << group.what << " x" << group.count;
    if (!group.reason.empty())
      note << ": " << group.reason;
    if (group.names.empty())
      continue;
    note << " (";
    llvm::interleaveComma(group.names, note);
    note << (int64_t(group.names.size()) < group.count ? ", ...)" : ")");
  }
  return diag;
}
