// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements picked, or written, by position. Positions that are known become
// slices where they are regular, others lookups in a table (te.embedding).

#include "TensorMath.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// Integers that are looked up with lose nothing as float32 only up to here, so
/// none are.
static LogicalResult checkTakeable(GraphImporter &importer, const Node &node,
                                   Value value) {
  Type element = typeOf(value).getElementType();
  if (isa<FloatType>(element) || element.isInteger(1))
    return success();
  return importer.unsupported(
      node, "it looks up integers that depend on the model's inputs");
}

/// Positions as int64 that count from the front.
static Value getPositions(TensorMath &math, Value ids, int64_t size) {
  ids = math.convert(ids, IntegerType::get(ids.getContext(), 64));
  RankedTensorType type = typeOf(ids);
  Value isNegative =
      math.compare(arith::CmpIPredicate::slt, ids, math.number(type, 0));
  return math.select(
      isNegative, math.apply<arith::AddIOp>(ids, math.number(type, size)), ids);
}

static Value constantInts(GraphImporter &importer, Location loc,
                          ArrayRef<int64_t> values, ArrayRef<int64_t> shape) {
  return importer.materialize(
      loc, ConstantTensor(std::vector<int64_t>(values.begin(), values.end()),
                          shape, ::onnx::TensorProto::INT64));
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// The slices along a dimension that hold the positions, if they are evenly
/// spaced, or all the same.
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
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape[axis] = count;
  return math.broadcast(math.slice(value, axis, positions[0], 1), shape);
}

LogicalResult onnx_import::importGatherAlong(GraphImporter &importer,
                                             const Node &node, Value value) {
  RankedTensorType type = typeOf(value);
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
    ids = constant->toInts();
    for (int64_t &id : ids) {
      if (id < -size || id >= size)
        return importer.unsupported(node, "index " + Twine(id) +
                                              " is outside its dimension of " +
                                              Twine(size) + " elements");
      id += id < 0 ? size : 0;
    }
  } else {
    positions = importer.getValue(node, 1);
    if (!positions)
      return failure();
    if (isFloat(positions))
      return importer.unsupported(node, "its ids are not integers");
    llvm::append_range(idShape, typeOf(positions).getShape());
    positions = getPositions(math, positions, size);
  }
  llvm::append_range(result, idShape);
  llvm::append_range(result, shape.drop_front(*axis + 1));
  if (!positions) {
    if (Value y = gatherBySlice(math, value, *axis, ids)) {
      importer.define(node, math.reshape(y, result));
      return success();
    }
    positions =
        constantInts(importer, node.getLoc(), ids, {int64_t(ids.size())});
  }
  if (failed(checkTakeable(importer, node, value)))
    return failure();
  // The dimension first, the others as a row; then back.
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
  importer.define(node,
                  math.reshape(math.convert(y, type.getElementType()), result));
  return success();
}

/// The same of integers, which are summed over where the position is asked for:
/// y[o, j, p] = sum over i of x[o, i, p] where ids[o, j, p] is i.
static Value selectIntegers(GraphImporter &importer, Location loc, Value ids,
                            Value x) {
  OpBuilder &builder = importer.builder;
  MLIRContext *context = builder.getContext();
  Type element = typeOf(x).getElementType();
  auto type = typeOf(ids).clone(element);
  AffineExpr o, j, p, i;
  bindDims(context, o, j, p, i);
  AffineMap to = AffineMap::get(4, 0, {o, j, p}, context),
            from = AffineMap::get(4, 0, {o, i, p}, context);
  auto parallel = utils::IteratorType::parallel;
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{ids, x},
             importer.splat(loc, type, 0), {to, from, to},
             {parallel, parallel, parallel, utils::IteratorType::reduction},
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value here = arith::IndexCastOp::create(
                   inside, loc, arguments[0].getType(),
                   linalg::IndexOp::create(inside, loc, 3));
               Value isAsked = arith::CmpIOp::create(
                   inside, loc, arith::CmpIPredicate::eq, arguments[0], here);
               Value zero = arith::ConstantOp::create(
                   inside, loc, inside.getZeroAttr(element));
               Value term = arith::SelectOp::create(inside, loc, isAsked,
                                                    arguments[1], zero);
               Value sum =
                   arith::OrIOp::create(inside, loc, arguments[2], term);
               linalg::YieldOp::create(inside, loc, sum);
             })
      .getResult(0);
}

/// Elements at data[..., index[...], ...] along a dimension.
static LogicalResult importGatherElements(GraphImporter &importer,
                                          const Node &node) {
  Value value = importer.getValue(node, 0), ids = importer.getValue(node, 1);
  if (!value || !ids)
    return failure();
  RankedTensorType type = typeOf(value), idType = typeOf(ids);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  if (isFloat(ids) || idType.getRank() != type.getRank())
    return importer.unsupported(node, "its indices do not fit its input");
  TensorMath math(importer, node.getLoc());
  ids = getPositions(math, ids, type.getDimSize(*axis));
  if (!isFloat(value)) {
    // Of the dimensions that the indices do not walk only a part may be read.
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
    Value y = selectIntegers(importer, node.getLoc(),
                             math.reshape(ids, {outer, idShape[*axis], inner}),
                             math.reshape(value, {outer, shape[*axis], inner}));
    importer.define(node, math.reshape(y, idShape));
    return success();
  }
  Shape strides = contiguousStrides(type.getShape());
  RankedTensorType positionType = typeOf(ids);
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
  importer.define(node, math.take(value, position ? position : ids));
  return success();
}

//===----------------------------------------------------------------------===//
// GatherND
//===----------------------------------------------------------------------===//

namespace {
/// How one part of the indices of a GatherND walks a dimension of the data:
/// with one dimension of the lookups, or not at all.
struct Walk {
  int64_t start = 0, step = 1, along = -1;
};
} // namespace

/// The walk of a part of constant indices, if it is that regular.
static std::optional<Walk> getWalk(const ConstantTensor &part, int64_t size) {
  ArrayRef<int64_t> shape = part.getShape(), strides = part.getStrides();
  const int64_t *values = part.data<int64_t>();
  Walk walk;
  walk.start = values[0];
  for (auto [dim, count] : llvm::enumerate(shape)) {
    if (count == 1 || values[strides[dim]] == values[0])
      continue;
    if (walk.along >= 0)
      return std::nullopt;
    walk.along = dim;
    walk.step = values[strides[dim]] - values[0];
  }
  if (walk.step <= 0 || walk.start < 0 || walk.start >= size)
    return std::nullopt;
  // Every position follows from the first ones, or there is no walk.
  bool regular = true;
  SmallVector<int64_t> counter(shape.size(), 0);
  forEachOffset<1>(shape, {strides}, [&](int64_t at) {
    int64_t i = walk.along < 0 ? 0 : counter[walk.along];
    int64_t expected = walk.start + i * walk.step;
    regular &= values[at] == expected && expected < size;
    for (int64_t dim = int64_t(shape.size()) - 1; dim >= 0; --dim) {
      if (++counter[dim] < shape[dim])
        break;
      counter[dim] = 0;
    }
  });
  return regular ? std::optional<Walk>(walk) : std::nullopt;
}

/// A lookup by constant indices as slices, repetitions and a transpose.
static Value gatherByWalks(TensorMath &math, Value value,
                           const ConstantTensor &indices) {
  ArrayRef<int64_t> shape = typeOf(value).getShape();
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
  // Dimensions in the lookups' order, those that stand still last among them.
  SmallVector<int64_t> order, stretched, result(lookupShape);
  for (int64_t walker : walkers) {
    if (walker >= 0)
      order.push_back(walker);
    stretched.push_back(walker >= 0 ? typeOf(value).getDimSize(walker) : 1);
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

/// The number of the row of data folded to [rows, rest] that every index of
/// [lookups, depth] names.
static Value getRows(TensorMath &math, Value indices, ArrayRef<int64_t> shape) {
  int64_t last = typeOf(indices).getRank() - 1,
          depth = typeOf(indices).getShape().back();
  SmallVector<int64_t> lookups(typeOf(indices).getShape().drop_back());
  Value row;
  for (int64_t dim = 0; dim < depth; ++dim) {
    Value part = getPositions(
        math, math.reshape(math.slice(indices, last, dim, 1), lookups),
        shape[dim]);
    if (!row) {
      row = part;
      continue;
    }
    row = math.apply<arith::AddIOp>(
        math.apply<arith::MulIOp>(row,
                                  math.number(typeOf(row), double(shape[dim]))),
        part);
  }
  return row;
}

static LogicalResult importGatherND(GraphImporter &importer, const Node &node) {
  Value value = importer.getValue(node, 0);
  if (!value)
    return failure();
  if (node.getInt("batch_dims").value_or(0) != 0)
    return importer.unsupported(node, "it has batch dimensions");
  TensorMath math(importer, node.getLoc());
  ArrayRef<int64_t> shape = typeOf(value).getShape();
  const ConstantTensor *constant = importer.getConstant(node, 1);
  Value indices;
  ArrayRef<int64_t> indexShape;
  if (constant) {
    indexShape = constant->getShape();
  } else {
    indices = importer.getValue(node, 1);
    if (!indices)
      return failure();
    indexShape = typeOf(indices).getShape();
  }
  if (indexShape.empty() || indexShape.back() < 1 ||
      indexShape.back() > int64_t(shape.size()) ||
      llvm::is_contained(indexShape, 0) || (constant && !constant->isInt()) ||
      (indices && isFloat(indices)))
    return importer.unsupported(node, "its indices do not fit its input");
  if (constant)
    if (Value y = gatherByWalks(math, value, *constant)) {
      importer.define(node, y);
      return success();
    }
  if (failed(checkTakeable(importer, node, value)))
    return failure();
  if (!indices)
    indices = importer.getValue(node, 1);
  if (!indices)
    return failure();
  int64_t depth = indexShape.back();
  SmallVector<int64_t> result(indexShape.drop_back());
  llvm::append_range(result, shape.drop_front(depth));
  Value rows = getRows(math, indices, shape);
  int64_t count = ShapedType::getNumElements(shape.take_front(depth));
  int64_t size = ShapedType::getNumElements(shape.drop_front(depth));
  Value table = math.reshape(value, {count, size});
  if (!isFloat(table))
    table = math.widen(table);
  Value y =
      math.lookup(math.reshape(rows, {typeOf(rows).getNumElements()}), table);
  importer.define(
      node,
      math.reshape(math.convert(y, typeOf(value).getElementType()), result));
  return success();
}

//===----------------------------------------------------------------------===//
// Writing by position
//===----------------------------------------------------------------------===//

/// data with rows replaced: data is [rows, size], updates [n, size], and
/// `targets` names the row that each update replaces; the last one stays.
static Value replaceRows(GraphImporter &importer, TensorMath &math,
                         Location loc, Value data, Value updates,
                         ArrayRef<int64_t> targets) {
  int64_t rows = typeOf(data).getDimSize(0);
  SmallVector<int64_t> sources = llvm::to_vector(llvm::seq<int64_t>(0, rows));
  for (auto [i, target] : llvm::enumerate(targets))
    sources[target] = rows + i;
  // A block in one piece.
  int64_t count = targets.size(), first = targets.front();
  bool isBlock = llvm::equal(targets, llvm::seq(first, first + count));
  if (isBlock) {
    SmallVector<Value> pieces;
    if (first > 0)
      pieces.push_back(math.slice(data, 0, 0, first));
    pieces.push_back(updates);
    if (first + count < rows)
      pieces.push_back(
          math.slice(data, 0, first + count, rows - first - count));
    return math.concat(pieces, 0);
  }
  Value all = math.concat({data, updates}, 0);
  return math.lookup(constantInts(importer, loc, sources, {rows}), all);
}

static LogicalResult importScatterND(GraphImporter &importer,
                                     const Node &node) {
  Value data = importer.getValue(node, 0), updates = importer.getValue(node, 2);
  if (!data || !updates)
    return failure();
  const ConstantTensor *indices = importer.getConstant(node, 1);
  if (!indices || !indices->isInt())
    return importer.unsupported(node, "it writes at positions that depend on "
                                      "the model's inputs");
  if (node.getString("reduction").value_or("none") != "none")
    return importer.unsupported(node, "it combines what it writes with what "
                                      "was there");
  Type element = typeOf(data).getElementType();
  if (!isa<FloatType>(element) && !element.isInteger(1))
    return importer.unsupported(node, "it writes integers");
  ArrayRef<int64_t> shape = typeOf(data).getShape();
  int64_t depth = indices->getShape().back();
  if (depth < 1 || depth > int64_t(shape.size()))
    return importer.unsupported(node, "its indices do not fit its input");
  SmallVector<int64_t> parts = indices->toInts(), targets;
  for (size_t at = 0; at < parts.size(); at += depth) {
    int64_t row = 0;
    for (int64_t dim = 0; dim < depth; ++dim) {
      int64_t part = parts[at + dim];
      part += part < 0 ? shape[dim] : 0;
      if (part < 0 || part >= shape[dim])
        return importer.unsupported(node, "an index is out of range");
      row = row * shape[dim] + part;
    }
    targets.push_back(row);
  }
  int64_t rows = ShapedType::getNumElements(shape.take_front(depth));
  int64_t size = ShapedType::getNumElements(shape.drop_front(depth));
  if (targets.empty() ||
      typeOf(updates).getNumElements() != int64_t(targets.size()) * size)
    return importer.unsupported(node, "its updates do not fit its indices");
  TensorMath math(importer, node.getLoc());
  Value y = replaceRows(
      importer, math, node.getLoc(),
      math.reshape(isFloat(data) ? data : math.widen(data), {rows, size}),
      math.reshape(isFloat(updates) ? updates : math.widen(updates),
                   {int64_t(targets.size()), size}),
      targets);
  importer.define(node, math.reshape(math.convert(y, element), shape));
  return success();
}

/// Sums what is written to every position of a dimension, and counts it.
static Value scatterSum(GraphImporter &importer, Location loc, Value ids,
                        Value updates, ArrayRef<int64_t> dims) {
  // y[o, i, p] = sum over j of updates[o, j, p] where ids[o, j, p] is i
  OpBuilder &builder = importer.builder;
  MLIRContext *context = builder.getContext();
  Type element = typeOf(updates).getElementType();
  auto type = RankedTensorType::get(dims, element);
  AffineExpr o, i, p, j;
  bindDims(context, o, i, p, j);
  AffineMap from = AffineMap::get(4, 0, {o, j, p}, context),
            to = AffineMap::get(4, 0, {o, i, p}, context);
  auto parallel = utils::IteratorType::parallel;
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange{ids, updates},
             importer.splat(loc, type, 0), {from, from, to},
             {parallel, parallel, parallel, utils::IteratorType::reduction},
             [&](OpBuilder &inside, Location loc, ValueRange arguments) {
               Value here = arith::IndexCastOp::create(
                   inside, loc, arguments[0].getType(),
                   linalg::IndexOp::create(inside, loc, 1));
               Value counts = arith::CmpIOp::create(
                   inside, loc, arith::CmpIPredicate::eq, arguments[0], here);
               Value zero = arith::ConstantOp::create(
                   inside, loc, inside.getZeroAttr(element));
               Value term = arith::SelectOp::create(inside, loc, counts,
                                                    arguments[1], zero);
               Value sum =
                   isa<FloatType>(element)
                       ? arith::AddFOp::create(inside, loc, arguments[2], term)
                             .getResult()
                       : arith::AddIOp::create(inside, loc, arguments[2], term)
                             .getResult();
               linalg::YieldOp::create(inside, loc, sum);
             })
      .getResult(0);
}

static LogicalResult importScatterElements(GraphImporter &importer,
                                           const Node &node) {
  Value data = importer.getValue(node, 0), ids = importer.getValue(node, 1),
        updates = importer.getValue(node, 2);
  if (!data || !ids || !updates)
    return failure();
  RankedTensorType type = typeOf(data), idType = typeOf(ids);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  StringRef reduction = node.getString("reduction").value_or("none");
  if (reduction != "none" && reduction != "add")
    return importer.unsupported(node, "its reduction '" + reduction +
                                          "' is not known");
  if (isFloat(ids) || typeOf(updates).getShape() != idType.getShape() ||
      idType.getRank() != type.getRank())
    return importer.unsupported(node, "its indices do not fit its input");
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != *axis && idType.getDimSize(dim) != type.getDimSize(dim))
      return importer.unsupported(node, "it writes to a part of its input");
  if (reduction == "add" && type.getElementType().isInteger(1))
    return importer.unsupported(node, "it adds truth values");
  TensorMath math(importer, node.getLoc());
  ArrayRef<int64_t> shape = type.getShape();
  int64_t size = shape[*axis], count = idType.getDimSize(*axis);
  int64_t outer = ShapedType::getNumElements(shape.take_front(*axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(*axis + 1));
  ids = math.reshape(getPositions(math, ids, size), {outer, count, inner});
  Type element = type.getElementType();
  bool isTruth = element.isInteger(1);
  if (isTruth)
    updates = math.convert(updates, importer.builder.getI64Type());
  updates = math.reshape(updates, {outer, count, inner});
  SmallVector<int64_t> dims{outer, size, inner};
  Value sum = scatterSum(importer, node.getLoc(), ids, updates, dims);
  Value old = math.reshape(data, dims), y;
  if (reduction == "add") {
    y = isFloat(old) ? math.apply<arith::AddFOp>(old, sum)
                     : math.apply<arith::AddIOp>(old, sum);
  } else {
    // Positions written twice hold either value; here it is their sum.
    Value ones = math.number(typeOf(ids), 1);
    Value written = scatterSum(importer, node.getLoc(), ids, ones, dims);
    Value isWritten = math.compare(arith::CmpIPredicate::ne, written,
                                   math.number(typeOf(written), 0));
    y = math.select(isWritten, isTruth ? math.convert(sum, element) : sum, old);
  }
  importer.define(node, math.reshape(y, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Sorting and counting
//===----------------------------------------------------------------------===//

/// The largest or smallest elements along a dimension, in order, and where they
/// were.
static LogicalResult importTopK(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  auto count = importer.getInts(node, 1);
  if (!x || failed(count))
    return failure();
  RankedTensorType type = typeOf(x);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(-1), type.getRank());
  if (failed(axis))
    return failure();
  bool largest = node.getInt("largest").value_or(1) != 0;
  (void)node.getInt("sorted");
  ArrayRef<int64_t> shape = type.getShape();
  int64_t size = shape[*axis];
  if (count->size() != 1 || count->front() < 1 || count->front() > size ||
      type.getElementType().isInteger(1))
    return importer.unsupported(node, "it takes more elements than there are");
  TensorMath math(importer, node.getLoc());
  int64_t outer = ShapedType::getNumElements(shape.take_front(*axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(*axis + 1));
  // The element of rank r goes to position r.
  SmallVector<int64_t> from{outer, size, inner},
      to{outer, count->front(), inner};
  Value rank = math.reshape(math.rank(x, *axis, largest), from);
  Value positions = math.iota(from, 1);
  SmallVector<int64_t> result(shape);
  result[*axis] = count->front();
  for (auto [output, values] : {std::pair(size_t(0), math.reshape(x, from)),
                                std::pair(size_t(1), positions)})
    importer.defineAt(
        node, output,
        math.reshape(scatterSum(importer, node.getLoc(), rank, values, to),
                     result));
  return success();
}

/// The first (or last) position of the largest element along a dimension.
template <bool isMax>
static LogicalResult importArgExtremum(GraphImporter &importer,
                                       const Node &node) {
  Value x = importer.getValue(node, 0);
  if (!x)
    return failure();
  RankedTensorType type = typeOf(x);
  auto axis =
      getAxis(importer, node, node.getInt("axis").value_or(0), type.getRank());
  if (failed(axis))
    return failure();
  bool last = node.getInt("select_last_index").value_or(0) != 0;
  bool keepsDims = node.getInt("keepdims").value_or(1) != 0;
  TensorMath math(importer, node.getLoc());
  if (isFloat(x))
    x = math.widen(x);
  llvm::SmallBitVector dims(type.getRank());
  dims.set(*axis);
  Value extremum = math.broadcast(
      math.reduceAndKeep(isMax ? ReductionKind::Max : ReductionKind::Min, x,
                         dims),
      type.getShape());
  Value isExtremum = isFloat(x)
                         ? math.compare(arith::CmpFPredicate::OEQ, x, extremum)
                         : math.compare(arith::CmpIPredicate::eq, x, extremum);
  Value position = math.iota(type.getShape(), *axis);
  // No position: behind, or before, all others; a row of NaN has none.
  int64_t size = type.getDimSize(*axis);
  Value none = math.number(typeOf(position), last ? 0 : double(size - 1));
  Value y = math.reduceAndKeep(last ? ReductionKind::Max : ReductionKind::Min,
                               math.select(isExtremum, position, none), dims);
  if (!keepsDims) {
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + *axis);
    y = math.reshape(y, shape);
  }
  importer.define(node, y);
  return success();
}

static LogicalResult importCumSum(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  auto axes = importer.getInts(node, 1);
  if (!x || failed(axes))
    return failure();
  if (axes->size() != 1 || typeOf(x).getElementType().isInteger(1))
    return importer.unsupported(node, "its axis is not a number");
  auto axis = getAxis(importer, node, axes->front(), typeOf(x).getRank());
  if (failed(axis))
    return failure();
  importer.define(node,
                  TensorMath(importer, node.getLoc())
                      .cumulativeSum(x, *axis,
                                     node.getInt("exclusive").value_or(0) != 0,
                                     node.getInt("reverse").value_or(0) != 0));
  return success();
}

/// Elements above or below a diagonal, zeros elsewhere.
static LogicalResult importTrilu(GraphImporter &importer, const Node &node) {
  Value x = importer.getValue(node, 0);
  if (!x)
    return failure();
  int64_t diagonal = 0;
  if (node.hasInput(1)) {
    auto k = importer.getInts(node, 1);
    if (failed(k))
      return failure();
    if (k->size() != 1)
      return importer.unsupported(node, "its k is not a number");
    diagonal = k->front();
  }
  bool upper = node.getInt("upper").value_or(1) != 0;
  RankedTensorType type = typeOf(x);
  if (type.getRank() < 2)
    return importer.unsupported(node, "its input is not a matrix");
  ArrayRef<int64_t> matrix = type.getShape().take_back(2);
  std::vector<uint8_t> kept;
  for (int64_t row = 0; row < matrix[0]; ++row)
    for (int64_t column = 0; column < matrix[1]; ++column)
      kept.push_back(upper ? column - row >= diagonal
                           : column - row <= diagonal);
  TensorMath math(importer, node.getLoc());
  Value mask = importer.materialize(
      node.getLoc(),
      ConstantTensor(std::move(kept), matrix, ::onnx::TensorProto::BOOL));
  importer.define(node, math.select(math.broadcast(mask, type.getShape()), x,
                                    math.number(type, 0)));
  return success();
}

void mlir::te::onnx_import::populateSelectionHandlers(HandlerTable &table) {
  table["GatherElements"] = importGatherElements;
  table["GatherND"] = importGatherND;
  table["ScatterND"] = importScatterND;
  table["ScatterElements"] = importScatterElements;
  table["TopK"] = importTopK;
  table["ArgMax"] = importArgExtremum<true>;
  table["ArgMin"] = importArgExtremum<false>;
  table["CumSum"] = importCumSum;
  table["Trilu"] = importTrilu;
}
