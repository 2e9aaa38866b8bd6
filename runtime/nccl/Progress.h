// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How far the device has come, as the host sees it without waiting for it: what
// a rank that hangs is asked for.
#ifndef TERT_NCCL_PROGRESS_H
#define TERT_NCCL_PROGRESS_H

#include "nccl/ScalarKernels.h"

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

  /// What the exchange of a site says when it begins; it stays valid, for
  /// replays of a graph too.
  Mark markOf(const tert_site &site);

  /// The exchange that began last, "tert.all_reduce at h.7", if none has begun
  /// since it was first asked about, at least `time` ago; empty otherwise. From
  /// any thread.
  std::string unfinishedFor(std::chrono::milliseconds time);
  /// The exchange that began last; empty if none has.
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

#endif // TERT_NCCL_PROGRESS_H
