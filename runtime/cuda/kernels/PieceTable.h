// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work on many tensors in one launch: the pieces of all tensors form one list,
// and the table of tensors is the kernel's parameter.
#ifndef TERT_CUDA_KERNELS_PIECETABLE_H
#define TERT_CUDA_KERNELS_PIECETABLE_H

#include "cuda/kernels/Loops.h"

#include <vector>

namespace tert::cuda {

/// Capacity of tables. A kernel's parameters are copied with every launch, so a
/// small table is used if it suffices.
constexpr int fewEntries = 60;

#ifdef __CUDACC__
/// Index of the entry, of `count`, that contains `piece`. firstOf(i) is the
/// number of entry i's first piece; these ascend from zero.
template <typename Number, typename FirstFn>
__device__ inline int findEntry(int count, Number piece,
                                const FirstFn &firstOf) {
  int low = 0, high = count - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (firstOf(middle) <= piece)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/// Calls fn(line, column, i) for a thread's items of a piece, the i-th of
/// `perThread`. Items are numbered line by line, `perLine` each; `unrolled` of
/// them are computed side by side.
template <int threads, int perThread, int unrolled, typename Fn>
__device__ inline void forItems(uint32_t piece, int64_t lines, int64_t perLine,
                                const Fn &fn) {
  const int64_t first =
      int64_t(piece) * (threads * perThread) + int64_t(threadIdx.x);
  const int64_t count = lines * perLine;
#pragma unroll unrolled
  for (int i = 0; i < perThread; ++i) {
    const int64_t item = first + i * threads;
    const int64_t line = lines == 1 ? 0 : item / perLine;
    if (item < count)
      fn(line, item - line * perLine, i);
  }
}
#endif

/// An entry has `pieces()`, and a member `firstPiece` for the number of its
/// first one.
template <typename T, int entryCapacity> struct PieceTable {
  using Entry = T;
  static constexpr int capacity = entryCapacity;
  uint32_t pieces;
  int32_t count;
  Entry entries[entryCapacity];

#ifdef __CUDACC__
  __device__ const Entry &find(uint32_t piece) const {
    return entries[findEntry(count, piece,
                             [this](int i) { return entries[i].firstPiece; })];
  }
#endif
};

/// Calls launch(table) for tables that together contain all entries, each of at
/// most INT32_MAX pieces.
template <typename Table, typename LaunchFn>
void launchTables(const std::vector<typename Table::Entry> &entries,
                  const LaunchFn &launch) {
  // The numbers of pieces must fit.
  constexpr int64_t maxPieces = INT32_MAX;
  Table table;
  for (size_t next = 0; next < entries.size();) {
    int64_t pieces = 0;
    table.count = 0;
    for (; next < entries.size() && table.count < Table::capacity; ++next) {
      typename Table::Entry entry = entries[next];
      if (table.count > 0 && pieces + entry.pieces() > maxPieces)
        break;
      entry.firstPiece = uint32_t(pieces);
      pieces += entry.pieces();
      table.entries[table.count++] = entry;
    }
    table.pieces = uint32_t(pieces);
    launch(table);
  }
}

/// Launches the smallest table that fits all entries, or several: of few
/// entries, or of `many`.
template <int many, typename Entry, typename LaunchFn>
void launchEntries(const std::vector<Entry> &entries, const LaunchFn &launch) {
  if (entries.size() <= fewEntries)
    launchTables<PieceTable<Entry, fewEntries>>(entries, launch);
  else
    launchTables<PieceTable<Entry, many>>(entries, launch);
}

/// Entries of n tensors, or pairs of tensors. makeEntry(matrix..., entry) makes
/// one entry for each matrix of the i-th, or returns false. `rest(i)` is called
/// for tensors with a matrix that has no entry.
template <typename Entry, typename MakeFn, typename RestFn, typename... Tensors>
std::vector<Entry> makeEntries(int32_t n, const MakeFn &makeEntry,
                               const RestFn &rest, const Tensors *...tensors) {
  std::vector<Entry> entries;
  for (int32_t i = 0; i < n; ++i) {
    const size_t before = entries.size();
    bool isOdd = false;
    forEachMatrix(
        [&](const auto &...matrices) {
          Entry entry;
          isOdd = isOdd || !makeEntry(matrices..., entry) ||
                  entry.pieces() > INT32_MAX;
          if (!isOdd)
            entries.push_back(entry);
        },
        tensors[i]...);
    if (isOdd) {
      entries.resize(before);
      rest(i);
    }
  }
  return entries;
}

/// The widest word in bytes, up to 16, that divides lines of elements of
/// `bytes` each, in all of the matrices.
template <typename... Matrices>
int64_t widestWord(int64_t bytes, const Matrices &...matrices) {
  int64_t word = 16;
  while (word > bytes &&
         ((matrices.cols * bytes % word != 0 || !matrices.isAlignedTo(word)) ||
          ...))
    word /= 2;
  return word;
}

} // namespace tert::cuda

#endif // TERT_CUDA_KERNELS_PIECETABLE_H
