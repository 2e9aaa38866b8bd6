// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups of rows, and operands and results of products of experts, for tests of
// both backends.
#ifndef TERT_TEST_RUNTIME_EXPERTREFERENCE_H
#define TERT_TEST_RUNTIME_EXPERTREFERENCE_H

#include "TestTensor.h"

#include <algorithm>

namespace tert_test {

/// One product: `wgrad` and `transposeB` as in tert_expert_matmul, n columns of
/// d, and m rows of an expert's d or k, the summed dimension.
struct ExpertCase {
  std::vector<int64_t> rowsOfExperts;
  int64_t alignment, n, mOrK;
  bool transposeB, wgrad;
  int32_t aType, bType, dType;

  bool isScaled() const { return aType == TERT_F8E4M3 || aType == TERT_F8E5M2; }
  int64_t experts() const { return int64_t(rowsOfExperts.size()); }
};

/// Groups of an alignment with an unused tail, or in random order without.
inline Tensor expertGroups(const ExpertCase &c, int64_t tailBlocks = 1) {
  std::vector<int64_t> groups;
  for (int64_t expert = 0; expert < c.experts(); ++expert) {
    groups.insert(groups.end(), c.rowsOfExperts[expert], expert);
    while (groups.size() % c.alignment)
      groups.push_back(-1);
  }
  groups.insert(groups.end(), tailBlocks * c.alignment, -1);
  if (c.alignment == 1)
    std::shuffle(groups.begin(), groups.end(), std::mt19937(5));
  return Tensor(TERT_I32, {int64_t(groups.size())}).fill([&](int64_t i) {
    return double(groups[i]);
  });
}

/// The operands of a product and its result.
struct ExpertOperands {
  ExpertOperands(const ExpertCase &c, const Tensor &groups, int64_t gap = 0)
      : a(c.aType, aShape(c, groups.size(0)), gap),
        b(c.bType, bShape(c, groups.size(0)), gap),
        d(c.dType, {c.wgrad ? c.experts() * c.mOrK : groups.size(0), c.n},
          gap) {}

  static std::vector<int64_t> aShape(const ExpertCase &c, int64_t rows) {
    if (c.wgrad && c.isScaled())
      return {c.mOrK, rows};
    return {rows, c.mOrK};
  }
  static std::vector<int64_t> bShape(const ExpertCase &c, int64_t rows) {
    if (c.wgrad && c.isScaled())
      return {c.n, rows};
    if (c.wgrad)
      return {rows, c.n};
    if (c.transposeB)
      return {c.experts() * c.n, c.mOrK};
    if (c.isScaled())
      return {c.n, c.experts() * c.mOrK};
    return {c.experts() * c.mOrK, c.n};
  }

  /// Random finite values; with wgrad, rows of `a` without an expert are zero.
  void randomize(const ExpertCase &c, const Tensor &groups) {
    std::mt19937 generator(3);
    for (Tensor *x : {&a, &b}) {
      if (!c.isScaled()) {
        x->randomize(generator());
        continue;
      }
      // Values of some magnitudes; every third one is negative.
      for (int64_t i = 0; i < x->numElements(); ++i)
        x->setBits(i, 0x20 + generator() % 0x28 + (generator() % 3 ? 0 : 0x80));
    }
    clearUnused(c, groups);
  }

  /// The same with integers of -3 to 2.
  void randomizeIntegers(const ExpertCase &c, const Tensor &groups) {
    std::mt19937 generator(3);
    const int codes[] = {0x00, 0x38, 0xb8, 0x40, 0xc4}; // 0, 1, -1, 2, -3
    const int codes5[] = {0x00, 0x3c, 0xbc, 0x40, 0xc2};
    const double values[] = {0, 1, -1, 2, -3};
    for (Tensor *x : {&a, &b})
      for (int64_t i = 0; i < x->numElements(); ++i) {
        const int which = int(generator() % 5);
        if (!c.isScaled())
          x->set(i, values[which]);
        else
          x->setBits(i, x->layout.dtype == TERT_F8E4M3 ? codes[which]
                                                       : codes5[which]);
      }
    clearUnused(c, groups);
  }

  void clearUnused(const ExpertCase &c, const Tensor &groups) {
    for (int64_t row = 0; c.wgrad && row < groups.size(0); ++row)
      for (int64_t i = 0; groups.at(row) < 0 && i < c.mOrK; ++i)
        a.setBits(c.isScaled() ? i * groups.size(0) + row : row * c.mOrK + i,
                  0);
  }

  Tensor a, b, d;
};

/// What d holds, as sums in float64, and the sums of the magnitudes.
struct ExpertSums {
  ExpertSums(const ExpertCase &c, const Tensor &groups, const Tensor &a,
             const Tensor &b, const std::vector<double> &scales) {
    const int64_t rows = groups.size(0), n = c.n, size = c.mOrK;
    sums.resize((c.wgrad ? c.experts() * size : rows) * n);
    magnitudes.resize(sums.size());
    // As arrays, a as [rows, size], and b as [rows, n] or [expert, n, size].
    std::vector<double> left(rows * size), right(b.numElements());
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < size; ++i)
        left[row * size + i] =
            c.wgrad && c.isScaled() ? a.at(i, row) : a.at(row, i);
    if (c.wgrad) {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t j = 0; j < n; ++j)
          right[row * n + j] = c.isScaled() ? b.at(j, row) : b.at(row, j);
    } else {
      for (int64_t e = 0; e < c.experts(); ++e)
        for (int64_t j = 0; j < n; ++j)
          for (int64_t i = 0; i < size; ++i)
            right[(e * n + j) * size + i] = c.transposeB ? b.at(e * n + j, i)
                                            : c.isScaled()
                                                ? b.at(j, e * size + i)
                                                : b.at(e * size + i, j);
    }
    for (int64_t row = 0; row < rows; ++row) {
      const int64_t e = int64_t(groups.at(row));
      if (e < 0)
        continue;
      for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < size; ++i) {
          const int64_t at = c.wgrad ? (e * size + i) * n + j : row * n + j;
          const double product =
              left[row * size + i] * scales[e] *
              (c.wgrad ? right[row * n + j] : right[(e * n + j) * size + i]);
          sums[at] += product;
          magnitudes[at] += std::fabs(product);
        }
    }
  }

  /// `relative` is the bound of errors relative to the magnitudes.
  void expect(const Tensor &d, double relative, const std::string &what) const {
    ASSERT_EQ(d.numElements(), int64_t(sums.size())) << what;
    const double rounding = d.layout.dtype == TERT_BF16 ? 0x1p-8 : 0x1p-23;
    for (size_t i = 0; i < sums.size(); ++i)
      ASSERT_NEAR(d.at(i), sums[i],
                  relative * magnitudes[i] + rounding * std::fabs(sums[i]))
          << what << " at " << i / d.size(1) << "," << i % d.size(1);
    d.checkGaps();
  }

  std::vector<double> sums, magnitudes;
};

} // namespace tert_test

#endif // TERT_TEST_RUNTIME_EXPERTREFERENCE_H
