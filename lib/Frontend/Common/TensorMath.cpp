// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TensorMath.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Differentiation/ReverseMode.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <limits>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::frontend;

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

Value TensorMath::number(RankedTensorType like, double value) {
  return tensors.splat(loc, like, value);
}

StringRef mlir::te::frontend::getConversion(Type from, Type to) {
  bool toFloat = isa<FloatType>(to), isTruth = from.isInteger(1);
  auto isWider = [](Type a, Type b) {
    return a.getIntOrFloatBitWidth() > b.getIntOrFloatBitWidth();
  };
  if (isa<FloatType>(from))
    return !toFloat            ? "arith.fptosi"
           : isWider(to, from) ? "arith.extf"
                               : "arith.truncf";
  if (!isa<IntegerType>(from))
    return {};
  if (toFloat)
    return isTruth ? "arith.uitofp" : "arith.sitofp";
  return isWider(from, to) ? "arith.trunci"
         : isTruth         ? "arith.extui"
                           : "arith.extsi";
}

Value TensorMath::convert(Value value, Type element) {
  RankedTensorType type = tensorType(value);
  Type from = type.getElementType();
  if (from == element)
    return value;
  if (element.isInteger(1) && isa<FloatType>(from))
    return compare(arith::CmpFPredicate::UNE, value, number(type, 0));
  if (element.isInteger(1) && isa<IntegerType>(from))
    return compare(arith::CmpIPredicate::ne, value, number(type, 0));
  StringRef name = getConversion(from, element);
  return name.empty() ? Value() : apply(name, value, type.clone(element));
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Value TensorMath::broadcast(Value value, ArrayRef<int64_t> shape) {
  RankedTensorType type = tensorType(value);
  if (type.getShape() == shape)
    return value;
  // linalg.broadcast adds dimensions; broadcast ones of size 1 are removed
  // first.
  SmallVector<int64_t> kept, added;
  int64_t shift = int64_t(shape.size()) - type.getRank();
  for (auto [dim, size] : llvm::enumerate(shape)) {
    int64_t from = int64_t(dim) < shift ? 1 : type.getDimSize(dim - shift);
    if (int64_t(dim) < shift || from != size)
      added.push_back(dim);
    else
      kept.push_back(size);
  }
  value = reshape(value, kept);
  Value init =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  return linalg::BroadcastOp::create(builder, loc, value, init, added)
      ->getResult(0);
}

Value TensorMath::slice(Value value, int64_t dim, int64_t start, int64_t count,
                        int64_t step) {
  RankedTensorType type = tensorType(value);
  if (start == 0 && step == 1 && count == type.getDimSize(dim))
    return value;
  return sliceDim(builder, loc, value, dim, start, count, step);
}

Value TensorMath::concat(ArrayRef<Value> values, int64_t dim) {
  if (values.size() == 1)
    return values.front();
  RankedTensorType type = tensorType(values.front());
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 0;
  for (Value value : values)
    shape[dim] += tensorType(value).getDimSize(dim);
  return tensor::ConcatOp::create(builder, loc, type.clone(shape), dim, values);
}

Value TensorMath::pad(Value value, int64_t dim, int64_t before, int64_t after,
                      double fill) {
  SmallVector<Value> pieces;
  auto add = [&](int64_t count) {
    if (count == 0)
      return;
    SmallVector<int64_t> shape(tensorType(value).getShape());
    shape[dim] = count;
    pieces.push_back(number(tensorType(value).clone(shape), fill));
  };
  add(before);
  pieces.push_back(value);
  add(after);
  return concat(pieces, dim);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// A scalar in the type that it is summed in.
static Value toElement(OpBuilder &builder, Location loc, Value scalar,
                       Type element) {
  return convertScalarToDtype(builder, loc, scalar, element,
                              /*isUnsignedCast=*/false);
}

static Value combine(OpBuilder &builder, Location loc, ReductionKind kind,
                     Value old, Value term) {
  bool isFloat = isa<FloatType>(term.getType());
  switch (kind) {
  case ReductionKind::Sum:
    return isFloat ? arith::AddFOp::create(builder, loc, old, term).getResult()
                   : arith::AddIOp::create(builder, loc, old, term);
  case ReductionKind::Product:
    return isFloat ? arith::MulFOp::create(builder, loc, old, term).getResult()
                   : arith::MulIOp::create(builder, loc, old, term);
  case ReductionKind::Max:
    return isFloat
               ? arith::MaximumFOp::create(builder, loc, old, term).getResult()
               : arith::MaxSIOp::create(builder, loc, old, term);
  case ReductionKind::Min:
    return isFloat
               ? arith::MinimumFOp::create(builder, loc, old, term).getResult()
               : arith::MinSIOp::create(builder, loc, old, term);
  }
  llvm_unreachable("all kinds are handled");
}

/// The neutral element of a reduction.
static TypedAttr getNeutral(OpBuilder &builder, ReductionKind kind,
                            Type element) {
  if (kind == ReductionKind::Sum)
    return builder.getZeroAttr(element);
  if (kind == ReductionKind::Product)
    return builder.getOneAttr(element);
  bool isMax = kind == ReductionKind::Max;
  if (auto type = dyn_cast<FloatType>(element))
    return builder.getFloatAttr(
        type, APFloat::getInf(type.getFloatSemantics(), isMax));
  unsigned width = element.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(element, isMax
                                             ? APInt::getSignedMinValue(width)
                                             : APInt::getSignedMaxValue(width));
}

Value TensorMath::reduce(ReductionKind kind, Value x,
                         const llvm::SmallBitVector &dims) {
  RankedTensorType type = tensorType(x);
  // Kept and reduced dimensions with neighbours folded, so that a loop has few
  // dimensions.
  Shape folded;
  SmallVector<int64_t> kept, result;
  SmallVector<AffineExpr> position;
  SmallVector<utils::IteratorType> loops;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isReduced = dims.test(dim);
    int64_t size = type.getDimSize(dim);
    if (!isReduced)
      result.push_back(size);
    if (dim > 0 && dims.test(dim - 1) == isReduced) {
      folded.back() *= size;
      if (!isReduced)
        kept.back() *= size;
      continue;
    }
    folded.push_back(size);
    loops.push_back(isReduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    if (!isReduced) {
      position.push_back(builder.getAffineDimExpr(folded.size() - 1));
      kept.push_back(size);
    }
  }
  if (dims.none())
    return isFloat(x) ? widen(x) : x;
  Type element =
      isFloat(x) ? Type(builder.getF32Type()) : type.getElementType();
  auto resultType = RankedTensorType::get(kept, element);
  Value init = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(resultType, getNeutral(builder, kind, element)));
  AffineMap maps[] = {
      builder.getMultiDimIdentityMap(folded.size()),
      AffineMap::get(folded.size(), 0, position, builder.getContext())};
  auto op = linalg::GenericOp::create(
      builder, loc, resultType, reshape(x, folded), init, maps, loops,
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value term = toElement(inside, loc, arguments[0], element);
        linalg::YieldOp::create(inside, loc,
                                combine(inside, loc, kind, arguments[1], term));
      });
  return reshape(op.getResult(0), result);
}

Value TensorMath::reduceAndKeep(ReductionKind kind, Value x,
                                const llvm::SmallBitVector &dims) {
  SmallVector<int64_t> shape(tensorType(x).getShape());
  for (unsigned dim : dims.set_bits())
    shape[dim] = 1;
  return reshape(reduce(kind, x, dims), shape);
}

/// The set of one dimension.
static llvm::SmallBitVector only(int64_t dim, int64_t rank) {
  llvm::SmallBitVector dims(rank);
  dims.set(dim);
  return dims;
}

/// The maximum along a dimension, broadcast. It is subtracted only to limit the
/// range of intermediate numbers, so it gets no gradient.
static Value getShift(TensorMath &math, Value x, int64_t dim) {
  Value max = math.reduceAndKeep(ReductionKind::Max, x,
                                 only(dim, tensorType(x).getRank()));
  Value op = max;
  while (!op.getDefiningOp<linalg::GenericOp>())
    op = op.getDefiningOp()->getOperand(0);
  op.getDefiningOp()->setDiscardableAttr(kConstantAttr,
                                         UnitAttr::get(op.getContext()));
  return max;
}

Value TensorMath::softmax(Value x, int64_t dim, bool zeroWithout) {
  x = widen(x);
  RankedTensorType type = tensorType(x);
  Value shift = getShift(*this, x, dim);
  if (zeroWithout)
    // Below any number, but with a finite difference from others instead of
    // -infinity.
    shift = apply<arith::MaximumFOp>(
        shift, number(tensorType(shift), std::numeric_limits<float>::lowest()));
  Value e = apply<math::ExpOp>(
      apply<arith::SubFOp>(x, broadcast(shift, type.getShape())));
  Value sum = reduceAndKeep(ReductionKind::Sum, e, only(dim, type.getRank()));
  if (zeroWithout)
    sum = select(
        compare(arith::CmpFPredicate::OEQ, sum, number(tensorType(sum), 0)),
        number(tensorType(sum), 1), sum);
  return apply<arith::DivFOp>(e, broadcast(sum, type.getShape()));
}

Value TensorMath::logSoftmax(Value x, int64_t dim) {
  x = widen(x);
  RankedTensorType type = tensorType(x);
  Value shifted = apply<arith::SubFOp>(
      x, broadcast(getShift(*this, x, dim), type.getShape()));
  Value sum = reduceAndKeep(ReductionKind::Sum, apply<math::ExpOp>(shifted),
                            only(dim, type.getRank()));
  return apply<arith::SubFOp>(
      shifted, broadcast(apply<math::LogOp>(sum), type.getShape()));
}

Value TensorMath::cumulativeSum(Value x, int64_t dim, bool exclusive,
                                bool reverse) {
  RankedTensorType type = tensorType(x);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t size = shape[dim];
  int64_t outer = ShapedType::getNumElements(shape.take_front(dim));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(dim + 1));
  Type element =
      isFloat(x) ? Type(builder.getF32Type()) : type.getElementType();
  // y[o, i, p] = sum over j of x[o, j, p] where j <= i
  auto resultType = RankedTensorType::get({outer, size, inner}, element);
  AffineExpr o, i, p, j;
  bindDims(builder.getContext(), o, i, p, j);
  AffineMap maps[] = {AffineMap::get(4, 0, {o, j, p}, builder.getContext()),
                      AffineMap::get(4, 0, {o, i, p}, builder.getContext())};
  auto parallel = utils::IteratorType::parallel;
  Value zeros = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(resultType, builder.getZeroAttr(element)));
  auto op = linalg::GenericOp::create(
      builder, loc, resultType, reshape(x, {outer, size, inner}), zeros, maps,
      {parallel, parallel, parallel, utils::IteratorType::reduction},
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value at = linalg::IndexOp::create(inside, loc, 1);
        Value from = linalg::IndexOp::create(inside, loc, 3);
        if (reverse)
          std::swap(at, from);
        Value counts = arith::CmpIOp::create(
            inside, loc,
            exclusive ? arith::CmpIPredicate::ult : arith::CmpIPredicate::ule,
            from, at);
        Value term = toElement(inside, loc, arguments[0], element);
        Value zero =
            arith::ConstantOp::create(inside, loc, inside.getZeroAttr(element));
        term = arith::SelectOp::create(inside, loc, counts, term, zero);
        linalg::YieldOp::create(
            inside, loc,
            combine(inside, loc, ReductionKind::Sum, arguments[1], term));
      });
  Value y = reshape(op.getResult(0), shape);
  return isFloat(x) ? convert(y, type.getElementType()) : y;
}

Value TensorMath::countPairs(
    Value x, int64_t dim,
    function_ref<Value(OpBuilder &, Location, Value, Value)> counts) {
  RankedTensorType type = tensorType(x);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t size = shape[dim];
  int64_t outer = ShapedType::getNumElements(shape.take_front(dim));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(dim + 1));
  Type i64 = builder.getI64Type();
  auto resultType = RankedTensorType::get({outer, size, inner}, i64);
  AffineExpr o, i, p, j;
  bindDims(builder.getContext(), o, i, p, j);
  AffineMap maps[] = {AffineMap::get(4, 0, {o, i, p}, builder.getContext()),
                      AffineMap::get(4, 0, {o, j, p}, builder.getContext()),
                      AffineMap::get(4, 0, {o, i, p}, builder.getContext())};
  auto parallel = utils::IteratorType::parallel;
  Value folded = reshape(x, {outer, size, inner});
  Value zeros = number(resultType, 0);
  auto op = linalg::GenericOp::create(
      builder, loc, resultType, ValueRange{folded, folded}, zeros, maps,
      {parallel, parallel, parallel, utils::IteratorType::reduction},
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value isCounted = counts(inside, loc, arguments[0], arguments[1]);
        Value one = arith::ExtUIOp::create(inside, loc, i64, isCounted);
        linalg::YieldOp::create(
            inside, loc,
            combine(inside, loc, ReductionKind::Sum, arguments[2], one));
      });
  return reshape(op.getResult(0), shape);
}

/// Whether the other element of a pair is in front of the own one, or behind.
static Value compareIndices(OpBuilder &inside, Location loc,
                            arith::CmpIPredicate predicate) {
  return arith::CmpIOp::create(inside, loc, predicate,
                               linalg::IndexOp::create(inside, loc, 3),
                               linalg::IndexOp::create(inside, loc, 1));
}

Value TensorMath::rank(Value x, int64_t dim, bool largest) {
  bool floats = isFloat(x);
  return countPairs(
      x, dim, [&](OpBuilder &inside, Location loc, Value own, Value other) {
        Value first = other, second = own;
        if (!largest)
          std::swap(first, second);
        Value before, equal;
        if (floats) {
          before = arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::OGT,
                                         first, second);
          equal = arith::CmpFOp::create(inside, loc, arith::CmpFPredicate::OEQ,
                                        own, other);
        } else {
          before = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::sgt,
                                         first, second);
          equal = arith::CmpIOp::create(inside, loc, arith::CmpIPredicate::eq,
                                        own, other);
        }
        Value earlier = compareIndices(inside, loc, arith::CmpIPredicate::ult);
        Value tie = arith::AndIOp::create(inside, loc, equal, earlier);
        return arith::OrIOp::create(inside, loc, before, tie).getResult();
      });
}

Value TensorMath::countEqualBehind(Value x, int64_t dim) {
  return countPairs(
      x, dim, [](OpBuilder &inside, Location loc, Value own, Value other) {
        Value equal = arith::CmpIOp::create(
            inside, loc, arith::CmpIPredicate::eq, own, other);
        Value later = compareIndices(inside, loc, arith::CmpIPredicate::ugt);
        return arith::AndIOp::create(inside, loc, equal, later).getResult();
      });
}

Value TensorMath::permute(Value x, Value places, int64_t dim) {
  RankedTensorType type = tensorType(x);
  ArrayRef<int64_t> shape = type.getShape();
  const int64_t folded[] = {
      ShapedType::getNumElements(shape.take_front(dim)), shape[dim],
      ShapedType::getNumElements(shape.drop_front(dim + 1))};
  const bool isTruth = type.getElementType().isInteger(1);
  if (isTruth)
    x = convert(x, builder.getI32Type());
  Value y = scatterSum(reshape(places, folded), reshape(x, folded), folded);
  y = reshape(y, shape);
  return isTruth ? convert(y, type.getElementType()) : y;
}

std::pair<Value, Value> TensorMath::topK(Value x, int64_t dim, int64_t count,
                                         bool largest) {
  ArrayRef<int64_t> shape = tensorType(x).getShape();
  int64_t outer = ShapedType::getNumElements(shape.take_front(dim));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(dim + 1));
  // The element of rank r moves to position r.
  SmallVector<int64_t> from{outer, shape[dim], inner}, to{outer, count, inner},
      result(shape);
  result[dim] = count;
  Value rank = reshape(this->rank(x, dim, largest), from);
  Value values = scatterSum(rank, reshape(x, from), to);
  Value positions = scatterSum(rank, iota(from, 1), to);
  return {reshape(values, result), reshape(positions, result)};
}

Value TensorMath::contract(Value a, Labels aLabels, Value b, Labels bLabels,
                           Labels resultLabels) {
  unsigned numLoops = 0;
  for (Labels labels : {aLabels, bLabels})
    for (unsigned label : labels)
      numLoops = std::max(numLoops, label + 1);
  SmallVector<int64_t> sizes(numLoops, 1);
  auto getMap = [&](Labels labels) {
    return AffineMap::get(
        numLoops, 0,
        llvm::map_to_vector(
            labels,
            [&](unsigned label) { return builder.getAffineDimExpr(label); }),
        builder.getContext());
  };
  for (auto [value, labels] : {std::pair(a, aLabels), std::pair(b, bLabels)})
    for (auto [size, label] : llvm::zip(tensorType(value).getShape(), labels))
      sizes[label] = size;
  SmallVector<utils::IteratorType> loops(numLoops,
                                         utils::IteratorType::reduction);
  SmallVector<int64_t> shape;
  for (unsigned label : resultLabels) {
    loops[label] = utils::IteratorType::parallel;
    shape.push_back(sizes[label]);
  }
  Type element =
      isFloat(a) ? Type(builder.getF32Type()) : tensorType(a).getElementType();
  auto type = RankedTensorType::get(shape, element);
  bool sums = llvm::is_contained(loops, utils::IteratorType::reduction);
  auto op = linalg::GenericOp::create(
      builder, loc, type, ValueRange{a, b}, number(type, 0),
      {getMap(aLabels), getMap(bLabels), getMap(resultLabels)}, loops,
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value y = combine(inside, loc, ReductionKind::Product,
                          toElement(inside, loc, arguments[0], element),
                          toElement(inside, loc, arguments[1], element));
        if (sums)
          y = combine(inside, loc, ReductionKind::Sum, arguments[2], y);
        linalg::YieldOp::create(inside, loc, y);
      });
  return convert(op.getResult(0), tensorType(a).getElementType());
}

//===----------------------------------------------------------------------===//
// Lookups
//===----------------------------------------------------------------------===//

Value TensorMath::lookup(Value ids, Value table) {
  auto type = tensorType(table).clone(
      {tensorType(ids).getNumElements(), tensorType(table).getDimSize(1)});
  return EmbeddingOp::create(builder, loc, type, ids, table);
}

Value TensorMath::take(Value value, Value positions) {
  Value table = reshape(value, {tensorType(value).getNumElements(), 1});
  Value ids = reshape(positions, {tensorType(positions).getNumElements()});
  return reshape(lookup(ids, table), tensorType(positions).getShape());
}

Value TensorMath::fromPosition(
    ArrayRef<int64_t> shape, Type element,
    function_ref<Value(OpBuilder &, Location, ArrayRef<Value>)> formula) {
  Value init = tensor::EmptyOp::create(builder, loc, shape, element);
  SmallVector<utils::IteratorType> loops(shape.size(),
                                         utils::IteratorType::parallel);
  auto op = linalg::GenericOp::create(
      builder, loc, init.getType(), ValueRange(), init,
      builder.getMultiDimIdentityMap(shape.size()), loops,
      [&](OpBuilder &inside, Location loc, ValueRange) {
        SmallVector<Value> position;
        for (unsigned dim = 0; dim < shape.size(); ++dim)
          position.push_back(linalg::IndexOp::create(inside, loc, dim));
        linalg::YieldOp::create(inside, loc, formula(inside, loc, position));
      });
  return op.getResult(0);
}

Value TensorMath::iota(ArrayRef<int64_t> shape, int64_t dim) {
  Type i64 = builder.getI64Type();
  return fromPosition(
      shape, i64,
      [&](OpBuilder &inside, Location loc, ArrayRef<Value> position) -> Value {
        return arith::IndexCastOp::create(inside, loc, i64, position[dim]);
      });
}

Value TensorMath::constant(ArrayRef<int64_t> values, ArrayRef<int64_t> shape) {
  return tensors.materialize(
      loc,
      ConstantTensor(std::vector<int64_t>(values.begin(), values.end()), shape),
      builder.getI64Type());
}

Value TensorMath::fromFront(Value positions, int64_t size) {
  positions = convert(positions, builder.getI64Type());
  RankedTensorType type = tensorType(positions);
  Value isNegative =
      compare(arith::CmpIPredicate::slt, positions, number(type, 0));
  return select(isNegative, apply<arith::AddIOp>(positions, number(type, size)),
                positions);
}

/// Sums x where ids[o, j, p] is i: over i into [O, J, P] if the result has the
/// ids' dimensions, else over j into [O, I, P].
Value TensorMath::sumWhereEqual(Value ids, Value x, ArrayRef<int64_t> dims,
                                bool resultHasIds) {
  MLIRContext *context = builder.getContext();
  Type element = tensorType(x).getElementType();
  auto type = RankedTensorType::get(dims, element);
  AffineExpr o, kept, p, summed;
  bindDims(context, o, kept, p, summed);
  AffineMap to = AffineMap::get(4, 0, {o, kept, p}, context),
            from = AffineMap::get(4, 0, {o, summed, p}, context);
  auto parallel = utils::IteratorType::parallel;
  auto op = linalg::GenericOp::create(
      builder, loc, type, ValueRange{ids, x}, tensors.splat(loc, type, 0),
      {resultHasIds ? to : from, from, to},
      {parallel, parallel, parallel, utils::IteratorType::reduction},
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value position =
            linalg::IndexOp::create(inside, loc, resultHasIds ? 3 : 1);
        Value here = arith::IndexCastOp::create(
            inside, loc, arguments[0].getType(), position);
        Value isHere = arith::CmpIOp::create(
            inside, loc, arith::CmpIPredicate::eq, arguments[0], here);
        Value zero =
            arith::ConstantOp::create(inside, loc, inside.getZeroAttr(element));
        Value term =
            arith::SelectOp::create(inside, loc, isHere, arguments[1], zero);
        linalg::YieldOp::create(
            inside, loc,
            combine(inside, loc, ReductionKind::Sum, arguments[2], term));
      });
  return op.getResult(0);
}

Value TensorMath::gatherAt(Value ids, Value x) {
  return sumWhereEqual(ids, x, tensorType(ids).getShape(),
                       /*resultHasIds=*/true);
}

Value TensorMath::scatterSum(Value ids, Value x, ArrayRef<int64_t> dims) {
  return sumWhereEqual(ids, x, dims, /*resultHasIds=*/false);
}

Value TensorMath::replaceRows(Value data, Value updates,
                              ArrayRef<int64_t> targets) {
  int64_t rows = tensorType(data).getDimSize(0);
  SmallVector<int64_t> sources = llvm::to_vector(llvm::seq<int64_t>(0, rows));
  for (auto [i, target] : llvm::enumerate(targets))
    sources[target] = rows + i;
  // A contiguous block.
  int64_t count = targets.size(), first = targets.front();
  bool isBlock = llvm::equal(targets, llvm::seq(first, first + count));
  if (isBlock) {
    SmallVector<Value> pieces;
    if (first > 0)
      pieces.push_back(slice(data, 0, 0, first));
    pieces.push_back(updates);
    if (first + count < rows)
      pieces.push_back(slice(data, 0, first + count, rows - first - count));
    return concat(pieces, 0);
  }
  Value all = concat({data, updates}, 0);
  return lookup(constant(sources, {rows}), all);
}
