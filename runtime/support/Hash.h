// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FNV-1a with 64 bits (Fowler, Noll, Vo), for short texts and few numbers; the
// digest of a file is support/Digest.h.

#ifndef TERT_SUPPORT_HASH_H
#define TERT_SUPPORT_HASH_H

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace tert {

/// The hash of nothing.
constexpr uint64_t emptyHash = 0xcbf29ce484222325;

/// The hash after another byte, or, for a hash of numbers, another number.
constexpr uint64_t addToHash(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 0x100000001b3;
}

constexpr uint64_t fnv1a(std::string_view text) {
  uint64_t hash = emptyHash;
  for (char c : text)
    hash = addToHash(hash, static_cast<unsigned char>(c));
  return hash;
}

/// 16 hexadecimal digits.
inline std::string hexadecimal(uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx",
                static_cast<unsigned long long>(value));
  return text;
}

} // namespace tert

#endif // TERT_SUPPORT_HASH_H
