// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerLane.h"

#include "collectives/peer/PeerMemory.h"
#include "cuda/Error.h"

#include <algorithm>

using namespace tert;
using namespace tert::peer;

/// Offset of the words of KernelCollectives; those of StreamBarrier precede
/// them.
static constexpr size_t kernelsOffset = PeerLane::wordsBytes / 2;
static_assert(StreamBarrier::bytesFor(maxPeers) <= kernelsOffset);
static_assert(KernelCollectives::bytesFor(maxPeers) <=
              PeerLane::wordsBytes - kernelsOffset);

/// Half of the buffer is enough for a link's full rate. At least one block: the
/// driver does not share smaller allocations.
static int64_t strideFor(int32_t ranks) {
  constexpr int64_t all = int64_t(32) << 20;
  constexpr auto unit = int64_t(PeerMemory::blockBytes);
  static_assert(PeerLane::stagingBytes >= unit);
  return std::max(all / ranks / unit * unit, unit);
}

static std::vector<char *> behind(std::vector<char *> words, size_t offset) {
  for (char *&word : words)
    word += offset;
  return words;
}

static cuda::Event makeEvent() { return cuda::Event(cudaEventDisableTiming); }

PeerLane::PeerLane(int ordinal, int32_t rank, const std::vector<char *> &words,
                   std::vector<char *> staging, int32_t kernelBlocks,
                   const volatile uint32_t *isOver)
    : rank(rank), ranks(int32_t(words.size())), kernelBlocks(kernelBlocks),
      barrier(ordinal, rank, words),
      kernels(kernelBlocks ? std::make_unique<KernelCollectives>(Members(
                                 rank, behind(words, kernelsOffset), isOver))
                           : nullptr),
      staging(std::move(staging)), stride(strideFor(ranks)),
      adding(cuda::Stream::first()), fetched{makeEvent(), makeEvent()},
      added{makeEvent(), makeEvent()}, begun(makeEvent()) {
  if (kernels)
    return;
  void *memory = nullptr;
  cuda::check(cudaMalloc(&memory, 2 * size_t(ranks - 1) * size_t(stride)),
              "allocating memory for what other ranks send");
  copies = static_cast<char *>(memory);
}

PeerLane::~PeerLane() { cudaFree(copies); }

void PeerLane::begin(cudaStream_t stream, const Mark &mark) {
  cuda::check(cudaEventRecord(begun, stream), "recording an event");
  cuda::check(cudaStreamWaitEvent(adding, begun, 0), "waiting for an event");
  peer::begin(adding, mark);
}

void PeerLane::join(cudaStream_t stream) {
  cuda::check(cudaEventRecord(added[0], adding), "recording an event");
  cuda::check(cudaStreamWaitEvent(stream, added[0], 0), "waiting for an event");
}
