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
  Digits order;
  for (const Digit &digit : rows)
    if (llvm::is_contained(from, digit))
      order.push_back(digit);
  const bool allRows = order.size() == rows.size();
  for (const Digit &digit : choices)
    if (llvm::is_contained(from, digit))
      order.push_back(digit);
  const bool allChoices = order.size() == all.size();
  const bool noChoices = allRows && order.size() == rows.size();
  for (const Digit &digit : features)
    if (llvm::is_contained(from, digit))
      order.push_back(digit);
  SmallVector<int64_t> shape{getNumRows()};
  if (!features.empty())
    shape.push_back(countOf(features));
  const bool allFeatures = llvm::all_of(features, [&](const Digit &digit) {
    return llvm::is_contained(from, digit);
  });
  if (allFeatures && allChoices)
    return reorder(builder, loc, value, from, order, shape);
  // What all choices of a row share is repeated as one dimension.
  if (allFeatures && noChoices && !choices.empty()) {
    SmallVector<int64_t> own(shape);
    own.front() = countOf(rows);
    value = reorder(builder, loc, value, from, order, own);
    own.insert(own.begin() + 1, countOf(choices));
    Value init = tensor::EmptyOp::create(builder, loc, own,
                                         tensorType(value).getElementType());
    value = linalg::BroadcastOp::create(builder, loc, value, init, {1})
                ->getResult(0);
    SmallVector<ReassociationIndices> groups{{0, 1}};
    if (own.size() == 3)
      groups.push_back({2});
    return tensor::CollapseShapeOp::create(builder, loc, value, groups);
  }
  Digits loops(all);
  loops.append(features.begin(), features.end());
  SmallVector<int64_t> missing;
  for (auto [dim, digit] : llvm::enumerate(loops))
    if (!llvm::is_contained(from, digit))
      missing.push_back(dim);
  value = reorder(builder, loc, value, from, order, getSizes(order));
  Value init = tensor::EmptyOp::create(builder, loc, getSizes(loops),
                                       tensorType(value).getElementType());
  value = linalg::BroadcastOp::create(builder, loc, value, init, missing)
              ->getResult(0);
  return reshapeTo(builder, loc, value, shape);
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
  Digits from = masks.unify(flatten(table.labels)), order, own;
  for (const Digit &digit : from)
    if (isExperts(digit))
      order.push_back(digit);
  for (const Digit &digit : features)
    if (llvm::is_contained(from, digit))
      own.push_back(digit);
  order.append(own);
  const int64_t size = countOf(own);
  Value matrix = reorder(builder, loc, table.value, from, order,
                         {masks.getSize(experts), size});
  RankedTensorType type = tensorType(ids);
  Value last = splat(type, double(masks.getSize(experts) - 1));
  Value inside = arith::MinUIOp::create(builder, loc, ids, last);
  Value found = EmbeddingOp::create(
      builder, loc, tensorType(matrix).clone({getNumRows(), size}), inside,
      matrix);
  if (own.size() == features.size())
    return found;
  Digits have(all);
  have.append(own);
  return repeatTo(found, have, features);
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

Value ChosenRows::buildMask(const LabelledValue &mask) {
  Digital digital = classify(mask);
  if (!digital.hasPositions)
    return gather(mask, {});
  Fact fact = masks.evaluate(mask).chosen;
  RankedTensorType type = tensorType(mask.value).clone({getNumRows()});
  // At the row's position.
  if (fact.term == Fact::Term::Number && fact.below >= below &&
      (!fact.hit || fact.hit == place->hit))
    return splat(type, double(fact.number));
  SplatElementsAttr constant;
  if (matchPattern(mask.value, m_Constant(&constant)))
    return arith::ConstantOp::create(builder, loc, constant.resizeSplat(type));
  LabelledValue before = mask;
  if (masks.goBefore(before))
    return buildMask(before);
  Operation *op = mask.value.getDefiningOp();
  if (auto kernel = dyn_cast_or_null<linalg::GenericOp>(op)) {
    SmallVector<LabelledValue> inputs(masks.getInputs(kernel, mask.labels));
    if (inputs.empty() || inputs.size() != kernel.getInputs().size())
      return {};
    Operation *sum = nullptr;
    Block &body = *kernel.getBody();
    if (kernel.getNumReductionLoops() > 0) {
      // Of a sum over choices, one is not zero.
      sum = getReduction(kernel);
      if (!sum || !isa<arith::AddFOp, arith::AddIOp>(sum) ||
          !masks.hasOneTerm(kernel, mask.labels))
        return {};
    }
    IRMapping mapping;
    SmallVector<Value> values;
    for (const LabelledValue &input : inputs) {
      Value value = buildMask(input);
      if (!value)
        return {};
      values.push_back(value);
    }
    Value old = body.getArguments().back();
    if ((!sum && !old.use_empty()) || !body.getOps<linalg::IndexOp>().empty())
      return {};
    AffineMap map = AffineMap::getMultiDimIdentityMap(1, builder.getContext());
    Value init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                         type.getElementType());
    auto rebuilt = linalg::GenericOp::create(
        builder, loc, type, values, init,
        SmallVector<AffineMap>(values.size() + 1, map),
        {utils::IteratorType::parallel},
        [&](OpBuilder &inside, Location loc, ValueRange arguments) {
          for (auto [from, to] : llvm::zip(body.getArguments(), arguments))
            mapping.map(from, to);
          for (Operation &inner : body.without_terminator())
            if (&inner != sum)
              inside.clone(inner, mapping);
          Value result = body.getTerminator()->getOperand(0);
          if (sum)
            result = sum->getOperand(sum->getOperand(0) == old ? 1 : 0);
          linalg::YieldOp::create(inside, loc, mapping.lookupOrDefault(result));
        });
    return rebuilt.getResult(0);
  }
  if (!op || !op->hasTrait<OpTrait::Elementwise>() || op->getNumResults() != 1)
    return {};
  IRMapping mapping;
  for (Value operand : op->getOperands()) {
    auto operandType = dyn_cast<RankedTensorType>(operand.getType());
    if (!operandType || operandType.getShape() != tensorShape(mask.value))
      return {};
    Value value = buildMask({operand, mask.labels});
    if (!value)
      return {};
    mapping.map(operand, value);
  }
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}
