// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluators of ops that create, concatenate and reshape constants.

#include "ConstantFolding.h"
#include "TensorReader.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

static LogicalResult foldConstantOfShape(FoldContext &fold) {
  auto shape = fold.getInts(0);
  if (failed(shape))
    return failure();
  if (!countElements(*shape))
    return fold.fail("its shape is not valid");
  ConstantTensor value(std::vector<float>{0.0f}, {1}, TensorProto::FLOAT);
  if (const TensorProto *given = fold.node.getTensor("value")) {
    auto read =
        TensorReader("", sizeof(double)).readConstant(*given, fold.error);
    if (failed(read))
      return failure();
    value = std::move(*read);
  }
  if (value.getNumElements() != 1)
    return fold.fail("its value is not a single element");
  return fold.succeed(value.withShape({}, {}, 0).broadcast(*shape));
}

static LogicalResult foldRange(FoldContext &fold) {
  auto start = fold.getInput(0), limit = fold.getInput(1),
       delta = fold.getInput(2);
  if (failed(start) || failed(limit) || failed(delta))
    return failure();
  for (const ConstantTensor *input : {*start, *limit, *delta})
    if (input->getNumElements() != 1)
      return fold.fail("its bounds are not scalars");
  if ((*start)->isInt() && (*limit)->isInt() && (*delta)->isInt()) {
    int64_t first = *(*start)->data<int64_t>(),
            end = *(*limit)->data<int64_t>(), step = *(*delta)->data<int64_t>();
    // The double only bounds the count; the exact one follows.
    double estimate =
        step ? (double(end) - double(first)) / double(step) : 1e30;
    if (!(estimate < 1e15) || std::abs(double(first)) > 1e15 ||
        std::abs(double(step)) > 1e15 || std::abs(double(end)) > 1e15)
      return fold.fail("it makes too many elements or has a step of 0");
    int64_t count = 0;
    if ((step > 0) == (end > first) && end != first)
      count = (std::abs(end - first) - 1) / std::abs(step) + 1;
    if (failed(fold.checkSize({count})))
      return failure();
    std::vector<int64_t> values(count);
    for (int64_t i = 0; i < count; ++i)
      values[i] = first + i * step;
    return fold.succeed(
        ConstantTensor(std::move(values), {count}, (*start)->getElementType()));
  }
  if ((*start)->isFloat() && (*limit)->isFloat() && (*delta)->isFloat()) {
    float first = *(*start)->data<float>(), end = *(*limit)->data<float>(),
          step = *(*delta)->data<float>();
    double count = std::ceil((double(end) - first) / step);
    if (!(std::abs(count) < 1e15))
      return fold.fail("it makes too many elements or has a step of 0");
    count = std::max(count, 0.0);
    if (failed(fold.checkSize({int64_t(count)})))
      return failure();
    std::vector<float> values(static_cast<size_t>(count));
    for (auto [i, value] : llvm::enumerate(values))
      value = first + float(i) * step;
    return fold.succeed(ConstantTensor(std::move(values), {int64_t(count)},
                                       (*start)->getElementType()));
  }
  return fold.fail("its bounds do not have the same type");
}

static LogicalResult foldExpand(FoldContext &fold) {
  auto input = fold.getInput(0);
  auto requested = fold.getInts(1);
  if (failed(input) || failed(requested))
    return failure();
  auto shape = broadcastShapes({(*input)->getShape(), *requested});
  if (!shape || !countElements(*shape))
    return fold.fail("its input does not broadcast to the shape");
  return fold.succeed((*input)->broadcast(*shape));
}

static LogicalResult reshape(FoldContext &fold, const ConstantTensor &input,
                             ArrayRef<int64_t> shape) {
  auto contiguous = fold.makeContiguous(input);
  if (failed(contiguous))
    return failure();
  return fold.succeed(contiguous->withShape(shape, contiguousStrides(shape),
                                            contiguous->getOffset()));
}

static LogicalResult foldReshape(FoldContext &fold) {
  auto input = fold.getInput(0);
  auto requested = fold.getInts(1);
  if (failed(input) || failed(requested))
    return failure();
  auto shape = resolveReshape((*input)->getShape(), *requested,
                              fold.node.getInt("allowzero").value_or(0) != 0,
                              fold.error);
  return failed(shape) ? failure() : reshape(fold, **input, *shape);
}

static LogicalResult foldUnsqueeze(FoldContext &fold) {
  auto input = fold.getInput(0);
  auto axes = fold.getInts(1);
  if (failed(input) || failed(axes))
    return failure();
  auto shape = resolveUnsqueeze((*input)->getShape(), *axes, fold.error);
  if (failed(shape))
    return failure();
  // Sizes of 1 get stride 0, so that a strided view stays one.
  Shape strides;
  ArrayRef<int64_t> from = (*input)->getStrides();
  SmallVector<bool> isNew(shape->size(), false);
  for (int64_t axis : *axes)
    isNew[axis < 0 ? axis + int64_t(shape->size()) : axis] = true;
  for (bool inserted : isNew) {
    strides.push_back(inserted ? 0 : from.front());
    from = inserted ? from : from.drop_front();
  }
  return fold.succeed(
      (*input)->withShape(*shape, strides, (*input)->getOffset()));
}

static LogicalResult foldSqueeze(FoldContext &fold) {
  auto input = fold.getInput(0);
  if (failed(input))
    return failure();
  std::optional<SmallVector<int64_t>> axes;
  if (fold.hasInput(1)) {
    auto given = fold.getInts(1);
    if (failed(given))
      return failure();
    axes = std::move(*given);
  }
  auto shape = resolveSqueeze((*input)->getShape(),
                              axes ? std::optional<ArrayRef<int64_t>>(*axes)
                                   : std::nullopt,
                              fold.error);
  return failed(shape) ? failure() : reshape(fold, **input, *shape);
}

static LogicalResult foldFlatten(FoldContext &fold) {
  auto input = fold.getInput(0);
  if (failed(input))
    return failure();
  int64_t rank = (*input)->getRank();
  int64_t axis = fold.node.getInt("axis").value_or(1);
  if (axis < -rank || axis > rank)
    return fold.fail("its axis is not valid");
  axis += axis < 0 ? rank : 0;
  ArrayRef<int64_t> shape = (*input)->getShape();
  return reshape(fold, **input,
                 {*countElements(shape.take_front(axis)),
                  *countElements(shape.drop_front(axis))});
}

static LogicalResult foldTranspose(FoldContext &fold) {
  auto input = fold.getInput(0);
  if (failed(input))
    return failure();
  auto permutation =
      resolvePermutation(fold.node, (*input)->getRank(), fold.error);
  if (failed(permutation))
    return failure();
  return fold.succeed((*input)->permute(*permutation));
}

static LogicalResult foldIdentity(FoldContext &fold) {
  auto input = fold.getInput(0);
  return failed(input) ? failure() : fold.succeed(**input);
}

template <typename T>
static ConstantTensor concatenate(ArrayRef<const ConstantTensor *> inputs,
                                  int64_t axis, ArrayRef<int64_t> shape,
                                  int64_t count) {
  std::vector<T> values(count);
  Shape strides = contiguousStrides(shape);
  int64_t start = 0;
  for (const ConstantTensor *input : inputs) {
    const T *from = input->data<T>();
    T *to = values.data() + start * strides[axis];
    forEachOffset<2>(input->getShape(), {input->getStrides(), strides},
                     [&](int64_t i, int64_t j) { to[j] = from[i]; });
    start += input->getShape()[axis];
  }
  return ConstantTensor(std::move(values), shape,
                        inputs.front()->getElementType());
}

static LogicalResult foldConcat(FoldContext &fold) {
  SmallVector<const ConstantTensor *> inputs;
  for (size_t i = 0; i < fold.getNumInputs(); ++i) {
    auto input = fold.getInput(i);
    if (failed(input))
      return failure();
    inputs.push_back(*input);
  }
  if (inputs.empty())
    return fold.fail("it has no inputs");
  auto axis = fold.normalizeAxis(fold.node.getInt("axis").value_or(0),
                                 inputs.front()->getRank());
  if (failed(axis))
    return failure();
  Shape shape(inputs.front()->getShape());
  shape[*axis] = 0;
  for (const ConstantTensor *input : inputs) {
    Shape rest(input->getShape());
    if (rest.size() != shape.size() ||
        input->getElementType() != inputs.front()->getElementType())
      return fold.fail("its inputs differ in rank or type");
    int64_t size = rest[*axis];
    rest[*axis] = shape[*axis];
    if (rest != shape)
      return fold.fail("its inputs differ in another dimension than the axis");
    shape[*axis] += size;
    if (!countElements(shape))
      return fold.fail("its result is too large");
  }
  auto count = fold.checkSize(shape);
  if (failed(count))
    return failure();
  if (inputs.front()->isInt())
    return fold.succeed(concatenate<int64_t>(inputs, *axis, shape, *count));
  if (inputs.front()->isFloat())
    return fold.succeed(concatenate<float>(inputs, *axis, shape, *count));
  return fold.succeed(concatenate<uint8_t>(inputs, *axis, shape, *count));
}

/// The matrix product of float constants, as rotary embeddings compute angles.
static LogicalResult foldMatMul(FoldContext &fold) {
  auto left = fold.getInput(0), right = fold.getInput(1);
  if (failed(left) || failed(right))
    return failure();
  const ConstantTensor &a = **left, &b = **right;
  if (!a.isFloat() || !b.isFloat() || a.getRank() < 2 || b.getRank() < 2)
    return fold.fail("it multiplies constants that are not float matrices");
  int64_t m = a.getShape().take_back(2)[0], k = a.getShape().back(),
          n = b.getShape().back();
  auto batch =
      broadcastShapes({a.getShape().drop_back(2), b.getShape().drop_back(2)});
  if (b.getShape().take_back(2)[0] != k || !batch)
    return fold.fail("the shapes of its inputs do not fit together");
  Shape shape = *batch;
  shape.append({m, n});
  Shape work = shape;
  work.push_back(k);
  if (failed(fold.checkSize(shape)) || failed(fold.checkSize(work)))
    return failure();
  auto strides = [&](const ConstantTensor &tensor) {
    ConstantTensor leading =
        tensor.withShape(tensor.getShape().drop_back(2),
                         tensor.getStrides().drop_back(2), tensor.getOffset());
    return broadcastStrides(leading, *batch);
  };
  // One loop over [batch..., m, n] with the offsets of a row and a column.
  Shape rows = strides(a), columns = strides(b);
  ArrayRef<int64_t> aEnd = a.getStrides().take_back(2),
                    bEnd = b.getStrides().take_back(2);
  rows.append({aEnd[0], 0});
  columns.append({0, bEnd[1]});
  std::vector<float> values;
  const float *av = a.data<float>(), *bv = b.data<float>();
  forEachOffset<2>(shape, {ArrayRef<int64_t>(rows), ArrayRef<int64_t>(columns)},
                   [&](int64_t i, int64_t j) {
                     float sum = 0;
                     for (int64_t p = 0; p < k; ++p)
                       sum += av[i + p * aEnd[1]] * bv[j + p * bEnd[0]];
                     values.push_back(sum);
                   });
  return fold.succeed(
      ConstantTensor(std::move(values), shape, a.getElementType()));
}

void mlir::te::onnx_import::populateShapeFolds(FoldTable &table) {
  table["ConstantOfShape"] = foldConstantOfShape;
  table["Range"] = foldRange;
  table["Expand"] = foldExpand;
  table["Reshape"] = foldReshape;
  table["Unsqueeze"] = foldUnsqueeze;
  table["Squeeze"] = foldSqueeze;
  table["Flatten"] = foldFlatten;
  table["Transpose"] = foldTranspose;
  table["Identity"] = foldIdentity;
  table["Concat"] = foldConcat;
  table["MatMul"] = foldMatMul;
}
