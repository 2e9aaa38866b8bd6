// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and sums by thread blocks over the memory of several GPUs.
#ifndef TERT_COLLECTIVES_PEER_PEERWORK_CUH
#define TERT_COLLECTIVES_PEER_PEERWORK_CUH

#include "collectives/peer/PeerKernels.h"

#include <cuda_bf16.h>

#include <algorithm>

namespace tert::peer {

//===-- Tables ------------------------------------------------------------===//

/// Work for many thread blocks: a kernel's parameter.
template <typename T, int most> struct Table {
  using Entry = T;
  static constexpr int capacity = most;
  int32_t count;
  int32_t ends[capacity]; ///< blocks of an entry and all before it
  Entry entries[capacity];
};
using CopyTable = Table<Copied, 100>;

/// The work of block `index` of a table: an entry, and the block's index in it.
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

/// Splits a list into tables of a kernel and calls launch(table, blocks) for
/// each; an entry has blocksOf(entry) blocks.
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

//===-- Sums --------------------------------------------------------------===//

template <typename T> struct alignas(16) Vector {
  static constexpr int size = 16 / sizeof(T);
  T values[size];
};

inline __device__ float widen(float x) { return x; }
inline __device__ float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
template <typename T> __device__ T narrow(float x);
template <> inline __device__ float narrow(float x) { return x; }
template <> inline __device__ __nv_bfloat16 narrow(float x) {
  return __float2bfloat16_rn(x);
}

/// Loads in flight per thread. A link takes microseconds to answer. For local
/// memory two suffice, and leave registers for more threads.
constexpr int loadsOfLinks = 4, loadsOfMemory = 2;
/// y[i], y[i + step], ... = sums over the members, as elements of type V;
/// xOf(member) is the start of a member's x.
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

/// Adds elements first, first + step, ... of `count`, as vectors if the
/// addresses of all members and y are aligned.
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

//===-- Copies ------------------------------------------------------------===//

/// Bytes that a block copies at a time, with `loads` loads in flight per
/// thread.
template <int threads, int loads>
constexpr int64_t copyBytes = int64_t(threads) * loads * sizeof(uint4);

/// Copies the block's copyBytes of an entry.
template <int threads, int loads>
__device__ void copyBlock(const Copied &copied, int64_t block) {
  const int64_t first = block * copyBytes<threads, loads>;
  const int64_t bytes = min(copyBytes<threads, loads>, copied.bytes - first);
  const char *from = static_cast<const char *>(copied.from) + first;
  char *to = static_cast<char *>(copied.to) + first;
  const bool isAligned =
      ((reinterpret_cast<uintptr_t>(from) | reinterpret_cast<uintptr_t>(to)) &
       15) == 0;
  const int vectors = isAligned ? int(bytes / sizeof(uint4)) : 0;
  uint4 loaded[loads];
#pragma unroll
  for (int k = 0; k < loads; ++k)
    if (int i = k * threads + threadIdx.x; i < vectors)
      loaded[k] = reinterpret_cast<const uint4 *>(from)[i];
#pragma unroll
  for (int k = 0; k < loads; ++k)
    if (int i = k * threads + threadIdx.x; i < vectors)
      reinterpret_cast<uint4 *>(to)[i] = loaded[k];
  for (int64_t i = vectors * int64_t(sizeof(uint4)) + threadIdx.x; i < bytes;
       i += threads)
    to[i] = from[i];
}

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERWORK_CUH
