// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A checksum against accidental damage: flipped bits, truncated or mixed-up
// files.

#ifndef TERT_SUPPORT_CHECKSUM_H
#define TERT_SUPPORT_CHECKSUM_H

#include "support/Hash.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

namespace tert::session {

/// A 64-bit hash of a stream of bytes, eight at a time: FNV-1a's step on words
/// with the high half folded in. Every step is a bijection, so that a change in
/// any single word is always detected.
class Checksum {
public:
  void add(const char *data, size_t bytes) {
    total += bytes;
    while (bytes) {
      if (filled == 0 && bytes >= sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, data, sizeof(word));
        mix(word);
        data += sizeof(word);
        bytes -= sizeof(word);
        continue;
      }
      pending[filled++] = *data++;
      --bytes;
      if (filled == sizeof(pending))
        flush();
    }
  }
  /// 16 hexadecimal digits.
  std::string finish() {
    std::memset(pending + filled, 0, sizeof(pending) - filled);
    flush();
    mix(total);
    return hexadecimal(hash);
  }

private:
  void flush() {
    uint64_t word;
    std::memcpy(&word, pending, sizeof(word));
    mix(word);
    filled = 0;
  }
  void mix(uint64_t word) {
    hash = addToHash(hash, word);
    hash ^= hash >> 32;
  }
  uint64_t hash = emptyHash;
  uint64_t total = 0;
  char pending[sizeof(uint64_t)] = {};
  size_t filled = 0;
};

} // namespace tert::session

#endif // TERT_SUPPORT_CHECKSUM_H
