// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/ChosenRows.h"

#include "Raise/IntegerSorts.h"
#include "Raise/Matchers.h"

#include "te/Analysis/Contraction.h"
#include "te/Dialect/TE/IR/Slices.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Support/SkipOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::te;

double mlir::te::countWork(linalg::LinalgOp op) {
  double work = 1;
  for (int64_t range : op.getStaticLoopRanges())
    work *= double(range);
  return work;
}

bool mlir::te::addsProducts(linalg::GenericOp op) {
  return succeeded(Contraction::get(op)) && isZero(op.getOutputs().front());
}

ChosenRows::ChosenRows(OpBuilder &builder, Location loc, OneHotMasks &masks,
                       unsigned experts, ArrayRef<Digit> loops)
    : builder(builder), loc(loc), masks(masks), experts(experts) {
  // Rows in the order of the result; what else numbers choices is one of each.
  Digits ofChoices = masks.unify(flatten(masks.getChoices().labels));
  for (const Digit &digit : masks.unify(loops))
    if (llvm::is_contained(ofChoices, digit))
      rows.push_back(digit);
  for (const Digit &digit : ofChoices)
    if (!llvm::is_contained(rows, digit))
      choices.push_back(digit);
  all = rows;
  all.append(choices);
}

bool ChosenRows::isExperts(const Digit &digit) const {
  return masks.isExperts(digit.loop) && digit.stride == 1 &&
         digit.size == masks.getSize(experts);
}

ChosenRows::Digital ChosenRows::classify(const LabelledValue &value,
                                         ArrayRef<Digit> features) const {
  Digital digital;
  for (const Digit &digit : masks.unify(flatten(value.labels))) {
    if (isExperts(digit)) {
      digital.isKnown &= !digital.hasExperts;
      digital.hasExperts = true;
    } else if (masks.isPosition(digit.loop)) {
      digital.hasPositions = true;
    } else if (llvm::is_contained(all, digit)) {
      digital.rows.push_back(digit);
    } else if (llvm::is_contained(features, digit)) {
      digital.features.push_back(digit);
    } else {
      digital.isKnown = false;
    }
  }
  return digital;
}

Value ChosenRows::splat(RankedTensorType type, double number) {
  Type element = type.getElementType();
  Attribute value;
  if (isa<FloatType>(element))
    value = builder.getFloatAttr(element, number);
  else
    value = builder.getIntegerAttr(element, int64_t(number));
  return arith::ConstantOp::create(builder, loc,
                                   SplatElementsAttr::get(type, value));
}

//===----------------------------------------------------------------------===//
// Experts of rows
//===----------------------------------------------------------------------===//

bool ChosenRows::setPlaces(const LabelledValue &mask, int64_t capacity,
                           bool multiplies) {
  Facts facts = masks.evaluate(mask);
  // The first of an expert's rows counts 1.
  if (!facts.other.is(0) || !facts.chosen.isZeroElsewhere() ||
      !facts.chosen.hit || *facts.chosen.hit < -1)
    return false;
  place = facts.chosen;
  below = std::min(place->below, capacity - *place->hit);
  multipliesRows = multiplies;
  return true;
}

bool ChosenRows::buildGroups() {
  const LabelledValue &numbers = masks.getChoices();
  Digits from = masks.unify(flatten(numbers.labels));
  auto isWhole = [&](const Digit &digit) {
    return digit.stride == 1 && digit.size == masks.getSize(digit.loop);
  };
  if (rows.empty() || !llvm::all_of(all, isWhole) || !walksSame(from, all))
    return false;
  const int64_t size = getNumRows();
  ids = reorder(builder, loc, numbers.value, from, normalize(all), {size});
  RankedTensorType type = tensorType(ids);
  // As an unsigned number, a negative one is larger than any.
  isKept = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, ids,
                                 splat(type, masks.getSize(experts)));
  if (place) {
    Value counts = gather(masks.getCounts(), {});
    if (!counts)
      return false;
    Value limit = splat(tensorType(counts), double(below));
    Value fits;
    if (isa<FloatType>(getElementTypeOrSelf(counts)))
      fits = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                   counts, limit);
    else
      fits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                   counts, limit);
    isKept = arith::AndIOp::create(builder, loc, isKept, fits);
  }
  RankedTensorType narrow = type.clone(builder.getI32Type());
  groups = ids;
  if (!type.getElementType().isInteger(32))
    groups = arith::TruncIOp::create(builder, loc, narrow, ids);
  groups =
      arith::SelectOp::create(builder, loc, isKept, groups, splat(narrow, -1));
  return true;
}

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

ChosenRows::Rows ChosenRows::buildRows(const LabelledValue &value,
                                       ArrayRef<Digit> features) {
  for (auto &[labels, of, result] : known[value.value])
    if (labels == value.labels && ArrayRef<Digit>(of) == features)
      return result;
  Rows result = computeRows(value, features);
  known[value.value].emplace_back(value.labels, Digits(features), result);
  return result;
}

RankedTensorType ChosenRows::getRowsType(Value value,
                                         ArrayRef<Digit> features) const {
  SmallVector<int64_t> shape{getNumRows()};
  if (!features.empty())
    shape.push_back(countOf(features));
  return tensorType(value).clone(shape);
}

ChosenRows::Rows ChosenRows::computeRows(LabelledValue value,
                                         ArrayRef<Digit> features) {
  Operation *op = value.value.getDefiningOp();
  auto type = dyn_cast<RankedTensorType>(value.value.getType());
  Digital digital = classify(value, features);
  if (!type || !type.hasStaticShape() || !digital.isKnown)
    return {};
  RankedTensorType result = getRowsType(value.value, features);
  SplatElementsAttr constant;
  if (matchPattern(value.value, m_Constant(&constant))) {
    const bool zero = matchPattern(value.value, m_AnyZeroFloat());
    return {
        arith::ConstantOp::create(builder, loc, constant.resizeSplat(result)),
        zero, zero};
  }
  if (!digital.hasPositions) {
    if (!digital.hasExperts || digital.features.empty())
      return {gather(value, features)};
    if (digital.rows.empty())
      return {lookUp(value, features)};
  }
  const bool isMask = features.empty();
  if (isMask) {
    const Fact fact = masks.evaluate(value).chosen;
    // At the row's position.
    if (fact.inner.kind == Term::Kind::Number && fact.below >= below &&
        (!fact.hit || fact.hit == place->hit))
      return {splat(result, double(fact.inner.number))};
  }
  if (!op)
    return {};
  // Masks may have other uses.
  if (!isMask)
    visited.insert(op);
  if (masks.goBefore(value))
    return buildRows(value, features);
  auto kernel = dyn_cast<linalg::GenericOp>(op);
  if (!kernel)
    return cloneRows(op, value, features);
  if (isMask || !addsProducts(kernel))
    return buildKernel(kernel, value, features);
  if (Rows dispatched = buildDispatch(kernel, value, features))
    return dispatched;
  SmallVector<LabelledValue> inputs(masks.getInputs(kernel, value.labels));
  Digits sums = masks.unify(masks.getSums(kernel, value.labels));
  Digits both(features);
  both.append(sums);
  if (inputs.size() != 2 || sums.empty())
    return {};
  for (unsigned i : {0u, 1u})
    if (areMatrices(inputs[i], both)) {
      replaced += countWork(kernel);
      return buildProduct(inputs[1 - i], inputs[i], sums, features,
                          type.getElementType());
    }
  return {};
}

ChosenRows::Rows ChosenRows::buildProduct(const LabelledValue &inputs,
                                          const LabelledValue &matrices,
                                          ArrayRef<Digit> sums,
                                          ArrayRef<Digit> features,
                                          Type element) {
  Digits from = masks.unify(flatten(matrices.labels));
  Digits forward, transposed;
  for (const Digit &digit : from)
    if (isExperts(digit))
      forward.push_back(digit);
  transposed = forward;
  // Sums in the order of the matrices, so that these need not be moved.
  Digits ofSums;
  for (const Digit &digit : from)
    if (llvm::is_contained(sums, digit))
      ofSums.push_back(digit);
  forward.append(ofSums);
  forward.append(features.begin(), features.end());
  transposed.append(features.begin(), features.end());
  transposed.append(ofSums);
  if (ofSums.size() != sums.size() || !walksSame(from, forward))
    return {};
  Rows a = buildRows(inputs, ofSums);
  if (!a)
    return {};
  const int64_t count = masks.getSize(experts), k = countOf(ofSums),
                n = countOf(features);
  const bool transposes = normalize(from) == normalize(transposed);
  SmallVector<int64_t> shape{count * (transposes ? n : k), transposes ? k : n};
  Value b = matrices.value;
  // A parameter [E, K, N] is read as it is.
  if (tensorType(b).getRank() == 3 && tensorDim(b, 0) == count &&
      tensorDim(b, 2) == shape[1] &&
      (transposes || normalize(from) == normalize(forward)))
    b = tensor::CollapseShapeOp::create(
        builder, loc, b, ArrayRef<ReassociationIndices>{{0, 1}, {2}});
  else
    b = reorder(builder, loc, b, from, transposes ? transposed : forward,
                shape);
  products += double(getNumRows()) * double(k) * double(n);
  auto type = RankedTensorType::get({getNumRows(), n}, element);
  Value d = ExpertMatmulOp::create(
      builder, loc, type, a.value, b, groups, /*transpose_b=*/transposes,
      /*alignment=*/1, MatmulRole::Fprop, /*input_first=*/false,
      /*layer=*/StringAttr());
  return {d, true, a.wasZero};
}

/// Whether a tensor of floats holds truth values.
static bool isTruth(Value value) {
  value = skipOps<tensor::ExpandShapeOp, tensor::CollapseShapeOp,
                  linalg::TransposeOp, arith::ExtFOp, arith::TruncFOp,
                  arith::SIToFPOp>(value);
  Operation *op = value.getDefiningOp();
  return isa_and_present<arith::UIToFPOp, arith::ExtUIOp>(op) &&
         getElementTypeOrSelf(op->getOperand(0)).isInteger(1);
}

/// Rows that a mask of rows, experts and positions moves to their places: the
/// rows themselves, if at most one of them has each place.
ChosenRows::Rows ChosenRows::buildDispatch(linalg::GenericOp op,
                                           const LabelledValue &value,
                                           ArrayRef<Digit> features) {
  SmallVector<LabelledValue> inputs(masks.getInputs(op, value.labels));
  if (!place || inputs.size() != 2)
    return {};
  if (!classify(inputs[0]).hasPositions)
    std::swap(inputs[0], inputs[1]);
  const LabelledValue &mask = inputs[0], &source = inputs[1];
  Facts facts = masks.evaluate(mask);
  if (!facts.other.is(0) || !facts.chosen.isZeroElsewhere() ||
      facts.chosen.hit != place->hit || facts.chosen.below < below)
    return {};
  // Places are counted along all rows of a group, and their choices.
  Digits summed = masks.unify(masks.getSums(op, value.labels)),
         ofValue = masks.unify(flatten(value.labels)), counted(summed);
  for (const Digit &digit : choices)
    if (!llvm::is_contained(counted, digit))
      counted.push_back(digit);
  Digital ofSource = classify(source, features);
  if (!walksSame(masks.unify(masks.getCounts().labels[1]), counted) ||
      !llvm::all_of(rows,
                    [&](const Digit &digit) {
                      return llvm::is_contained(summed, digit) ||
                             llvm::is_contained(ofValue, digit);
                    }) ||
      !ofSource.isKnown || ofSource.hasExperts || ofSource.hasPositions ||
      ofSource.features.size() != features.size())
    return {};
  replaced += countWork(op);
  Value moved = gather(source, features);
  if (!moved || facts.chosen.inner.is(1))
    return {moved, false, true};
  Value scale = buildMask(mask);
  if (!scale)
    return {};
  if (multipliesRows) {
    Value repeated = repeatTo(scale, all, features);
    if (repeated.getType() != moved.getType())
      return {};
    return {arith::MulFOp::create(builder, loc, moved, repeated), false, true};
  }
  // Only whether it is zero is known.
  if (!isTruth(mask.value) || (droppedMask && droppedMask != mask.value))
    return {};
  if (!droppedMask) {
    droppedMask = mask.value;
    Value isThere =
        arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE, scale,
                              splat(tensorType(scale), 0));
    groups = arith::SelectOp::create(builder, loc, isThere, groups,
                                     splat(tensorType(groups), -1));
  }
  return {moved, false, true};
}

/// Whether an op makes zeros of zeros, by which operands are.
static bool keepsZeros(Operation *op, ArrayRef<bool> isZero) {
  if (isa<arith::MulFOp>(op))
    return llvm::is_contained(isZero, true);
  if (isa<arith::DivFOp>(op))
    return isZero[0];
  if (isa<arith::SelectOp>(op))
    return isZero[1] && isZero[2];
  if (isa<arith::AddFOp, arith::SubFOp, AddOp, arith::MaximumFOp,
          arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp, arith::NegFOp,
          arith::ExtFOp, arith::TruncFOp, math::TanhOp, math::ErfOp,
          math::AbsFOp, math::SinOp>(op))
    return llvm::all_of(isZero, [](bool zero) { return zero; });
  if (auto activation = dyn_cast<ActivationOp>(op))
    return isZero[0] && activation.getKind() != ActivationKind::Sigmoid;
  return false;
}

/// Gives the operand of an op its own labels, from those of the result: te.add
/// repeats the rows of one. Returns false if its shape is another.
static bool skipRepeatedRows(LabelledValue &operand, ArrayRef<int64_t> result) {
  auto type = dyn_cast<RankedTensorType>(operand.value.getType());
  if (!type || type.getRank() != int64_t(result.size()))
    return false;
  if (type.getShape() == result)
    return true;
  const int64_t rows = result.empty() ? 0 : type.getDimSize(0);
  if (rows == 0 || result[0] % rows != 0 ||
      type.getShape().drop_front() != result.drop_front())
    return false;
  auto parts = relabel({operand.labels[0]}, {result[0] / rows, rows});
  if (!parts)
    return false;
  operand.labels[0] = (*parts)[1];
  return true;
}

ChosenRows::Rows ChosenRows::cloneRows(Operation *op,
                                       const LabelledValue &value,
                                       ArrayRef<Digit> features) {
  if (op->getNumResults() != 1 || op->getNumRegions() > 0 ||
      (!op->hasTrait<OpTrait::Elementwise>() && !isa<AddOp, ActivationOp>(op)))
    return {};
  SmallVector<Value> operands;
  SmallVector<bool> isZero, wasZero;
  for (Value operand : op->getOperands()) {
    LabelledValue source{operand, value.labels};
    if (!skipRepeatedRows(source, tensorShape(value.value)))
      return {};
    Rows rows = buildRows(source, features);
    if (!rows)
      return {};
    operands.push_back(rows.value);
    isZero.push_back(rows.isZero);
    wasZero.push_back(rows.wasZero);
  }
  Operation *result =
      clone(builder, op, getRowsType(value.value, features), operands);
  return {result->getResult(0), keepsZeros(op, isZero),
          keepsZeros(op, wasZero)};
}

ChosenRows::Rows ChosenRows::buildKernel(linalg::GenericOp op,
                                         const LabelledValue &value,
                                         ArrayRef<Digit> features) {
  Block &body = *op.getBody();
  Value last = body.getTerminator()->getOperand(0);
  Operation *sum = nullptr;
  if (op.getNumReductionLoops() > 0) {
    // Of a sum over choices, one is not zero.
    std::optional<Accumulation> reduction = Accumulation::get(op);
    if (!features.empty() || !masks.evaluate(value).isOneTerm || !reduction ||
        !isa<arith::AddFOp, arith::AddIOp>(reduction->op))
      return {};
    sum = reduction->op;
    last = reduction->term;
  } else if (!body.getArguments().back().use_empty()) {
    return {};
  }
  SmallVector<LabelledValue> inputs(masks.getInputs(op, value.labels));
  if (!body.getOps<linalg::IndexOp>().empty() || inputs.empty() ||
      inputs.size() != op.getInputs().size())
    return {};
  SmallVector<Value> values;
  llvm::DenseMap<Value, bool> isZero, wasZero;
  for (auto [argument, input] : llvm::zip(body.getArguments(), inputs)) {
    Rows rows = buildRows(input, features);
    if (!rows)
      return {};
    values.push_back(rows.value);
    isZero[argument] = rows.isZero;
    wasZero[argument] = rows.wasZero;
  }
  for (Operation &inner : body.without_terminator()) {
    if (inner.getNumResults() != 1)
      return {};
    for (auto *zeros : {&isZero, &wasZero}) {
      SmallVector<bool> ofOperands;
      for (Value operand : inner.getOperands())
        ofOperands.push_back(zeros->lookup(operand));
      (*zeros)[inner.getResult(0)] =
          matchPattern(inner.getResult(0), m_AnyZeroFloat()) ||
          keepsZeros(&inner, ofOperands);
    }
  }
  RankedTensorType result = getRowsType(value.value, features);
  const unsigned rank = result.getRank();
  Value init = tensor::EmptyOp::create(builder, loc, result.getShape(),
                                       result.getElementType());
  AffineMap map = AffineMap::getMultiDimIdentityMap(rank, builder.getContext());
  auto kernel = linalg::GenericOp::create(
      builder, loc, result, values, init,
      SmallVector<AffineMap>(values.size() + 1, map),
      SmallVector<utils::IteratorType>(rank, utils::IteratorType::parallel),
      [&](OpBuilder &inside, Location loc, ValueRange arguments) {
        IRMapping mapping;
        mapping.map(body.getArguments(), arguments);
        for (Operation &inner : body.without_terminator())
          if (&inner != sum)
            inside.clone(inner, mapping);
        linalg::YieldOp::create(inside, loc, mapping.lookupOrDefault(last));
      });
  return {kernel.getResult(0), isZero.lookup(last), wasZero.lookup(last)};
}

bool ChosenRows::areMatrices(const LabelledValue &value,
                             ArrayRef<Digit> features) const {
  Digital digital = classify(value, features);
  return digital.isKnown && digital.hasExperts && !digital.hasPositions &&
         digital.rows.empty();
}

bool ChosenRows::replacesAll(Operation *user) const {
  return llvm::all_of(visited, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *other) {
      return other == user || visited.contains(other);
    });
  });
}
