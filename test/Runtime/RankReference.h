// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ranks of a job have, and what their exchanges must give.
#ifndef TERT_TEST_RUNTIME_RANKREFERENCE_H
#define TERT_TEST_RUNTIME_RANKREFERENCE_H

#include "TestTensor.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tert_test {

/// Tensors as the list that a C function takes.
class Handles {
public:
  explicit Handles(const std::vector<Tensor> &tensors) {
    for (const Tensor &tensor : tensors)
      handles.push_back(tensor.get());
  }
  int32_t count() const { return int32_t(handles.size()); }
  const tert_tensor *data() const {
    return handles.empty() ? nullptr : handles.data();
  }
  tert_tensor &operator[](size_t k) { return handles[k]; }

private:
  std::vector<tert_tensor> handles;
};

/// Calls fn with every set of a mesh's axes, the empty one included.
template <typename Fn>
void forEachAxes(const std::vector<int32_t> &mesh, const Fn &fn) {
  for (int32_t axes = 0; axes < 1 << mesh.size(); ++axes)
    fn(axes);
}

/// The ranks whose places differ from `rank`'s in those axes alone: by looking
/// at every rank's coordinates.
inline std::vector<int32_t> membersOf(const std::vector<int32_t> &mesh,
                                      int32_t rank, int32_t axes) {
  auto coordinate = [&](int32_t of, size_t axis) {
    for (size_t k = mesh.size(); k-- > axis + 1;)
      of /= mesh[k];
    return of % mesh[axis];
  };
  int32_t count = 1;
  for (int32_t size : mesh)
    count *= size;
  std::vector<int32_t> members;
  for (int32_t other = 0; other < count; ++other) {
    bool same = true;
    for (size_t axis = 0; axis < mesh.size(); ++axis)
      same = same && ((axes >> axis & 1) ||
                      coordinate(other, axis) == coordinate(rank, axis));
    if (same)
      members.push_back(other);
  }
  return members;
}

inline int64_t placeOf(const std::vector<int32_t> &members, int32_t rank) {
  return std::find(members.begin(), members.end(), rank) - members.begin();
}

/// Tensor number k of a rank; every second one is bf16. Its values are such
/// that the order of additions shows.
inline Tensor gradientOf(int32_t rank, size_t k, int64_t size) {
  Tensor tensor(k % 2 ? TERT_BF16 : TERT_F32, {size});
  uint32_t state = uint32_t(rank * 100 + int32_t(k) + 1) * 2654435761u;
  tensor.fill([&](int64_t) {
    state = state * 1664525u + 1013904223u;
    return (int32_t(state) >> 8) * (rank % 2 ? 0x1p-12 : 0x1p-23);
  });
  // -0 + -0 is -0, and 0 + -0 is not.
  if (size > 2)
    tensor.set(2, -0.0);
  return tensor;
}

/// ((x0 + x1) + x2) + ..., each sum rounded to float32, the last to the dtype.
inline Tensor sumInOrder(const std::vector<Tensor> &x) {
  Tensor sum = x[0];
  for (int64_t i = 0; i < sum.numElements(); ++i) {
    auto value = float(x[0].at(i));
    for (size_t r = 1; r < x.size(); ++r)
      value += float(x[r].at(i));
    sum.set(i, value);
  }
  return sum;
}

/// What an all_gather is about: element i of tensor k of a rank has bits of its
/// own. In place, `all` holds them already, and `own` nothing.
struct Gathered {
  Gathered(const std::vector<int32_t> &members, int32_t rank,
           const std::vector<int64_t> &sizes, bool inPlace) {
    const int32_t dtypes[] = {TERT_U8, TERT_F8E4M3, TERT_I64, TERT_F32,
                              TERT_BF16};
    const auto ranks = int64_t(members.size());
    for (size_t k = 0; k < sizes.size(); ++k) {
      own.push_back(Tensor(dtypes[k], {sizes[k]}));
      all.push_back(Tensor(dtypes[k], {ranks, sizes[k]}));
      offsets.push_back(placeOf(members, rank) * sizes[k]);
      expected.push_back(all[k]);
      for (int64_t r = 0; r < ranks; ++r)
        for (int64_t i = 0; i < sizes[k]; ++i)
          expected[k].setBits(r * sizes[k] + i, bits(members[r], k, i));
      for (int64_t i = 0; i < sizes[k]; ++i)
        if (inPlace)
          all[k].setBits(offsets[k] + i, bits(rank, k, i));
        else
          own[k].setBits(i, bits(rank, k, i));
    }
  }

  /// Bytes from the beginning of the whole to this rank's part.
  int64_t offset(size_t k) const {
    return offsets[k] * bytesOf(all[k].layout.dtype);
  }

  std::vector<Tensor> own, all, expected;

private:
  static uint64_t bits(int64_t member, size_t k, int64_t i) {
    return uint64_t(member * 31 + int64_t(k) * 7 + i) * 2654435761u;
  }
  std::vector<int64_t> offsets; ///< in elements
};

/// Maximum number i of a rank: 0, NaN and infinity among others. NaN has
/// either sign.
inline float amaxOf(int32_t rank, int32_t i) {
  if (i % 50 == 3)
    return rank == i / 50 ? (i / 50 % 2 ? -NAN : NAN) : INFINITY;
  if (i % 50 == 4)
    return rank == 1 ? INFINITY : float(rank);
  if (i % 50 == 5)
    return 0;
  if (i % 50 == 6) // whose bits are larger than those of positive numbers
    return rank == 0 ? -0.0f : float(rank);
  return std::ldexp(float((rank * 7 + i * 13) % 97), i % 20 - 10);
}
inline float addendOf(int32_t rank, int32_t i) {
  return std::ldexp(1.0f / float(3 + rank), (rank * 5 + i) % 9);
}

inline void expectScalars(const std::vector<int32_t> &members,
                          const Tensor &max, const Tensor &sum) {
  for (int64_t i = 0; i < max.numElements(); ++i) {
    float expected = 0;
    for (int32_t member : members) {
      const float value = amaxOf(member, int32_t(i));
      if (std::isnan(value) || value > expected)
        expected = value;
      if (std::isnan(value))
        break;
    }
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(max.at(i))) << i;
    else
      EXPECT_EQ(max.at(i), expected) << i;
  }
  for (int64_t i = 0; i < sum.numElements(); ++i) {
    float expected = addendOf(members[0], int32_t(i));
    for (size_t r = 1; r < members.size(); ++r)
      expected += addendOf(members[r], int32_t(i));
    EXPECT_EQ(float(sum.at(i)), expected) << i;
  }
}

/// A table, its rank's part, and rows to add to it.
struct TableOfRanks {
  TableOfRanks(const std::vector<int32_t> &members, int32_t rank, int64_t rows,
               int64_t cols, int64_t count, int32_t dtype)
      : rows(rows), size(ceilOf(rows * cols, int64_t(members.size()))),
        first(placeOf(members, rank) * size), ids(TERT_I64, {count}),
        dy(dtype, {count, cols}), whole(TERT_F32, {rows, cols}),
        part(TERT_F32, {size}) {
    // The first row often, others once or never.
    ids.fill([&](int64_t i) { return i % 2 ? 0 : i * i % rows; });
    dy.randomize(21);
    whole.randomize(22);
    for (int64_t i = 0; i < size; ++i)
      part.set(i, first + i < rows * cols ? whole.at(first + i) : padding);
  }

  /// Whether `after` has what `sum` has there, and the padding as it was.
  void expectPartOf(const Tensor &sum, const Tensor &after) const {
    for (int64_t i = 0; i < size; ++i)
      ASSERT_EQ(after.at(i),
                first + i < sum.numElements() ? sum.at(first + i) : padding)
          << i << " of " << size << " from " << first;
    after.checkGaps();
  }

  /// Whether `own` has those elements of the rows that are in the part, and
  /// zeros.
  void expectRowsOf(const Tensor &looked, const Tensor &own) const {
    const int64_t cols = looked.layout.sizes[1];
    for (int64_t i = 0; i < looked.numElements(); ++i) {
      const int64_t index = int64_t(ids.at(i / cols)) * cols + i % cols;
      ASSERT_EQ(own.at(i),
                index >= first && index < first + size ? looked.at(i) : 0)
          << i;
    }
    own.checkGaps();
  }

  static constexpr double padding = 7;
  static int64_t ceilOf(int64_t a, int64_t b) { return (a + b - 1) / b; }

  int64_t rows, size, first;
  Tensor ids, dy, whole, part;
};

/// Parts that are whole rows, that begin and end within them, that are less
/// than one, and those that have none of the table.
inline const std::vector<std::array<int64_t, 3>> tableSizes = {
    {64, 16, 40}, {509, 24, 90}, {3, 70, 5},  {7, 1, 9},
    {1, 1, 3},    {50, 301, 40}, {2, 520, 0}, {1, 3, 80}};

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_RANKREFERENCE_H
