// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a device has given out of its memory.
#ifndef TERT_PROGRAM_MEMORYACCOUNT_H
#define TERT_PROGRAM_MEMORYACCOUNT_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

namespace tert {

/// Memory that was given out as one.
struct Allocation {
  char *base = nullptr;
  size_t bytes = 0;
  /// No other allocation of the context has it, also after this one's address
  /// has been given out again.
  uint64_t number = 0;
};

/// Of what allocation an address is; none if of no one that is there now.
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
  /// The most at one time.
  size_t peak() const { return most; }

private:
  std::map<char *, Allocation> allocations;
  uint64_t count = 0;
  size_t used = 0, most = 0;
};

} // namespace tert

#endif // TERT_PROGRAM_MEMORYACCOUNT_H
