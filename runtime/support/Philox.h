// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox-4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw
// ("Parallel random numbers: as easy as 1, 2, 3", 2011): random words as a
// function of a key and a counter, the same on every device.
#ifndef TERT_SUPPORT_PHILOX_H
#define TERT_SUPPORT_PHILOX_H

#include <cstdint>

#ifdef __CUDACC__
#define TERT_ON_ANY_DEVICE __host__ __device__
#else
#define TERT_ON_ANY_DEVICE
#endif

namespace tert {

struct RandomWords {
  uint32_t words[4];

  /// The first two words as one.
  uint64_t low() const { return uint64_t(words[1]) << 32 | words[0]; }
};

/// The four words for a key and a counter of two 64-bit halves, low words
/// first.
TERT_ON_ANY_DEVICE inline RandomWords philox(uint64_t key, uint64_t low,
                                             uint64_t high) {
  constexpr uint32_t multipliers[2] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t weyl[2] = {0x9E3779B9, 0xBB67AE85};
  RandomWords state = {{uint32_t(low), uint32_t(low >> 32), uint32_t(high),
                        uint32_t(high >> 32)}};
  uint32_t keys[2] = {uint32_t(key), uint32_t(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t(multipliers[0]) * state.words[0];
    const uint64_t second = uint64_t(multipliers[1]) * state.words[2];
    state = {
        {uint32_t(second >> 32) ^ state.words[1] ^ keys[0], uint32_t(second),
         uint32_t(first >> 32) ^ state.words[3] ^ keys[1], uint32_t(first)}};
    keys[0] += weyl[0];
    keys[1] += weyl[1];
  }
  return state;
}

/// The smallest word with which an element is kept.
inline uint32_t dropoutThreshold(float ratio) {
  return uint32_t(double(ratio) * 0x1p32);
}

} // namespace tert

#endif // TERT_SUPPORT_PHILOX_H
