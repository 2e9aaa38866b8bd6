// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluators of ops that create constants, or pick and write elements by
// position.

#include "TensorMath.h"
#include "TensorReader.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;
using ::onnx::TensorProto;

//===----------------------------------------------------------------------===//
// New constants
//===----------------------------------------------------------------------===//

static LogicalResult foldConstantOfShape(GraphImporter &importer,
                                         const Node &node) {
  auto shape = importer.getInts(node, 0);
  if (failed(shape))
    return failure();
  if (!countElements(*shape))
    return importer.unsupported(node, "its shape is not valid");
  ConstantTensor value(std::vector<float>{0.0f}, {1}, TensorProto::FLOAT);
  if (const TensorProto *given = node.getTensor("value")) {
    std::string error;
    auto read = TensorReader("", sizeof(double)).readConstant(*given, error);
    if (failed(read))
      return importer.unsupported(node, error);
    value = std::move(*read);
  }
  if (value.getNumElements() != 1)
    return importer.unsupported(node, "its value is not a single element");
  return importer.define(node, value.reshape({}).broadcast(*shape));
}

static LogicalResult foldRange(GraphImporter &importer, const Node &node) {
  const ConstantTensor &start = *importer.getConstant(node, 0);
  bool isFloat = start.isFloat();
  Number bounds[3];
  double wide[3];
  for (size_t i = 0; i < 3; ++i) {
    const ConstantTensor &input = *importer.getConstant(node, i);
    if (input.getNumElements() != 1)
      return importer.unsupported(node, "its bounds are not scalars");
    if (input.getKind() != start.getKind() || input.isBool())
      return importer.unsupported(node, "its bounds do not have the same type");
    bounds[i] = input.at(0);
    wide[i] = isFloat ? bounds[i].real : double(bounds[i].integer);
  }
  // Integers up to 10^15 are exact in double.
  constexpr double kMost = 1e15;
  double count = std::ceil((wide[1] - wide[0]) / wide[2]);
  bool isExact = isFloat || llvm::all_of(wide, [&](double bound) {
                   return std::abs(bound) <= kMost;
                 });
  if (!(std::abs(count) < kMost) || !isExact)
    return importer.unsupported(
        node, "it makes too many elements or has a step of 0");
  if (!isFloat) // The quotient is rounded.
    count = double(llvm::divideCeilSigned(bounds[1].integer - bounds[0].integer,
                                          bounds[2].integer));
  int64_t size = std::max<int64_t>(int64_t(count), 0);
  if (failed(importer.checkConstantSize(node, size)))
    return failure();
  ConstantTensor::Numbers values(size);
  for (auto [i, value] : llvm::enumerate(values))
    if (isFloat)
      value.real = float(bounds[0].real) + float(i) * float(bounds[2].real);
    else
      value.integer = bounds[0].integer + int64_t(i) * bounds[2].integer;
  return importer.define(node, start.withNumbers(values, size));
}

//===----------------------------------------------------------------------===//
// Elements by position
//===----------------------------------------------------------------------===//

/// Counts a position from the front; false if it is outside.
static bool normalize(int64_t &position, int64_t size) {
  position += position < 0 ? size : 0;
  return position >= 0 && position < size;
}

static LogicalResult failOutside(GraphImporter &importer, const Node &node) {
  return importer.unsupported(node, "an index is out of range");
}

static FailureOr<int64_t> getAxisOf(GraphImporter &importer, const Node &node,
                                    const ConstantTensor &data) {
  return getAxis(importer, node, node.getInt("axis").value_or(0),
                 data.getRank());
}

static LogicalResult foldGather(GraphImporter &importer, const Node &node) {
  const ConstantTensor &data = *importer.getConstant(node, 0),
                       &indices = *importer.getConstant(node, 1);
  auto axis = getAxisOf(importer, node, data);
  if (failed(axis))
    return failure();
  ArrayRef<int64_t> before = data.getShape().take_front(*axis),
                    after = data.getShape().drop_front(*axis + 1),
                    strides = data.getStrides();
  Shape shape(before);
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, after);
  if (failed(importer.checkConstantSize(node, shape)) ||
      failed(importer.checkConstantSize(node, indices.getShape())))
    return failure();
  SmallVector<int64_t> positions = indices.toInts(), offsets;
  for (int64_t &position : positions)
    if (!normalize(position, data.getShape()[*axis]))
      return failOutside(importer, node);
  forEachOffset<1>(before, {strides.take_front(*axis)}, [&](int64_t outer) {
    for (int64_t position : positions)
      forEachOffset<1>(
          after, {strides.drop_front(*axis + 1)}, [&](int64_t inner) {
            offsets.push_back(outer + position * strides[*axis] + inner);
          });
  });
  return importer.define(node, data.take(offsets, shape));
}

/// Row offsets in `strides` of indices of [..., depth].
static std::optional<SmallVector<int64_t>>
getRowOffsets(const ConstantTensor &indices, ArrayRef<int64_t> shape,
              ArrayRef<int64_t> strides) {
  SmallVector<int64_t> parts = indices.toInts(), rows;
  size_t depth = indices.getShape().back();
  for (size_t i = 0; i < parts.size(); i += depth) {
    int64_t row = 0;
    for (size_t dim = 0; dim < depth; ++dim) {
      if (!normalize(parts[i + dim], shape[dim]))
        return std::nullopt;
      row += parts[i + dim] * strides[dim];
    }
    rows.push_back(row);
  }
  return rows;
}

static LogicalResult foldGatherND(GraphImporter &importer, const Node &node) {
  const ConstantTensor &data = *importer.getConstant(node, 0),
                       &indices = *importer.getConstant(node, 1);
  if (node.getInt("batch_dims").value_or(0) != 0)
    return importer.unsupported(node, "it has batch dimensions");
  if (indices.getRank() < 1)
    return importer.unsupported(node, "its indices are a single number");
  int64_t depth = indices.getShape().back();
  if (depth < 1 || depth > data.getRank())
    return importer.unsupported(
        node, "its indices have more parts than the data has dimensions");
  ArrayRef<int64_t> rest = data.getShape().drop_front(depth);
  Shape shape(indices.getShape().drop_back());
  llvm::append_range(shape, rest);
  if (failed(importer.checkConstantSize(node, shape)) ||
      failed(importer.checkConstantSize(node, indices.getShape())))
    return failure();
  auto rows = getRowOffsets(indices, data.getShape(), data.getStrides());
  if (!rows)
    return failOutside(importer, node);
  SmallVector<int64_t> offsets;
  for (int64_t row : *rows)
    forEachOffset<1>(rest, {data.getStrides().drop_front(depth)},
                     [&](int64_t inner) { offsets.push_back(row + inner); });
  return importer.define(node, data.take(offsets, shape));
}

/// The offsets of elements at `indices` along an axis in a tensor of `shape`
/// and `strides`.
static FailureOr<SmallVector<int64_t>>
getElementOffsets(GraphImporter &importer, const Node &node,
                  const ConstantTensor &indices, ArrayRef<int64_t> shape,
                  Shape strides, int64_t axis) {
  ArrayRef<int64_t> own = indices.getShape();
  bool fits = own.size() == shape.size();
  for (size_t dim = 0; fits && dim < shape.size(); ++dim)
    fits = int64_t(dim) == axis || own[dim] <= shape[dim];
  if (!fits)
    return importer.unsupported(node, "its indices do not fit the data");
  if (failed(importer.checkConstantSize(node, own)))
    return failure();
  // Along the axis the index determines the position.
  int64_t along = strides[axis];
  strides[axis] = 0;
  SmallVector<int64_t> offsets;
  bool valid = true;
  forEachOffset<2>(own, {indices.getStrides(), strides},
                   [&](int64_t i, int64_t base) {
                     int64_t position = indices.at(i).integer;
                     valid &= normalize(position, shape[axis]);
                     offsets.push_back(base + position * along);
                   });
  if (!valid)
    return failOutside(importer, node);
  return offsets;
}

static LogicalResult foldGatherElements(GraphImporter &importer,
                                        const Node &node) {
  const ConstantTensor &data = *importer.getConstant(node, 0),
                       &indices = *importer.getConstant(node, 1);
  auto axis = getAxisOf(importer, node, data);
  if (failed(axis))
    return failure();
  auto offsets = getElementOffsets(importer, node, indices, data.getShape(),
                                   Shape(data.getStrides()), *axis);
  if (failed(offsets))
    return failure();
  return importer.define(node, data.take(*offsets, indices.getShape()));
}

/// Adds to a sum; false if it overflows.
static bool add(Number &sum, Number term, bool isFloat) {
  if (!isFloat)
    return !llvm::AddOverflow(sum.integer, term.integer, sum.integer);
  sum.real = float(sum.real + term.real);
  return true;
}

/// Writes or adds at indices along an axis; the last of several wins.
static LogicalResult foldScatterElements(GraphImporter &importer,
                                         const Node &node) {
  const ConstantTensor &data = *importer.getConstant(node, 0),
                       &indices = *importer.getConstant(node, 1),
                       &updates = *importer.getConstant(node, 2);
  StringRef reduction = node.getString("reduction").value_or("none");
  bool adds = reduction == "add";
  if (!adds && reduction != "none")
    return importer.unsupported(node, "its reduction '" + reduction +
                                          "' is not known");
  ArrayRef<int64_t> shape = data.getShape();
  auto axis = getAxisOf(importer, node, data);
  if (failed(axis) || failed(importer.checkConstantSize(node, shape)))
    return failure();
  if (updates.getShape() != indices.getShape() ||
      updates.getElementType() != data.getElementType())
    return importer.unsupported(node, "its indices do not fit its input");
  if (adds && data.isBool())
    return importer.unsupported(node, "it adds truth values");
  auto offsets = getElementOffsets(importer, node, indices, shape,
                                   contiguousStrides(shape), *axis);
  if (failed(offsets))
    return failure();
  ConstantTensor::Numbers values = data.toNumbers();
  bool valid = true;
  for (auto [at, update] : llvm::zip_equal(*offsets, updates.toNumbers()))
    if (adds)
      valid &= add(values[at], update, data.isFloat());
    else
      values[at] = update;
  if (!valid)
    return importer.unsupported(node, "it overflows");
  return importer.define(node, data.withNumbers(values, shape));
}

/// Writes at indices of [..., depth]; the last one wins.
static LogicalResult foldScatterND(GraphImporter &importer, const Node &node) {
  const ConstantTensor &data = *importer.getConstant(node, 0),
                       &indices = *importer.getConstant(node, 1),
                       &updates = *importer.getConstant(node, 2);
  if (node.getString("reduction").value_or("none") != "none")
    return importer.unsupported(
        node, "it combines what it writes with what was there");
  ArrayRef<int64_t> shape = data.getShape();
  int64_t depth = indices.getRank() ? indices.getShape().back() : 0;
  if (depth < 1 || depth > int64_t(shape.size()))
    return importer.unsupported(node, "its indices do not fit its input");
  if (failed(importer.checkConstantSize(node, shape)) ||
      failed(importer.checkConstantSize(node, indices.getShape())))
    return failure();
  auto rows = getRowOffsets(indices, shape, computeStrides(shape));
  if (!rows)
    return failOutside(importer, node);
  int64_t size = *countElements(shape.drop_front(depth));
  if (updates.getNumElements() != int64_t(rows->size()) * size ||
      updates.getElementType() != data.getElementType())
    return importer.unsupported(node, "its updates do not fit its indices");
  ConstantTensor::Numbers values = data.toNumbers(), with = updates.toNumbers();
  for (auto [i, row] : llvm::enumerate(*rows))
    std::copy_n(with.begin() + i * size, size, values.begin() + row);
  return importer.define(node, data.withNumbers(values, shape));
}

static LogicalResult foldCumSum(GraphImporter &importer, const Node &node) {
  const ConstantTensor &input = *importer.getConstant(node, 0);
  auto axes = importer.getInts(node, 1);
  if (failed(axes))
    return failure();
  if (axes->size() != 1 || input.isBool())
    return importer.unsupported(node, "its axis is not a number");
  auto axis = getAxis(importer, node, axes->front(), input.getRank());
  ArrayRef<int64_t> shape = input.getShape();
  if (failed(axis) || failed(importer.checkConstantSize(node, shape)))
    return failure();
  bool exclusive = node.getInt("exclusive").value_or(0) != 0,
       reverse = node.getInt("reverse").value_or(0) != 0, valid = true;
  ConstantTensor::Numbers values = input.toNumbers();
  Shape strides = contiguousStrides(shape), lines(shape);
  int64_t size = shape[*axis];
  lines[*axis] = 1;
  forEachOffset<1>(lines, {ArrayRef<int64_t>(strides)}, [&](int64_t line) {
    Number sum{};
    for (int64_t step = 0; step < size; ++step) {
      Number &at =
          values[line + (reverse ? size - 1 - step : step) * strides[*axis]];
      Number before = sum;
      valid &= add(sum, at, input.isFloat());
      at = exclusive ? before : sum;
    }
  });
  if (!valid)
    return importer.unsupported(node, "it overflows");
  return importer.define(node, input.withNumbers(values, shape));
}

static LogicalResult foldTrilu(GraphImporter &importer, const Node &node) {
  const ConstantTensor &input = *importer.getConstant(node, 0);
  ArrayRef<int64_t> shape = input.getShape();
  if (failed(importer.checkConstantSize(node, shape)))
    return failure();
  auto diagonal = getDiagonal(importer, node, shape);
  if (failed(diagonal))
    return failure();
  bool upper = node.getInt("upper").value_or(1) != 0;
  int64_t rows = shape.take_back(2)[0], columns = shape.back();
  ConstantTensor::Numbers values = input.toNumbers();
  for (size_t at = 0; at < values.size(); ++at) {
    int64_t row = int64_t(at) / columns % rows, column = int64_t(at) % columns;
    if (upper ? column - row < *diagonal : column - row > *diagonal)
      values[at] = Number{};
  }
  return importer.define(node, input.withNumbers(values, shape));
}

void mlir::te::onnx_import::populateIndexingFolds(HandlerTable &table) {
  table["ConstantOfShape"] = foldConstantOfShape;
  table["Range"] = foldRange;
  // Sizes are multiplied; products of others have no gradient.
  table["ReduceProd"] = importProduct;
  table["Gather"] = foldGather;
  table["GatherND"] = foldGatherND;
  table["GatherElements"] = foldGatherElements;
  table["ScatterElements"] = foldScatterElements;
  table["ScatterND"] = foldScatterND;
  table["CumSum"] = foldCumSum;
  table["Trilu"] = foldTrilu;
}
