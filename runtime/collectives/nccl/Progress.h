// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Progress of the device, which the host reads without waiting for it, to
// diagnose a rank that hangs.
#ifndef TERT_COLLECTIVES_NCCL_PROGRESS_H
#define TERT_COLLECTIVES_NCCL_PROGRESS_H

#include "collectives/peer/ScalarKernels.h"

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

namespace tert::nccl {

class Progress {
public:
  Progress();
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// The mark with which the collective of a site reports its begin; it stays
  /// valid, also when a graph is replayed.
  peer::Mark markOf(const tert_site &site);

  /// The last collective that began, "tert.all_reduce at h.7", if no other has
  /// begun since the first such query, at least `time` ago; empty otherwise.
  /// May be called from any thread.
  std::string unfinishedFor(std::chrono::milliseconds time);
  /// The last collective that began; empty if none has.
  std::string last();

private:
  std::string nameOf(uint64_t word);

  uint32_t *count = nullptr;
  volatile uint64_t *word = nullptr;

  std::mutex mutex;
  std::vector<std::string> sites;
  uint64_t seen = 0;
  std::chrono::steady_clock::time_point seenAt;
};

} // namespace tert::nccl

#endif // TERT_COLLECTIVES_NCCL_PROGRESS_H
