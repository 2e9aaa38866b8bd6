// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers: elements read by position. Regular constant positions become slices,
// others lookups in a table (te.embedding).

#include "TensorMath.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// Integers are looked up as float32, which is exact only up to here, so larger
/// ones are rejected.
static LogicalResult checkTakeable(GraphImporter &importer, const Node &node,
                                   Value value) {
  Type element = tensorType(value).getElementType();
  if (isa<FloatType>(element) || element.isInteger(1))
    return success();
  return importer.unsupported(
      node, "it looks up integers that depend on the model's inputs");
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The slices along a dimension at the positions, if they are evenly spaced, or
/// all the same.
static Value gatherBySlice(TensorMath &math, Value value, int64_t axis,
                           ArrayRef<int64_t> positions) {
  int64_t count = positions.size();
  int64_t step = count > 1 ? positions[1] - positions[0] : 1;
  for (auto [i, position] : llvm::enumerate(positions))
    if (position != positions[0] + int64_t(i) * step)
      return {};
  if (step < 0)
    return {};
  if (step > 0)
    return math.slice(value, axis, positions[0], count, step);
  SmallVector<int64_t> shape(tensorType(value).getShape());
  shape[axis] = count;
  return math.broadcast(math.slice(value, axis, positions[0], 1), shape);
}

LogicalResult onnx_import::importGatherAlong(GraphImporter &importer,
                                             const Node &node, Value value) {
  RankedTensorType type = tensorType(value);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  TensorMath math(importer, node.getLoc());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t size = shape[*axis];
  SmallVector<int64_t> ids, result(shape.take_front(*axis));
  Value positions;
  SmallVector<int64_t> idShape;
  if (const ConstantTensor *constant = importer.getConstant(node, 1)) {
    if (!constant->isInt() || constant->getNumElements() == 0)
      return importer.unsupported(node, "it looks up nothing");
    idShape.assign(constant->getShape().begin(), constant->getShape().end());
    if (failed(checkPositions(importer, node, 1, size)))
      return failure();
    ids = constant->toInts();
    for (int64_t &id : ids)
      id += id < 0 ? size : 0;
  } else {
    positions = importer.getValue(node, 1);
    if (!positions)
      return failure();
    if (isFloat(positions))
      return importer.unsupported(node, "its ids are not integers");
    llvm::append_range(idShape, tensorType(positions).getShape());
    positions = math.fromFront(positions, size);
  }
  llvm::append_range(result, idShape);
  llvm::append_range(result, shape.drop_front(*axis + 1));
  if (!positions) {
    if (Value y = gatherBySlice(math, value, *axis, ids))
      return importer.define(node, math.reshape(y, result));
    positions = math.constant(ids, {int64_t(ids.size())});
  }
  if (failed(checkTakeable(importer, node, value)))
    return failure();
  // Moves the dimension to the front, with the others as a row; then back.
  SmallVector<int64_t> front{*axis};
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != *axis)
      front.push_back(dim);
  Value table = math.transpose(value, front);
  int64_t rowSize = type.getNumElements() / size;
  int64_t count = ShapedType::getNumElements(idShape);
  if (!isFloat(table))
    table = math.widen(table);
  Value rows = math.lookup(math.reshape(positions, {count}),
                           math.reshape(table, {size, rowSize}));
  SmallVector<int64_t> unfolded{count};
  for (int64_t dim : ArrayRef<int64_t>(front).drop_front())
    unfolded.push_back(shape[dim]);
  SmallVector<int64_t> back;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    back.push_back(dim == *axis ? 0 : dim < *axis ? dim + 1 : dim);
  Value y = math.transpose(math.reshape(rows, unfolded), back);
  return importer.define(
      node, math.reshape(math.convert(y, type.getElementType()), result));
}

/// Elements at data[..., index[...], ...] along a dimension.
static LogicalResult importGatherElements(GraphImporter &importer,
                                          const Node &node) {
  Value value = importer.getValue(node, 0), ids = importer.getValue(node, 1);
  if (!value || !ids)
    return failure();
  RankedTensorType type = tensorType(value), idType = tensorType(ids);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  if (isFloat(ids) || idType.getRank() != type.getRank())
    return importer.unsupported(node, "its indices do not fit its input");
  if (failed(checkPositions(importer, node, 1, type.getDimSize(*axis))))
    return failure();
  TensorMath math(importer, node.getLoc());
  ids = math.fromFront(ids, type.getDimSize(*axis));
  if (!isFloat(value)) {
    // Only a slice of the dimensions that the indices do not walk may be read.
    ArrayRef<int64_t> shape = type.getShape(), idShape = idType.getShape();
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      if (dim == *axis)
        continue;
      if (idShape[dim] > shape[dim])
        return importer.unsupported(node,
                                    "its indices are larger than its input");
      value = math.slice(value, dim, 0, idShape[dim]);
    }
    int64_t outer = ShapedType::getNumElements(idShape.take_front(*axis));
    int64_t inner = ShapedType::getNumElements(idShape.drop_front(*axis + 1));
    Value y = math.gatherAt(math.reshape(ids, {outer, idShape[*axis], inner}),
                            math.reshape(value, {outer, shape[*axis], inner}));
    return importer.define(node, math.reshape(y, idShape));
  }
  Shape strides = contiguousStrides(type.getShape());
  RankedTensorType positionType = tensorType(ids);
  Value position;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (dim != *axis && idType.getDimSize(dim) > type.getDimSize(dim))
      return importer.unsupported(node,
                                  "its indices are larger than its input");
    if (dim != *axis && strides[dim] == 0)
      continue;
    Value index = dim == *axis ? ids : math.iota(idType.getShape(), dim);
    if (strides[dim] != 1)
      index = math.apply<arith::MulIOp>(
          index, math.number(positionType, double(strides[dim])));
    position = position ? math.apply<arith::AddIOp>(position, index) : index;
  }
  return importer.define(node, math.take(value, position ? position : ids));
}

//===----------------------------------------------------------------------===//
// GatherND
//===----------------------------------------------------------------------===//

namespace {
/// How one component of a GatherND's indices walks a dimension of the data:
/// with one dimension of the lookups, or not at all.
struct Walk {
  int64_t start = 0, step = 1, along = -1;
};
} // namespace

/// The walk of one component of constant indices, if it is that regular.
static std::optional<Walk> getWalk(const ConstantTensor &part, int64_t size) {
  ArrayRef<int64_t> shape = part.getShape(), strides = part.getStrides();
  auto at = [&](int64_t place) { return part.at(place).integer; };
  Walk walk;
  walk.start = at(0);
  for (auto [dim, count] : llvm::enumerate(shape)) {
    if (count == 1 || at(strides[dim]) == at(0))
      continue;
    if (walk.along >= 0)
      return std::nullopt;
    walk.along = dim;
    walk.step = at(strides[dim]) - at(0);
  }
  if (walk.step <= 0 || walk.start < 0 || walk.start >= size)
    return std::nullopt;
  // All positions must follow from the first ones.
  bool regular = true;
  SmallVector<int64_t> counter(shape.size(), 0);
  forEachOffset<1>(shape, {strides}, [&](int64_t offset) {
    int64_t i = walk.along < 0 ? 0 : counter[walk.along];
    int64_t expected = walk.start + i * walk.step;
    regular &= at(offset) == expected && expected < size;
    for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
      if (++counter[dim] < shape[dim])
        break;
      counter[dim] = 0;
    }
  });
  return regular ? std::optional<Walk>(walk) : std::nullopt;
}

/// A lookup by constant indices as slices, broadcasts and a transpose.
static Value gatherByWalks(TensorMath &math, Value value,
                           const ConstantTensor &indices) {
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  int64_t depth = indices.getShape().back(), lookups = indices.getRank() - 1;
  SmallVector<int64_t> lookupShape(indices.getShape().drop_back());
  SmallVector<Walk> walks;
  SmallVector<int64_t> walkers(lookups, -1);
  for (int64_t dim = 0; dim < depth; ++dim) {
    ConstantTensor part = indices.slice(lookups, dim, 1, 1);
    part = part.withShape(lookupShape, part.getStrides().drop_back(),
                          part.getOffset());
    auto walk = getWalk(part, shape[dim]);
    if (!walk || (walk->along >= 0 && walkers[walk->along] >= 0))
      return {};
    if (walk->along >= 0)
      walkers[walk->along] = dim;
    walks.push_back(*walk);
  }
  for (auto [dim, walk] : llvm::enumerate(walks))
    value = math.slice(value, dim, walk.start,
                       walk.along < 0 ? 1 : lookupShape[walk.along], walk.step);
  // Dimensions in the lookups' order, constant ones last among them.
  SmallVector<int64_t> order, stretched, result(lookupShape);
  for (int64_t walker : walkers) {
    if (walker >= 0)
      order.push_back(walker);
    stretched.push_back(walker >= 0 ? tensorType(value).getDimSize(walker) : 1);
  }
  for (int64_t dim = 0; dim < depth; ++dim)
    if (walks[dim].along < 0)
      order.push_back(dim);
  for (int64_t dim = depth; dim < int64_t(shape.size()); ++dim) {
    order.push_back(dim);
    stretched.push_back(shape[dim]);
    result.push_back(shape[dim]);
  }
  return math.broadcast(math.reshape(math.transpose(value, order), stretched),
                        result);
}

/// The row numbers, in data folded to [rows, rest], of the indices in [lookups,
/// depth].
static Value getRows(TensorMath &math, Value indices, ArrayRef<int64_t> shape) {
  int64_t last = tensorType(indices).getRank() - 1,
          depth = tensorType(indices).getShape().back();
  SmallVector<int64_t> lookups(tensorType(indices).getShape().drop_back());
  Value row;
  for (int64_t dim = 0; dim < depth; ++dim) {
    Value part = math.fromFront(
        math.reshape(math.slice(indices, last, dim, 1), lookups), shape[dim]);
    if (!row) {
      row = part;
      continue;
    }
    row = math.apply<arith::AddIOp>(
        math.apply<arith::MulIOp>(
            row, math.number(tensorType(row), double(shape[dim]))),
        part);
  }
  return row;
}

static LogicalResult importGatherND(GraphImporter &importer, const Node &node,
                                    Value value) {
  if (node.getInt("batch_dims").value_or(0) != 0)
    return importer.unsupported(node, "it has batch dimensions");
  TensorMath math(importer, node.getLoc());
  ArrayRef<int64_t> shape = tensorType(value).getShape();
  const ConstantTensor *constant = importer.getConstant(node, 1);
  Value indices;
  ArrayRef<int64_t> indexShape;
  if (constant) {
    indexShape = constant->getShape();
  } else {
    indices = importer.getValue(node, 1);
    if (!indices)
      return failure();
    indexShape = tensorType(indices).getShape();
  }
  if (indexShape.empty() || indexShape.back() < 1 ||
      indexShape.back() > int64_t(shape.size()) ||
      llvm::is_contained(indexShape, 0) || (constant && !constant->isInt()) ||
      (indices && isFloat(indices)))
    return importer.unsupported(node, "its indices do not fit its input");
  int64_t depth = indexShape.back();
  if (constant) {
    if (failed(checkPositions(importer, node, 1, shape.take_front(depth))))
      return failure();
    if (Value y = gatherByWalks(math, value, *constant))
      return importer.define(node, y);
  }
  if (failed(checkTakeable(importer, node, value)))
    return failure();
  if (!indices)
    indices = importer.getValue(node, 1);
  if (!indices)
    return failure();
  SmallVector<int64_t> result(indexShape.drop_back());
  llvm::append_range(result, shape.drop_front(depth));
  Value rows = getRows(math, indices, shape);
  int64_t count = ShapedType::getNumElements(shape.take_front(depth));
  int64_t size = ShapedType::getNumElements(shape.drop_front(depth));
  Value table = math.reshape(value, {count, size});
  if (!isFloat(table))
    table = math.widen(table);
  Value y = math.lookup(math.reshape(rows, {tensorType(rows).getNumElements()}),
                        table);
  return importer.define(
      node, math.reshape(math.convert(y, tensorType(value).getElementType()),
                         result));
}

void mlir::te::onnx_import::populateSelectionHandlers(HandlerTable &table) {
  table["GatherElements"] = importGatherElements;
  table["GatherND"] = withValue(importGatherND);
}
