// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of sequences each rank has.
#ifndef TERT_TEST_RUNTIME_SEQUENCEREFERENCE_H
#define TERT_TEST_RUNTIME_SEQUENCEREFERENCE_H

#include "RankReference.h"

namespace tert_test {

struct SequenceCase {
  const char *name;
  std::vector<int64_t> sizes; ///< of a rank's part
  int32_t dim;
  bool balanced;

  /// The sizes of the whole.
  std::vector<int64_t> wholeSizes(int64_t ranks) const {
    std::vector<int64_t> whole = sizes;
    whole[dim] *= ranks;
    return whole;
  }
  /// Where in the whole element `at` of the part of rank `place` is.
  int64_t indexOf(int64_t ranks, int64_t place, int64_t at) const {
    int64_t inner = 1;
    for (size_t i = dim + 1; i < sizes.size(); ++i)
      inner *= sizes[i];
    const int64_t count = sizes[dim], half = count / 2;
    const int64_t outer = at / inner / count, i = at / inner % count;
    const int64_t position = !balanced ? place * count + i
                             : i < half
                                 ? place * half + i
                                 : (2 * ranks - 1 - place) * half + i - half;
    return (outer * count * ranks + position) * inner + at % inner;
  }
};

const std::vector<SequenceCase> sequenceCases = {
    {"first dimension", {8, 3}, 0, true},
    {"batch of one", {1, 6, 2, 5}, 1, true},
    {"batch", {3, 4, 2, 5}, 1, true},
    {"heads first", {2, 3, 4, 5}, 2, true},
    {"last dimension", {3, 10}, 1, true},
    {"in order", {3, 5, 7}, 1, false},
    {"vector", {6}, 0, true},
    {"nothing", {2, 0, 4}, 1, true},
    {"large", {2, 100, 130}, 1, true}};

/// What element `index` of the whole is.
inline uint64_t sequenceBits(int64_t index) {
  return uint64_t(index * 2654435761u % 251) + 1;
}

/// A rank's part of that whole.
inline Tensor sequencePart(const SequenceCase &c, int32_t dtype, int64_t ranks,
                           int64_t place) {
  Tensor part(dtype, c.sizes);
  for (int64_t i = 0; i < part.numElements(); ++i)
    part.setBits(i, sequenceBits(c.indexOf(ranks, place, i)));
  return part;
}

inline Tensor sequenceWhole(const SequenceCase &c, int32_t dtype,
                            int64_t ranks) {
  Tensor whole(dtype, c.wholeSizes(ranks));
  for (int64_t i = 0; i < whole.numElements(); ++i)
    whole.setBits(i, sequenceBits(i));
  return whole;
}

/// The same, of which nothing but a rank's part is there.
inline Tensor sequenceOwn(const SequenceCase &c, int32_t dtype, int64_t ranks,
                          int64_t place) {
  Tensor whole(dtype, c.wholeSizes(ranks));
  int64_t count = 1;
  for (int64_t size : c.sizes)
    count *= size;
  for (int64_t i = 0; i < whole.numElements(); ++i)
    whole.setBits(i, 0);
  for (int64_t i = 0; i < count; ++i) {
    const int64_t index = c.indexOf(ranks, place, i);
    whole.setBits(index, sequenceBits(index));
  }
  return whole;
}

/// A rank's part where it lies in the whole.
class PartInPlace {
public:
  PartInPlace(const SequenceCase &c, const tert_tensor &whole, int64_t place)
      : layout(*whole.layout) {
    layout.sizes[c.dim] = c.sizes[c.dim];
    part = {static_cast<char *>(whole.data) + place * c.sizes[c.dim] *
                                                  layout.strides[c.dim] *
                                                  bytesOf(layout.dtype),
            &layout};
  }
  PartInPlace(const PartInPlace &) = delete;
  PartInPlace &operator=(const PartInPlace &) = delete;

  operator const tert_tensor *() const { return &part; }

private:
  tert_layout layout;
  tert_tensor part;
};

/// Terms of a sum of wholes, in which the order of additions shows.
inline Tensor sequenceTerm(const SequenceCase &c, int32_t dtype, int64_t ranks,
                           int32_t rank) {
  Tensor term(dtype, c.wholeSizes(ranks));
  const Tensor values =
      gradientOf(rank, dtype == TERT_BF16 ? 1 : 0, term.numElements());
  for (int64_t i = 0; i < term.numElements(); ++i)
    term.setBits(i, values.bitsAt(i));
  return term;
}

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_SEQUENCEREFERENCE_H
