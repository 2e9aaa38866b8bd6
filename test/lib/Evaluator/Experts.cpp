// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mixtures of experts, from the formulas of their descriptions.

#include "Evaluator.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::test;

void Evaluator::execute(GroupRowsOp op) {
  HostTensor &source = make(op.getSource(), -1), &slot = make(op.getSlot(), -1);
  HostTensor &groups = make(op.getGroups(), -1);
  const HostTensor &experts = get(op.getExperts());
  const int64_t alignment = op.getAlignment(), ranks = op.getRanks();
  const int64_t expertsOfRank = int64_t(op.getCount()) / ranks;
  const int64_t placesOfRank = source.size() / ranks;
  int64_t place = 0, end = 0;
  for (int64_t expert = 0; expert < int64_t(op.getCount()); ++expert) {
    if (expert % expertsOfRank == 0) {
      place = end;
      end += placesOfRank;
    }
    place = (place + alignment - 1) / alignment * alignment;
    for (int64_t row = 0; row < experts.size(); ++row) {
      if (experts[row] != expert || place >= end)
        continue;
      source[place] = row;
      slot[row] = place;
      groups[place++] = expert % expertsOfRank;
    }
  }
}

void Evaluator::execute(PermuteOp op) {
  const HostTensor &x = get(op.getX()), &source = get(op.getSource());
  const HostTensor *weights = op.getWeights() ? &get(op.getWeights()) : nullptr;
  const int64_t columns = x.shape[1], repeat = op.getRepeat();
  HostTensor y({source.size(), columns});
  for (int64_t i = 0; i < y.size(); ++i) {
    const auto row = static_cast<int64_t>(source[i / columns]);
    if (row >= 0)
      y[i] = x[row / repeat * columns + i % columns] *
             (weights ? (*weights)[row] : 1);
  }
  handOut(op, y, op.getY());
}

void Evaluator::execute(TakeRowsOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &x = get(op.getX()), &source = get(op.getSource());
  const int64_t columns = x.shape[1];
  for (int64_t i = 0; i < y.size(); ++i) {
    const auto row = static_cast<int64_t>(source[i / columns]);
    if (row >= 0)
      y[i] = x[row * columns + i % columns];
  }
}

void Evaluator::execute(UnpermuteOp op) {
  HostTensor &y = make(op.getY());
  const HostTensor &x = get(op.getX()), &slot = get(op.getSlot());
  const HostTensor *weights = op.getWeights() ? &get(op.getWeights()) : nullptr;
  const int64_t columns = x.shape[1], repeat = op.getRepeat();
  for (int64_t i = 0; i < y.size(); ++i) {
    Sum sum(round);
    for (int64_t j = 0; j < repeat; ++j) {
      const int64_t row = i / columns * repeat + j;
      if (slot[row] >= 0)
        sum.add(x[static_cast<int64_t>(slot[row]) * columns + i % columns] *
                (weights ? (*weights)[row] : 1));
    }
    y[i] = sum.get();
  }
}

void Evaluator::execute(PermuteWeightsGradOp op) {
  HostTensor &dweights = make(op.getDweights());
  const HostTensor &permuted = get(op.getPermuted()), &slot = get(op.getSlot());
  const HostTensor &tokens = get(op.getTokens());
  const int64_t columns = tokens.shape[1], repeat = op.getRepeat();
  for (int64_t row = 0; row < dweights.size(); ++row) {
    Sum sum(round);
    for (int64_t h = 0; slot[row] >= 0 && h < columns; ++h)
      sum.add(permuted[static_cast<int64_t>(slot[row]) * columns + h] *
              tokens[row / repeat * columns + h]);
    dweights[row] = sum.get();
  }
}

/// The sizes of a product of experts, and where it reads its operands.
struct ExpertSizes {
  int64_t rows, sums, columns;
  /// The operand's rows are the indices that are summed.
  bool isATransposed, isBTransposed;
};

/// Adds up the product of each expert. With wgrad `sums` are rows, each of the
/// expert that it has, and else the rows of a result have one.
static void multiply(const ExpertSizes &size, bool isWgrad, const HostTensor &a,
                     const HostTensor &b, const HostTensor &groups,
                     bool bIsOfColumns, std::vector<Sum> &sums) {
  auto at = [](const HostTensor &matrix, int64_t row, int64_t column,
               bool isTransposed) {
    return isTransposed ? matrix[column * matrix.shape[1] + row]
                        : matrix[row * matrix.shape[1] + column];
  };
  for (int64_t row = 0; row < size.rows; ++row)
    for (int64_t k = 0; k < size.sums; ++k) {
      const auto expert = static_cast<int64_t>(groups[isWgrad ? k : row]);
      if (expert < 0)
        continue;
      const double left = at(a, row, k, size.isATransposed);
      for (int64_t n = 0; n < size.columns; ++n) {
        int64_t inner = k, outer = n;
        if (!isWgrad)
          (bIsOfColumns ? outer : inner) +=
              expert * (bIsOfColumns ? size.columns : size.sums);
        const int64_t result = isWgrad ? expert * size.rows + row : row;
        sums[result * size.columns + n].add(
            left * at(b, inner, outer, size.isBTransposed));
      }
    }
}

void Evaluator::execute(ExpertMatmulOp op) {
  HostTensor &d = make(op.getD());
  const HostTensor &a = get(op.getA()), &b = get(op.getB());
  const bool isWgrad = op.isWgrad();
  ExpertSizes size = {a.shape[isWgrad ? 1 : 0], a.shape[isWgrad ? 0 : 1],
                      d.shape[1], isWgrad, op.getTransposeB()};
  std::vector<Sum> sums(d.size(), Sum(round));
  multiply(size, isWgrad, a, b, get(op.getGroups()), op.getTransposeB(), sums);
  for (auto [to, sum] : llvm::zip_equal(d.data, sums))
    to = sum.get();
}

void Evaluator::execute(ScaledExpertMatmulOp op) {
  HostTensor &d = make(op.getD());
  const HostTensor &a = get(op.getA()), &b = get(op.getB());
  ExpertSizes size = {a.shape[0], a.shape[1], d.shape[1],
                      /*isATransposed=*/false, /*isBTransposed=*/true};
  std::vector<Sum> sums(d.size(), Sum(round));
  multiply(size, op.isWgrad(), a, b, get(op.getGroups()), op.getTransposeB(),
           sums);
  const double scale = scalar(op.getAScaleInv()) * scalar(op.getBScaleInv());
  for (auto [to, sum] : llvm::zip_equal(d.data, sums))
    to = hold(sum.get() * scale);
}
