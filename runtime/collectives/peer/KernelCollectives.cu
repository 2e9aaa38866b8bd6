// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/KernelCollectives.h"

#include "cuda/Error.h"
#include "collectives/peer/AbortFlag.h"
#include "collectives/peer/PeerWork.cuh"
#include "collectives/peer/ScalarTable.cuh"
#include "collectives/peer/ZeroedMemory.h"

#include <functional>

using namespace tert;
using namespace tert::peer;

/// A kernel's parameter.
struct KernelCollectives::KernelArguments {
  int32_t rank, ranks;
  uint32_t *words[maxPeers]; ///< of each member: arrival counts
  uint32_t *counters;
  const volatile uint32_t *isOver;
};

namespace {

/// Large blocks, so that few multiprocessors have enough loads in flight for a
/// link.
constexpr int threads = 512, loads = 8;

//===-- Barriers ----------------------------------------------------------===//

using KernelArguments = KernelCollectives::KernelArguments;

/// Duties of a kernel besides its work; a kernel's parameter.
struct KernelRole {
  bool isFirst, isLast; ///< kernel of a collective
  Mark mark;            ///< reported if it has a word
};

/// Signals this member's arrival at a barrier and makes its writes visible to
/// the others.
__device__ void come(const KernelArguments &places, uint32_t number) {
  __threadfence_system();
  for (int32_t member = 0; member < places.ranks; ++member)
    if (member != places.rank)
      asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(
                       places.words[member] + places.rank),
                   "r"(number)
                   : "memory");
}

/// Waits until the others have arrived.
__device__ void awaitMembers(const KernelArguments &places, uint32_t number) {
  for (int32_t member = 0; member < places.ranks; ++member) {
    if (member == places.rank)
      continue;
    for (int look = 1;; ++look) {
      uint32_t come;
      asm volatile("ld.acquire.sys.global.u32 %0, [%1];"
                   : "=r"(come)
                   : "l"(places.words[places.rank] + member)
                   : "memory");
      // A member may have arrived at the next one already, and numbers wrap
      // around.
      if (int32_t(come - number) >= 0)
        break;
      if (look % pollsPerAbortCheck == 0 && *places.isOver)
        return;
    }
  }
}

/// Calls work() on all threads between the barriers at the begin and end of a
/// collective.
template <typename WorkFn>
__device__ void runTogether(const KernelArguments &places,
                            const KernelRole &turn, const WorkFn &work) {
  const uint32_t before = places.counters[0];
  if (turn.isFirst) {
    if (threadIdx.x == 0) {
      if (blockIdx.x == 0) {
        come(places, before + 1);
        if (turn.mark.word)
          reportBegin(turn.mark);
      }
      awaitMembers(places, before + 1);
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
  if (atomicAdd(places.counters + 1, 1u) != gridDim.x - 1)
    return;
  // All other blocks have read the counters.
  places.counters[1] = 0;
  come(places, before + 2);
  awaitMembers(places, before + 2);
  places.counters[0] = before + 2;
}

//===-- Kernels -----------------------------------------------------------===//

__global__ void __launch_bounds__(threads)
    copyTogetherKernel(const __grid_constant__ CopyTable table,
                       const __grid_constant__ KernelArguments places,
                       KernelRole turn) {
  runTogether(places, turn, [&] {
    const int32_t blocks = table.count == 0 ? 0 : table.ends[table.count - 1];
    for (int32_t i = blockIdx.x; i < blocks; i += int32_t(gridDim.x)) {
      const auto [copied, block] = findWork(table, i);
      copyBlock<threads, loads>(copied, block);
    }
  });
}

/// Operands of a sum, of at most `most` members.
template <int32_t most> struct Sum {
  const char *x[most];
  char *y;
  int64_t count;
};
template <int32_t most> using SumTable = Table<Sum<most>, 40>;

/// Elements of a sum that a thread block adds at a time.
template <typename T>
constexpr int64_t elementsAtATime = int64_t(threads) * loads * Vector<T>::size;

template <typename T, typename Table>
__global__ void __launch_bounds__(threads)
    addTogetherKernel(const __grid_constant__ Table table,
                      const __grid_constant__ KernelArguments places,
                      KernelRole turn) {
  runTogether(places, turn, [&] {
    for (int32_t i = blockIdx.x; i < table.ends[table.count - 1];
         i += int32_t(gridDim.x)) {
      const auto work = findWork(table, i);
      const auto &sum = work.entry;
      const int64_t first = work.block * elementsAtATime<T>;
      const int64_t bytes = first * int64_t(sizeof(T));
      // A rank's shard may begin at any element.
      auto bits = reinterpret_cast<uintptr_t>(sum.y);
      for (int32_t member = 0; member < places.ranks; ++member)
        bits |= reinterpret_cast<uintptr_t>(sum.x[member]);
      addMembers<loads, T>(
          threadIdx.x, threads, min(elementsAtATime<T>, sum.count - first),
          bits % 16 == 0, places.ranks,
          [&](int32_t member) { return sum.x[member] + bytes; }, sum.y + bytes);
    }
  });
}

/// Enqueues one kernel of a collective.
using Launch = std::function<void(const KernelRole &)>;

template <typename T, int32_t most>
void listSums(cudaStream_t stream, const std::vector<Summed> &sums,
              tert_dtype dtype, int32_t maxBlocks,
              const KernelArguments &places, std::vector<Launch> &launches) {
  std::vector<Sum<most>> list;
  for (const Summed &summed : sums) {
    if (summed.dtype != dtype)
      continue;
    Sum<most> &sum = list.emplace_back();
    std::copy(summed.x.begin(), summed.x.end(), sum.x);
    sum.y = static_cast<char *>(summed.y);
    sum.count = summed.count;
  }
  launchTables<SumTable<most>>(
      list,
      [](const Sum<most> &of) {
        return (of.count + elementsAtATime<T> - 1) / elementsAtATime<T>;
      },
      [&](const SumTable<most> &table, int32_t blocks) {
        launches.push_back([=](const KernelRole &turn) {
          addTogetherKernel<T, SumTable<most>>
              <<<std::min(blocks, maxBlocks), threads, 0, stream>>>(
                  table, places, turn);
        });
      });
}

} // namespace

//===-- KernelCollectives
//-----------------------------------------------------===//

KernelCollectives::KernelCollectives(int32_t rank, std::vector<char *> words,
                                     const volatile uint32_t *isOver)
    : rank(rank), words(std::move(words)), isOver(isOver),
      counters(static_cast<uint32_t *>(
          allocateZeroedMemory(2 * sizeof(*counters), "counters"))) {}

KernelCollectives::~KernelCollectives() { cudaFree(counters); }

KernelCollectives::KernelArguments KernelCollectives::places() const {
  KernelArguments places = {};
  places.rank = rank;
  places.ranks = int32_t(words.size());
  for (size_t member = 0; member < words.size(); ++member)
    places.words[member] = reinterpret_cast<uint32_t *>(words[member]);
  places.counters = counters;
  places.isOver = isOver;
  return places;
}

/// Launches the kernels of one collective; the first reports `mark`.
static void launchAll(const std::vector<Launch> &launches, Mark &mark) {
  for (size_t i = 0; i < launches.size(); ++i) {
    launches[i]({i == 0, i + 1 == launches.size(), mark});
    cuda::check(cudaGetLastError(), "collective kernel");
    mark = {};
  }
}

void KernelCollectives::copy(cudaStream_t stream,
                             const std::vector<Copied> &copies,
                             int32_t maxBlocks) {
  std::vector<Launch> launches;
  auto add = [&](const CopyTable &table, int32_t blocks) {
    launches.push_back([=, all = places()](const KernelRole &turn) {
      copyTogetherKernel<<<std::min(blocks, maxBlocks), threads, 0, stream>>>(
          table, all, turn);
    });
  };
  launchTables<CopyTable>(
      copies,
      [](const Copied &copied) {
        return (copied.bytes + copyBytes<threads, loads> - 1) /
               copyBytes<threads, loads>;
      },
      add);
  // Others read this member's data, even if it needs none of theirs.
  if (launches.empty())
    add({}, 1);
  launchAll(launches, pendingMark);
}

void KernelCollectives::add(cudaStream_t stream,
                            const std::vector<Summed> &sums,
                            int32_t maxBlocks) {
  const KernelArguments all = places();
  std::vector<Launch> launches;
  // A kernel's parameters are copied with every launch.
  constexpr int32_t few = 8;
  auto list = [&](auto bound) {
    constexpr int32_t most = bound;
    listSums<float, most>(stream, sums, TERT_F32, maxBlocks, all, launches);
    listSums<__nv_bfloat16, most>(stream, sums, TERT_BF16, maxBlocks, all,
                                  launches);
  };
  if (all.ranks <= few)
    list(std::integral_constant<int32_t, few>());
  else
    list(std::integral_constant<int32_t, maxPeers>());
  if (launches.empty())
    return copy(stream, {}, 1);
  launchAll(launches, pendingMark);
}
