// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Classifies attention masks by their values: all keys, the causal triangle, a
// window.

#ifndef TE_ANALYSIS_BANDMASK_H
#define TE_ANALYSIS_BANDMASK_H

#include <algorithm>
#include <cstdint>

namespace mlir::te {

/// Determines whether a mask is te.attention's `causal` and `window`. Both
/// count from the last key: query i is at key i + keys - queries.
class BandMask {
public:
  BandMask(int64_t queries, int64_t keys) : queries(queries), keys(keys) {}

  /// Adds a row of a mask, of which there may be several for one query;
  /// allows(key) is true if it sees a key.
  template <typename Allows> void addRow(int64_t query, Allows allows) {
    if (!band)
      return;
    int64_t first = 0, end = keys;
    while (first < keys && !allows(first))
      ++first;
    while (end > first && !allows(end - 1))
      --end;
    band = first < end;
    for (int64_t key = first; band && key < end; ++key)
      band = allows(key);
    int64_t own = query + keys - queries;
    mayBeCausal &= end == std::clamp<int64_t>(own + 1, 0, keys);
    mayBeOpen &= end == keys;
    int64_t reach = own + 1 - first; // number of visible keys up to its own
    if (first == 0) {
      longest = std::max(longest, reach);
    } else {
      band &= reach > 0 && (size == 0 || size == reach);
      size = reach;
    }
  }

  /// True if every row so far can be one of a causal triangle, a window, both
  /// or neither. A query that sees no key fits none of them: the result of its
  /// softmax depends on the form of the mask.
  bool isBand() const {
    return band && (mayBeCausal || mayBeOpen) && (size == 0 || longest <= size);
  }
  /// True if keys after a query's own are hidden.
  bool isCausal() const { return !mayBeOpen; }
  /// Number of keys up to its own that a query sees, or 0 for all.
  int64_t getWindow() const { return size; }
  /// True if every query sees all keys.
  bool isFull() const { return isBand() && mayBeOpen && size == 0; }

private:
  int64_t queries, keys;
  bool band = true, mayBeCausal = true, mayBeOpen = true;
  int64_t size = 0;    ///< the window's size, once an earlier key is hidden
  int64_t longest = 0; ///< reach of queries that see the first key
};

} // namespace mlir::te

#endif // TE_ANALYSIS_BANDMASK_H
