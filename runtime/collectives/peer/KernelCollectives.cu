// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/KernelCollectives.h"

#include "collectives/peer/AbortFlag.h"
#include "collectives/peer/PeerWork.cuh"
#include "collectives/peer/ScalarTable.cuh"
#include "collectives/peer/ZeroedMemory.h"
#include "cuda/Error.h"

#include <functional>

using namespace tert;
using namespace tert::peer;

namespace {

/// Large blocks, so that few multiprocessors have enough loads in flight for a
/// link.
constexpr int threads = 512;
using Working = Shape<threads, 8, 8>;

//===-- Barriers ----------------------------------------------------------===//

/// Duties of a kernel besides its work; a kernel's parameter.
struct KernelRole {
  uint32_t *counters;   ///< of KernelCollectives
  bool isFirst, isLast; ///< kernel of a collective
  Mark mark;            ///< reported if it has a word
};

/// The word in which `from` signals its arrival to `to`.
__device__ uint32_t *wordOf(const Members &members, int32_t to, int32_t from) {
  return reinterpret_cast<uint32_t *>(members.memory[to]) + from;
}

/// Signals this member's arrival at a barrier and makes its writes visible to
/// the others.
__device__ void come(const Members &members, uint32_t number) {
  __threadfence_system();
  for (int32_t member = 0; member < members.ranks; ++member)
    if (member != members.rank)
      asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(
                       wordOf(members, member, members.rank)),
                   "r"(number)
                   : "memory");
}

/// Waits until the others have arrived.
__device__ void awaitMembers(const Members &members, uint32_t number) {
  for (int32_t member = 0; member < members.ranks; ++member) {
    if (member == members.rank)
      continue;
    for (int look = 1;; ++look) {
      uint32_t come;
      asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                   : "=r"(come)
                   : "l"(wordOf(members, members.rank, member))
                   : "memory");
      // A member may have arrived at the next one already, and numbers wrap
      // around.
      if (int32_t(come - number) >= 0)
        break;
      if (look % pollsPerAbortCheck == 0 && *members.isOver)
        return;
    }
  }
}

/// Calls work() on all threads between the barriers at the begin and end of a
/// collective.
template <typename WorkFn>
__device__ void runTogether(const Members &members, const KernelRole &turn,
                            const WorkFn &work) {
  const uint32_t before = turn.counters[0];
  if (turn.isFirst) {
    if (threadIdx.x == 0) {
      if (blockIdx.x == 0) {
        come(members, before + 1);
        if (turn.mark.word)
          reportBegin(turn.mark);
      }
      awaitMembers(members, before + 1);
    }
    __syncthreads();
  }
  work();
  if (!turn.isLast)
    return;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  __threadfence();
  if (atomicAdd(turn.counters + 1, 1u) != gridDim.x - 1)
    return;
  // All other blocks have read the counters.
  turn.counters[1] = 0;
  come(members, before + 2);
  awaitMembers(members, before + 2);
  turn.counters[0] = before + 2;
}

//===-- Kernels -----------------------------------------------------------===//

__global__ void __launch_bounds__(threads)
    copyTogetherKernel(const __grid_constant__ CopyTable table,
                       const __grid_constant__ Members members,
                       KernelRole turn) {
  runTogether(members, turn, [&] { copyEntries<Working>(table); });
}

template <typename T, typename Table>
__global__ void __launch_bounds__(threads)
    addTogetherKernel(const __grid_constant__ Table table,
                      const __grid_constant__ Members members,
                      KernelRole turn) {
  runTogether(members, turn,
              [&] { addEntries<Working, T>(table, members.ranks); });
}

/// Enqueues one kernel of a collective.
using Launch = std::function<void(const KernelRole &)>;

} // namespace

//===-- KernelCollectives -------------------------------------------------===//

KernelCollectives::KernelCollectives(const Members &members)
    : members(members), counters(static_cast<uint32_t *>(allocateZeroedMemory(
                            2 * sizeof(*counters), "counters"))) {}

KernelCollectives::~KernelCollectives() { cudaFree(counters); }

/// Launches the kernels of one collective; the first reports `mark`.
static void launchAll(const std::vector<Launch> &launches, uint32_t *counters,
                      Mark &mark) {
  for (size_t i = 0; i < launches.size(); ++i) {
    launches[i]({counters, i == 0, i + 1 == launches.size(), mark});
    cuda::check(cudaGetLastError(), "collective kernel");
    mark = {};
  }
}

void KernelCollectives::copy(cudaStream_t stream,
                             const std::vector<Copied> &copies,
                             int32_t maxBlocks) {
  std::vector<Launch> launches;
  auto add = [&](const CopyTable &table, int32_t blocks) {
    launches.push_back([=, all = members](const KernelRole &turn) {
      copyTogetherKernel<<<std::min(blocks, maxBlocks), threads, 0, stream>>>(
          table, all, turn);
    });
  };
  launchCopies<Working>(copies, add);
  // Others read this member's data, even if it needs none of theirs.
  if (launches.empty())
    add({}, 1);
  launchAll(launches, counters, pendingMark);
}

void KernelCollectives::add(cudaStream_t stream,
                            const std::vector<Summed> &sums,
                            int32_t maxBlocks) {
  std::vector<Launch> launches;
  launchSums<Working>(
      sums, members.ranks,
      [&](auto element, const auto &table, int32_t blocks) {
        launches.push_back([=, all = members](const KernelRole &turn) {
          addTogetherKernel<decltype(element), std::decay_t<decltype(table)>>
              <<<std::min(blocks, maxBlocks), threads, 0, stream>>>(table, all,
                                                                    turn);
        });
      });
  if (launches.empty())
    return copy(stream, {}, 1);
  launchAll(launches, counters, pendingMark);
}
