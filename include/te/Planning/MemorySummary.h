// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of device memory that a rank needs, from an artifact's description:
// what te-run allocates (tert::session::memoryNeed).

#ifndef TE_PLANNING_MEMORYSUMMARY_H
#define TE_PLANNING_MEMORYSUMMARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::te {

struct MemorySummary {
  /// States of one kind: "parameter", "optimizer".
  struct Kind {
    std::string name;
    int64_t count = 0, bytes = 0;
  };
  struct Entry {
    std::string name;
    int64_t arena = 0;
    /// Inputs, scalars and outputs outside the arena.
    int64_t arguments = 0;
  };
  /// In the description's order.
  std::vector<Kind> kinds;
  std::vector<Entry> entries;
  /// Of states in a host's memory, beside the device's.
  int64_t hostBytes = 0;

  int64_t getStateBytes() const;
  /// Those of the entry that needs the most.
  int64_t getBytes() const;
  /// The states and the further needs of one entry; entries run one after the
  /// other in one arena.
  int64_t getBytes(const Entry &entry) const;
  /// Null if there is no such entry.
  const Entry *findEntry(llvm::StringRef name) const;
};

/// The summary of a description made by describeArtifact.
MemorySummary summarizeMemory(const llvm::json::Object &description);

} // namespace mlir::te

#endif // TE_PLANNING_MEMORYSUMMARY_H
