// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A barrier across GPUs on streams, without a kernel: a kernel that waits would
// keep a matmul's thread blocks from its multiprocessor.
#ifndef TERT_COLLECTIVES_PEER_STREAMBARRIER_H
#define TERT_COLLECTIVES_PEER_STREAMBARRIER_H

#include <cuda_runtime.h>

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace tert::peer {

class StreamBarrier {
public:
  /// Two consecutive barriers never have the same kind.
  static constexpr int kinds = 3;
  /// Size of the zeroed memory that each member provides.
  static constexpr size_t bytesFor(int32_t ranks) {
    return size_t(kinds) * ranks * sizeof(uint32_t);
  }
  /// True if the driver supports it.
  static bool isSupported();

  /// `words` are the addresses, in this process, of each member's memory.
  StreamBarrier(int ordinal, int32_t rank, std::vector<char *> words);
  ~StreamBarrier();
  StreamBarrier(const StreamBarrier &) = delete;
  StreamBarrier &operator=(const StreamBarrier &) = delete;

  /// Work enqueued after it begins once all members have reached the barrier,
  /// and sees their writes before it. May be captured into a graph.
  void enqueue(cudaStream_t stream, int kind);
  /// Stops waiting for other members. May be called from any thread.
  void abort() noexcept;

private:
  /// The word in which `from` signals its arrival to `to`.
  char *wordOf(int kind, int32_t from, int32_t to) const {
    return words[to] + (size_t(kind) * words.size() + from) * sizeof(uint32_t);
  }
  void releaseUntilOver() noexcept;

  const int ordinal;
  const int32_t rank;
  const std::vector<char *> words;

  /// After abort(), keeps signalling the arrival of all members.
  std::thread release;
  std::mutex mutex;
  std::condition_variable changed;
  bool isOver = false;
};

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_STREAMBARRIER_H
