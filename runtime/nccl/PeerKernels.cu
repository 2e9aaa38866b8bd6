// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nccl/PeerKernels.h"

#include "cuda/Error.h"

#include <cuda_bf16.h>

#include <algorithm>

using namespace tert;
using namespace tert::nccl;

namespace {

constexpr int threads = 256;

//===-- Tables
//-------------------------------------------------------------===//

/// Work of many thread blocks: a kernel's parameter.
template <typename T, int most> struct Table {
  using Entry = T;
  static constexpr int capacity = most;
  int32_t count;
  int32_t ends[capacity]; ///< blocks of an entry and of those before
  Entry entries[capacity];
};
using AddendTable = Table<Addends, 64>;
using CopyTable = Table<Copied, 100>;

/// What block `index` of a table is: an entry, and which of its blocks.
template <typename Entry> struct Work {
  const Entry &entry;
  int64_t block;
};
template <typename Table>
__device__ Work<typename Table::Entry> findWork(const Table &table,
                                                int32_t index) {
  int32_t which = 0;
  while (table.ends[which] <= index)
    ++which;
  const int32_t before = which == 0 ? 0 : table.ends[which - 1];
  return {table.entries[which], int64_t(index) - before};
}

/// Splits a list into tables of a kernel: calls launch(table, blocks) for each,
/// whose entries have blocksOf(entry) blocks.
template <typename Table, typename BlocksFn, typename LaunchFn>
void launchTables(const std::vector<typename Table::Entry> &list,
                  const BlocksFn &blocksOf, const LaunchFn &launch) {
  Table table;
  for (size_t first = 0; first < list.size(); first += Table::capacity) {
    table.count =
        int32_t(std::min(list.size() - first, size_t(Table::capacity)));
    int64_t blocks = 0;
    for (int32_t i = 0; i < table.count; ++i) {
      table.entries[i] = list[first + i];
      blocks += blocksOf(list[first + i]);
      table.ends[i] = int32_t(blocks);
    }
    if (blocks > 0)
      launch(table, int32_t(blocks));
  }
}

//===-- Sums
//---------------------------------------------------------------===//

template <typename T> struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(T);
  T values[size];
};

__device__ float widen(float x) { return x; }
__device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T> __device__ T narrow(float x);
template <> __device__ float narrow(float x) { return x; }
template <> __device__ __nv_bfloat16 narrow(float x) {
  return __float2bfloat16_rn(x);
}

/// Loads of a thread that are under way: a link takes microseconds to answer.
/// Of memory two are enough, with which more threads find registers.
constexpr int loadsOfLinks = 4, loadsOfMemory = 2;
/// Elements that a block of addKernel adds up.
template <typename T>
constexpr int64_t blockElements =
    int64_t(threads) * 2 * loadsOfMemory * Vector<T>::size;

/// y[i], y[i + step], ... over the members, of elements of type V; xOf(member)
/// is where a member's begin.
template <int loadsUnderWay, typename T, typename V, typename XFn>
__device__ void addMembersAt(int64_t i, int64_t step, int64_t end,
                             int32_t members, const XFn &xOf, char *y) {
  constexpr int size = sizeof(V) / sizeof(T);
  float total[loadsUnderWay][size] = {};
  for (int32_t member = 0; member < members; ++member) {
    const V *x = reinterpret_cast<const V *>(xOf(member));
    V addends[loadsUnderWay];
#pragma unroll
    for (int n = 0; n < loadsUnderWay; ++n)
      if (i + n * step < end)
        addends[n] = x[i + n * step];
#pragma unroll
    for (int n = 0; n < loadsUnderWay; ++n) {
      const T *values = reinterpret_cast<const T *>(&addends[n]);
#pragma unroll
      for (int k = 0; k < size; ++k)
        total[n][k] = member == 0 ? widen(values[k])
                                  : __fadd_rn(total[n][k], widen(values[k]));
    }
  }
#pragma unroll
  for (int n = 0; n < loadsUnderWay; ++n) {
    if (i + n * step >= end)
      return;
    V result;
    T *values = reinterpret_cast<T *>(&result);
#pragma unroll
    for (int k = 0; k < size; ++k)
      values[k] = narrow<T>(total[n][k]);
    reinterpret_cast<V *>(y)[i + n * step] = result;
  }
}

/// Elements first, first + step, ... of `count`, as vectors where all members'
/// and y's are aligned.
template <int loadsUnderWay, typename T, typename XFn>
__device__ void addMembers(int64_t first, int64_t step, int64_t count,
                           bool isAligned, int32_t members, const XFn &xOf,
                           char *y) {
  using V = Vector<T>;
  const int64_t vectors = isAligned ? count / V::size : 0;
  for (int64_t i = first; i < vectors; i += step * loadsUnderWay)
    addMembersAt<loadsUnderWay, T, V>(i, step, vectors, members, xOf, y);
  for (int64_t i = vectors * V::size + first; i < count;
       i += step * loadsUnderWay)
    addMembersAt<loadsUnderWay, T, T>(i, step, count, members, xOf, y);
}

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
  // A rank's part may begin at any element.
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

//===-- Copies
//-------------------------------------------------------------===//

/// Loads that a thread has under way: a link takes microseconds to answer.
constexpr int copyLoads = 4;
constexpr int64_t copyBytes = int64_t(threads) * copyLoads * sizeof(uint4);

/// One block's copyBytes of an entry.
__device__ void copyBlock(const Copied &copied, int64_t block) {
  const int64_t first = block * copyBytes;
  const int64_t bytes = min(copyBytes, copied.bytes - first);
  const char *from = static_cast<const char *>(copied.from) + first;
  char *to = static_cast<char *>(copied.to) + first;
  const bool isAligned =
      ((reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to)) &
       15) == 0;
  const int vectors = isAligned ? int(bytes / sizeof(uint4)) : 0;
  uint4 loaded[copyLoads];
#pragma unroll
  for (int k = 0; k < copyLoads; ++k)
    if (int i = k * threads + threadIdx.x; i < vectors)
      loaded[k] = reinterpret_cast<const uint4 *>(from)[i];
#pragma unroll
  for (int k = 0; k < copyLoads; ++k)
    if (int i = k * threads + threadIdx.x; i < vectors)
      reinterpret_cast<uint4 *>(to)[i] = loaded[k];
  for (int64_t i = vectors * int64_t(sizeof(uint4)) + threadIdx.x; i < bytes;
       i += threads)
    to[i] = from[i];
}

/// Blocks take what there is in turn.
__global__ void __launch_bounds__(threads)
    copyKernel(const __grid_constant__ CopyTable table) {
  for (int32_t i = blockIdx.x; i < table.ends[table.count - 1];
       i += int32_t(gridDim.x)) {
    const auto [copied, block] = findWork(table, i);
    copyBlock(copied, block);
  }
}

} // namespace

void nccl::addDirectly(cudaStream_t stream, tert_dtype dtype,
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
  // Enough loads under way for a link's latency, on any GPU of today.
  constexpr int64_t mostBlocks = 132 * 8;
  const auto blocks =
      int32_t(std::min((count + threads - 1) / threads, mostBlocks));
  kernel<<<blocks, threads, 0, stream>>>(members, static_cast<char *>(y), count,
                                         bits % 16 == 0);
  cuda::check(cudaGetLastError(), "kernel that adds up what ranks have");
}

void nccl::copyAll(cudaStream_t stream, const std::vector<Copied> &copies,
                   int32_t mostBlocks) {
  launchTables<CopyTable>(
      copies,
      [](const Copied &copied) {
        return (copied.bytes + copyBytes - 1) / copyBytes;
      },
      [&](const CopyTable &table, int32_t blocks) {
        copyKernel<<<std::min(blocks, mostBlocks), threads, 0, stream>>>(table);
        cuda::check(cudaGetLastError(), "kernel that copies parts");
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

void nccl::addInOrder(cudaStream_t stream, tert_dtype dtype,
                      const std::vector<Addends> &addends, const char *copies,
                      int64_t stride, int32_t rank, int32_t ranks) {
  auto launch =
      dtype == TERT_BF16 ? launchAdds<__nv_bfloat16> : launchAdds<float>;
  launch(stream, addends, copies, stride, rank, ranks);
}
