// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShapeRules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te::onnx_import;

static std::string toString(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? "," : "") + std::to_string(size);
  return text + "]";
}

std::optional<Shape>
mlir::te::onnx_import::broadcastShapes(ArrayRef<ArrayRef<int64_t>> shapes) {
  size_t rank = 0;
  for (ArrayRef<int64_t> shape : shapes)
    rank = std::max(rank, shape.size());
  Shape result(rank, 1);
  for (ArrayRef<int64_t> shape : shapes)
    for (auto [i, size] : llvm::enumerate(shape)) {
      int64_t &merged = result[rank - shape.size() + i];
      if (size == 1 || size == merged)
        continue;
      if (merged != 1)
        return std::nullopt;
      merged = size;
    }
  return result;
}

FailureOr<Shape>
mlir::te::onnx_import::resolveReshape(ArrayRef<int64_t> from,
                                      ArrayRef<int64_t> requested,
                                      bool allowZero, std::string &error) {
  Shape shape(requested);
  std::optional<size_t> inferred;
  Shape known;
  for (auto [i, size] : llvm::enumerate(shape)) {
    if (size == 0 && !allowZero) {
      if (i >= from.size()) {
        error = "its shape copies a dimension the input does not have";
        return failure();
      }
      size = from[i];
    }
    if (size < -1 || (size == -1 && inferred)) {
      error = "its shape " + toString(requested) + " is not valid";
      return failure();
    }
    if (size == -1)
      inferred = i;
    else
      known.push_back(size);
  }
  std::optional<int64_t> count = countElements(from);
  std::optional<int64_t> product = countElements(known);
  if (count && product && inferred && *product != 0 && *count % *product == 0) {
    shape[*inferred] = *count / *product;
    product = count;
  } else if (inferred) {
    product = std::nullopt;
  }
  if (!count || product != count) {
    error =
        "it cannot reshape " + toString(from) + " to " + toString(requested);
    return failure();
  }
  return shape;
}

FailureOr<SmallVector<SliceRange>> mlir::te::onnx_import::resolveSlice(
    ArrayRef<int64_t> shape, ArrayRef<int64_t> starts, ArrayRef<int64_t> ends,
    std::optional<ArrayRef<int64_t>> axes,
    std::optional<ArrayRef<int64_t>> steps, std::string &error) {
  SmallVector<SliceRange> ranges;
  for (int64_t size : shape)
    ranges.push_back({0, 1, size});
  int64_t rank = shape.size();
  if (starts.size() != ends.size() || (axes && axes->size() != starts.size()) ||
      (steps && steps->size() != starts.size()) ||
      (!axes && int64_t(starts.size()) > rank)) {
    error = "its starts, ends, axes and steps do not fit together";
    return failure();
  }
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t axis = axes ? (*axes)[i] : int64_t(i);
    int64_t step = steps ? (*steps)[i] : 1;
    if (axis < -rank || axis >= rank || step == 0 || step == INT64_MIN) {
      error = "its axes or steps are not valid";
      return failure();
    }
    axis += axis < 0 ? rank : 0;
    int64_t size = shape[axis], start = starts[i], end = ends[i];
    // Negative bounds count from the end; adding a size (at most 2^48) to a
    // negative number cannot overflow.
    start += start < 0 ? size : 0;
    end += end < 0 ? size : 0;
    int64_t count = 0;
    if (step > 0) {
      start = std::clamp<int64_t>(start, 0, size);
      end = std::clamp<int64_t>(end, 0, size);
      if (end > start)
        count = (end - start - 1) / step + 1;
    } else {
      start = std::clamp<int64_t>(start, -1, size - 1);
      end = std::clamp<int64_t>(end, -1, size - 1);
      if (start > end)
        count = (start - end - 1) / -step + 1;
    }
    // One element needs no step, and an empty slice no start.
    ranges[axis] = {count ? start : 0, count > 1 ? step : 1, count};
  }
  return ranges;
}

FailureOr<SmallVector<int64_t>>
mlir::te::onnx_import::resolvePermutation(const Node &node, int64_t rank,
                                          std::string &error) {
  SmallVector<int64_t> permutation;
  if (auto given = node.getInts("perm"))
    permutation = std::move(*given);
  else
    for (int64_t dim = rank - 1; dim >= 0; --dim)
      permutation.push_back(dim);
  SmallVector<bool> seen(rank, false);
  bool valid = int64_t(permutation.size()) == rank;
  for (int64_t dim : permutation) {
    valid = valid && dim >= 0 && dim < rank && !seen[dim];
    if (!valid)
      break;
    seen[dim] = true;
  }
  if (valid)
    return permutation;
  error = "its perm is not a permutation of " + std::to_string(rank) +
          " dimensions";
  return failure();
}

FailureOr<SmallVector<int64_t>>
mlir::te::onnx_import::resolveSplit(int64_t size, const ConstantTensor *split,
                                    std::optional<int64_t> pieces,
                                    std::string &error) {
  // No model splits a tensor into more pieces than this.
  constexpr int64_t kMaxPieces = 4096;
  SmallVector<int64_t> sizes;
  int64_t each = 1;
  if (split && split->isInt() && split->getRank() == 1) {
    if (split->getNumElements() <= kMaxPieces)
      sizes = split->toInts();
    int64_t total = 0;
    for (int64_t piece : sizes) {
      if (piece <= 0 || piece > size - total) {
        total = -1;
        break;
      }
      total += piece;
    }
    if (total == size)
      return sizes;
    error = "the sizes of its pieces do not add up to " + std::to_string(size);
    return failure();
  }
  if (split && split->isInt() && split->getRank() == 0)
    each = split->toInts().front();
  else if (!split && pieces && *pieces > 0)
    each = llvm::divideCeil(uint64_t(size), uint64_t(*pieces));
  else if (split || pieces)
    each = 0;
  if (each <= 0 || (size - 1) / each >= kMaxPieces) {
    error = "the size of its pieces is not valid";
    return failure();
  }
  for (int64_t at = 0; at < size; at += each)
    sizes.push_back(std::min(each, size - at));
  return sizes;
}

/// Marks the dimensions of `axes`, out of `rank`.
static FailureOr<SmallVector<bool>> markAxes(ArrayRef<int64_t> axes,
                                             int64_t rank, std::string &error) {
  SmallVector<bool> marked(rank, false);
  for (int64_t axis : axes) {
    int64_t dim = axis < 0 ? axis + rank : axis;
    if (dim < 0 || dim >= rank || marked[dim]) {
      error = "its axes " + toString(axes) + " are not valid";
      return failure();
    }
    marked[dim] = true;
  }
  return marked;
}

FailureOr<Shape> mlir::te::onnx_import::resolveUnsqueeze(
    ArrayRef<int64_t> shape, ArrayRef<int64_t> axes, std::string &error) {
  auto inserted = markAxes(axes, shape.size() + axes.size(), error);
  if (failed(inserted))
    return failure();
  Shape result;
  for (bool isNew : *inserted) {
    result.push_back(isNew ? 1 : shape.front());
    shape = isNew ? shape : shape.drop_front();
  }
  return result;
}

FailureOr<Shape>
mlir::te::onnx_import::resolveSqueeze(ArrayRef<int64_t> shape,
                                      std::optional<ArrayRef<int64_t>> axes,
                                      std::string &error) {
  SmallVector<bool> removed;
  if (axes) {
    auto marked = markAxes(*axes, shape.size(), error);
    if (failed(marked))
      return failure();
    removed = std::move(*marked);
  } else {
    for (int64_t size : shape)
      removed.push_back(size == 1);
  }
  Shape result;
  for (auto [size, isRemoved] : llvm::zip_equal(shape, removed)) {
    if (isRemoved && size != 1) {
      error = "it removes a dimension of " + std::to_string(size) + " elements";
      return failure();
    }
    if (!isRemoved)
      result.push_back(size);
  }
  return result;
}
