// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What GPUs that reach each other's memory need besides copies: to wait for
// each other, and to add up what they have copied.
#ifndef TERT_NCCL_PEERKERNELS_H
#define TERT_NCCL_PEERKERNELS_H

#include "nccl/ScalarKernels.h"
#include "tert/types.h"

#include <vector>

namespace tert::nccl {

/// Where GPUs of a host say that they have come to a point; a kernel's
/// parameter. Of every member there are two words, which take turns: one may
/// have come to the next point already while others look at this one.
struct MeetingPlace {
  /// More share no memory.
  static constexpr int32_t maxRanks = 64;

  int32_t rank, ranks;
  uint64_t *own;             ///< [2][ranks]: what the others say to this one
  uint64_t *peers[maxRanks]; ///< the same of every other
  uint32_t *count;           ///< in the device's memory: points passed
  // In page-locked memory.
  const volatile uint32_t *isOver; ///< not zero: nobody is waited for
  volatile uint32_t *mismatch;     ///< 1 + a rank that is at another point
};

/// What is enqueued behind it begins when all members have enqueued this and
/// come to it, and sees what they had written. `call` is which one, the same of
/// all. With a mark, says that the exchange of its site begins.
void enqueueMeeting(cudaStream_t stream, const MeetingPlace &place,
                    uint32_t call, const Mark *mark = nullptr);

/// Some elements of a sum over the members: this one's addends, and those of
/// the others `offset` bytes into what was copied of each.
struct Addends {
  const void *own;
  void *sum;
  int64_t offset; ///< a multiple of 16
  int64_t count;  ///< of elements, at least 1
};

/// Sums in the order of the members, in float32, rounded once. What was copied
/// of the one at place p of the others lies at copies + p * stride.
void addInOrder(cudaStream_t stream, tert_dtype dtype,
                const std::vector<Addends> &addends, const char *copies,
                int64_t stride, int32_t rank, int32_t ranks);

/// The same where the others' addends are read in their memory: x[member] is
/// where `count` elements begin, and y where they go, which may be this one's
/// x.
void addDirectly(cudaStream_t stream, tert_dtype dtype,
                 const std::vector<const char *> &x, void *y, int64_t count);

/// Some bytes that go from one place to another, which may be another GPU's.
struct Copied {
  const void *from;
  void *to;
  int64_t bytes;
};

/// Copies all of them at once, by multiprocessors: for what is too small to be
/// worth a copy engine's start.
void copyAll(cudaStream_t stream, const std::vector<Copied> &copies);

} // namespace tert::nccl

#endif // TERT_NCCL_PEERKERNELS_H
