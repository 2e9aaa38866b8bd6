// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions that a random graph is made of, as a list of small numbers. A
// shorter list of smaller numbers is a simpler graph, and every list is one:
// reducing a failure is a search among lists (MacIver and Donaldson, Test-case
// reduction via test-case generation, ECOOP 2020).

#ifndef TE_TEST_FUZZ_CHOICES_H
#define TE_TEST_FUZZ_CHOICES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace mlir::te::fuzz {

class Choices {
public:
  /// Decides at random, the same for the same seed on every machine.
  explicit Choices(uint64_t seed) : seed(seed), isReplay(false) {}
  /// Repeats decisions; behind the last of them every decision is 0.
  explicit Choices(std::vector<uint32_t> decisions)
      : decisions(std::move(decisions)), isReplay(true) {}

  /// A number in [0, n). 0 should be the simplest of what is decided about.
  uint32_t below(uint32_t n);
  /// True once in `n` times.
  bool once(uint32_t n) { return below(n) == n - 1; }
  template <typename T> const T &among(llvm::ArrayRef<T> values) {
    return values[below(static_cast<uint32_t>(values.size()))];
  }

  /// What has been decided so far.
  llvm::ArrayRef<uint32_t> taken() const {
    return llvm::ArrayRef(decisions).take_front(next);
  }

  /// Decisions [begin, end) that belong together, such as those about one op:
  /// what a reduction tries to leave out.
  struct Span {
    size_t begin, end;
  };
  llvm::ArrayRef<Span> spans() const { return allSpans; }
  void beginSpan() { allSpans.push_back({next, next}); }
  void endSpan() { allSpans.back().end = next; }

private:
  uint64_t seed = 0;
  std::vector<uint32_t> decisions;
  llvm::SmallVector<Span> allSpans;
  size_t next = 0;
  bool isReplay;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_CHOICES_H
