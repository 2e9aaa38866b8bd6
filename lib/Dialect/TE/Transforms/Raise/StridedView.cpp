// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/StridedView.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::te;

Strides mlir::te::canonicalize(ArrayRef<Stride> loops) {
  Strides result;
  for (Stride loop : loops) {
    if (loop.size == 1)
      continue;
    if (!result.empty() && result.back().stride == loop.size * loop.stride)
      result.back() = {result.back().size * loop.size, loop.stride};
    else
      result.push_back(loop);
  }
  return result;
}

int64_t mlir::te::countOf(ArrayRef<Stride> loops) {
  int64_t count = 1;
  for (Stride loop : loops)
    count *= loop.size;
  return count;
}

bool mlir::te::moves(ArrayRef<Stride> loops) {
  return llvm::any_of(loops, [](Stride loop) { return loop.stride != 0; });
}

std::optional<SmallVector<Strides>>
mlir::te::splitLoops(ArrayRef<Stride> loops, ArrayRef<int64_t> shape) {
  Strides rest(loops);
  SmallVector<Strides> dims;
  // From the fastest.
  for (int64_t size : llvm::reverse(shape)) {
    Strides own;
    while (size > 1) {
      if (rest.empty())
        return std::nullopt;
      Stride &last = rest.back();
      if (size % last.size == 0) {
        own.push_back(last);
        size /= last.size;
        rest.pop_back();
      } else if (last.size % size == 0) {
        own.push_back({size, last.stride});
        last = {last.size / size, last.stride * size};
        size = 1;
      } else {
        return std::nullopt;
      }
    }
    if (size == 0)
      return std::nullopt;
    std::reverse(own.begin(), own.end());
    dims.push_back(canonicalize(own));
  }
  if (!rest.empty())
    return std::nullopt;
  std::reverse(dims.begin(), dims.end());
  return dims;
}

static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * shape[dim];
  return strides;
}

StridedView::StridedView(Value value) : source(value) {
  groups.push_back(canonicalize(Stride{tensorType(value).getNumElements(), 1}));
}

/// What the op that defines `value` takes its elements from.
static std::optional<StridedView> getInner(Value value) {
  Operation *op = value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!op || !type || !type.hasStaticShape() || type.getNumElements() == 0)
    return std::nullopt;
  // Strides of the source for each dimension of the value.
  auto view = [&](Value source, int64_t offset, ArrayRef<Stride> loops) {
    return StridedView(source, offset, {canonicalize(loops)});
  };
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op))
    return StridedView(op->getOperand(0));
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    if (ShapedType::isDynamicShape(slice.getStaticOffsets()) ||
        ShapedType::isDynamicShape(slice.getStaticStrides()))
      return std::nullopt;
    SmallVector<int64_t> strides = getStrides(slice.getSourceType().getShape());
    int64_t offset = 0;
    Strides loops;
    for (auto [dim, stride] : llvm::enumerate(strides)) {
      offset += slice.getStaticOffsets()[dim] * stride;
      loops.push_back({slice.getStaticSizes()[dim],
                       slice.getStaticStrides()[dim] * stride});
    }
    return view(slice.getSource(), offset, loops);
  }
  if (auto split = dyn_cast<SplitOp>(op)) {
    SmallVector<int64_t> strides =
        getStrides(tensorType(split.getX()).getShape());
    int64_t axis = split.getAxis(), first = 0;
    for (Value piece : split.getPieces()) {
      if (piece == value)
        break;
      first += tensorType(piece).getDimSize(axis);
    }
    Strides loops;
    for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
      loops.push_back({size, stride});
    return view(split.getX(), first * strides[axis], loops);
  }
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    SmallVector<int64_t> strides =
        getStrides(transpose.getInput().getType().getShape());
    Strides loops;
    for (auto [size, from] :
         llvm::zip_equal(type.getShape(), transpose.getPermutation()))
      loops.push_back({size, strides[from]});
    return view(transpose.getInput(), 0, loops);
  }
  if (auto broadcast = dyn_cast<linalg::BroadcastOp>(op)) {
    SmallVector<int64_t> strides =
        getStrides(broadcast.getInput().getType().getShape());
    Strides loops;
    auto next = strides.begin();
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      bool repeats = llvm::is_contained(broadcast.getDimensions(), dim);
      loops.push_back({size, repeats ? 0 : *next});
      if (!repeats)
        ++next;
    }
    return view(broadcast.getInput(), 0, loops);
  }
  return std::nullopt;
}

std::optional<StridedView> StridedView::over(const StridedView &inner) const {
  assert(inner.groups.size() == 1 && "expects one group");
  // The digits of a place in `source`, and where each of them starts.
  ArrayRef<Stride> digits = inner.groups.front();
  SmallVector<int64_t> units(digits.size(), 1), starts(digits.size());
  for (size_t i = digits.size(); i-- > 1;)
    units[i - 1] = units[i] * digits[i].size;
  int64_t start = inner.offset, rest = offset;
  for (size_t i = 0; i < digits.size(); ++i) {
    starts[i] = rest / units[i];
    rest %= units[i];
    start += starts[i] * digits[i].stride;
  }
  // How far each digit gets.
  SmallVector<int64_t> reach(starts);
  SmallVector<Strides> walked;
  for (ArrayRef<Stride> group : groups) {
    Strides result;
    // The slowest loop last; parts of a loop that fills a digit go on with the
    // next slower one.
    SmallVector<Stride> pending(group.rbegin(), group.rend());
    while (!pending.empty()) {
      auto [size, stride] = pending.pop_back_val();
      if (stride == 0) {
        result.push_back({size, 0});
        continue;
      }
      size_t i = 0;
      while (i < digits.size() && units[i] > stride)
        ++i;
      if (stride < 0 || i == digits.size() || stride % units[i] != 0)
        return std::nullopt;
      int64_t by = stride / units[i];
      if (starts[i] + (size - 1) * by < digits[i].size) {
        reach[i] += (size - 1) * by;
        result.push_back({size, by * digits[i].stride});
        continue;
      }
      int64_t filled = digits[i].size / by;
      if (i == 0 || digits[i].size % by != 0 || size % filled != 0 ||
          size == filled || filled <= 1)
        return std::nullopt;
      pending.push_back({filled, stride});
      pending.push_back({size / filled, stride * filled});
    }
    walked.push_back(canonicalize(result));
  }
  for (auto [end, digit] : llvm::zip_equal(reach, digits))
    if (end >= digit.size)
      return std::nullopt;
  return StridedView(inner.source, start, std::move(walked));
}

bool StridedView::goBefore() {
  std::optional<StridedView> inner = getInner(source);
  if (!inner)
    return false;
  std::optional<StridedView> result = over(*inner);
  if (!result)
    return false;
  *this = std::move(*result);
  return true;
}

Value StridedView::build(OpBuilder &builder, Location loc,
                         ArrayRef<unsigned> order,
                         ArrayRef<int64_t> shape) const {
  // The loops that move, from the largest stride to the smallest, are
  // dimensions of a reshaped source.
  SmallVector<Stride> wanted;
  for (unsigned group : order)
    llvm::append_range(wanted, groups[group]);
  SmallVector<unsigned> places;
  for (auto [number, loop] : llvm::enumerate(wanted))
    if (loop.stride != 0)
      places.push_back(number);
  SmallVector<unsigned> bySize(places);
  llvm::sort(bySize, [&](unsigned a, unsigned b) {
    return wanted[a].stride > wanted[b].stride;
  });
  RankedTensorType type = tensorType(source);
  int64_t above = type.getNumElements(), rest = offset;
  SmallVector<int64_t> sizes, starts, counts;
  for (unsigned number : bySize) {
    auto [size, stride] = wanted[number];
    if (stride <= 0 || above % stride != 0)
      return {};
    sizes.push_back(above / stride);
    starts.push_back(rest / stride);
    counts.push_back(size);
    if (starts.back() + size > sizes.back())
      return {};
    rest %= stride;
    above = stride;
  }
  if (above > 1) {
    sizes.push_back(above);
    starts.push_back(rest);
    counts.push_back(1);
  }
  Value value = reshapeTo(builder, loc, source, sizes);
  if (counts != sizes)
    value = sliceTensor(builder, loc, value, starts, counts,
                        SmallVector<int64_t>(sizes.size(), 1));
  SmallVector<int64_t> moved, permuted;
  for (unsigned number : bySize)
    moved.push_back(wanted[number].size);
  value = reshapeTo(builder, loc, value, moved);
  SmallVector<int64_t> permutation;
  for (unsigned number : places) {
    permutation.push_back(llvm::find(bySize, number) - bySize.begin());
    permuted.push_back(wanted[number].size);
  }
  auto empty = [&](ArrayRef<int64_t> dims) {
    return tensor::EmptyOp::create(builder, loc, dims, type.getElementType());
  };
  if (!llvm::is_sorted(permutation))
    value = linalg::TransposeOp::create(builder, loc, value, empty(permuted),
                                        permutation)
                ->getResult(0);
  SmallVector<int64_t> repeated, whole;
  for (auto [number, loop] : llvm::enumerate(wanted)) {
    whole.push_back(loop.size);
    if (loop.stride == 0)
      repeated.push_back(number);
  }
  if (!repeated.empty())
    value =
        linalg::BroadcastOp::create(builder, loc, value, empty(whole), repeated)
            ->getResult(0);
  return reshapeTo(builder, loc, value, shape);
}
