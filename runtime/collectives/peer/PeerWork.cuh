// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and sums by thread blocks over the memory of several GPUs.
#ifndef TERT_COLLECTIVES_PEER_PEERWORK_CUH
#define TERT_COLLECTIVES_PEER_PEERWORK_CUH

#include "collectives/peer/Members.h"
#include "collectives/peer/PeerKernels.h"

#include <cuda_bf16.h>

#include <algorithm>
#include <type_traits>
#include <vector>

namespace tert::peer {

//===-- Tables ------------------------------------------------------------===//

/// Work for many thread blocks, in units of one block: a kernel's parameter.
template <typename T, int most> struct Table {
  using Entry = T;
  static constexpr int capacity = most;
  int32_t count;
  int32_t ends[capacity]; ///< units of work of an entry and all before it
  Entry entries[capacity];
};
using CopyTable = Table<Copied, 100>;

/// Operands of a sum, of at most `most` members.
template <int32_t most> struct Sum {
  const char *x[most];
  char *y;
  int64_t count;
};
template <int32_t most> using SumTable = Table<Sum<most>, 40>;

/// How a thread block works: its threads, loads in flight per thread, and loads
/// per thread of one unit of work, each of 16 bytes.
template <int blockThreads, int loadsInFlight, int unitLoads> struct Shape {
  static constexpr int threads = blockThreads, loads = loadsInFlight;
  static constexpr int64_t unitBytes = int64_t(threads) * unitLoads * 16;
};

/// Unit `index` of a table: an entry, and the unit's index in it.
template <typename Entry> struct Work {
  const Entry &entry;
  int64_t unit;
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

/// Calls work(entry, index of the unit in it) for the units of a table that the
/// block takes, in turn with the others.
template <typename Table, typename WorkFn>
__device__ void forEachUnit(const Table &table, const WorkFn &work) {
  const int32_t units = table.count == 0 ? 0 : table.ends[table.count - 1];
  for (int32_t i = blockIdx.x; i < units; i += int32_t(gridDim.x)) {
    const auto [entry, unit] = findWork(table, i);
    work(entry, unit);
  }
}

/// Splits a list into tables of a kernel and calls launch(table, units) for
/// each; an entry has bytesOf(entry) bytes.
template <typename Shape, typename Table, typename BytesFn, typename LaunchFn>
void launchTables(const std::vector<typename Table::Entry> &list,
                  const BytesFn &bytesOf, const LaunchFn &launch) {
  Table table;
  for (size_t first = 0; first < list.size(); first += Table::capacity) {
    table.count =
        int32_t(std::min(list.size() - first, size_t(Table::capacity)));
    int64_t units = 0;
    for (int32_t i = 0; i < table.count; ++i) {
      table.entries[i] = list[first + i];
      units +=
          (bytesOf(list[first + i]) + Shape::unitBytes - 1) / Shape::unitBytes;
      table.ends[i] = int32_t(units);
    }
    if (units > 0)
      launch(table, int32_t(units));
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

/// The block's share of a table of sums.
template <typename Shape, typename T, typename Table>
__device__ void addEntries(const Table &table, int32_t ranks) {
  constexpr int64_t perUnit = Shape::unitBytes / int64_t(sizeof(T));
  forEachUnit(table, [&](const auto &sum, int64_t unit) {
    const int64_t first = unit * perUnit, bytes = unit * Shape::unitBytes;
    // A rank's shard may begin at any element.
    auto bits = reinterpret_cast<uintptr_t>(sum.y);
    for (int32_t member = 0; member < ranks; ++member)
      bits |= reinterpret_cast<uintptr_t>(sum.x[member]);
    addMembers<Shape::loads, T>(
        threadIdx.x, Shape::threads, min(perUnit, sum.count - first),
        bits % 16 == 0, ranks,
        [&](int32_t member) { return sum.x[member] + bytes; }, sum.y + bytes);
  });
}

template <typename Shape, typename T, int32_t most, typename LaunchFn>
void launchSumsOf(tert_dtype dtype, const std::vector<Summed> &sums,
                  const LaunchFn &launch) {
  std::vector<Sum<most>> list;
  for (const Summed &summed : sums) {
    if (summed.dtype != dtype)
      continue;
    Sum<most> &sum = list.emplace_back();
    std::copy(summed.x.begin(), summed.x.end(), sum.x);
    sum.y = static_cast<char *>(summed.y);
    sum.count = summed.count;
  }
  launchTables<Shape, SumTable<most>>(
      list, [](const Sum<most> &sum) { return sum.count * int64_t(sizeof(T)); },
      [&](const SumTable<most> &table, int32_t units) {
        launch(T(), table, units);
      });
}

/// Calls launch(element, table, units) for tables of all sums; `element` has
/// the type of their elements.
template <typename Shape, typename LaunchFn>
void launchSums(const std::vector<Summed> &sums, int32_t ranks,
                const LaunchFn &launch) {
  // A kernel's parameters are copied with every launch.
  constexpr int32_t few = 8;
  auto launchOf = [&](auto bound) {
    constexpr int32_t most = bound;
    launchSumsOf<Shape, float, most>(TERT_F32, sums, launch);
    launchSumsOf<Shape, __nv_bfloat16, most>(TERT_BF16, sums, launch);
  };
  if (ranks <= few)
    launchOf(std::integral_constant<int32_t, few>());
  else
    launchOf(std::integral_constant<int32_t, maxPeers>());
}

//===-- Copies ------------------------------------------------------------===//

/// Copies one unit of an entry.
template <typename Shape>
__device__ void copyUnit(const Copied &copied, int64_t unit) {
  constexpr int threads = Shape::threads, loads = Shape::loads;
  static_assert(Shape::unitBytes == int64_t(threads) * loads * sizeof(uint4));
  const int64_t first = unit * Shape::unitBytes;
  const int64_t bytes = min(Shape::unitBytes, copied.bytes - first);
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

/// The block's share of a table of copies.
template <typename Shape> __device__ void copyEntries(const CopyTable &table) {
  forEachUnit(table, [](const Copied &copied, int64_t unit) {
    copyUnit<Shape>(copied, unit);
  });
}

/// Calls launch(table, units) for tables of all copies.
template <typename Shape, typename LaunchFn>
void launchCopies(const std::vector<Copied> &copies, const LaunchFn &launch) {
  launchTables<Shape, CopyTable>(
      copies, [](const Copied &copied) { return copied.bytes; }, launch);
}

} // namespace tert::peer

#endif // TERT_COLLECTIVES_PEER_PEERWORK_CUH
