// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Random.h"

#include <cmath>

using namespace tert::session;

uint64_t RandomStream::below(uint64_t bound, uint64_t index) const {
  const RandomWords random = block(index);
  return static_cast<uint64_t>(
      (static_cast<unsigned __int128>(random.low()) * bound) >> 64);
}

float RandomStream::uniform(uint64_t index) const {
  return static_cast<float>(block(index / 4).words[index % 4] >> 8) * 0x1p-24f;
}

void RandomStream::normal(uint64_t first, float *values, uint64_t count) const {
  constexpr double tau = 6.283185307179586;
  const uint64_t end = first + count;
  RandomWords random = block(first / 4);
  for (uint64_t pair = first / 2 * 2; pair < end; pair += 2) {
    if (pair % 4 == 0)
      random = block(pair / 4);
    // In (0, 1], so that the logarithm is finite.
    double u = (random.words[pair % 4] + 1.0) * 0x1p-32;
    double angle = tau * (random.words[pair % 4 + 1] * 0x1p-32);
    double radius = std::sqrt(-2.0 * std::log(u));
    if (pair >= first)
      values[pair - first] = static_cast<float>(radius * std::cos(angle));
    if (pair + 1 < end)
      values[pair + 1 - first] = static_cast<float>(radius * std::sin(angle));
  }
}
