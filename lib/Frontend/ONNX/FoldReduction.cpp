// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluators of reductions and of scatters.

#include "ConstantFolding.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <limits>

using namespace mlir;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

namespace {
/// The dimensions that a reduction joins, and the resulting shape.
struct ReductionPlan {
  SmallVector<bool> joined;
  Shape shape;           ///< of the result
  Shape strides;         ///< of the result along the input's dimensions
  int64_t count, factor; ///< elements of the result, and joined in each
};
} // namespace

static FailureOr<ReductionPlan> planReduction(FoldContext &fold,
                                              const ConstantTensor &input) {
  int64_t rank = input.getRank();
  SmallVector<int64_t> axes;
  if (fold.hasInput(1)) {
    auto given = fold.getInts(1);
    if (failed(given))
      return failure();
    axes = *given;
  } else if (auto given = fold.node.getInts("axes")) {
    // Before opset 18.
    axes = *given;
  }
  bool keepsDims = fold.node.getInt("keepdims").value_or(1) != 0;
  bool emptyIsNone = fold.node.getInt("noop_with_empty_axes").value_or(0) != 0;
  ReductionPlan plan;
  plan.joined.assign(rank, axes.empty() && !emptyIsNone);
  for (int64_t axis : axes) {
    auto dim = fold.normalizeAxis(axis, rank);
    if (failed(dim))
      return failure();
    plan.joined[*dim] = true;
  }
  Shape kept;
  plan.factor = 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = input.getShape()[dim];
    kept.push_back(plan.joined[dim] ? 1 : size);
    if (plan.joined[dim])
      plan.factor *= size;
    if (!plan.joined[dim] || keepsDims)
      plan.shape.push_back(kept.back());
  }
  plan.strides = contiguousStrides(kept);
  auto count = fold.checkSize(kept);
  if (failed(count) || failed(fold.checkSize(input.getShape())))
    return failure();
  plan.count = *count;
  if (plan.factor == 0)
    return fold.fail("its input has no elements");
  return plan;
}

/// Reduces with `fn(result, element)`, starting with `start`.
template <typename T, typename Fn>
static std::vector<T> join(const ReductionPlan &plan,
                           const ConstantTensor &input, T start, Fn fn) {
  std::vector<T> values(plan.count, start);
  const T *from = input.data<T>();
  forEachOffset<2>(input.getShape(),
                   {input.getStrides(), ArrayRef<int64_t>(plan.strides)},
                   [&](int64_t i, int64_t j) { fn(values[j], from[i]); });
  return values;
}

enum class Joined { Sum, Mean, Max, Min, Product };

template <Joined what> static LogicalResult foldReduce(FoldContext &fold) {
  auto input = fold.getInput(0);
  if (failed(input))
    return failure();
  auto plan = planReduction(fold, **input);
  if (failed(plan))
    return failure();
  int32_t type = (*input)->getElementType();
  bool overflow = false;
  auto reduce = [&](auto tag) -> LogicalResult {
    using T = decltype(tag);
    constexpr bool isInt = std::is_same_v<T, int64_t>;
    T start = 0;
    if (what == Joined::Product)
      start = 1;
    if (what == Joined::Max)
      start = isInt ? std::numeric_limits<T>::min()
                    : -std::numeric_limits<T>::infinity();
    if (what == Joined::Min)
      start = isInt ? std::numeric_limits<T>::max()
                    : std::numeric_limits<T>::infinity();
    auto fn = [&](T &result, T element) {
      if constexpr (what == Joined::Max) {
        result = std::max(result, element);
      } else if constexpr (what == Joined::Min) {
        result = std::min(result, element);
      } else if constexpr (what == Joined::Product) {
        if constexpr (isInt)
          overflow |= bool(llvm::MulOverflow(result, element, result));
        else
          result *= element;
      } else {
        if constexpr (isInt)
          overflow |= bool(llvm::AddOverflow(result, element, result));
        else
          result += element;
      }
    };
    std::vector<T> values = join<T>(*plan, **input, start, fn);
    if (what == Joined::Mean)
      for (T &value : values)
        value /= T(plan->factor);
    if (overflow)
      return fold.fail("it overflows");
    return fold.succeed(ConstantTensor(std::move(values), plan->shape, type));
  };
  if ((*input)->isFloat())
    return reduce(float());
  if ((*input)->isInt() && what != Joined::Mean)
    return reduce(int64_t());
  return fold.fail("its input is not made of numbers");
}

/// The first (or last) position of the largest element along a dimension.
static LogicalResult foldArgMax(FoldContext &fold) {
  auto input = fold.getInput(0);
  if (failed(input))
    return failure();
  auto axis = fold.normalizeAxis(fold.node.getInt("axis").value_or(0),
                                 (*input)->getRank());
  if (failed(axis))
    return failure();
  bool keepsDims = fold.node.getInt("keepdims").value_or(1) != 0;
  bool last = fold.node.getInt("select_last_index").value_or(0) != 0;
  Shape shape((*input)->getShape()), strides((*input)->getStrides());
  int64_t size = shape[*axis], step = strides[*axis];
  if (size == 0)
    return fold.fail("its input has no elements");
  Shape outer = shape, outerStrides = strides;
  outer.erase(outer.begin() + *axis);
  outerStrides.erase(outerStrides.begin() + *axis);
  shape[*axis] = 1;
  if (failed(fold.checkSize((*input)->getShape())))
    return failure();
  auto find = [&](auto tag) {
    using T = decltype(tag);
    const T *from = (*input)->data<T>();
    std::vector<int64_t> values;
    forEachOffset<1>(
        outer, {ArrayRef<int64_t>(outerStrides)}, [&](int64_t base) {
          int64_t best = 0;
          for (int64_t i = 1; i < size; ++i) {
            T a = from[base + i * step], b = from[base + best * step];
            if (a > b || (last && a == b))
              best = i;
          }
          values.push_back(best);
        });
    return fold.succeed(ConstantTensor(
        std::move(values), keepsDims ? shape : outer, TensorProto::INT64));
  };
  if ((*input)->isFloat())
    return find(float());
  if ((*input)->isInt())
    return find(int64_t());
  return find(uint8_t());
}

static LogicalResult foldTile(FoldContext &fold) {
  auto input = fold.getInput(0);
  auto repeats = fold.getInts(1);
  if (failed(input) || failed(repeats))
    return failure();
  if (int64_t(repeats->size()) != (*input)->getRank())
    return fold.fail("its repeats do not fit its input");
  // A dimension of stride 0 before every one counts the repetitions.
  Shape shape, strides, result;
  for (auto [size, stride, count] : llvm::zip_equal(
           (*input)->getShape(), (*input)->getStrides(), *repeats)) {
    if (count < 0)
      return fold.fail("its repeats are negative");
    shape.append({count, size});
    strides.append({0, stride});
    result.push_back(count * size);
  }
  if (!countElements(shape) || failed(fold.checkSize(result)))
    return fold.fail("its result is too large");
  auto copy = fold.makeContiguous(
      (*input)->withShape(shape, strides, (*input)->getOffset()));
  if (failed(copy))
    return failure();
  return fold.succeed(
      copy->withShape(result, contiguousStrides(result), copy->getOffset()));
}

/// Writes at indices of [..., depth]; the last one wins.
static LogicalResult foldScatterND(FoldContext &fold) {
  auto data = fold.getInput(0), indices = fold.getInput(1),
       updates = fold.getInput(2);
  auto parts = fold.getInts(1);
  if (failed(data) || failed(updates) || failed(parts))
    return failure();
  if (fold.node.getString("reduction").value_or("none") != "none")
    return fold.fail("it combines what it writes with what was there");
  ArrayRef<int64_t> shape = (*data)->getShape();
  int64_t depth = (*indices)->getRank() ? (*indices)->getShape().back() : 0;
  if (depth < 1 || depth > int64_t(shape.size()))
    return fold.fail("its indices do not fit its input");
  int64_t size = *countElements(shape.drop_front(depth));
  int64_t writes = parts->size() / depth;
  if ((*updates)->getNumElements() != writes * size ||
      (*updates)->getElementType() != (*data)->getElementType() ||
      failed(fold.checkSize(shape)))
    return fold.fail("its updates do not fit its indices");
  auto write = [&](auto tag) -> LogicalResult {
    using T = decltype(tag);
    std::vector<T> values = (*data)->template toVector<T>(),
                   with = (*updates)->template toVector<T>();
    for (int64_t i = 0; i < writes; ++i) {
      int64_t row = 0;
      for (int64_t dim = 0; dim < depth; ++dim) {
        int64_t part = (*parts)[i * depth + dim];
        part += part < 0 ? shape[dim] : 0;
        if (part < 0 || part >= shape[dim])
          return fold.fail("an index is out of range");
        row = row * shape[dim] + part;
      }
      std::copy_n(with.begin() + i * size, size, values.begin() + row * size);
    }
    return fold.succeed(
        ConstantTensor(std::move(values), shape, (*data)->getElementType()));
  };
  if ((*data)->isInt())
    return write(int64_t());
  if ((*data)->isFloat())
    return write(float());
  return write(uint8_t());
}

void mlir::te::onnx_import::populateReductionFolds(FoldTable &table) {
  table["ReduceSum"] = foldReduce<Joined::Sum>;
  table["ReduceMean"] = foldReduce<Joined::Mean>;
  table["ReduceMax"] = foldReduce<Joined::Max>;
  table["ReduceMin"] = foldReduce<Joined::Min>;
  table["ReduceProd"] = foldReduce<Joined::Product>;
  table["ArgMax"] = foldArgMax;
  table["Tile"] = foldTile;
  table["ScatterND"] = foldScatterND;
}
