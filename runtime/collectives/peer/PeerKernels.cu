// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "collectives/peer/PeerKernels.h"

#include "cuda/Error.h"
#include "collectives/peer/PeerWork.cuh"

using namespace tert;
using namespace tert::peer;

namespace {

constexpr int threads = 256;

/// Elements that a block of addKernel adds.
template <typename T>
constexpr int64_t blockElements =
    int64_t(threads) * 2 * loadsOfMemory * Vector<T>::size;

using AddendTable = Table<Addends, 64>;

template <typename T>
__global__ void __launch_bounds__(threads)
    addKernel(const __grid_constant__ AddendTable table, const char *copies,
              int64_t stride, int32_t rank, int32_t ranks) {
  const auto [addends, block] = findWork(table, int32_t(blockIdx.x));
  const int64_t first = block * blockElements<T>;
  const int64_t bytes = first * int64_t(sizeof(T));
  const char *own = static_cast<const char *>(addends.own) + bytes;
  char *sum = static_cast<char *>(addends.sum) + bytes;
  copies += addends.offset + bytes;
  // A rank's shard may begin at any element.
  const bool isAligned =
      ((reinterpret_cast<uintptr_t>(own) | reinterpret_cast<uintptr_t>(sum)) &
       15) == 0;
  addMembers<loadsOfMemory, T>(
      threadIdx.x, threads, min(blockElements<T>, addends.count - first),
      isAligned, ranks,
      [&](int32_t member) {
        return member == rank ? own
                              : copies + (member - (member > rank)) * stride;
      },
      sum);
}

/// A kernel's parameter.
struct Members {
  int32_t count;
  const char *x[maxPeers];
};

template <typename T>
__global__ void __launch_bounds__(threads)
    addDirectlyKernel(const __grid_constant__ Members members, char *y,
                      int64_t count, bool isAligned) {
  addMembers<loadsOfLinks, T>(
      int64_t(blockIdx.x) * threads + threadIdx.x, int64_t(gridDim.x) * threads,
      count, isAligned, members.count,
      [&](int32_t member) { return members.x[member]; }, y);
}

/// Blocks process the entries round-robin.
__global__ void __launch_bounds__(threads)
    copyKernel(const __grid_constant__ CopyTable table) {
  for (int32_t i = blockIdx.x; i < table.ends[table.count - 1];
       i += int32_t(gridDim.x)) {
    const auto [copied, block] = findWork(table, i);
    copyBlock<threads, loadsOfLinks>(copied, block);
  }
}

} // namespace

void peer::addDirectly(cudaStream_t stream, tert_dtype dtype,
                       const std::vector<const char *> &x, void *y,
                       int64_t count) {
  if (count == 0)
    return;
  Members members = {};
  members.count = int32_t(x.size());
  uintptr_t bits = reinterpret_cast<uintptr_t>(y);
  for (size_t member = 0; member < x.size(); ++member) {
    members.x[member] = x[member];
    bits |= reinterpret_cast<uintptr_t>(x[member]);
  }
  auto kernel = dtype == TERT_BF16 ? addDirectlyKernel<__nv_bfloat16>
                                   : addDirectlyKernel<float>;
  // Enough loads in flight for a link's latency on any current GPU.
  constexpr int64_t maxBlocks = 132 * 8;
  const auto blocks =
      int32_t(std::min((count + threads - 1) / threads, maxBlocks));
  kernel<<<blocks, threads, 0, stream>>>(members, static_cast<char *>(y), count,
                                         bits % 16 == 0);
  cuda::check(cudaGetLastError(), "kernel that adds up what ranks have");
}

void peer::copyAll(cudaStream_t stream, const std::vector<Copied> &copies,
                   int32_t maxBlocks) {
  launchTables<CopyTable>(
      copies,
      [](const Copied &copied) {
        return (copied.bytes + copyBytes<threads, loadsOfLinks> - 1) /
               copyBytes<threads, loadsOfLinks>;
      },
      [&](const CopyTable &table, int32_t blocks) {
        copyKernel<<<std::min(blocks, maxBlocks), threads, 0, stream>>>(table);
        cuda::check(cudaGetLastError(), "shard copy kernel");
      });
}

template <typename T>
static void launchAdds(cudaStream_t stream, const std::vector<Addends> &addends,
                       const char *copies, int64_t stride, int32_t rank,
                       int32_t ranks) {
  launchTables<AddendTable>(
      addends,
      [](const Addends &of) {
        return (of.count + blockElements<T> - 1) / blockElements<T>;
      },
      [&](const AddendTable &table, int32_t blocks) {
        addKernel<T><<<blocks, threads, 0, stream>>>(table, copies, stride,
                                                     rank, ranks);
        cuda::check(cudaGetLastError(), "kernel that adds up what ranks sent");
      });
}

void peer::addInOrder(cudaStream_t stream, tert_dtype dtype,
                      const std::vector<Addends> &addends, const char *copies,
                      int64_t stride, int32_t rank, int32_t ranks) {
  auto launch =
      dtype == TERT_BF16 ? launchAdds<__nv_bfloat16> : launchAdds<float>;
  launch(stream, addends, copies, stride, rank, ranks);
}
