// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work on many tensors in one launch: pieces of all of them are one list, and
// the table of tensors travels as the kernel's parameter.
#ifndef TERT_CUDA_KERNELS_PIECETABLE_H
#define TERT_CUDA_KERNELS_PIECETABLE_H

#include "cuda/kernels/Loops.h"

#include <vector>

namespace tert::cuda {

/// Of tables. Parameters of a kernel are copied with every launch: a small one
/// where it will do.
constexpr int fewEntries = 60;

#ifdef __CUDACC__
/// Which of `count` entries, whose first pieces ascend from zero, has `piece`:
/// firstOf(i) is the number of the i-th one's first.
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

/// Calls fn(line, column, i) for the items of a piece that a thread has, the
/// i-th of `perThread`. Items are numbered line by line, `perLine` to each;
/// `unrolled` says how many of them are computed side by side.
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

/// An entry has `pieces()`, and room for the number of its first one,
/// `firstPiece`.
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

/// Calls launch(table) for tables that together have all entries, none of which
/// has more than INT32_MAX pieces.
template <typename Table, typename LaunchFn>
void launchTables(const std::vector<typename Table::Entry> &entries,
                  const LaunchFn &launch) {
  // Never so many pieces that their numbers do not fit.
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

/// In the smallest table that has room for all entries, or else in several:
/// `Entry` in tables of few, or of `many`.
template <int many, typename Entry, typename LaunchFn>
void launchEntries(const std::vector<Entry> &entries, const LaunchFn &launch) {
  if (entries.size() <= fewEntries)
    launchTables<PieceTable<Entry, fewEntries>>(entries, launch);
  else
    launchTables<PieceTable<Entry, many>>(entries, launch);
}

/// The entries of n tensors, or pairs of them: makeEntry(matrix..., entry)
/// makes one of each matrix of the i-th, unless it returns false; `rest(i)` is
/// called for those of which one matrix has none.
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

/// The bytes of the widest words, up to 16, that make up lines of elements of
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
