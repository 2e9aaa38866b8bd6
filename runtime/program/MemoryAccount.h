// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bookkeeping of a device's allocations.
#ifndef TERT_PROGRAM_MEMORYACCOUNT_H
#define TERT_PROGRAM_MEMORYACCOUNT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace tert {

/// One allocation.
struct Allocation {
  char *base = nullptr;
  size_t bytes = 0;
  /// Unique within the context, even if the address is reused later.
  uint64_t number = 0;
};

/// Finds the allocation that contains an address; none if it is in no live one.
using AllocationFinder =
    std::function<std::optional<Allocation>(const void *address)>;

class MemoryAccount {
public:
  void add(void *memory, size_t bytes) {
    allocations[static_cast<char *>(memory)] = {static_cast<char *>(memory),
                                                bytes, ++count};
    used += bytes;
    most = std::max(most, used);
  }
  void remove(void *memory) noexcept {
    auto found = allocations.find(static_cast<char *>(memory));
    if (found == allocations.end())
      return;
    used -= found->second.bytes;
    allocations.erase(found);
  }
  std::optional<Allocation> find(const void *address) const {
    const char *place = static_cast<const char *>(address);
    auto next = allocations.upper_bound(const_cast<char *>(place));
    if (next == allocations.begin())
      return std::nullopt;
    const Allocation &last = std::prev(next)->second;
    if (place >= last.base + last.bytes)
      return std::nullopt;
    return last;
  }
  /// Peak of the allocated bytes.
  size_t peak() const { return most; }

private:
  std::map<char *, Allocation> allocations;
  uint64_t count = 0;
  size_t used = 0, most = 0;
};

} // namespace tert

#endif // TERT_PROGRAM_MEMORYACCOUNT_H
