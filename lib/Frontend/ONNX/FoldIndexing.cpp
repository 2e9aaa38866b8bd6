// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluators of ops that pick elements by position.

#include "ConstantFolding.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

/// Calls `fn` with a value of the tensor's storage type.
template <typename Fn>
static LogicalResult dispatch(const ConstantTensor &tensor, Fn fn) {
  if (tensor.isInt())
    return fn(int64_t());
  if (tensor.isFloat())
    return fn(float());
  return fn(uint8_t());
}

static LogicalResult foldSlice(FoldContext &fold) {
  auto input = fold.getInput(0);
  auto starts = fold.getInts(1), ends = fold.getInts(2);
  if (failed(input) || failed(starts) || failed(ends))
    return failure();
  std::optional<SmallVector<int64_t>> optional[2];
  std::optional<ArrayRef<int64_t>> axesAndSteps[2];
  for (size_t i = 0; i < 2; ++i) {
    if (!fold.hasInput(3 + i))
      continue;
    auto given = fold.getInts(3 + i);
    if (failed(given))
      return failure();
    optional[i] = std::move(*given);
    axesAndSteps[i] = *optional[i];
  }
  auto ranges = resolveSlice((*input)->getShape(), *starts, *ends,
                             axesAndSteps[0], axesAndSteps[1], fold.error);
  if (failed(ranges))
    return failure();
  ConstantTensor result = **input;
  for (auto [axis, range] : llvm::enumerate(*ranges))
    result = result.slice(axis, range.start, range.step, range.count);
  return fold.succeed(std::move(result));
}

static LogicalResult foldGather(FoldContext &fold) {
  auto data = fold.getInput(0), indices = fold.getInput(1);
  auto positions = fold.getInts(1);
  if (failed(data) || failed(positions))
    return failure();
  auto axis = fold.normalizeAxis(fold.node.getInt("axis").value_or(0),
                                 (*data)->getRank());
  if (failed(axis))
    return failure();
  int64_t size = (*data)->getShape()[*axis];
  for (int64_t &position : *positions) {
    if (position < -size || position >= size)
      return fold.fail("an index is out of range");
    position += position < 0 ? size : 0;
  }
  // [before, positions, after], then the indices' own shape in the middle.
  ArrayRef<int64_t> before = (*data)->getShape().take_front(*axis),
                    after = (*data)->getShape().drop_front(*axis + 1);
  Shape shape(before);
  shape.append((*indices)->getShape().begin(), (*indices)->getShape().end());
  shape.append(after.begin(), after.end());
  auto count = fold.checkSize(shape);
  if (failed(count))
    return failure();
  ArrayRef<int64_t> strides = (*data)->getStrides();
  return dispatch(**data, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values;
    values.reserve(*count);
    const T *from = (*data)->data<T>();
    forEachOffset<1>(before, {strides.take_front(*axis)}, [&](int64_t outer) {
      for (int64_t position : *positions)
        forEachOffset<1>(
            after, {strides.drop_front(*axis + 1)}, [&](int64_t inner) {
              values.push_back(from[outer + position * strides[*axis] + inner]);
            });
    });
    return fold.succeed(
        ConstantTensor(std::move(values), shape, (*data)->getElementType()));
  });
}

static LogicalResult foldGatherND(FoldContext &fold) {
  auto data = fold.getInput(0), indices = fold.getInput(1);
  if (failed(data) || failed(indices))
    return failure();
  if (fold.node.getInt("batch_dims").value_or(0) != 0)
    return fold.fail("it has batch dimensions");
  if (!(*indices)->isInt() || (*indices)->getRank() < 1)
    return fold.fail("its indices are not an integer tensor");
  ArrayRef<int64_t> dataShape = (*data)->getShape();
  int64_t depth = (*indices)->getShape().back();
  if (depth < 1 || depth > (*data)->getRank())
    return fold.fail(
        "its indices have more parts than the data has dimensions");
  ArrayRef<int64_t> lookups = (*indices)->getShape().drop_back(),
                    rest = dataShape.drop_front(depth);
  Shape shape(lookups);
  shape.append(rest.begin(), rest.end());
  auto count = fold.checkSize(shape);
  if (failed(count))
    return failure();
  ArrayRef<int64_t> strides = (*data)->getStrides();
  const int64_t *index = (*indices)->data<int64_t>();
  int64_t part = (*indices)->getStrides().back();
  bool valid = true;
  LogicalResult result = dispatch(**data, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values;
    values.reserve(*count);
    const T *from = (*data)->data<T>();
    forEachOffset<1>(
        lookups, {(*indices)->getStrides().drop_back()}, [&](int64_t at) {
          int64_t base = 0;
          for (int64_t dim = 0; dim < depth; ++dim) {
            int64_t position = index[at + dim * part];
            if (position < -dataShape[dim] || position >= dataShape[dim]) {
              valid = false;
              return;
            }
            position += position < 0 ? dataShape[dim] : 0;
            base += position * strides[dim];
          }
          forEachOffset<1>(
              rest, {strides.drop_front(depth)},
              [&](int64_t inner) { values.push_back(from[base + inner]); });
        });
    if (!valid)
      return fold.fail("an index is out of range");
    return fold.succeed(
        ConstantTensor(std::move(values), shape, (*data)->getElementType()));
  });
  return result;
}

static LogicalResult foldGatherElements(FoldContext &fold) {
  auto data = fold.getInput(0), indices = fold.getInput(1);
  if (failed(data) || failed(indices))
    return failure();
  auto axis = fold.normalizeAxis(fold.node.getInt("axis").value_or(0),
                                 (*data)->getRank());
  if (failed(axis))
    return failure();
  ArrayRef<int64_t> dataShape = (*data)->getShape(),
                    shape = (*indices)->getShape();
  if (!(*indices)->isInt() || shape.size() != dataShape.size())
    return fold.fail("its indices do not fit the data");
  for (size_t dim = 0; dim < shape.size(); ++dim)
    if (int64_t(dim) != *axis && shape[dim] > dataShape[dim])
      return fold.fail("its indices are larger than the data");
  auto count = fold.checkSize(shape);
  if (failed(count))
    return failure();
  // Along the axis the index determines the position, not the result's.
  Shape strides((*data)->getStrides());
  int64_t along = strides[*axis], size = dataShape[*axis];
  strides[*axis] = 0;
  const int64_t *index = (*indices)->data<int64_t>();
  return dispatch(**data, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values;
    values.reserve(*count);
    const T *from = (*data)->data<T>();
    bool valid = true;
    forEachOffset<2>(shape,
                     {(*indices)->getStrides(), ArrayRef<int64_t>(strides)},
                     [&](int64_t i, int64_t base) {
                       int64_t position = index[i];
                       if (position < -size || position >= size) {
                         valid = false;
                         return;
                       }
                       position += position < 0 ? size : 0;
                       values.push_back(from[base + position * along]);
                     });
    if (!valid)
      return fold.fail("an index is out of range");
    return fold.succeed(
        ConstantTensor(std::move(values), shape, (*data)->getElementType()));
  });
}

/// Writes or adds at indices along an axis; the last of several wins.
static LogicalResult foldScatterElements(FoldContext &fold) {
  auto data = fold.getInput(0), indices = fold.getInput(1),
       updates = fold.getInput(2);
  if (failed(data) || failed(indices) || failed(updates))
    return failure();
  StringRef reduction = fold.node.getString("reduction").value_or("none");
  bool adds = reduction == "add";
  if (!adds && reduction != "none")
    return fold.fail("its reduction '" + reduction + "' is not known");
  ArrayRef<int64_t> shape = (*data)->getShape(),
                    written = (*indices)->getShape();
  auto axis = fold.normalizeAxis(fold.node.getInt("axis").value_or(0),
                                 (*data)->getRank());
  if (failed(axis) || failed(fold.checkSize(shape)) ||
      failed(fold.checkSize(written)))
    return failure();
  bool fits = (*indices)->isInt() && written.size() == shape.size() &&
              (*updates)->getShape() == written &&
              (*updates)->getElementType() == (*data)->getElementType();
  for (size_t dim = 0; fits && dim < shape.size(); ++dim)
    fits = int64_t(dim) == *axis || written[dim] <= shape[dim];
  if (!fits)
    return fold.fail("its indices do not fit its input");
  if (adds && (*data)->isBool())
    return fold.fail("it adds truth values");
  // Along the axis the index determines the position, not the updates'.
  Shape strides = contiguousStrides(shape);
  int64_t along = strides[*axis], size = shape[*axis];
  strides[*axis] = 0;
  const int64_t *index = (*indices)->data<int64_t>();
  return dispatch(**data, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values = (*data)->template toVector<T>();
    const T *from = (*updates)->template data<T>();
    bool valid = true, overflow = false;
    forEachOffset<3>(written,
                     {(*indices)->getStrides(), (*updates)->getStrides(),
                      ArrayRef<int64_t>(strides)},
                     [&](int64_t i, int64_t update, int64_t base) {
                       int64_t position = index[i] + (index[i] < 0 ? size : 0);
                       if (position < 0 || position >= size) {
                         valid = false;
                         return;
                       }
                       T &at = values[base + position * along];
                       if (!adds)
                         at = from[update];
                       else if constexpr (std::is_same_v<T, int64_t>)
                         overflow |=
                             bool(llvm::AddOverflow(at, from[update], at));
                       else
                         at += from[update];
                     });
    if (!valid)
      return fold.fail("an index is out of range");
    if (overflow)
      return fold.fail("it overflows");
    return fold.succeed(
        ConstantTensor(std::move(values), shape, (*data)->getElementType()));
  });
}

template <typename T>
static std::vector<T> cumSum(std::vector<T> values, ArrayRef<int64_t> shape,
                             int64_t axis, bool exclusive, bool reverse,
                             bool &overflow) {
  int64_t size = shape[axis];
  int64_t inner = *countElements(shape.drop_front(axis + 1));
  int64_t outer = *countElements(shape.take_front(axis));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      T sum = 0;
      for (int64_t step = 0; step < size; ++step) {
        int64_t position = reverse ? size - 1 - step : step;
        T &at = values[(o * size + position) * inner + i];
        T before = sum;
        if constexpr (std::is_same_v<T, int64_t>)
          overflow |= bool(llvm::AddOverflow(sum, at, sum));
        else
          sum += at;
        at = exclusive ? before : sum;
      }
    }
  return values;
}

static LogicalResult foldCumSum(FoldContext &fold) {
  auto input = fold.getInput(0);
  auto axes = fold.getInts(1);
  if (failed(input) || failed(axes))
    return failure();
  if (axes->size() != 1)
    return fold.fail("its axis is not a scalar");
  auto axis = fold.normalizeAxis(axes->front(), (*input)->getRank());
  if (failed(axis) || failed(fold.checkSize((*input)->getShape())))
    return failure();
  bool exclusive = fold.node.getInt("exclusive").value_or(0) != 0;
  bool reverse = fold.node.getInt("reverse").value_or(0) != 0;
  ArrayRef<int64_t> shape = (*input)->getShape();
  int32_t type = (*input)->getElementType();
  bool overflow = false;
  if ((*input)->isFloat())
    return fold.succeed(
        ConstantTensor(cumSum((*input)->toVector<float>(), shape, *axis,
                              exclusive, reverse, overflow),
                       shape, type));
  if (!(*input)->isInt())
    return fold.fail("its input is not numeric");
  auto values = cumSum((*input)->toVector<int64_t>(), shape, *axis, exclusive,
                       reverse, overflow);
  if (overflow)
    return fold.fail("it overflows");
  return fold.succeed(ConstantTensor(std::move(values), shape, type));
}

static LogicalResult foldTrilu(FoldContext &fold) {
  auto input = fold.getInput(0);
  if (failed(input) || failed(fold.checkSize((*input)->getShape())))
    return failure();
  if ((*input)->getRank() < 2)
    return fold.fail("its input is not a matrix");
  int64_t diagonal = 0;
  if (fold.hasInput(1)) {
    auto k = fold.getInts(1);
    if (failed(k) || k->size() != 1)
      return fold.fail("its k is not a scalar");
    diagonal =
        std::clamp<int64_t>(k->front(), -(int64_t(1) << 40), int64_t(1) << 40);
  }
  bool upper = fold.node.getInt("upper").value_or(1) != 0;
  ArrayRef<int64_t> shape = (*input)->getShape();
  int64_t rows = shape.take_back(2)[0], columns = shape.back();
  return dispatch(**input, [&](auto tag) {
    using T = decltype(tag);
    std::vector<T> values = (*input)->template toVector<T>();
    for (size_t at = 0; at < values.size(); ++at) {
      int64_t row = int64_t(at) / columns % rows,
              column = int64_t(at) % columns;
      bool keep = upper ? column - row >= diagonal : column - row <= diagonal;
      values[at] = keep ? values[at] : T(0);
    }
    return fold.succeed(
        ConstantTensor(std::move(values), shape, (*input)->getElementType()));
  });
}

void mlir::te::onnx_import::populateIndexingFolds(FoldTable &table) {
  table["Slice"] = foldSlice;
  table["Gather"] = foldGather;
  table["GatherND"] = foldGatherND;
  table["GatherElements"] = foldGatherElements;
  table["ScatterElements"] = foldScatterElements;
  table["CumSum"] = foldCumSum;
  table["Trilu"] = foldTrilu;
}
