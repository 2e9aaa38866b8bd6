// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points of streams at which GPUs wait for each other without a kernel: one
// that waits would keep a product's thread blocks from its multiprocessor.
#ifndef TERT_NCCL_MEETING_H
#define TERT_NCCL_MEETING_H

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tert::nccl {

class Meeting {
public:
  /// Of two meetings that follow one another none is of the other's kind.
  static constexpr int kinds = 3;
  /// What each member provides, zeros.
  static constexpr size_t bytesFor(int32_t ranks) {
    return size_t(kinds) * ranks * sizeof(uint32_t);
  }
  /// Whether the driver can do it.
  static bool isSupported();

  /// `words` is where each member's bytes are, as this one sees them.
  Meeting(int ordinal, int32_t rank, std::vector<char *> words);
  ~Meeting();
  Meeting(const Meeting &) = delete;
  Meeting &operator=(const Meeting &) = delete;

  /// What is enqueued behind it begins when all members have come to it, and
  /// sees what they had written. Also while a graph is captured.
  void enqueue(cudaStream_t stream, int kind);
  /// Nobody is waited for any longer. From any thread.
  void abort() noexcept;

private:
  /// The word by which `from` tells `to` that it is there.
  char *wordOf(int kind, int32_t from, int32_t to) const {
    return words[to] + (size_t(kind) * words.size() + from) * sizeof(uint32_t);
  }
  void releaseUntilOver() noexcept;

  const int ordinal;
  const int32_t rank;
  const std::vector<char *> words;

  /// Once aborted, says over and over that all are there.
  std::thread release;
  std::mutex mutex;
  std::condition_variable changed;
  bool isOver = false;
};

} // namespace tert::nccl

#endif // TERT_NCCL_MEETING_H
