// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exchanges among GPUs of one host in which multiprocessors do everything:
// their thread blocks wait for the other members, read what these have, and see
// to it that all have read before the kernel ends.
#ifndef TERT_NCCL_QUICKEXCHANGE_H
#define TERT_NCCL_QUICKEXCHANGE_H

#include "nccl/PeerKernels.h"
#include "nccl/ScalarKernels.h"

#include <vector>

namespace tert::nccl {

/// What all members have of a sum.
struct Summed {
  tert_dtype dtype;
  std::vector<const char *> x; ///< of each member
  void *y;                     ///< may be this member's x
  int64_t count;               ///< of elements
};

/// A meeting of two kernels takes some 3 µs, one of memory operations 10, and
/// 40 beside a kernel that reads all the memory it can. But thread blocks that
/// wait keep others from their multiprocessors: not for members that are far
/// apart, or that share a GPU.
class QuickExchange {
public:
  /// What each member provides, zeros.
  static constexpr size_t bytesFor(int32_t ranks) {
    return size_t(ranks) * sizeof(uint32_t);
  }

  /// Few multiprocessors' worth, for what runs beside a computation.
  static constexpr int32_t blocksBeside = 32;

  /// `words` is where each member's bytes are, as this one sees them. Nobody is
  /// waited for any longer once *isOver, in page-locked memory, is not 0. On a
  /// thread that is on the GPU.
  QuickExchange(int32_t rank, std::vector<char *> words,
                const volatile uint32_t *isOver);
  ~QuickExchange();
  QuickExchange(const QuickExchange &) = delete;
  QuickExchange &operator=(const QuickExchange &) = delete;

  /// The kernel that follows says that an exchange begins.
  void begin(const Mark &mark) { told = mark; }

  // All members call these in the same order, each on one stream at a time,
  // with as many thread blocks as it likes: what others had written before is
  // read, and what they write behind theirs is not. Nothing is written that
  // another member reads.

  void copy(cudaStream_t stream, const std::vector<Copied> &copies,
            int32_t mostBlocks);
  /// In the order of the members, in float32, rounded once.
  void add(cudaStream_t stream, const std::vector<Summed> &sums,
           int32_t mostBlocks);

  /// What a kernel needs to know to meet others'.
  struct Places;

private:
  Places places() const;

  const int32_t rank;
  const std::vector<char *> words;
  const volatile uint32_t *const isOver;
  /// In the device's memory: meetings so far, and thread blocks of a kernel
  /// that have done their work.
  uint32_t *const counters;
  Mark told = {};
};

} // namespace tert::nccl

#endif // TERT_NCCL_QUICKEXCHANGE_H
