// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory a device has given out.
#ifndef TERT_PROGRAM_MEMORYACCOUNT_H
#define TERT_PROGRAM_MEMORYACCOUNT_H

#include <algorithm>
#include <cstddef>
#include <unordered_map>

namespace tert {

class MemoryAccount {
public:
  void add(const void *memory, size_t bytes) {
    sizes[memory] = bytes;
    used += bytes;
    most = std::max(most, used);
  }
  void remove(const void *memory) noexcept {
    auto found = sizes.find(memory);
    if (found == sizes.end())
      return;
    used -= found->second;
    sizes.erase(found);
  }
  /// The most at one time.
  size_t peak() const { return most; }

private:
  std::unordered_map<const void *, size_t> sizes;
  size_t used = 0, most = 0;
};

} // namespace tert

#endif // TERT_PROGRAM_MEMORYACCOUNT_H
