// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/Random.h"

#include "program/Philox.h"

#include <cmath>

using namespace tert::session;

static uint64_t join(uint32_t low, uint32_t high) {
  return uint64_t(high) << 32 | low;
}

std::array<uint32_t, 4>
tert::session::philox4x32(std::array<uint32_t, 4> counter,
                          std::array<uint32_t, 2> key) {
  const RandomWords random =
      philox(join(key[0], key[1]), join(counter[0], counter[1]),
             join(counter[2], counter[3]));
  return {random.words[0], random.words[1], random.words[2], random.words[3]};
}

uint64_t tert::session::fnv1a(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text)
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

static uint32_t low(uint64_t value) { return static_cast<uint32_t>(value); }
static uint32_t high(uint64_t value) {
  return static_cast<uint32_t>(value >> 32);
}

std::array<uint32_t, 4> RandomStream::block(uint64_t index) const {
  return philox4x32({low(index), high(index), low(stream), high(stream)},
                    {low(seed), high(seed)});
}

uint64_t RandomStream::below(uint64_t bound, uint64_t index) const {
  std::array<uint32_t, 4> words = block(index);
  uint64_t random = join(words[0], words[1]);
  return static_cast<uint64_t>(
      (static_cast<unsigned __int128>(random) * bound) >> 64);
}

float RandomStream::uniform(uint64_t index) const {
  return static_cast<float>(block(index / 4)[index % 4] >> 8) * 0x1p-24f;
}

void RandomStream::normal(uint64_t first, float *values, uint64_t count) const {
  constexpr double tau = 6.283185307179586;
  const uint64_t end = first + count;
  std::array<uint32_t, 4> words = block(first / 4);
  for (uint64_t pair = first / 2 * 2; pair < end; pair += 2) {
    if (pair % 4 == 0)
      words = block(pair / 4);
    // In (0, 1], so that the logarithm is finite.
    double u = (words[pair % 4] + 1.0) * 0x1p-32;
    double angle = tau * (words[pair % 4 + 1] * 0x1p-32);
    double radius = std::sqrt(-2.0 * std::log(u));
    if (pair >= first)
      values[pair - first] = static_cast<float>(radius * std::cos(angle));
    if (pair + 1 < end)
      values[pair + 1 - first] = static_cast<float>(radius * std::sin(angle));
  }
}
