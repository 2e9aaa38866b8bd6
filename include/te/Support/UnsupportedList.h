// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects everything that a stage does not support, so that a user sees all of
// it at once.

#ifndef TE_SUPPORT_UNSUPPORTEDLIST_H
#define TE_SUPPORT_UNSUPPORTEDLIST_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringMap.h"

#include <string>
#include <vector>

namespace mlir::te {

class UnsupportedList {
public:
  /// Records one occurrence of `what` ("Foo", "math.sin") at `loc`. `reason` is
  /// a phrase that follows a colon; occurrences of the same `what` and `reason`
  /// are counted together. `name` is its name in the model.
  void add(StringRef what, StringRef reason, StringRef name, Location loc);

  bool empty() const { return groups.empty(); }
  /// Number of occurrences of all kinds together.
  int64_t size() const;

  /// Emits one error at `loc`, "<headline>" followed by the counts, with a note
  /// for each kind that says where it occurs. Returns failure.
  LogicalResult emit(Location loc, StringRef headline) const;

private:
  struct Group {
    std::string what, reason;
    Location first;
    int64_t count = 0;
    SmallVector<std::string, 3> names;
  };
  std::vector<Group> groups;         ///< in order of first occurrence
  llvm::StringMap<size_t> positions; ///< in `groups`, by what and reason
};

/// The source position in a location, without its name; the location itself if
/// there is none.
Location getSourcePosition(Location loc);

} // namespace mlir::te

#endif // TE_SUPPORT_UNSUPPORTEDLIST_H
