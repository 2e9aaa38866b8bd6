// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/LoopLabels.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

#include <tuple>

using namespace mlir;
using namespace mlir::te;

Digits mlir::te::wholeLoop(unsigned loop, int64_t size) {
  return size == 1 ? Digits() : Digits{{loop, size, 1}};
}

Digits mlir::te::normalize(ArrayRef<Digit> digits) {
  Digits joined;
  for (Digit digit : digits) {
    if (digit.size == 1)
      continue;
    if (!joined.empty()) {
      Digit &last = joined.back();
      bool repeat = last.loop == kRepeats && digit.loop == kRepeats;
      if (repeat || (last.loop == digit.loop &&
                     last.stride == digit.stride * digit.size)) {
        last.size *= digit.size;
        last.stride = digit.stride;
        continue;
      }
    }
    joined.push_back(digit);
  }
  return joined;
}

/// From the first loop to the last, each from its slowest digit on.
static Digits sorted(ArrayRef<Digit> digits) {
  Digits result = normalize(digits);
  llvm::sort(result, [](const Digit &a, const Digit &b) {
    return std::tuple(a.loop, -a.stride) < std::tuple(b.loop, -b.stride);
  });
  return normalize(result);
}

bool mlir::te::walksSame(ArrayRef<Digit> a, ArrayRef<Digit> b) {
  return sorted(a) == sorted(b);
}

Digits mlir::te::flatten(const Labels &labels) {
  Digits digits;
  for (const Digits &dimension : labels)
    digits.append(dimension);
  return digits;
}

int64_t mlir::te::countOf(ArrayRef<Digit> digits) {
  int64_t count = 1;
  for (const Digit &digit : digits)
    count *= digit.size;
  return count;
}

bool mlir::te::contains(ArrayRef<Digit> digits, unsigned loop) {
  return llvm::any_of(digits,
                      [&](const Digit &digit) { return digit.loop == loop; });
}

std::optional<Labels> mlir::te::relabel(const Labels &labels,
                                        ArrayRef<int64_t> shape) {
  Digits rest = flatten(labels);
  Labels result(shape.size());
  for (size_t dim = shape.size(); dim-- > 0;) {
    int64_t missing = shape[dim];
    Digits &digits = result[dim];
    while (missing != 1) {
      if (missing == 0 || rest.empty())
        return std::nullopt;
      Digit &last = rest.back();
      if (missing % last.size == 0) {
        missing /= last.size;
        digits.insert(digits.begin(), last);
        rest.pop_back();
      } else if (last.size % missing == 0) {
        digits.insert(digits.begin(), {last.loop, missing, last.stride});
        last = {last.loop, last.size / missing, last.stride * missing};
        missing = 1;
      } else {
        return std::nullopt;
      }
    }
  }
  if (countOf(rest) != 1)
    return std::nullopt;
  return result;
}

bool mlir::te::walksLike(const Labels &labels, const Labels &whole,
                         ArrayRef<unsigned> repeated) {
  Digits some = normalize(flatten(labels)), all = normalize(flatten(whole));
  auto *at = all.begin();
  for (const Digit &digit : some) {
    if (digit.loop != kRepeats) {
      if (at == all.end() || !(*at == digit))
        return false;
      ++at;
      continue;
    }
    int64_t missing = digit.size;
    for (; missing > 1 && at != all.end() && missing % at->size == 0 &&
           llvm::is_contained(repeated, at->loop);
         ++at)
      missing /= at->size;
    if (missing != 1)
      return false;
  }
  return at == all.end();
}

bool LabelledValue::goBeforeView(bool throughCasts) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!type || !type.hasStaticShape())
      return false;
    auto before = relabel(labels, type.getShape());
    if (!before)
      return false;
    value = op->getOperand(0);
    labels = std::move(*before);
    return true;
  }
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    if (!transpose.hasPureTensorSemantics())
      return false;
    Labels before(labels.size());
    for (auto [dim, from] : llvm::enumerate(transpose.getPermutation()))
      before[from] = labels[dim];
    value = transpose.getInput();
    labels = std::move(before);
    return true;
  }
  if (throughCasts && isa<arith::ExtFOp, arith::TruncFOp>(op)) {
    value = op->getOperand(0);
    return true;
  }
  return false;
}

bool LabelledValue::goBeforeBroadcast() {
  auto op = value.getDefiningOp<linalg::BroadcastOp>();
  if (!op || !op.hasPureTensorSemantics())
    return false;
  Labels before;
  for (auto [dim, digits] : llvm::enumerate(labels))
    if (!llvm::is_contained(op.getDimensions(), int64_t(dim)))
      before.push_back(digits);
  value = op.getInput();
  labels = std::move(before);
  return true;
}

/// Splits `digits` wherever those of `other` begin or end.
static Digits refine(ArrayRef<Digit> digits, ArrayRef<Digit> other) {
  Digits refined;
  for (Digit digit : digits) {
    // From the fastest; each piece is inserted before the others.
    SmallVector<int64_t> cuts;
    for (const Digit &cut : other)
      if (cut.loop == digit.loop)
        for (int64_t at : {cut.stride, cut.stride * cut.size})
          if (at > digit.stride && at < digit.stride * digit.size)
            cuts.push_back(at);
    llvm::sort(cuts);
    cuts.erase(llvm::unique(cuts), cuts.end());
    int64_t end = digit.stride * digit.size;
    for (int64_t cut : llvm::reverse(cuts)) {
      refined.push_back({digit.loop, end / cut, cut});
      end = cut;
    }
    refined.push_back({digit.loop, end / digit.stride, digit.stride});
  }
  return refined;
}

Value mlir::te::reorder(OpBuilder &builder, Location loc, Value value,
                        ArrayRef<Digit> from, ArrayRef<Digit> to,
                        ArrayRef<int64_t> shape) {
  if (normalize(from) == normalize(to))
    return reshapeTo(builder, loc, value, shape);
  Digits source = refine(normalize(from), normalize(to));
  Digits target = refine(normalize(to), source);
  // The position of each digit of the target in the source; neighbours in both
  // move as one dimension.
  auto indexOf = [&](const Digit &digit) {
    return int64_t(llvm::find(source, digit) - source.begin());
  };
  SmallVector<int64_t> firsts; // in the target's order: first source index
  SmallVector<int64_t> sizes;
  int64_t last = -2;
  for (const Digit &digit : target) {
    int64_t index = indexOf(digit);
    if (index == last + 1) {
      sizes.back() *= digit.size;
    } else {
      firsts.push_back(index);
      sizes.push_back(digit.size);
    }
    last = index;
  }
  SmallVector<int64_t> order = llvm::to_vector(firsts);
  llvm::sort(order);
  SmallVector<int64_t> permutation, sourceShape(firsts.size());
  for (auto [dim, first] : llvm::enumerate(firsts)) {
    int64_t at = llvm::find(order, first) - order.begin();
    permutation.push_back(at);
    sourceShape[at] = sizes[dim];
  }
  value = reshapeTo(builder, loc, value, sourceShape);
  Value init = tensor::EmptyOp::create(builder, loc, sizes,
                                       tensorType(value).getElementType());
  value = linalg::TransposeOp::create(builder, loc, value, init, permutation)
              ->getResult(0);
  return reshapeTo(builder, loc, value, shape);
}
