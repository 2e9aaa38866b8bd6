// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Raise/RowScores.h"

#include "Raise/Matchers.h"
#include "te/Support/SkipOps.h"
#include "te/Support/TensorType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/ScopeExit.h"

#include <cmath>

using namespace mlir;
using namespace mlir::te;

/// Looks through reshapes, broadcasts and widened integers.
static Value skipRepeats(Value value) {
  return skipOps<tensor::CollapseShapeOp, tensor::ExpandShapeOp,
                 linalg::BroadcastOp, arith::ExtSIOp>(value);
}

/// The integer of a splat.
static std::optional<int64_t> getInteger(Value value) {
  DenseIntElementsAttr data;
  if (!matchPattern(skipRepeats(value), m_Constant(&data)) || !data.isSplat())
    return std::nullopt;
  return data.getSplatValue<APInt>().getSExtValue();
}

/// The operand of `op` next to a splat integer, which is returned as well.
static std::optional<std::pair<Value, int64_t>> getWithInteger(Operation *op) {
  if (auto number = getInteger(op->getOperand(1)))
    return std::pair(op->getOperand(0), *number);
  if (auto number = getInteger(op->getOperand(0)))
    return std::pair(op->getOperand(1), *number);
  return std::nullopt;
}

/// The dimension that `value` counts along, if any.
static std::optional<int64_t> getCounted(Value value) {
  auto generic = skipRepeats(value).getDefiningOp<linalg::GenericOp>();
  if (!generic || generic.getNumDpsInputs() != 0 ||
      generic.getNumDpsInits() != 1 || generic.getNumReductionLoops() != 0 ||
      !generic.getIndexingMapsArray()[0].isIdentity())
    return std::nullopt;
  auto cast = generic.getBody()
                  ->getTerminator()
                  ->getOperand(0)
                  .getDefiningOp<arith::IndexCastOp>();
  auto index =
      cast ? cast.getIn().getDefiningOp<linalg::IndexOp>() : linalg::IndexOp();
  return index ? std::optional<int64_t>(index.getDim()) : std::nullopt;
}

bool RowScores::setClasses(int64_t count) {
  if (classes == 0)
    classes = count;
  return classes == count && count > 0;
}

bool RowScores::setLogits(Value value) {
  value = skipReshapes(value);
  if (!logits)
    logits = value;
  return isSameData(logits, value);
}

bool RowScores::setLabels(Value value) {
  if (!value)
    return false;
  value = skipRepeats(value);
  if (!labels)
    labels = value;
  return labels == value && tensorType(value).getNumElements() == rows;
}

void RowScores::addOther(Value value, double factor) {
  value = skipReshapes(value);
  ++terms;
  for (auto &[other, sum] : others)
    if (other == value) {
      sum += factor;
      return;
    }
  others.emplace_back(value, factor);
}

bool RowScores::isLogProbability() const {
  // In a one-hot vector of zeros only, other terms would still count.
  if (isOneHot && terms != 1)
    return false;
  return logits && labels && picked != 0 && lse == -picked &&
         llvm::all_of(others,
                      [](const auto &other) { return other.second == 0; });
}

bool RowScores::add(Value value, double factor) {
  constexpr unsigned kDeepest = 32;
  value = skipReshapesAndCasts(value);
  Operation *op = value.getDefiningOp();
  ++depth;
  llvm::scope_exit leave([&] { --depth; });
  if (tensorType(value).getNumElements() != rows || depth > kDeepest)
    return false;
  if (!op) {
    addOther(value, factor);
    return true;
  }
  if (auto sum = getSum(value))
    return add(sum->first, factor) && add(sum->second, factor);
  if (auto sub = dyn_cast<arith::SubFOp>(op))
    return add(sub.getLhs(), factor) && add(sub.getRhs(), -factor);
  if (auto neg = dyn_cast<arith::NegFOp>(op))
    return add(neg.getOperand(), -factor);
  if (auto mul = dyn_cast<arith::MulFOp>(op)) {
    if (auto number = getNumber(mul.getRhs()))
      return add(mul.getLhs(), factor * *number);
    if (auto number = getNumber(mul.getLhs()))
      return add(mul.getRhs(), factor * *number);
  }
  if (auto log = dyn_cast<math::LogOp>(op))
    if (addLogarithm(log.getOperand(), factor))
      return true;
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    // JAX fills lookups out of bounds with NaN.
    DenseFPElementsAttr outside;
    RowScores tried = *this;
    if (matchPattern(select.getFalseValue(), m_Constant(&outside)) &&
        outside.isSplat() && outside.getSplatValue<APFloat>().isNaN() &&
        tried.add(select.getTrueValue(), factor) && tried.labels &&
        tried.isInside(select.getCondition())) {
      tried.depth = depth;
      *this = tried;
      return true;
    }
  }
  if (isa<EmbeddingOp>(op))
    return addLookup(value, factor);
  if (auto reduction = dyn_cast<linalg::LinalgOp>(op);
      reduction && reduction.getNumDpsInputs() == 1) {
    Value input = reduction.getDpsInputOperand(0)->get();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (Value summed = type && type.getRank() > 0
                           ? getSummedRows(value, type.getShape().back())
                           : Value()) {
      RowScores tried = *this;
      if (tried.addOneHot(summed, factor)) {
        *this = tried;
        return true;
      }
    }
  }
  addOther(value, factor);
  return true;
}

/// log Σ exp(logits - rest) = lse - rest
bool RowScores::addLogarithm(Value sum, double factor) {
  sum = skipReshapesAndCasts(sum);
  // Sums of exponentials equal their magnitudes.
  if (auto magnitude = sum.getDefiningOp<math::AbsFOp>())
    sum = skipReshapesAndCasts(magnitude.getOperand());
  auto op = sum.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumDpsInputs() != 1)
    return false;
  auto type =
      dyn_cast<RankedTensorType>(op.getDpsInputOperand(0)->get().getType());
  Value summed = type && type.getRank() > 0
                     ? getSummedRows(sum, type.getShape().back())
                     : Value();
  auto exp = summed ? skipReshapesAndCasts(summed).getDefiningOp<math::ExpOp>()
                    : math::ExpOp();
  if (!exp || !setClasses(type.getShape().back()) ||
      !addScores(exp.getOperand(), factor))
    return false;
  lse += factor;
  ++terms;
  return true;
}

/// Adds a value that was added to every number of a row of logits, except the
/// logits themselves.
bool RowScores::addScores(Value value, double factor) {
  value = skipReshapesAndCasts(value);
  if (tensorType(value).getNumElements() != rows * classes)
    return false;
  auto addColumn = [&](Value column, double factor) {
    Value row = getRepeatedColumn(column, rows, classes);
    return row && add(row, factor);
  };
  if (auto sub = value.getDefiningOp<arith::SubFOp>();
      sub && getRepeatedColumn(sub.getRhs(), rows, classes))
    return addColumn(sub.getRhs(), -factor) && addScores(sub.getLhs(), factor);
  if (auto sum = getSum(value))
    for (auto [scores, column] : {*sum, std::pair(sum->second, sum->first)})
      if (getRepeatedColumn(column, rows, classes))
        return addColumn(column, factor) && addScores(scores, factor);
  return setLogits(value);
}

/// Elements of a matrix at positions row * classes + label.
bool RowScores::addLookup(Value value, double factor) {
  auto lookup = value.getDefiningOp<EmbeddingOp>();
  RankedTensorType table = lookup.getTable().getType();
  if (table.getDimSize(1) != 1 || table.getDimSize(0) % rows != 0 ||
      !setClasses(table.getDimSize(0) / rows) ||
      !setLabels(readPositions(lookup.getIds())) ||
      !addScores(lookup.getTable(), factor))
    return false;
  picked += factor;
  ++terms;
  return true;
}

/// The class of every row in positions of elements, row * classes + class; null
/// if they are others.
Value RowScores::readPositions(Value ids) {
  ids = skipReshapes(ids);
  ArrayRef<int64_t> shape = tensorType(ids).getShape();
  SmallVector<int64_t> strides(shape.size(), 0);
  SmallVector<std::pair<Value, int64_t>> rest{{ids, 1}};
  Value position;
  while (!rest.empty()) {
    auto [value, factor] = rest.pop_back_val();
    Operation *op = value.getDefiningOp();
    if (tensorType(value).getShape() != shape)
      return {};
    if (auto add = dyn_cast_or_null<arith::AddIOp>(op)) {
      rest.emplace_back(add.getLhs(), factor);
      rest.emplace_back(add.getRhs(), factor);
      continue;
    }
    if (isa_and_nonnull<arith::MulIOp>(op))
      if (auto product = getWithInteger(op)) {
        rest.emplace_back(product->first, factor * product->second);
        continue;
      }
    auto counted =
        op && isa<linalg::GenericOp>(op) ? getCounted(value) : std::nullopt;
    if (counted) {
      strides[*counted] += factor;
      continue;
    }
    if (position || factor != 1)
      return {};
    position = value;
  }
  int64_t stride = classes;
  for (size_t dim = shape.size(); dim-- > 0; stride *= shape[dim])
    if (shape[dim] != 1 && strides[dim] != stride)
      return {};
  return position ? readClass(position) : Value();
}

/// The label y of a position in a row: of min(max(y, 0), classes - 1), where y
/// may have been counted from the end before.
Value RowScores::readClass(Value position) const {
  position = skipRepeats(position);
  auto least = position.getDefiningOp<arith::MinSIOp>();
  auto below = least ? getWithInteger(least) : std::nullopt;
  auto most = below && below->second == classes - 1
                  ? skipRepeats(below->first).getDefiningOp<arith::MaxSIOp>()
                  : arith::MaxSIOp();
  if (auto above = most ? getWithInteger(most) : std::nullopt;
      above && above->second == 0)
    position = skipRepeats(above->first);
  auto select = position.getDefiningOp<arith::SelectOp>();
  if (!select)
    return position;
  Value label = skipRepeats(select.getFalseValue());
  auto isNegative =
      skipRepeats(select.getCondition()).getDefiningOp<arith::CmpIOp>();
  auto sum = skipRepeats(select.getTrueValue()).getDefiningOp<arith::AddIOp>();
  bool wraps = isNegative && sum &&
               isNegative.getPredicate() == arith::CmpIPredicate::slt &&
               getInteger(isNegative.getRhs()) == 0 &&
               skipRepeats(isNegative.getLhs()) == label &&
               skipRepeats(sum.getLhs()) == label &&
               getInteger(sum.getRhs()) == classes;
  return wraps ? label : position;
}

/// True if `condition` tests that the labels are classes.
bool RowScores::isInside(Value condition) const {
  auto both = skipRepeats(condition).getDefiningOp<arith::AndIOp>();
  if (!both)
    return false;
  auto compares = [&](Value value, arith::CmpIPredicate predicate,
                      int64_t with) {
    auto op = skipRepeats(value).getDefiningOp<arith::CmpIOp>();
    return op && op.getPredicate() == predicate &&
           getInteger(op.getRhs()) == with && readClass(op.getLhs()) == labels;
  };
  for (auto [low, high] : {std::pair(both.getLhs(), both.getRhs()),
                           std::pair(both.getRhs(), both.getLhs())})
    if (compares(low, arith::CmpIPredicate::sge, 0) &&
        compares(high, arith::CmpIPredicate::sle, classes - 1))
      return true;
  return false;
}

/// The labels that `value`, [..., classes], compares with the number of every
/// column.
static Value getCompared(Value value, int64_t rows, int64_t classes) {
  auto compare = skipReshapes(value).getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::eq)
    return {};
  RankedTensorType type = tensorType(compare.getLhs());
  auto countsColumns = [&](Value value) {
    DenseIntElementsAttr data;
    value = skipRepeats(value);
    if (!matchPattern(value, m_Constant(&data)) ||
        data.getType().getShape().back() != classes)
      return false;
    for (auto [i, number] : llvm::enumerate(data.getValues<APInt>()))
      if (number.getSExtValue() != int64_t(i) % classes)
        return false;
    return true;
  };
  for (auto [labels, columns] :
       {std::pair(compare.getLhs(), compare.getRhs()),
        std::pair(compare.getRhs(), compare.getLhs())}) {
    Value row = getRepeatedColumn(labels, rows, classes);
    // The columns are broadcast over rows, and no row over columns.
    bool repeatsRows = getRepeatedRow(columns, classes) ||
                       tensorType(skipReshapes(columns)).getNumElements() ==
                           type.getNumElements();
    if (row && repeatsRows && countsColumns(columns))
      return row;
  }
  return {};
}

bool RowScores::addOneHot(Value value, double factor) {
  value = skipReshapesAndCasts(value);
  int64_t count = tensorType(value).getShape().back();
  if (tensorType(value).getNumElements() != rows * count || !setClasses(count))
    return false;
  Value scores, row;
  if (auto mul = value.getDefiningOp<arith::MulFOp>()) {
    for (auto [a, b] : {std::pair(mul.getLhs(), mul.getRhs()),
                        std::pair(mul.getRhs(), mul.getLhs())})
      if (auto truth = skipReshapesAndCasts(b).getDefiningOp<arith::UIToFPOp>())
        if (Value labels = getCompared(truth.getIn(), rows, classes)) {
          scores = a;
          row = labels;
        }
  } else if (auto select = value.getDefiningOp<arith::SelectOp>()) {
    if (getNumber(select.getFalseValue()) == 0.0) {
      scores = select.getTrueValue();
      row = getCompared(select.getCondition(), rows, classes);
    }
  }
  unsigned before = terms;
  if (!row || !setLabels(row) || !addScores(scores, factor))
    return false;
  picked += factor;
  isOneHot = true;
  terms = before + 1;
  return true;
}
