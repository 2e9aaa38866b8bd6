// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/DropoutSeed.h"

#include "session/Random.h"

#include <array>

using namespace tert;
using namespace tert::session;

int64_t training::dropoutSeed(uint64_t seed, const CallPosition &position) {
  auto low = [](uint64_t value) { return static_cast<uint32_t>(value); };
  auto high = [](uint64_t value) { return static_cast<uint32_t>(value >> 32); };
  // Random streams of other purposes have a hash in place of the last two.
  std::array<uint32_t, 4> words =
      philox4x32({low(position.step), high(position.step), position.microbatch,
                  position.share},
                 {low(seed), high(seed)});
  return static_cast<int64_t>(uint64_t(words[1]) << 32 | words[0]);
}

Error training::setDropoutSeed(EntryCall &call, uint64_t seed,
                               const CallPosition &position) {
  Expected<bool> set =
      call.setInteger(dropoutSeedName, dropoutSeed(seed, position));
  return set ? Error::success() : set.takeError();
}
