// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements of tensors with few for each row: masks, gates and biases.

#include "Raise/ChosenRows.h"

#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

static SmallVector<int64_t> getSizes(ArrayRef<Digit> digits) {
  return llvm::map_to_vector(digits,
                             [](const Digit &digit) { return digit.size; });
}

/// A value whose dimensions are `from`, repeated to all rows and `features`.
Value ChosenRows::repeatTo(Value value, ArrayRef<Digit> from,
                           ArrayRef<Digit> features) {
  // Neighbours that are all there, or all repeated, are one dimension.
  Digits loops(all), order;
  loops.append(features.begin(), features.end());
  SmallVector<int64_t> sizes, own, repeated;
  std::optional<bool> wasThere;
  for (const Digit &digit : loops) {
    const bool isThere = llvm::is_contained(from, digit);
    if (wasThere != isThere) {
      if (!isThere)
        repeated.push_back(sizes.size());
      else
        own.push_back(1);
      sizes.push_back(1);
    }
    wasThere = isThere;
    sizes.back() *= digit.size;
    if (isThere) {
      own.back() *= digit.size;
      order.push_back(digit);
    }
  }
  RankedTensorType type = getRowsType(value, features);
  if (repeated.empty())
    return reorder(builder, loc, value, from, order, type.getShape());
  value = reorder(builder, loc, value, from, order, own);
  Value init =
      tensor::EmptyOp::create(builder, loc, sizes, type.getElementType());
  value = linalg::BroadcastOp::create(builder, loc, value, init, repeated)
              ->getResult(0);
  return reshapeTo(builder, loc, value, type.getShape());
}

/// The elements of the chosen experts, of a value with few for each row.
Value ChosenRows::gather(const LabelledValue &value, ArrayRef<Digit> features) {
  Digital digital = classify(value, features);
  if (!digital.isKnown || digital.hasPositions)
    return {};
  Digits digits = masks.unify(flatten(value.labels));
  if (!digital.hasExperts)
    return repeatTo(value.value, digits, features);
  if (!digital.features.empty())
    return {};
  // Of the elements of all experts, the sum of those where it is the choice.
  Value source = reshapeTo(builder, loc, value.value, getSizes(digits));
  Type element = getElementTypeOrSelf(source);
  auto type = RankedTensorType::get(getSizes(all), element);
  const unsigned numLoops = all.size() + 1;
  MLIRContext *context = builder.getContext();
  SmallVector<AffineExpr> exprs;
  for (const Digit &digit : digits) {
    auto *at = llvm::find(all, digit);
    exprs.push_back(getAffineDimExpr(
        isExperts(digit) ? all.size() : at - all.begin(), context));
  }
  AffineMap ofSource = AffineMap::get(numLoops, 0, exprs, context);
  AffineMap ofRows = AffineMap::getMultiDimIdentityMap(numLoops, context)
                         .dropResult(all.size());
  SmallVector<utils::IteratorType> loops(all.size(),
                                         utils::IteratorType::parallel);
  loops.push_back(utils::IteratorType::reduction);
  Value numbers = reshapeTo(builder, loc, ids, getSizes(all));
  auto sum = linalg::GenericOp::create(
      builder, loc, type, ValueRange{numbers, source}, splat(type, 0),
      {ofRows, ofSource, ofRows}, loops,
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        Value index = linalg::IndexOp::create(inside, loc, all.size());
        Value expert = arith::IndexCastOp::create(
            inside, loc, arguments[0].getType(), index);
        Value here = arith::CmpIOp::create(
            inside, loc, arith::CmpIPredicate::eq, arguments[0], expert);
        Value zero =
            arith::ConstantOp::create(inside, loc, inside.getZeroAttr(element));
        Value term =
            arith::SelectOp::create(inside, loc, here, arguments[1], zero);
        Value total;
        if (isa<FloatType>(element))
          total = arith::AddFOp::create(inside, loc, arguments[2], term);
        else
          total = arith::AddIOp::create(inside, loc, arguments[2], term);
        linalg::YieldOp::create(inside, loc, total);
      });
  Value result = reshapeTo(builder, loc, sum.getResult(0), {getNumRows()});
  return features.empty() ? result : repeatTo(result, all, features);
}

/// The rows of a table of all experts, such as their biases.
Value ChosenRows::lookUp(const LabelledValue &table, ArrayRef<Digit> features) {
  Digits from = masks.unify(flatten(table.labels)), order;
  for (const Digit &digit : from)
    if (isExperts(digit))
      order.push_back(digit);
  order.append(features.begin(), features.end());
  if (order.size() != from.size())
    return {};
  RankedTensorType type = getRowsType(table.value, features);
  Value matrix = reorder(builder, loc, table.value, from, order,
                         {masks.getSize(experts), type.getDimSize(1)});
  Value last = splat(tensorType(ids), double(masks.getSize(experts) - 1));
  Value inside = arith::MinUIOp::create(builder, loc, ids, last);
  return EmbeddingOp::create(builder, loc, type, inside, matrix);
}
