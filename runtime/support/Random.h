// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counter-based random numbers: every value is a function of (seed, stream,
// index), so that a tensor can be filled in any order and a resumed run draws
// the same numbers as an uninterrupted one.

#ifndef TERT_SUPPORT_RANDOM_H
#define TERT_SUPPORT_RANDOM_H

#include "support/Hash.h"
#include "support/Philox.h"

#include <cstdint>
#include <string_view>

namespace tert::session {

/// A stream of random blocks: the key is the seed, the counter the block's
/// index (low half) and the hash of the stream's name (high half).
class RandomStream {
public:
  RandomStream(uint64_t seed, std::string_view name)
      : seed(seed), stream(fnv1a(name)) {}

  RandomWords block(uint64_t index) const {
    return philox(seed, index, stream);
  }
  /// Uniform in [0, bound), from block `index`; bound > 0. The bias is below
  /// bound / 2^64.
  uint64_t below(uint64_t bound, uint64_t index) const;
  /// Element `index` of a sequence uniform in [0, 1), with 24 random bits.
  float uniform(uint64_t index) const;
  /// Fills with elements of a standard normal sequence (Box and Muller), from
  /// element `first`.
  void normal(uint64_t first, float *values, uint64_t count) const;

private:
  uint64_t seed;
  uint64_t stream;
};

} // namespace tert::session

#endif // TERT_SUPPORT_RANDOM_H
