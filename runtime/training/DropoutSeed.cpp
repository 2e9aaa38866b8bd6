// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/DropoutSeed.h"

#include "support/Philox.h"

using namespace tert;
using namespace tert::session;

int64_t training::dropoutSeed(uint64_t seed, const CallPosition &position) {
  // Random streams of other purposes have a hash in place of the batch.
  return static_cast<int64_t>(
      philox(seed, position.step, position.batch).low());
}

Error training::setDropoutSeed(EntryCall &call, uint64_t seed,
                               const CallPosition &position) {
  Expected<bool> set =
      call.setInteger(dropoutSeedName, dropoutSeed(seed, position));
  return set ? Error::success() : set.takeError();
}
